// Runs store calls on a database, keeps the statements they make, and asks the database how it would run each.
import type { StatementRunner } from "../../src/storage/kysely-driver.ts";
import { openPool } from "../../src/storage/postgres/connection.ts";
import { poolRunner, slowRunner } from "../../src/storage/postgres/runners.ts";
import { openSession } from "../../src/storage/postgres/session.ts";
import { createPostgresKysely } from "../../src/storage/postgres/storage.ts";
import { openSqlite } from "../../src/storage/sqlite/connection.ts";
import { createSqliteKysely, directRunner } from "../../src/storage/sqlite/storage.ts";
import type { CallContext, ReadClass } from "../../src/storage/storage.ts";
import type { TestStorage } from "./storage.ts";

export interface QueryPlans {
  /** The plans of every statement that `work` makes, one text a statement. `often`: of those that PostgreSQL prepares, and as it runs
   *  them after some times: by one plan for all values, unless it expects more of a plan for these. */
  plansOf(work: (context: CallContext) => Promise<unknown>, often?: boolean): Promise<string[]>;
  /** How many statements `work` makes. */
  countOf(work: (context: CallContext) => Promise<unknown>): Promise<number>;
  /** Lets the planner count the rows. */
  analyze(): Promise<void>;
  close(): Promise<void>;
}

export function openQueryPlans(store: TestStorage): QueryPlans {
  const { runner, runnerOf, close } = openRunner(store);
  const explain = store.location.kind === "sqlite" ? "explain query plan" : "explain";
  const recorded = async (work: (context: CallContext) => Promise<unknown>) => {
    const statements: { sql: string; parameters: readonly unknown[]; readClass: ReadClass }[] = [];
    const recording = (readClass: ReadClass): StatementRunner => ({
      run(sql, parameters) {
        statements.push({ sql, parameters, readClass });
        return runner.run(sql, parameters);
      },
    });
    const kyselyOf = (readClass: ReadClass) =>
      store.location.kind === "sqlite"
        ? createSqliteKysely(recording(readClass))
        : createPostgresKysely(recording(readClass));
    await work({
      ...store.context(),
      database: {
        read: (_context, readClass) => kyselyOf(readClass),
        write: () => kyselyOf("short"),
        transaction: null,
      },
    });
    return statements;
  };
  return {
    countOf: async (work) => (await recorded(work)).length,
    async plansOf(work, often = false) {
      const plans: string[] = [];
      for (const { sql, parameters, readClass } of await recorded(work)) {
        const explained = async (how: string, values: readonly unknown[]) => {
          const { rows } = await runnerOf(readClass).run(`${how} ${sql}`, values);
          return rows.map((row) => lineOf(row as Record<string, unknown>)).join("\n");
        };
        const own = await explained(explain, parameters);
        if (!often) plans.push(own);
        else if (readClass === "short") {
          const generic = await explained("explain (generic_plan)", []);
          plans.push(costOf(generic) <= costOf(own) ? generic : own);
        }
      }
      return plans;
    },
    async analyze() {
      await runner.run("analyze", []);
    },
    close,
  };
}

function costOf(plan: string): number {
  return Number(/cost=\S+?\.\.(\S+)/.exec(plan)?.[1] ?? 0);
}

function lineOf(row: Record<string, unknown>): string {
  return String(row.detail ?? row["QUERY PLAN"]);
}

interface PlanRunner {
  readonly runner: StatementRunner;
  /** As the database runs reads of the class. */
  runnerOf(readClass: ReadClass): StatementRunner;
  close(): Promise<void>;
}

function openRunner({ location, context }: TestStorage): PlanRunner {
  if (location.kind === "sqlite") {
    const connection = openSqlite(location, "writer");
    const runner = directRunner(connection);
    return { runner, runnerOf: () => runner, close: async () => connection.close() };
  }
  const pool = openPool(location, { name: "plans", connections: 1, statementTimeout: null });
  const openCanceller = () => openSession(location, { name: "cancel", statementTimeout: null });
  const runner = poolRunner(pool);
  return {
    runner,
    runnerOf: (readClass) =>
      readClass === "short" ? runner : slowRunner(pool, openCanceller, context(), readClass === "walk"),
    close: () => pool.end({ timeout: 5 }),
  };
}

/** Tables that a plan reads from one end to the other, in any order. Table functions and small helpers do not count. */
export function fullScans(plan: string): string[] {
  return [
    ...plan.matchAll(/(?:SCAN|Seq Scan on) (spans|traces|sessions|span_payloads|large_values|projects)\b.*/g),
  ].map(([line]) => line);
}

// The rows of budgets, and what is used of them.
import { type RawBuilder, type Selectable, sql } from "kysely";
import type { Dialect } from "../../../storage/dialect.ts";
import type { CallContext } from "../../../storage/storage.ts";
import { type AppliedBudget, usageKeyOf } from "./applied-budgets.rules.ts";
import type { Budget, BudgetLimits, BudgetPeriod, BudgetScope, BudgetTarget, BudgetUse } from "./spending.schema.ts";
import type { BudgetsTable } from "./spending.tables.ts";

type BudgetRow = Omit<Selectable<BudgetsTable>, "max_cost" | "set_by_user_id" | "created_us"> & {
  readonly max_cost: string | null;
};

/** Sums cross as text: beyond 2^53 the databases answer each in its own way. */
interface UseRow {
  readonly use_key: string;
  readonly cost: string;
  readonly tokens: string;
  readonly reserved_cost: string;
  readonly reserved_tokens: string;
}

const targetColumns = { server: null, user: "user_id", api_key: "api_key_id", project: "project_id" } as const;

export type BudgetsStore = ReturnType<typeof createBudgetsStore>;

export function createBudgetsStore(dialect: Dialect) {
  const sum = (expression: RawBuilder<unknown>) => sql`cast(coalesce(sum(${expression}), 0) as text)`;

  /** One statement, so that a call that is settled meanwhile counts as reserved or as spent, never as neither. */
  function usageOf(applied: Omit<AppliedBudget, "budget">, nowUs: number): RawBuilder<UseRow> {
    const { scope, targetId, sinceUs } = applied;
    const column = targetColumns[scope];
    const isOfTarget = column === null ? sql`1 = 1` : sql`${sql.ref(column)} = ${targetId}`;
    const spent = (expression: RawBuilder<unknown>) =>
      sql`(select ${sum(expression)} from spending where day_us >= ${sinceUs} and ${isOfTarget})`;
    const reserved = (expression: RawBuilder<unknown>) =>
      sql`(select ${sum(expression)} from spending_reservations
        where expires_us > ${nowUs} and day_us >= ${sinceUs} and ${isOfTarget})`;
    return sql<UseRow>`select ${sql.lit(usageKeyOf(applied))} as use_key, ${spent(sql`cost`)} as cost,
      ${spent(sql`prompt_tokens + completion_tokens`)} as tokens, ${reserved(sql`cost`)} as reserved_cost,
      ${reserved(sql`tokens`)} as reserved_tokens`;
  }

  const selected = (context: CallContext) =>
    context.database
      .read(context, "short")
      .selectFrom("budgets")
      .select(["id", "scope", "user_id", "api_key_id", "project_id", "period", "max_tokens", "updated_us"])
      .select(sql<string | null>`cast(max_cost as text)`.as("max_cost"));

  return {
    /** In the order in which they were made. */
    async list(context: CallContext): Promise<Budget[]> {
      return (await selected(context).orderBy("id").execute()).map(budgetOf);
    },

    /** Keeps others from reserving from these, to the end of the transaction. */
    async lock(context: CallContext, ids: readonly number[]): Promise<void> {
      // SQLite has one writer anyway.
      if (dialect.name === "sqlite") return;
      await context.database
        .write(context)
        .selectFrom("budgets")
        .select("id")
        .where(dialect.inList(sql.ref("id"), ids))
        .orderBy("id")
        .forUpdate()
        .execute();
    },

    /** By `usageKeyOf`. */
    async listUse(
      context: CallContext,
      applied: readonly Omit<AppliedBudget, "budget">[],
      nowUs: number,
    ): Promise<Map<string, BudgetUse>> {
      if (applied.length === 0) return new Map();
      const parts = new Map(applied.map((each) => [usageKeyOf(each), usageOf(each, nowUs)]));
      const { rows } = await sql<UseRow>`${sql.join([...parts.values()], sql` union all `)}`.execute(
        context.database.read(context, "short"),
      );
      return new Map(
        rows.map((row) => [
          row.use_key,
          {
            cost: BigInt(row.cost),
            tokens: BigInt(row.tokens),
            reservedCost: BigInt(row.reserved_cost),
            reservedTokens: BigInt(row.reserved_tokens),
          },
        ]),
      );
    },

    /** In the place of the one for the same target and period, if there is one. */
    async set(
      context: CallContext,
      { scope, targetId, period }: BudgetTarget,
      { maxCost, maxTokens }: BudgetLimits,
      { userId, nowUs }: { readonly userId: number | null; readonly nowUs: number },
    ): Promise<number> {
      const column = targetColumns[scope];
      const id = (name: string) => (name === column ? targetId : null);
      const { rows } = await sql<{ id: number }>`
        insert into budgets (scope, user_id, api_key_id, project_id, period, max_cost, max_tokens, set_by_user_id,
          created_us, updated_us)
        values (${scope}, ${id("user_id")}, ${id("api_key_id")}, ${id("project_id")}, ${period},
          cast(${maxCost === null ? null : String(maxCost)} as bigint), ${maxTokens}, ${userId}, ${nowUs}, ${nowUs})
        on conflict (scope, coalesce(user_id, api_key_id, project_id, 0), period) do update set
          max_cost = excluded.max_cost, max_tokens = excluded.max_tokens,
          set_by_user_id = excluded.set_by_user_id, updated_us = excluded.updated_us
        returning id`.execute(context.database.write(context));
      return Number(rows[0]!.id);
    },

    async remove(context: CallContext, id: number): Promise<boolean> {
      const { numDeletedRows } = await context.database
        .write(context)
        .deleteFrom("budgets")
        .where("id", "=", id)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}

function budgetOf(row: BudgetRow): Budget {
  return {
    id: row.id,
    scope: row.scope as BudgetScope,
    targetId: row.user_id ?? row.api_key_id ?? row.project_id,
    period: row.period as BudgetPeriod,
    maxCost: row.max_cost === null ? null : BigInt(row.max_cost),
    maxTokens: row.max_tokens,
    updatedUs: row.updated_us,
  };
}

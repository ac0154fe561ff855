// A server with `--read-only` over a database in which every kind of work waits: nothing that runs by itself changes anything.
import { expect, setDefaultTimeout, test } from "bun:test";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { sql } from "kysely";
import { openStorageAlone } from "../../src/storage/open.ts";
import type { Database } from "../../src/storage/storage.ts";
import { exportTo, sendSpans } from "../support/dataset.ts";
import { forEachDriver } from "../support/drivers.ts";
import { seedDataset, seedExperiment } from "../support/experiments.ts";
import { createHttpClient } from "../support/http.ts";
import { type RunningService, startService } from "../support/server.ts";
import { contextOf, locationOf } from "../support/storage.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(120_000);

/** Longer than the first look of every job. */
const LONG_ENOUGH_MS = 1000 * Number(process.env.SPANLIGHT_TEST_FAULT_SECONDS ?? 5);
/** Beside the two waits. */
const TEST_MS = 60_000;
/** 2024: older than everything that waits may be. */
const LONG_AGO_US = 1_704_067_200_000_000;
const WITH_SIGN_INS = { SERVICE_ENABLE_AUTH: "true", SERVICE_SECRET: "a-secret-of-tests-0123456789-0123456789" };

/** What PostgreSQL has between the two steps of an ingestion. */
const emptyTrace = sql`insert into traces (trace_key, project_id, start_us, end_us, latency_us, span_count)
  select 'without spans', id, ${LONG_AGO_US}, ${LONG_AGO_US}, 0, 0 from projects where name = 'kept'`;

forEachDriver("--read-only", (driver) => {
  const serve = (databaseUrl: string, given: Partial<Parameters<typeof startService>[0]> = {}) =>
    startService({ databaseUrl, ...given });

  async function withDatabase<Result>(url: string, work: (database: Database) => Promise<Result>): Promise<Result> {
    const storage = openStorageAlone(locationOf(url));
    try {
      return await work(storage.handle.write(contextOf(storage)));
    } finally {
      await storage.close();
    }
  }

  /** SQLite: the bytes of the file, beside which no log with changes lies. PostgreSQL: the rows of every table. */
  async function contentsOf(url: string): Promise<Record<string, string>> {
    if (driver.name === "sqlite") {
      const path = url.slice("sqlite:///".length);
      const logBytes = existsSync(`${path}-wal`) ? statSync(`${path}-wal`).size : 0;
      return { file: createHash("sha256").update(readFileSync(path)).digest("hex"), log: String(logBytes) };
    }
    return withDatabase(url, async (database) => {
      const tables = await sql<{ name: string }>`
        select tablename as name from pg_tables where schemaname = current_schema() order by 1`.execute(database);
      const contents: Record<string, string> = {};
      for (const { name } of tables.rows) {
        const { rows } = await sql<{
          digest: string;
        }>`select md5(coalesce(string_agg(each::text, '|' order by each::text), ''))
          as digest from ${sql.table(name)} as each`.execute(database);
        contents[name] = rows[0]!.digest;
      }
      return contents;
    });
  }

  const countOf = (url: string, table: string, condition = "true") =>
    withDatabase(url, async (database) => {
      const { rows } = await sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)}
        where ${sql.raw(condition)}`.execute(database);
      return Number(rows[0]!.rows);
    });

  async function fill(service: RunningService): Promise<void> {
    const client = createHttpClient(service.url);
    await sendSpans(exportTo(client), "kept", [
      {
        traceId: "0".repeat(31).concat("1"),
        spanId: "0".repeat(15).concat("1"),
        name: "call",
        startTimeUnixNano: `${LONG_AGO_US}000`,
        endTimeUnixNano: `${LONG_AGO_US + 1}000`,
      },
    ]);
    const early = {
      span_id: "0".repeat(15).concat("2"),
      name: "early",
      annotator_kind: "CODE",
      result: { score: 0.5 },
    };
    await client.post("/v1/span_annotations", { json: { data: [early] } });
    const examples = [{ input: { question: "?" }, output: {} }];
    await seedDataset(client, "half deleted", examples);
    await seedExperiment(client, await seedDataset(client, "asked", examples), { name: "dismissed" }, [
      { example: 0, output: "!" },
    ]);
  }

  /** As servers that were killed, and people who wait for what was asked for, leave a database. */
  const leaveWork = (url: string) =>
    withDatabase(url, async (database) => {
      for (const statement of [
        sql`update datasets set deleting = 1 where name = 'half deleted'`,
        sql`update experiments set dismissed_us = ${LONG_AGO_US}`,
        sql`insert into dataset_uploads (committed, touched_us) values (0, ${LONG_AGO_US})`,
        sql`insert into pending_rollups (trace_id) select id from traces`,
        sql`update pending_annotations set received_us = ${LONG_AGO_US}`,
        sql`insert into pending_messages (trace_key, span_key, digest, body, received_us)
          values ('nowhere', 'nowhere', 'x', '{}', ${LONG_AGO_US})`,
        sql`insert into cost_recomputations (status, created_us, updated_us, last_span_id)
          values ('RUNNING', ${LONG_AGO_US}, ${LONG_AGO_US}, 1)`,
        ...(driver.name === "sqlite" ? [] : [emptyTrace]),
        // Served never, and whatever is a day old goes.
        sql`update retention_policies set max_days = 1, cron = '0 * * * *', served_us = ${LONG_AGO_US}`,
        sql`insert into refresh_tokens (user_id, random_hash, created_us, expires_us)
          select id, ${Buffer.from("x")}, 0, 1 from users`,
        // What every start makes sure of.
        sql`delete from projects where name = 'default'`,
        sql`delete from annotation_configs`,
      ])
        await statement.execute(database);
    });

  test(
    "changes nothing while work waits, and a server without it does all of it",
    async () => {
      const url = await driver.createDatabase();
      const first = await serve(url);
      await fill(first);
      expect(await first.stop()).toBe(0);
      await leaveWork(url);
      const before = await contentsOf(url);

      for (const env of [{}, WITH_SIGN_INS]) {
        const service = await serve(url, { args: ["--read-only"], env });
        // Asks for the sums of a trace that are pending.
        const query =
          '{ projects { edges { node { spanCount: recordCount(filterCondition: "cumulative_token_count.total > 0") } } } }';
        const answer = await createHttpClient(service.url).post("/graphql", { json: { query } });
        expect(answer.status).toBe(env === WITH_SIGN_INS ? 401 : 200);
        expect(answer.text).not.toContain('"errors"');
        await Bun.sleep(LONG_ENOUGH_MS);
        expect(await service.stop()).toBe(0);
        expect(service.log()).not.toMatch(/ (?:ERROR|WARNING) .*(?:could not|failed)/);
        expect(await contentsOf(url)).toEqual(before);
      }

      const writing = await serve(url, { env: WITH_SIGN_INS });
      await until(async () => (await countOf(url, "experiments")) === 0);
      for (const [table, condition] of [
        ["datasets", "name = 'half deleted'"],
        ["dataset_uploads"],
        ["pending_rollups"],
        ["pending_annotations"],
        ["pending_messages"],
        ["cost_recomputations", "status = 'RUNNING'"],
        ["traces"],
        ["refresh_tokens"],
      ] as const)
        await until(async () => (await countOf(url, table, condition)) === 0).catch(() => {
          throw new Error(`left in ${table}`);
        });
      expect(await countOf(url, "projects", "name = 'default'")).toBe(1);
      expect(await countOf(url, "annotation_configs")).toBe(1);
      expect(await writing.stop()).toBe(0);
    },
    TEST_MS + 2 * LONG_ENOUGH_MS,
  );
});

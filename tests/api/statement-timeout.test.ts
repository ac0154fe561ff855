// A limit that somebody has set in PostgreSQL ends statements of this server: whoever asked is told so, and gets all or nothing.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import type { PostgresLocation } from "../../src/storage/location.ts";
import { openPool } from "../../src/storage/postgres/connection.ts";
import type { PostgresPool } from "../../src/storage/postgres/pool.ts";
import { openTestApi, send, type TestApi } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askGraphql } from "../support/graphql.ts";
import { incomingSpan } from "../support/spans.ts";
import { locationOf } from "../support/storage.ts";
import { until } from "../support/until.ts";

const PROJECT = "limited";
const SAID =
  "The database stopped the query by itself: canceling statement due to statement timeout. Ask for less, or raise statement_timeout in the database for the user of this server";

forEachDriver("a statement_timeout of the database", (driver) => {
  if (driver.name === "sqlite") return;
  let api: TestApi;
  let admin: PostgresPool;
  beforeAll(async () => {
    const url = await driver.createDatabase();
    api = await openTestApi(url, { settings: { deadlineMs: 20_000 } });
    await ingestBatch(api.stored.ingest, [incomingSpan({ projectName: PROJECT })]);
    admin = openPool(locationOf(url) as PostgresLocation, { name: "admin", connections: 2, statementTimeout: null });
    const [database] = await admin<{ name: string }[]>`select current_database() as name`;
    const { sql, release } = await admin.lease();
    await sql.unsafe(`alter database "${database!.name}" set statement_timeout = '300ms'`);
    // Only new sessions have it.
    await sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = ${database!.name} and application_name like 'spanlight%' and application_name <> 'spanlight admin'`;
    release();
    await until(async () => (await send(api.server, "GET /v1/projects")).status === 200);
  });
  afterAll(async () => {
    await admin?.end({ timeout: 1 });
    await api?.close();
  });

  /** While nobody can read the table of spans. */
  const whileLocked = <Result>(work: () => Promise<Result>): Promise<Result> =>
    admin.begin(async (sql) => {
      await sql.unsafe("lock table spans in access exclusive mode");
      return work();
    });

  test("a list, a data frame and GraphQL say that it ended them, and are whole when it does not", async () => {
    const list = () => send(api.server, `GET /v1/projects/${PROJECT}/spans`);
    const frame = () =>
      send(api.server, `POST /v1/spans?project_name=${PROJECT}`, {
        json: { queries: [{}] },
        headers: { accept: "application/json" },
      });
    const graphql = () =>
      askGraphql(api, `{ projects { edges { node { spans(first: 5) { edges { node { name } } } } } } }`);
    await whileLocked(async () => {
      for (const answer of [await list(), await frame()]) {
        expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
        expect(await answer.text()).toContain(SAID);
      }
      const { errors } = await graphql();
      expect(errors?.[0]).toMatchObject({
        message: SAID,
        extensions: { code: "UNAVAILABLE", reason: "storage.stopped_by_database" },
      });
    });
    expect([(await list()).status, (await frame()).status]).toEqual([200, 200]);
    expect((await graphql()).errors).toBeUndefined();
  });

  test("spans that could not be stored in time are sent again, not rejected", async () => {
    const failure = await whileLocked(() =>
      ingestBatch(api.stored.ingest, [incomingSpan({ projectName: PROJECT, spanKey: "late" })]).then(
        () => null,
        (error: unknown) => error,
      ),
    );
    expect(failure).toMatchObject({ kind: "unavailable", code: "storage.stopped_by_database", message: SAID });
  });
});

// A row that another transaction keeps locked: only the spans that need it wait, everything else is stored, and nothing waits any more when
// the row is free.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createIntake, type Intake } from "../../src/ingest/intake.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import type { IncomingSpan } from "../../src/model/span.ts";
import type { PostgresLocation } from "../../src/storage/location.ts";
import { openPool } from "../../src/storage/postgres/connection.ts";
import { createPostgresIngestStore } from "../../src/storage/postgres/ingest-store.ts";
import type { PostgresPool } from "../../src/storage/postgres/pool.ts";
import { forEachDriver } from "../support/drivers.ts";
import { failureOf } from "../support/failures.ts";
import { incomingSpan } from "../support/spans.ts";
import { locationOf, openTestStorage, type TestStorage } from "../support/storage.ts";
import { expectVerified } from "../support/stored.ts";
import { until } from "../support/until.ts";

const LOCK_LIMIT_MS = 1000;

forEachDriver("rows that others hold", (driver) => {
  if (driver.name === "sqlite") return;
  let url: string;
  let store: TestStorage;
  let admin: PostgresPool;
  let intake: Intake;
  let closeIngest: () => Promise<void>;
  beforeAll(async () => {
    url = await driver.createDatabase();
    store = await openTestStorage(url);
    const location = locationOf(url) as PostgresLocation;
    admin = openPool(location, { name: "admin", connections: 2, statementTimeout: null });
    const limits = { silenceLimit: 30_000, lockLimit: LOCK_LIMIT_MS };
    const pool = openPool(location, { name: "ingest", connections: 2, statementTimeout: null, ...limits });
    const ingest = createPostgresIngestStore(pool, { clock: systemClock, onDeadlock: () => {} });
    intake = createIntake({ store: ingest, queues: 2, maxQueuedSpans: 10_000, onBatch: () => {} });
    closeIngest = ingest.close;
  });
  afterAll(async () => {
    await intake.close();
    await closeIngest();
    await admin.end({ timeout: 1 });
    await expectVerified({ url });
    await store.close();
  });

  let serial = 0;
  const spanOf = (name: string, more: Partial<IncomingSpan> = {}) =>
    incomingSpan({
      spanKey: `span ${serial++}`,
      traceKey: `trace of ${name}`,
      sessionKey: `session of ${name}`,
      projectName: `project of ${name}`,
      ...more,
    });
  const isStored = async ({ spanKey }: IncomingSpan) =>
    (await admin`select 1 from spans where span_key = ${spanKey}`).length === 1;

  /** Runs `work` while another transaction holds the row. */
  const whileHeld = (text: string, work: () => Promise<void>) =>
    admin.begin(async (sql) => {
      expect(await sql.unsafe(text)).toHaveLength(1);
      await work();
    });

  const rows = {
    session: "select id from sessions where session_key = 'session of held' for update",
    trace: "select id from traces where trace_key = 'trace of held' for no key update",
    project: "select id from projects where name = 'project of held' for update",
  } as const;
  for (const [row, text] of Object.entries(rows)) {
    test(`a ${row}: of one request everything else is stored at once, and the rest when it is free`, async () => {
      await intake.submit([spanOf("held"), spanOf("free")]);
      // Whatever it lacks, it needs the row that is held: the first trace by its session, the second by the project that it is made in.
      const [held, free] = [spanOf("held", { traceKey: `${row} held, and new` }), spanOf("free")];
      const known = spanOf(
        "held",
        row === "project" ? { traceKey: "known by its project only" } : { sessionKey: null },
      );
      let answer: Promise<unknown> = Promise.resolve();
      const waits = row === "trace" ? [known] : [held, known];
      await whileHeld(text, async () => {
        answer = intake.submit([...waits, free]);
        await until(() => isStored(free));
        expect(await Promise.all(waits.map(isStored))).toEqual(waits.map(() => false));
      });
      expect(await answer).toEqual({ rejections: [] });
      expect(await Promise.all(waits.map(isStored))).toEqual(waits.map(() => true));
    });
  }

  test("a stored span: its trace waits, and of one request everything else is stored at once", async () => {
    const parent = spanOf("held", { traceKey: "trace of a held span", sessionKey: null });
    await intake.submit([parent]);
    const { traceKey, spanKey } = parent;
    const child = spanOf("held", { traceKey, sessionKey: null, parentKey: spanKey, status: "ERROR" });
    const free = spanOf("free");
    let answer: Promise<unknown> = Promise.resolve();
    await whileHeld(`select id from spans where span_key = '${spanKey}' for update`, async () => {
      answer = intake.submit([child, free]);
      await until(() => isStored(free));
      expect(await isStored(child)).toBe(false);
      // What comes now does not wait for it.
      const next = spanOf("free");
      await intake.submit([next, spanOf("held", { traceKey: "another trace", sessionKey: null })]);
    });
    expect(await answer).toEqual({ rejections: [] });
    expect(await isStored(child)).toBe(true);
  });

  test("what is known to be held is not waited for again by the batches that come", async () => {
    await whileHeld(rows.session, async () => {
      const first = failureOf(intake.submit([spanOf("held")]));
      const began = performance.now();
      const refused = [first];
      for (let request = 0; request < 20; request++) {
        const free = spanOf(`free ${request}`);
        refused.push(failureOf(intake.submit([spanOf("held"), free])));
        await until(() => isStored(free));
      }
      // One wait a queue at most; with a wait for each it were twenty.
      expect(performance.now() - began).toBeLessThan(10 * LOCK_LIMIT_MS);
      for (const failure of await Promise.all(refused))
        expect(failure).toMatchObject({
          kind: "unavailable",
          code: "ingest.rows_held",
          details: { retryAfterSeconds: 1 },
        });
    });
    expect(await intake.submit([spanOf("held")])).toEqual({ rejections: [] });
  });
});

// How often a batch waits for PostgreSQL: with a database across a network, or beside busy neighbours, that is its time.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import type { IngestStore } from "../../src/storage/ingest-store.ts";
import type { PostgresLocation } from "../../src/storage/location.ts";
import { createPostgresIngestStore } from "../../src/storage/postgres/ingest-store.ts";
import { createPool } from "../../src/storage/postgres/pool.ts";
import { openSession, type PostgresSession, type PostgresSql } from "../../src/storage/postgres/session.ts";
import { forEachDriver } from "../support/drivers.ts";
import { incomingSpan } from "../support/spans.ts";
import { locationOf, openTestStorage, type TestStorage } from "../support/storage.ts";
import { expectVerified } from "../support/stored.ts";

forEachDriver("round trips of a batch", (driver) => {
  // On SQLite there is no way to go.
  if (driver.name === "sqlite") return;

  let url: string;
  let store: TestStorage;
  let ingest: IngestStore;
  let roundTrips = 0;
  let statements = 0;

  /** Counts a round trip whenever a statement is sent while no answer is owed. */
  function counted(session: PostgresSession): PostgresSession {
    let owed = 0;
    const count = <Call extends (...given: never[]) => Promise<unknown>>(call: Call) =>
      ((...given: never[]) => {
        if (owed++ === 0) roundTrips++;
        statements++;
        return call(...given).finally(() => owed--);
      }) as Call;
    const { begin, isPooled } = session.sql;
    const sql = Object.assign(count(session.sql), {
      unsafe: count(session.sql.unsafe),
      begin,
      isPooled,
    }) as PostgresSql;
    return new Proxy(session, {
      get: (target, name) => (name === "sql" ? sql : Reflect.get(target, name)),
    });
  }

  beforeAll(async () => {
    url = await driver.createDatabase();
    store = await openTestStorage(url);
    const location = locationOf(url) as PostgresLocation;
    const open = () => counted(openSession(location, { name: "ingest", statementTimeout: null }));
    ingest = createPostgresIngestStore(createPool(open, 1), { clock: systemClock, onDeadlock: () => {} });
  });
  afterAll(async () => {
    await ingest.close();
    await store.close();
  });

  const trace = (number: number) => {
    const spans = Array.from({ length: 20 }, (_, position) =>
      incomingSpan({
        traceKey: `trace ${number}`,
        sessionKey: `session ${number}`,
        spanKey: `${number}.${position}`,
        parentKey: position === 0 ? null : `${number}.${position >> 1}`,
        promptTokens: 10,
      }),
    );
    // Children before their parents, as exporters send them.
    return spans.reverse();
  };

  async function costOf(spans: Parameters<typeof ingestBatch>[1]) {
    [roundTrips, statements] = [0, 0];
    await ingestBatch(ingest, spans);
    return { roundTrips, statements };
  }

  test("is three for new traces and sessions, five where a trace goes on", async () => {
    // The connection, the project, and how each statement is written.
    for (let number = 0; number < 2; number++) {
      const spans = trace(number);
      await ingestBatch(ingest, spans.slice(0, 10));
      await ingestBatch(ingest, spans.slice(10));
    }
    const spans = trace(2);
    const first = await costOf([...trace(3), ...spans.slice(0, 10)]);
    expect(first.roundTrips).toBeLessThanOrEqual(3);
    expect(first.statements).toBeLessThanOrEqual(13);
    const second = await costOf(spans.slice(10));
    expect(second.roundTrips).toBeLessThanOrEqual(5);
    expect(second.statements).toBeLessThanOrEqual(13);
    await expectVerified({ url });
  });

  test("is the same for what was deleted meanwhile, after one that finds out", async () => {
    await store.storage.handle.write(store.context()).deleteFrom("span_payloads").execute();
    for (const table of ["spans", "traces", "sessions", "projects"] as const)
      await store.storage.handle.write(store.context()).deleteFrom(table).execute();
    const again = await costOf(trace(2));
    expect(again.roundTrips).toBeLessThanOrEqual(8);
    await expectVerified({ url });
    expect((await costOf(trace(4))).roundTrips).toBeLessThanOrEqual(3);
  });
});

// Every sum of the lists in model/summaries/rollups is written and read wherever traces and sessions change: each gets an amount of its own, so that
// a place which leaves one out, or takes one for another, is found.

import { expect, test } from "bun:test";
import { sql } from "kysely";
import { spanKinds } from "../../src/model/span.ts";
import {
  addTotals,
  countsBy,
  noTotals,
  type TraceTotals,
  traceCountNames,
  traceCounts,
  traceTotals,
} from "../../src/model/summaries/rollups/rollup-totals.ts";
import { sessionCounts, sessionDifferences } from "../../src/model/summaries/rollups/session-rollup.ts";
import { verifyStorage } from "../../src/modules/tracing/traces/verify/verify.service.ts";
import { ownedTables } from "../../src/server/features.ts";
import type { StoredTrace } from "../../src/storage/ingest-store.ts";
import { createTraceSumsStore } from "../../src/storage/trace-sums.ts";
import { forEachDriver } from "../support/drivers.ts";
import { openTestStorage } from "../support/storage.ts";
import { openForSuite } from "../support/suite.ts";

const COLUMNS = {
  traces: [...Object.values(traceCounts), { column: "cost" }].map(({ column }) => column),
  sessions: [...Object.values(sessionCounts), { column: "cost" }].map(({ column }) => column),
};
const bounds = { startUs: 5, endUs: 6 };
const need = { traceKey: "one", projectName: "default", sessionKey: "chat", ...bounds };

/** 1, 2, 3, …: one for each sum. */
const amounts: TraceTotals = {
  ...countsBy((name) => traceCountNames.indexOf(name) + 1),
  ...bounds,
  cost: 2n ** 60n,
};

test("every count of a trace is of something that spans have", () => {
  const span = {
    traceId: 1,
    status: "ERROR",
    promptTokens: 1,
    completionTokens: 1,
    repeatsChild: false,
    cost: 1,
    startUs: 0,
    endUs: 1,
  } as const;
  const counted = traceTotals(spanKinds.map((kind) => ({ ...span, kind }))).get(1)!;
  expect(traceCountNames.filter((name) => counted[name] === 0)).toEqual([]);
  const added = addTotals(amounts, counted);
  expect(traceCountNames.filter((name) => added[name] !== amounts[name] + counted[name])).toEqual([]);
});

forEachDriver("sums of traces and sessions", (driver) => {
  const store = openForSuite(async () => openTestStorage(await driver.createDatabase()));

  async function sumsIn(table: "traces" | "sessions"): Promise<Record<string, bigint>> {
    const columns = COLUMNS[table].map((column) => sql`cast(${sql.ref(column)} as text) as ${sql.ref(column)}`);
    const { rows } = await sql<Record<string, string>>`select ${sql.join(columns)} from ${sql.table(table)}`.execute(
      store.storage.handle.read(store.context(), "short"),
    );
    return Object.fromEntries(Object.entries(rows[0]!).map(([column, text]) => [column, BigInt(text)]));
  }
  const traceRow = (totals: TraceTotals) => ({
    ...Object.fromEntries(traceCountNames.map((name) => [traceCounts[name].column, BigInt(totals[name])])),
    cost: totals.cost,
  });
  const sessionRow = (totals: TraceTotals) => {
    const { error_count: _ofTraces, ...shared } = traceRow(totals) as Record<string, bigint>;
    return { ...shared, trace_count: 1n, error_trace_count: 1n };
  };
  const expectSums = async (totals: TraceTotals) =>
    expect({ trace: await sumsIn("traces"), session: await sumsIn("sessions") }).toEqual({
      trace: traceRow(totals) as Record<string, bigint>,
      session: sessionRow(totals),
    });

  test("by ingestion", async () => {
    let before: StoredTrace | undefined;
    const add = () =>
      store.ingest.run({ traces: [need] }, async (transaction) => {
        before = transaction.traces.get("one")!;
        const sessionId = before.sessionId ?? transaction.sessions.get("chat")!;
        await transaction.updateTraces([{ traceId: before.id, sessionId, ...bounds, added: amounts }]);
        const totals = addTotals(before.totals, amounts);
        const change = { before, after: { sessionId, totals } };
        await transaction.updateSessions(sessionDifferences([change]));
      });
    await add();
    expect(before?.totals).toEqual({ ...noTotals, ...bounds });
    await expectSums(amounts);
    await add();
    expect(before?.totals).toEqual(amounts);
    await expectSums(addTotals(amounts, amounts));
  });

  test("by what changes traces that are stored", async () => {
    const sums = createTraceSumsStore(store.storage);
    const twice = addTotals(amounts, amounts);
    await store.storage.withTraces(store.context(), ["one"], async (context, ids) => {
      const [trace] = await sums.readTraces(context, ids);
      expect(trace?.totals).toEqual(twice);
      await sums.changeTrace(context, trace!, amounts);
      const after = { sessionId: trace!.sessionId, totals: amounts };
      await sums.changeSessions(context, sessionDifferences([{ before: trace!, after }]));
    });
    await expectSums(amounts);
    await store.storage.withTraces(store.context(), ["one"], async (context, ids) => {
      const [trace] = await sums.readTraces(context, ids);
      await sums.addToTraces(context, [{ id: trace!.id, ...amounts }]);
      await sums.addToSessions(context, [{ id: trace!.sessionId!, ...amounts }]);
    });
    await expectSums(twice);
  });

  test("and `verify` finds each that is wrong", async () => {
    // The trace has no spans; its session is as the trace says until it is changed here.
    const wrong = COLUMNS.sessions.map((column) => sql`${sql.ref(column)} = ${sql.ref(column)} + 1`);
    await sql`update sessions set ${sql.join(wrong)}`.execute(store.storage.handle.write(store.context()));
    const { differences } = await verifyStorage(store.storage, store.context(), ownedTables);
    const named = (what: string) => (column: string) =>
      differences.some((line) => line.startsWith(`${what}: ${column} is`));
    expect(COLUMNS.traces.filter(named("trace one"))).toEqual(COLUMNS.traces);
    expect(COLUMNS.sessions.filter(named("session chat"))).toEqual(COLUMNS.sessions);
  });
});

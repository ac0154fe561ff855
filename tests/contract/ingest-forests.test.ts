// Generated forests through the real transaction on both databases, in any order and any cuts: every sum against brute force,
// every count and link by `spanlight verify`.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { sql } from "kysely";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import type { IncomingSpan } from "../../src/model/span.ts";
import { verifyStorage } from "../../src/modules/tracing/traces/verify/verify.service.ts";
import { ownedTables } from "../../src/server/features.ts";
import { forEachDriver } from "../support/drivers.ts";
import { countsOf, sumBelow } from "../support/rollup-brute-force.ts";
import { batches } from "../support/rollup-forests.ts";
import type { SimulatedSpan } from "../support/rollup-simulator.ts";
import { incomingSpan, START_US } from "../support/spans.ts";
import { openTestStorage } from "../support/storage.ts";
import { openForSuite } from "../support/suite.ts";

const TABLES = ["pending_failures", "pending_rollups", "span_payloads", "spans", "traces", "sessions"];

/** The session of a trace may lie in the other project: session ids are global. */
function toIncoming(span: SimulatedSpan): IncomingSpan {
  return incomingSpan({
    projectName: span.traceId === 3 ? "other" : "default",
    traceKey: `trace ${span.traceId}`,
    spanKey: span.spanKey,
    parentKey: span.parentKey,
    sessionKey: span.sessionId === null ? null : `session ${span.sessionId}`,
    kind: span.kind,
    status: span.status,
    promptTokens: span.promptTokens,
    completionTokens: span.completionTokens,
    startUs: START_US + span.startUs,
    endUs: START_US + span.endUs,
  });
}

/** What must be stored: of each span the first that arrived, by trace. */
function firstOfEach(sent: readonly (readonly SimulatedSpan[])[]): Map<number, SimulatedSpan[]> {
  const seen = new Set<string>();
  const first = sent.flat().filter(({ traceId, spanKey }) => seen.size !== seen.add(`${traceId} ${spanKey}`).size);
  return Map.groupBy(first, (span) => span.traceId);
}

forEachDriver("ingest of forests", (driver) => {
  const store = openForSuite(async () => openTestStorage(await driver.createDatabase()));

  async function empty(): Promise<void> {
    const database = store.storage.handle.write(store.context());
    for (const table of TABLES) await sql`delete from ${sql.table(table)}`.execute(database);
  }

  async function storedSums(): Promise<Record<string, number[]>> {
    const rows = await store.storage.handle
      .read(store.context(), "short")
      .selectFrom("spans")
      .innerJoin("traces", "traces.id", "spans.trace_id")
      .select(["trace_key", "span_key", "sum_errors", "sum_prompt", "sum_completion"])
      .execute();
    return Object.fromEntries(
      rows.map((row) => [`${row.trace_key}/${row.span_key}`, [row.sum_errors, row.sum_prompt, row.sum_completion]]),
    );
  }

  async function storedTotals(): Promise<Record<string, number[]>> {
    const rows = await store.storage.handle.read(store.context(), "short").selectFrom("traces").selectAll().execute();
    return Object.fromEntries(
      rows.map((row) => [
        row.trace_key,
        [row.span_count, row.error_count, row.llm_count, row.tool_count, row.prompt_tokens, row.completion_tokens],
      ]),
    );
  }

  async function expectExact(sent: readonly (readonly SimulatedSpan[])[]): Promise<void> {
    await empty();
    let stored = 0;
    for (const batch of sent) stored += (await ingestBatch(store.ingest, batch.map(toIncoming))).stored;
    const report = await verifyStorage(store.storage, store.context(), ownedTables);
    expect(report.differences).toEqual([]);
    const traces = firstOfEach(sent);
    expect([report.spans, stored]).toEqual(Array<number>(2).fill([...traces.values()].flat().length));
    const sums: Record<string, number[]> = {};
    const totals: Record<string, number[]> = {};
    for (const [traceId, spans] of traces) {
      const { spanCount, errorCount, llmCount, toolCount, prompt, completion } = countsOf(spans);
      totals[`trace ${traceId}`] = [spanCount, errorCount, llmCount, toolCount, prompt, completion];
      for (const span of spans) {
        const below = sumBelow(span, spans);
        sums[`trace ${traceId}/${span.spanKey}`] = [below.errors, below.prompt, below.completion];
      }
    }
    expect(await storedTotals()).toEqual(totals);
    expect(await storedSums()).toEqual(sums);
  }

  test("trees, chains and stars, in any order, cut and repeated anyhow", async () => {
    await fc.assert(fc.asyncProperty(batches(["chain", "star", "tree"], 40), expectExact), { numRuns: 40 });
  }, 30_000);

  test("graphs with cycles, in any order, cut and repeated anyhow", async () => {
    await fc.assert(fc.asyncProperty(batches(["graph"], 14), expectExact), { numRuns: 60 });
  }, 30_000);
});

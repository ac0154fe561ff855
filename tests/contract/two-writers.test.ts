// Two servers on one PostgreSQL: traces and sessions split between them, repeats, any order. Nothing lost, nothing twice, every
// sum exact, and there is never a deadlock.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import type { IncomingSpan } from "../../src/model/span.ts";
import { verifyStorage } from "../../src/modules/tracing/traces/verify/verify.service.ts";
import { ownedTables } from "../../src/server/features.ts";
import { forEachDriver } from "../support/drivers.ts";
import { incomingSpan, START_US } from "../support/spans.ts";
import { locationOf, openIngestStore, openTestStorage, type TestStorage } from "../support/storage.ts";

const SPANS = 20_000;
const TRACES = 400;
const SESSIONS = 50;
const BATCH = 500;
const REPEATED = 0.02;

/** Equal numbers for equal seeds, so that a failure can be seen again. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  const copy = [...items];
  for (let position = copy.length - 1; position > 0; position--) {
    const other = Math.floor(random() * (position + 1));
    [copy[position], copy[other]] = [copy[other]!, copy[position]!];
  }
  return copy;
}

function generatedSpans(random: () => number): IncomingSpan[] {
  return Array.from({ length: SPANS }, (_, number) => {
    const trace = number % TRACES;
    const position = Math.floor(number / TRACES);
    const parent = Math.floor(random() * position);
    return incomingSpan({
      projectName: `project ${trace % 3}`,
      traceKey: `trace ${trace}`,
      sessionKey: random() < 0.3 ? `session ${trace % SESSIONS}` : null,
      spanKey: `${trace}.${position}`,
      parentKey: position === 0 ? null : `${trace}.${parent}`,
      kind: random() < 0.3 ? "LLM" : random() < 0.3 ? "TOOL" : "CHAIN",
      status: random() < 0.05 ? "ERROR" : "OK",
      promptTokens: Math.floor(random() * 1000),
      completionTokens: Math.floor(random() * 1000),
      startUs: START_US + Math.floor(random() * 1_000_000),
    });
  });
}

forEachDriver("two writers", (driver) => {
  // A SQLite file has one writer only.
  if (driver.name === "sqlite") return;

  let store: TestStorage;
  let url: string;
  beforeAll(async () => {
    url = await driver.createDatabase();
    store = await openTestStorage(url);
  });
  afterAll(() => store.close());

  test("share every trace and session, and agree on every sum", async () => {
    const random = randomFrom(20_240_101);
    const spans = generatedSpans(random);
    const writers = [openIngestStore(locationOf(url)), openIngestStore(locationOf(url))];
    const shares: [IncomingSpan[], IncomingSpan[]] = [[], []];
    for (const span of shuffled(spans, random)) {
      const own = random() < 0.5 ? 0 : 1;
      shares[own].push(span);
      if (random() < REPEATED) shares[1 - own]!.push({ ...span, status: "ERROR", promptTokens: 7 });
    }
    const stored = await Promise.all(
      writers.map(async ({ ingest }, number) => {
        const share = shuffled(shares[number as 0 | 1], random);
        let count = 0;
        for (let start = 0; start < share.length; start += BATCH)
          count += (await ingestBatch(ingest, share.slice(start, start + BATCH))).stored;
        return count;
      }),
    );
    expect(writers.map((writer) => writer.deadlocks())).toEqual([0, 0]);
    await Promise.all(writers.map(({ ingest }) => ingest.close()));
    expect(stored[0]! + stored[1]!).toBe(SPANS);
    const report = await verifyStorage(store.storage, store.context(), ownedTables);
    expect(report).toEqual({ traces: TRACES, spans: SPANS, sessions: SESSIONS, differences: [] });
  }, 60_000);
});

// A model call that two instrumentations recorded counts once: in sums of spans, traces, sessions and projects, in any order of
// arrival, in one batch or in several.

import { describe, expect, test } from "bun:test";
import { scopeOfRange } from "../../src/filter/scope.ts";
import { settledBy } from "../../src/filter/settled.ts";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import type { IncomingSpan } from "../../src/model/span.ts";
import { createDeletionService } from "../../src/modules/tracing/deletion/deletion.service.ts";
import { createTransferService } from "../../src/modules/tracing/deletion/transfer.service.ts";
import { createSpanStatisticsStore } from "../../src/modules/tracing/spans/statistics/span-statistics.store.ts";
import { ownedTables } from "../../src/server/features.ts";
import { createRollupsService } from "../../src/summaries/rollups/rollups.service.ts";
import { forEachDriver } from "../support/drivers.ts";
import { ordersOf } from "../support/orders.ts";
import { incomingSpan, START_US } from "../support/spans.ts";
import { openForSuite } from "../support/suite.ts";
import { openVerifiedStorage } from "../support/verified-storage.ts";

const CALL = { kind: "LLM", promptTokens: 10, completionTokens: 4 } as const;
const HOUR_US = 3_600_000_000;

/** An agent, a call that was recorded three times over, and a call of the same size beside it. */
const TREE: readonly Partial<IncomingSpan>[] = [
  { spanKey: "agent", kind: "AGENT" },
  { spanKey: "outer", parentKey: "agent", ...CALL },
  { spanKey: "middle", parentKey: "outer", ...CALL },
  { spanKey: "inner", parentKey: "middle", ...CALL },
  { spanKey: "next", parentKey: "agent", ...CALL },
];
const SUMS = { agent: [20, 8], outer: [10, 4], middle: [10, 4], inner: [10, 4], next: [10, 4] };

/** What is no repetition: other counts, another kind, a grandchild, no tokens at all, itself. */
const OTHERS: Readonly<Record<string, readonly Partial<IncomingSpan>[]>> = {
  "a child with other counts": [
    { spanKey: "a", ...CALL },
    { spanKey: "b", parentKey: "a", ...CALL, completionTokens: 5 },
  ],
  "a child of another kind": [
    { spanKey: "a", ...CALL },
    { spanKey: "b", parentKey: "a", kind: "CHAIN" },
    { spanKey: "c", parentKey: "b", ...CALL },
  ],
  "a span that names itself as parent": [{ spanKey: "a", parentKey: "a", ...CALL }],
  "the same span id in another trace": [
    { spanKey: "a", ...CALL },
    { spanKey: "b", parentKey: "elsewhere", ...CALL },
  ],
  "calls that go round in a circle": [
    { spanKey: "a", parentKey: "c", ...CALL },
    { spanKey: "b", parentKey: "a", ...CALL },
    { spanKey: "c", parentKey: "b", ...CALL },
  ],
};

forEachDriver("calls recorded twice", (driver) => {
  const store = openForSuite(async () => openVerifiedStorage(await driver.createDatabase()));
  const rollups = () => createRollupsService(store.storage);

  let lastTrace = 0;
  const spansOf = (given: readonly Partial<IncomingSpan>[], projectName = "default") => {
    const traceKey = `trace ${++lastTrace}`;
    const shared = { traceKey, sessionKey: `session of ${traceKey}`, projectName };
    return { traceKey, spans: given.map((span) => incomingSpan({ ...shared, ...span })) };
  };

  const database = () => store.storage.handle.read(store.context(), "short");
  async function readTokens(traceKey: string) {
    await rollups().settled(store.context(), "every trace", null);
    const trace = await database()
      .selectFrom("traces")
      .select(["id", "session_id", "prompt_tokens", "completion_tokens"])
      .where("trace_key", "=", traceKey)
      .executeTakeFirstOrThrow();
    const session = await database()
      .selectFrom("sessions")
      .select(["prompt_tokens", "completion_tokens"])
      .where("id", "=", trace.session_id)
      .executeTakeFirstOrThrow();
    const spans = await database()
      .selectFrom("spans")
      .select(["id", "span_key", "prompt_tokens", "sum_prompt", "sum_completion"])
      .where("trace_id", "=", trace.id)
      .execute();
    return {
      trace: [trace.prompt_tokens, trace.completion_tokens],
      session: [session.prompt_tokens, session.completion_tokens],
      sums: Object.fromEntries(spans.map((span) => [span.span_key, [span.sum_prompt, span.sum_completion]])),
      own: spans.map((span) => span.prompt_tokens),
      ids: new Map(spans.map((span) => [span.span_key, span.id])),
    };
  }

  test("in one batch, whatever its order", async () => {
    for (const order of ordersOf(TREE)) {
      const { traceKey, spans } = spansOf(order);
      await ingestBatch(store.ingest, spans);
      expect(await readTokens(traceKey)).toMatchObject({ trace: [20, 8], session: [20, 8], sums: SUMS });
    }
  }, 60_000);

  test("one after the other, whatever the order, and sent again with other counts", async () => {
    for (const order of ordersOf(TREE)) {
      const { traceKey, spans } = spansOf(order);
      for (const span of spans) await ingestBatch(store.ingest, [span]);
      const again = spans.map((span) => ({ ...span, promptTokens: 1, completionTokens: 1, kind: "LLM" as const }));
      await ingestBatch(store.ingest, again);
      const found = await readTokens(traceKey);
      expect(found).toMatchObject({ trace: [20, 8], session: [20, 8], sums: SUMS });
      expect(found.own.toSorted()).toEqual([10, 10, 10, 10, null]);
    }
  }, 60_000);

  test("a span that is sent again cannot make its parent one that repeats it", async () => {
    const { traceKey, spans } = spansOf([
      { spanKey: "a", ...CALL },
      { spanKey: "b", parentKey: "a", ...CALL, promptTokens: 3 },
    ]);
    await ingestBatch(store.ingest, spans);
    await ingestBatch(store.ingest, [{ ...spans[1]!, promptTokens: 10 }]);
    expect((await readTokens(traceKey)).trace).toEqual([13, 8]);
  });

  describe("counts all of", () => {
    for (const [what, given] of Object.entries(OTHERS)) {
      test(what, async () => {
        const calls = given.filter(({ kind }) => kind === "LLM");
        const prompt = calls.reduce((sum, span) => sum + span.promptTokens!, 0);
        const completion = calls.reduce((sum, span) => sum + span.completionTokens!, 0);
        for (const order of ordersOf(given)) {
          const together = spansOf(order);
          await ingestBatch(store.ingest, together.spans);
          const apart = spansOf(order);
          for (const span of apart.spans) await ingestBatch(store.ingest, [span]);
          for (const { traceKey } of [together, apart]) {
            const { trace, session } = await readTokens(traceKey);
            expect({ trace, session }).toEqual({ trace: [prompt, completion], session: [prompt, completion] });
          }
        }
      });
    }
  });

  test("a call counts again when the child that repeated it is deleted", async () => {
    const { traceKey, spans } = spansOf(TREE);
    await ingestBatch(store.ingest, spans);
    const deletion = createDeletionService({
      ownedTables,
      storage: store.storage,
      rollups: rollups(),
      transfer: createTransferService(store.storage),
    });
    const { ids } = await readTokens(traceKey);
    await deletion.deleteSpan(store.context(), { id: ids.get("inner")!, traceKey });
    expect(await readTokens(traceKey)).toMatchObject({
      trace: [20, 8],
      session: [20, 8],
      sums: { agent: [20, 8], outer: [10, 4], middle: [10, 4], next: [10, 4] },
    });
    await deletion.deleteSpan(store.context(), { id: ids.get("outer")!, traceKey });
    expect(await readTokens(traceKey)).toMatchObject({
      trace: [20, 8],
      sums: { agent: [10, 4], middle: [10, 4], next: [10, 4] },
    });
  });

  test("sums of projects and periods agree, from traces, hours and spans", async () => {
    const projectName = "of its own";
    const parts = TREE.map((span) => [span]);
    const { spans } = spansOf(TREE, projectName);
    for (const [position] of parts.entries()) await ingestBatch(store.ingest, [spans[position]!]);
    await ingestBatch(store.ingest, spansOf(TREE, projectName).spans);
    const project = await database()
      .selectFrom("projects")
      .select("id")
      .where("name", "=", projectName)
      .executeTakeFirstOrThrow();
    const statistics = createSpanStatisticsStore(store.storage.dialect);
    const ranges = [
      { startUs: null, endUs: null },
      { startUs: START_US, endUs: null },
      { startUs: START_US - HOUR_US, endUs: START_US + HOUR_US },
      { startUs: START_US - 1, endUs: START_US + 1 },
    ];
    for (const range of ranges) {
      const scope = await settledBy(async () => {}, scopeOfRange(range));
      const sums = await statistics.tokens(store.context(), [project.id], scope);
      expect(sums.get(project.id)).toEqual({ prompt: 40, completion: 16 });
    }
  });
});

// What calls cost, stored with their spans: the same sums of traces, sessions and what is above in any order of arrival, in one batch
// or in several, with spans that come twice, calls that are recorded twice, and after deletions.

import { expect, test } from "bun:test";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import type { IncomingSpan } from "../../src/model/span.ts";
import { createDeletionService } from "../../src/modules/tracing/deletion/deletion.service.ts";
import { createTransferService } from "../../src/modules/tracing/deletion/transfer.service.ts";
import { ownedTables } from "../../src/server/features.ts";
import { createRollupsService } from "../../src/summaries/rollups/rollups.service.ts";
import { forEachDriver } from "../support/drivers.ts";
import { ordersOf } from "../support/orders.ts";
import { GIVEN, INPUT, OUTPUT, pricesOf, testPrice, testPrices } from "../support/prices.ts";
import { incomingSpan } from "../support/spans.ts";
import { openForSuite } from "../support/suite.ts";
import { openVerifiedStorage } from "../support/verified-storage.ts";

const CALL = { kind: "LLM", model: "known", promptTokens: 10, completionTokens: 4 } as const;
const CALL_COST = 10 * INPUT + 4 * OUTPUT;

const TREE: readonly Partial<IncomingSpan>[] = [
  { spanKey: "agent", kind: "AGENT" },
  { spanKey: "outer", parentKey: "agent", ...CALL },
  { spanKey: "inner", parentKey: "outer", ...CALL },
  { spanKey: "given", parentKey: "agent", ...CALL, model: "given", promptTokens: 3 },
  { spanKey: "unknown", parentKey: "agent", ...CALL, model: "unknown", promptTokens: 5 },
];
const TREE_COST = CALL_COST + GIVEN;

forEachDriver("costs of spans", (driver) => {
  const store = openForSuite(async () => openVerifiedStorage(await driver.createDatabase()));
  const database = () => store.storage.handle.read(store.context(), "short");

  let lastTrace = 0;
  const spansOf = (given: readonly Partial<IncomingSpan>[]) => {
    const traceKey = `trace ${++lastTrace}`;
    return {
      traceKey,
      spans: given.map((span) => incomingSpan({ traceKey, sessionKey: `of ${traceKey}`, ...span })),
    };
  };

  async function readCosts(traceKey: string) {
    const trace = await database()
      .selectFrom("traces")
      .innerJoin("sessions", "sessions.id", "traces.session_id")
      .select(["traces.id", "traces.cost as trace", "sessions.cost as session"])
      .where("trace_key", "=", traceKey)
      .executeTakeFirstOrThrow();
    const spans = await database()
      .selectFrom("spans")
      .select(["id", "span_key", "own_cost"])
      .where("trace_id", "=", trace.id)
      .execute();
    return {
      sums: [trace.trace, trace.session],
      own: Object.fromEntries(spans.map((span) => [span.span_key, span.own_cost])),
      ids: new Map(spans.map((span) => [span.span_key, span.id])),
    };
  }

  test("in any order of arrival, together and one after the other, and sent again", async () => {
    for (const order of ordersOf(TREE)) {
      const together = spansOf(order);
      await ingestBatch(store.ingest, [...together.spans, ...together.spans], testPrices);
      const apart = spansOf(order);
      for (const span of apart.spans) await ingestBatch(store.ingest, [span], testPrices);
      await ingestBatch(
        store.ingest,
        apart.spans,
        pricesOf(() => testPrice(incomingSpan({ ...CALL, promptTokens: 900 }))),
      );
      for (const { traceKey } of [together, apart]) {
        expect(await readCosts(traceKey)).toMatchObject({
          sums: [TREE_COST, TREE_COST],
          own: { agent: null, outer: CALL_COST, inner: CALL_COST, given: GIVEN, unknown: null },
        });
      }
    }
  });

  test("the rows of a cost say where the amount is from, and what each kind of token costs", async () => {
    const { traceKey, spans } = spansOf(TREE);
    await ingestBatch(store.ingest, spans, testPrices);
    const { ids } = await readCosts(traceKey);
    const rows = await database()
      .selectFrom("span_costs")
      .select([
        "span_id",
        "model_id",
        "cost",
        "prompt_cost",
        "completion_cost",
        "prompt_tokens",
        "source",
        "given_cost",
      ])
      .where("span_id", "in", [...ids.values()])
      .orderBy("span_id")
      .execute();
    const row = (name: string) => rows.find(({ span_id }) => span_id === ids.get(name));
    expect(row("agent")).toBeUndefined();
    expect(row("inner")).toMatchObject({ model_id: 7, cost: CALL_COST, prompt_cost: 10 * INPUT, source: 1 });
    expect(row("given")).toMatchObject({
      model_id: null,
      cost: GIVEN,
      prompt_cost: null,
      source: 2,
      given_cost: GIVEN,
    });
    expect(row("unknown")).toMatchObject({ model_id: null, cost: null, prompt_tokens: 5, source: 0, given_cost: null });
    const details = await database()
      .selectFrom("span_cost_details")
      .selectAll()
      .where("span_id", "=", ids.get("inner")!)
      .orderBy("token_type")
      .execute();
    expect(details.map(({ token_type, is_prompt, tokens, cost }) => [token_type, is_prompt, tokens, cost])).toEqual([
      ["input", 1, 10, 10 * INPUT],
      ["output", 0, 4, 4 * OUTPUT],
    ]);
  });

  test("deletions take costs along, and what repeated a call counts again", async () => {
    const { traceKey, spans } = spansOf(TREE);
    for (const span of spans) await ingestBatch(store.ingest, [span], testPrices);
    const deletion = createDeletionService({
      ownedTables,
      storage: store.storage,
      rollups: createRollupsService(store.storage),
      transfer: createTransferService(store.storage),
    });
    const { ids } = await readCosts(traceKey);
    const remove = (name: string) => deletion.deleteSpan(store.context(), { id: ids.get(name)!, traceKey });
    await remove("inner");
    expect((await readCosts(traceKey)).sums).toEqual([TREE_COST, TREE_COST]);
    await remove("outer");
    expect((await readCosts(traceKey)).sums).toEqual([GIVEN, GIVEN]);
    await remove("given");
    expect((await readCosts(traceKey)).sums).toEqual([0, 0]);
    const left = await database()
      .selectFrom("span_costs")
      .select("span_id")
      .where("span_id", "in", [...ids.values()])
      .execute();
    expect(left).toEqual([{ span_id: ids.get("unknown")! }]);
  });
});

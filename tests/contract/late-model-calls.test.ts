// Spans that become calls of a model, or other calls, by messages that come later: they cost what they would have cost at once, in every sum.

import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { sql } from "kysely";
import { createCurrentPrices } from "../../src/ingest/current-prices.ts";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import type { JsonObject } from "../../src/kernel/json.ts";
import { modelsFeature } from "../../src/modules/tracing/models/models.feature.ts";
import { verifyStorage } from "../../src/modules/tracing/traces/verify/verify.service.ts";
import { otlpFeature } from "../../src/otlp/otlp.feature.ts";
import { ownedTables } from "../../src/server/features.ts";
import { openTestApi, type TestApi } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { builtInModels } from "../support/prices.ts";
import { incomingSpan } from "../support/spans.ts";

forEachDriver("calls of a model by later messages", (driver) => {
  let api: TestApi;
  let round = 0;
  beforeAll(async () => {
    api = await openTestApi(await driver.createDatabase());
  });
  afterAll(() => api.close());
  beforeEach(() => {
    round++;
  });
  const models = () => api.features.use(modelsFeature).models;
  const trace = () => `trace-${round}`;
  const store = (spans: readonly Partial<Parameters<typeof incomingSpan>[0]>[]) =>
    ingestBatch(
      api.stored.ingest,
      spans.map((span) => incomingSpan({ traceKey: trace(), ...span } as never)),
      createCurrentPrices(builtInModels),
    );
  const price = (perMillion: number) =>
    models().createModel(api.context(), {
      name: `late ${round}`,
      provider: null,
      namePattern: `^late-${round}$`,
      startUs: null,
      prices: [
        { tokenType: "input", isPrompt: true, perMillion, tiers: [] },
        { tokenType: "output", isPrompt: false, perMillion, tiers: [] },
      ],
    });
  let digest = 0;
  const give = (spanKey: string, attributes: JsonObject, timeUs = ++digest) => {
    const body = JSON.stringify({ name: "gen_ai.client.inference.operation.details", timeUs, attributes });
    const message = { traceKey: trace(), spanKey, digest: `${++digest}`, body };
    return api.features.use(otlpFeature).messages.keep(api.context(), [message]);
  };
  const callOf = (input: number, more: JsonObject = {}): JsonObject => ({
    "openinference.span.kind": "LLM",
    "gen_ai.request.model": `late-${round}`,
    "gen_ai.operation.name": "chat",
    "gen_ai.usage.input_tokens": input,
    "gen_ai.usage.output_tokens": 2,
    ...more,
  });
  /** Units of each span, of the trace and of its session. */
  const costs = async () => {
    const database = api.stored.storage.handle.read(api.context(), "short");
    const spans = await database
      .selectFrom("spans")
      .innerJoin("traces", "traces.id", "spans.trace_id")
      .leftJoin("span_costs", "span_costs.span_id", "spans.id")
      .select(["span_key as key", "own_cost as own", "span_costs.cost", "span_costs.source"])
      .where("trace_key", "=", trace())
      .orderBy("spans.id")
      .execute();
    const { rows } = await sql<{ trace: number; session: number | null }>`select t.cost as trace, s.cost as session
      from traces t left join sessions s on s.id = t.session_id where t.trace_key = ${trace()}`.execute(database);
    const [sums] = rows;
    return {
      spans: spans.map(({ key, own, cost, source }) => [key, own, cost, source]),
      trace: Number(sums!.trace),
      session: sums!.session === null ? null : Number(sums!.session),
    };
  };
  const expectWhole = async () =>
    expect((await verifyStorage(api.stored.storage, api.context(), ownedTables)).differences).toEqual([]);

  test("a span that was none costs what it would have cost at once", async () => {
    await price(1);
    await store([
      { spanKey: "plain", kind: "UNKNOWN", attributes: "{}", sessionKey: `chat-${round}` },
      { spanKey: "other", kind: "UNKNOWN", attributes: "{}" },
    ]);
    expect(await costs()).toMatchObject({ trace: 0, session: 0 });
    await give("plain", callOf(10));
    expect(await costs()).toEqual({
      spans: [
        ["plain", 12e6, 12e6, 1],
        ["other", null, null, null],
      ],
      trace: 12e6,
      session: 12e6,
    });
    await expectWhole();
  });

  test("its cost follows what later messages say of the call, and stays where they say nothing of it", async () => {
    const { id } = await price(1);
    await store([{ spanKey: "plain", kind: "UNKNOWN", attributes: "{}" }]);
    await give("plain", {
      "openinference.span.kind": "LLM",
      "gen_ai.operation.name": "chat",
      "gen_ai.usage.input_tokens": 10,
    });
    expect(await costs()).toMatchObject({ trace: 0 });
    // Of several, the earliest counts.
    await give("plain", callOf(10), 0);
    expect((await costs()).trace).toBe(12e6);
    await models().deleteModel(api.context(), id);
    await price(5);
    const said = [{ role: "user", parts: [{ type: "text", content: "hello" }] }];
    await give("plain", { "gen_ai.input.messages": said });
    expect((await costs()).trace).toBe(12e6);
    await expectWhole();
  });

  test("a call that repeats its child is counted once", async () => {
    await price(1);
    await store([
      { spanKey: "outer", kind: "UNKNOWN", attributes: "{}", sessionKey: `chat-${round}` },
      { spanKey: "inner", parentKey: "outer", kind: "UNKNOWN", attributes: "{}" },
    ]);
    await give("outer", callOf(10));
    await give("inner", callOf(10));
    expect(await costs()).toMatchObject({ trace: 12e6, session: 12e6 });
    await expectWhole();
  });
});

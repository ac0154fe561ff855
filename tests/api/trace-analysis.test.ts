// The analysis of a trace over REST and in GraphQL: numbers worked out by hand, and that both tell the same.

import { beforeAll, expect, test } from "bun:test";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { globalId } from "../../src/kernel/ids.ts";
import type { IncomingSpan } from "../../src/model/span.ts";
import { spansFeature } from "../../src/modules/tracing/spans/spans.feature.ts";
import { createAnalysedSpansStore } from "../../src/modules/tracing/trace-analysis/analysed-spans.store.ts";
import { createTraceAnalysisService } from "../../src/modules/tracing/trace-analysis/trace-analysis.service.ts";
import { tracesFeature } from "../../src/modules/tracing/traces/traces.feature.ts";
import { openTestApi, send } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData } from "../support/graphql.ts";
import { INPUT, testPrices } from "../support/prices.ts";
import { incomingSpan, START_US } from "../support/spans.ts";
import { openForSuite } from "../support/suite.ts";

const SECOND_US = 1_000_000;
const USD = 1e12;
const given = { projectName: "analysed", traceKey: "looping" };

interface Step {
  readonly spanKey: string;
  readonly parentKey?: string;
  readonly kind?: IncomingSpan["kind"];
  readonly name?: string;
  /** Seconds since the start of the trace. */
  readonly from: number;
  readonly to: number;
  readonly attributes?: object;
}

function step({ from, to, attributes = {}, ...span }: Step, more: Partial<IncomingSpan> = {}): IncomingSpan {
  return incomingSpan({
    ...given,
    ...span,
    startUs: START_US + from * SECOND_US,
    endUs: START_US + to * SECOND_US,
    attributes: JSON.stringify(attributes),
    ...more,
  });
}

const model = { kind: "LLM", model: "known", promptTokens: 10 } as const;
/** An agent thinks and looks up the same order three times; the second time its arguments are written in another order. */
function loopingTrace(): IncomingSpan[] {
  const lookUp = (at: number, value: string) =>
    step({
      ...{
        spanKey: `tool ${at}`,
        parentKey: "agent",
        kind: "TOOL",
        name: "lookup_order",
        from: at * 3 + 1,
        to: at * 3 + 3,
      },
      attributes: { input: { value, mime_type: "application/json" }, output: { value: "not found" } },
    });
  const think = (at: number) =>
    step({ spanKey: `model ${at}`, parentKey: "agent", name: "think", from: at * 3, to: at * 3 + 1 }, model);
  return [
    step({ spanKey: "agent", kind: "AGENT", name: "agent", from: 0, to: 10 }),
    ...[think(0), think(1), think(2)],
    ...[
      lookUp(0, '{"id": 7, "full": true}'),
      lookUp(1, '{"full": true, "id": 7.0}'),
      lookUp(2, '{"id": 7, "full": true}'),
    ],
    // A model that runs beside a tool and ends before it: nothing waits for it.
    step({ spanKey: "aside", parentKey: "agent", name: "summarise", from: 1, to: 2 }, model),
  ];
}

forEachDriver("the analysis of a trace", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  beforeAll(async () => {
    const paging = [0, 1, 2, 3].map((page) =>
      step(
        {
          ...{ spanKey: `page ${page}`, kind: "TOOL", name: "list", from: page, to: page + 1 },
          attributes: { input: { value: `{"page": ${page}}` } },
        },
        { traceKey: "paging", parentKey: "pager" },
      ),
    );
    const pager = step({ spanKey: "pager", kind: "AGENT", from: 0, to: 4 }, { traceKey: "paging" });
    await ingestBatch(api.stored.ingest, [...loopingTrace(), pager, ...paging], testPrices);
  });

  const ask = async (path: string) => {
    const response = await send(api.server, `GET /v1/projects/analysed/traces/${path}`);
    const text = await response.text();
    return { status: response.status, text, data: response.status === 200 ? JSON.parse(text).data : null };
  };
  const askTrace = async (key: string, fields: string) =>
    (
      await askData<{ trace: Record<string, never> }>(
        api,
        `{ trace: getTraceByOtelId(traceId: "${key}") { ${fields} } }`,
      )
    ).trace;
  const nodeIds = async (key: string) => {
    const found = await askTrace(key, "spans(first: 50) { edges { node { id spanId } } }");
    const { edges } = found.spans as unknown as { edges: { node: { id: string; spanId: string } }[] };
    return new Map(edges.map(({ node }) => [node.id, node.spanId]));
  };

  test("finds the critical path, the time of each span, and where the money went", async () => {
    const { data } = await ask("looping/critical_path");
    expect(data.duration_ms).toBe(10_000);
    expect(
      data.segments.map((each: { span_id: string; duration_ms: number }) => [each.span_id, each.duration_ms]),
    ).toEqual([
      ["model 0", 1000],
      ["tool 0", 2000],
      ["model 1", 1000],
      ["tool 1", 2000],
      ["model 2", 1000],
      ["tool 2", 2000],
      ["agent", 1000],
    ]);
    const spans = new Map(data.spans.map((span: { span_id: string }) => [span.span_id, span]));
    expect(spans.get("agent")).toMatchObject({ self_ms: 1000, on_path_ms: 1000, cost: null });
    expect(spans.get("aside")).toMatchObject({ self_ms: 1000, on_path_ms: 0, cost: (10 * INPUT) / USD });
    expect((spans.get("agent") as { cumulative_cost: number }).cumulative_cost).toBeCloseTo((40 * INPUT) / USD, 12);
    expect(data.instant_steps).toEqual([
      { span_kind: "TOOL", name: "lookup_order", span_count: 3, saved_ms: 6000 },
      { span_kind: "LLM", name: "think", span_count: 3, saved_ms: 3000 },
    ]);
    expect(data.step_costs).toMatchObject([
      { name: "think", span_count: 3, tokens: 30, unpriced_span_count: 0 },
      { name: "summarise", span_count: 1, tokens: 10 },
    ]);
  });

  test("finds a loop whatever the order of keys, and none where arguments change", async () => {
    const { data } = await ask(`${globalId("Trace", 1)}/waste`);
    expect(data).toMatchObject({ trace_id: "looping", has_loop: true });
    const wasted = { time_ms: 6000, tokens: 20, cost: (20 * INPUT) / USD };
    expect(data.wasted).toEqual(wasted);
    expect(data.found).toEqual([
      {
        kind: "loop",
        agent_span_id: "agent",
        period: 1,
        times: 3,
        span_ids: ["tool 0", "tool 1", "tool 2"],
        new_answers: 0,
        took: { time_ms: 8000, tokens: 30, cost: (30 * INPUT) / USD },
        wasted,
      },
    ]);
    expect((await ask("paging/waste")).data).toMatchObject({ has_loop: false, found: [] });
  });

  test("is the same in GraphQL", async () => {
    const ids = await nodeIds("looping");
    const spent = "time_ms: timeMs tokens cost";
    const step = "span_kind: spanKind name span_count: spanCount";
    const { criticalPath, waste } = await askTrace(
      "looping",
      `criticalPath { duration_ms: durationMs
         segments { span_id: spanNodeId start_ms: startMs duration_ms: durationMs }
         spans { span_id: spanNodeId self_ms: selfMs on_path_ms: onPathMs cumulative_cost: cumulativeCost }
         instant_steps: instantSteps { ${step} saved_ms: savedMs }
         step_costs: stepCosts { ${step} cost tokens unpriced_span_count: unpricedSpanCount } }
       waste { has_loop: hasLoop wasted { ${spent} }
         found { kind agent_span_id: agentNodeId period times span_ids: spanNodeIds new_answers: newAnswers
           took { ${spent} } wasted { ${spent} } } }`,
    );
    /** In the spelling of REST. */
    const spelled = (value: unknown) =>
      JSON.parse(JSON.stringify(value), (name, each) => {
        if (typeof each !== "string") return each;
        return name === "span_kind"
          ? each.toUpperCase()
          : name === "kind"
            ? each.toLowerCase()
            : (ids.get(each) ?? each);
      });
    const path = (await ask("looping/critical_path")).data;
    const spans = path.spans.map(({ cost: _, ...span }: { cost: unknown }) => span);
    expect({ trace_id: "looping", ...spelled(criticalPath) }).toEqual({ ...path, spans });
    expect({ trace_id: "looping", ...spelled(waste) }).toEqual((await ask("looping/waste")).data);
  });

  test("is not found outside of its project, and bounded", async () => {
    await ingestBatch(api.stored.ingest, [
      step({ spanKey: "x", from: 0, to: 1 }, { projectName: "other", traceKey: "x" }),
    ]);
    for (const path of ["x/waste", "x/critical_path", `${globalId("Trace", 999_999)}/waste`])
      expect((await ask(path)).status).toBe(404);
    const small = (limits: { readonly spans: number; readonly bytes: number }) =>
      createTraceAnalysisService({
        store: createAnalysedSpansStore(api.stored.storage.dialect),
        spanReads: api.features.use(spansFeature).spanReads,
        traceReads: api.features.use(tracesFeature).traceReads,
        projects: api.projects,
        limits,
      });
    const context = api.context();
    const { id } = await small({ spans: 8, bytes: 1e6 }).getTrace(context, "analysed", "looping");
    expect((await small({ spans: 8, bytes: 1e6 }).readTimings(context, [id])).size).toBe(1);
    await expect(small({ spans: 7, bytes: 1e6 }).readTimings(context, [id])).rejects.toThrow("7 spans");
    await expect(small({ spans: 8, bytes: 100 }).readWaste(context, [id])).rejects.toMatchObject({ kind: "too_large" });
  });
});

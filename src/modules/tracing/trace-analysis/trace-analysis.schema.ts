// What the analysis of a trace answers, as records and as bodies of the API.
import { type Static, Type } from "@sinclair/typebox";
import type { criticalPath } from "../../../analysis/critical-path/critical-path.ts";
import type { InstantSteps } from "../../../analysis/critical-path/instant-steps.ts";
import type { StepCosts } from "../../../analysis/critical-path/step-costs.ts";
import type { Spent, wasteOf } from "../../../analysis/loops/waste.ts";
import { UNITS_PER_USD } from "../../../costs/price-list.ts";
import { Nullable } from "../../../kernel/schema.ts";
import type { AnalysedSpan } from "./analysed-spans.schema.ts";

/** Lists of numbers have one for each span, in their order. */
export interface TraceTiming {
  readonly spans: readonly AnalysedSpan[];
  readonly path: ReturnType<typeof criticalPath>;
  /** In 10^-12 USD. */
  readonly costsBelow: Float64Array;
  readonly durationUs: number;
  readonly instantSteps: ReturnType<InstantSteps["most"]>;
  readonly stepCosts: ReturnType<StepCosts["most"]>;
}

export type TraceWaste = ReturnType<typeof wasteOf> & { readonly spans: readonly AnalysedSpan[] };
export type Waste = TraceWaste["all"][number];

const MICROSECONDS = 1000;
export const millisecondsOf = (microseconds: number) => microseconds / MICROSECONDS;
export const usdOf = (cost: number) => cost / UNITS_PER_USD;

const Step = { span_kind: Type.String(), name: Type.String(), span_count: Type.Integer() };

export const CriticalPathAnswer = Type.Object({
  data: Type.Object({
    trace_id: Type.String(),
    duration_ms: Type.Number(),
    segments: Type.Array(
      Type.Object({
        span_id: Nullable(Type.String(), { description: "Null between the roots of a trace that has several." }),
        start_ms: Type.Number({ description: "Since the start of the trace." }),
        duration_ms: Type.Number(),
      }),
      { description: "Without gaps: the span that runs and waits for none of its children." },
    ),
    spans: Type.Array(
      Type.Object({
        span_id: Type.String(),
        self_ms: Type.Number({ description: "Time in which none of its children runs." }),
        on_path_ms: Type.Number({ description: "Its part of the segments." }),
        cost: Nullable(Type.Number(), { description: "Its own in USD, here and below." }),
        cumulative_cost: Type.Number({ description: "With everything below it; unknown costs count as 0." }),
      }),
    ),
    instant_steps: Type.Array(Type.Object({ ...Step, saved_ms: Type.Number() }), {
      description: "By how much the trace would be shorter if all spans of the step took no time; the most first.",
    }),
    step_costs: Type.Array(
      Type.Object({
        ...Step,
        cost: Type.Number(),
        tokens: Type.Number(),
        unpriced_span_count: Type.Integer({ description: "Spans with tokens whose cost is not known." }),
      }),
      { description: "Where the money went; the most first." },
    ),
  }),
});
type CriticalPathAnswer = Static<typeof CriticalPathAnswer>;

export function criticalPathAnswer(traceKey: string, timing: TraceTiming): CriticalPathAnswer {
  const { spans, path, costsBelow, durationUs, instantSteps, stepCosts } = timing;
  const startUs = path.segments[0]?.fromUs ?? 0;
  return {
    data: {
      trace_id: traceKey,
      duration_ms: millisecondsOf(durationUs),
      segments: path.segments.map(({ spanKey, fromUs, toUs }) => ({
        span_id: spanKey,
        start_ms: millisecondsOf(fromUs - startUs),
        duration_ms: millisecondsOf(toUs - fromUs),
      })),
      spans: spans.map(({ spanKey, cost }, at) => ({
        span_id: spanKey,
        self_ms: millisecondsOf(path.selfUs[at]!),
        on_path_ms: millisecondsOf(path.onPathUs[at]!),
        cost: cost === null ? null : usdOf(cost),
        cumulative_cost: usdOf(costsBelow[at]!),
      })),
      instant_steps: instantSteps.map(({ kind, name, spans: count, savedUs }) => ({
        span_kind: kind,
        name,
        span_count: count,
        saved_ms: millisecondsOf(savedUs),
      })),
      step_costs: stepCosts.map(({ kind, name, spans: count, cost, tokens, unpriced }) => ({
        span_kind: kind,
        name,
        span_count: count,
        cost: usdOf(cost),
        tokens,
        unpriced_span_count: unpriced,
      })),
    },
  };
}

const SpentBody = Type.Object({ time_ms: Type.Number(), tokens: Type.Number(), cost: Type.Number() });

export const WasteAnswer = Type.Object({
  data: Type.Object({
    trace_id: Type.String(),
    has_loop: Type.Boolean(),
    wasted: SpentBody,
    found: Type.Array(
      Type.Object({
        kind: Type.String({
          description:
            "`loop`: equal calls of tools, three rounds and more. `retry`: a call that fails as it did before. `context`: calls of a model that were given nothing new.",
        }),
        agent_span_id: Type.String({ description: "The agent, or the root, that makes the calls." }),
        period: Type.Integer({ description: "Calls of one round." }),
        times: Type.Integer(),
        span_ids: Type.Array(Type.String(), { description: "The calls of all rounds in order." }),
        new_answers: Nullable(Type.Integer(), {
          description:
            "Rounds after the first whose answer no round before had; null where an answer was not recorded.",
        }),
        took: SpentBody,
        wasted: SpentBody,
      }),
    ),
  }),
});
type WasteAnswer = Static<typeof WasteAnswer>;

export function wasteAnswer(traceKey: string, { all, hasLoop, wasted }: TraceWaste): WasteAnswer {
  return {
    data: {
      trace_id: traceKey,
      has_loop: hasLoop,
      wasted: spentBody(wasted),
      found: all.map((each) => ({
        kind: each.kind,
        agent_span_id: each.agentKey,
        period: each.period,
        times: each.times,
        span_ids: [...each.spanKeys],
        new_answers: each.newAnswers,
        took: spentBody(each.took),
        wasted: spentBody(each.wasted),
      })),
    },
  };
}

function spentBody({ timeUs, tokens, cost }: Spent): Static<typeof SpentBody> {
  return { time_ms: millisecondsOf(timeUs), tokens, cost: usdOf(cost) };
}

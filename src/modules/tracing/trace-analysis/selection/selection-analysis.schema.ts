// What many traces are made of, as a record and as a body of the API.
import { type Static, Type } from "@sinclair/typebox";
import { Instant } from "../../../../kernel/schema.ts";
import { AgentGraphBody, agentGraphBody, type TraceGraph } from "../graph/trace-graph.schema.ts";
import { millisecondsOf } from "../trace-analysis.schema.ts";

export interface SavingStep {
  readonly kind: string;
  readonly name: string;
  /** On whose critical path it is. */
  readonly traces: number;
  readonly spans: number;
  /** Of all of them together. */
  readonly savedUs: number;
}

export interface SelectionAnalysis {
  readonly traceCount: number;
  readonly spanCount: number;
  /** False where more traces match: then these are the newest of them. */
  readonly isComplete: boolean;
  /** Of all traces together. */
  readonly durationUs: number;
  readonly graphs: readonly TraceGraph[];
  /** Those that save most first. */
  readonly instantSteps: readonly SavingStep[];
}

/** Traces of one analysis. */
export const MOST_ANALYSED = 10_000;

export const SelectionAnalysisQuery = Type.Object({
  filter: Type.Optional(Type.String({ description: "A condition on traces." })),
  start_time: Type.Optional(Instant({ description: "Traces that start at or after this time." })),
  end_time: Type.Optional(Instant({ description: "… and before this time." })),
  limit: Type.Integer({
    minimum: 1,
    maximum: MOST_ANALYSED,
    default: MOST_ANALYSED,
    description: "Traces that are looked at: the newest.",
  }),
});

export const SelectionAnalysisAnswer = Type.Object({
  data: Type.Object({
    trace_count: Type.Integer(),
    span_count: Type.Integer(),
    is_complete: Type.Boolean({ description: "False where more traces match: then these are the newest of them." }),
    duration_ms: Type.Number({ description: "Of all of them together." }),
    graphs: Type.Array(AgentGraphBody, { description: "Those that ran most often first, 50 at most." }),
    instant_steps: Type.Array(
      Type.Object({
        span_kind: Type.String(),
        name: Type.String(),
        trace_count: Type.Integer({ description: "On whose critical path it is." }),
        span_count: Type.Integer(),
        saved_ms: Type.Number({ description: "Of all traces together." }),
      }),
      { description: "By how much the traces would be shorter if all spans of the step took no time; the most first." },
    ),
  }),
});

export function selectionAnalysisAnswer(found: SelectionAnalysis): Static<typeof SelectionAnalysisAnswer> {
  return {
    data: {
      trace_count: found.traceCount,
      span_count: found.spanCount,
      is_complete: found.isComplete,
      duration_ms: millisecondsOf(found.durationUs),
      graphs: found.graphs.map(agentGraphBody),
      instant_steps: found.instantSteps.map(({ kind, name, traces, spans, savedUs }) => ({
        ...{ span_kind: kind, name, trace_count: traces, span_count: spans, saved_ms: millisecondsOf(savedUs) },
      })),
    },
  };
}

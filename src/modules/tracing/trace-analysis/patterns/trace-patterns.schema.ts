// Traces by the sequence of their steps, as records and as a query and a body of the API.
import { type Static, Type } from "@sinclair/typebox";
import type { PatternStep } from "../../../../analysis/patterns/folded-steps.ts";
import type { Pattern } from "../../../../analysis/patterns/pattern-tally.ts";
import { Instant, Nullable } from "../../../../kernel/schema.ts";
import { millisecondsOf, usdOf } from "../trace-analysis.schema.ts";

/** Latencies are microseconds, the cost 10^-12 USD. */
export interface TracePattern extends Pick<Pattern, "id" | "traces" | "failed" | "cost"> {
  readonly steps: readonly PatternStep[];
  readonly p50Us: number | null;
  readonly p99Us: number | null;
  readonly lastKey: string;
  readonly lastGoodKey: string | null;
}

export interface TracePatterns {
  readonly patterns: readonly TracePattern[];
  /** Traces that were looked at: the newest. */
  readonly traces: number;
  /** Those are all. */
  readonly isComplete: boolean;
}

export const PatternsQuery = Type.Object({
  filter: Type.Optional(Type.String({ description: "A condition on traces." })),
  start_time: Type.Optional(Instant({ description: "Traces that started at or after this time." })),
  end_time: Type.Optional(Instant({ description: "Traces that started before this time." })),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: "Patterns that are listed." }),
});

export const PatternsAnswer = Type.Object({
  data: Type.Object({
    trace_count: Type.Integer({ description: "Traces that were looked at: the newest." }),
    is_complete: Type.Boolean({ description: "Those are all that match." }),
    patterns: Type.Array(
      Type.Object({
        id: Type.String({ description: "The same for the same steps, in every project." }),
        trace_count: Type.Integer(),
        error_count: Type.Integer({ description: "Traces in which a span failed." }),
        latency_ms_p50: Nullable(Type.Number()),
        latency_ms_p99: Nullable(Type.Number()),
        cost: Type.Number({ description: "In USD, of what is known." }),
        last_trace_id: Type.String(),
        last_good_trace_id: Nullable(Type.String(), { description: "The last one without a failure." }),
        steps: Type.Array(
          Type.Object({
            span_kind: Type.String(),
            name: Type.String(),
            depth: Type.Integer({ description: "0 of a root." }),
            times: Type.Integer({ description: "How often it is repeated in one of the traces." }),
          }),
          { description: "Parents before children, without repetitions." },
        ),
      }),
      { description: "Those with most traces first." },
    ),
  }),
});

export function patternsAnswer(found: TracePatterns, limit: number): Static<typeof PatternsAnswer> {
  const milliseconds = (us: number | null) => (us === null ? null : millisecondsOf(us));
  return {
    data: {
      trace_count: found.traces,
      is_complete: found.isComplete,
      patterns: found.patterns.slice(0, limit).map((each) => ({
        id: each.id,
        trace_count: each.traces,
        error_count: each.failed,
        latency_ms_p50: milliseconds(each.p50Us),
        latency_ms_p99: milliseconds(each.p99Us),
        cost: usdOf(each.cost),
        last_trace_id: each.lastKey,
        last_good_trace_id: each.lastGoodKey,
        steps: each.steps.map(({ kind, ...step }) => ({ span_kind: kind, ...step })),
      })),
    },
  };
}

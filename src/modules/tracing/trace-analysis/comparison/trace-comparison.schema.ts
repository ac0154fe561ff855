// Two traces side by side, as records and as a body of the API.
import { type Static, Type } from "@sinclair/typebox";
import type { ComparedStep } from "../../../../analysis/compare/trace-comparison.ts";
import { Nullable, Words } from "../../../../kernel/schema.ts";
import type { TraceRecord } from "../../traces/traces.schema.ts";
import type { AnalysedSpan } from "../analysed-spans.schema.ts";
import { millisecondsOf, usdOf } from "../trace-analysis.schema.ts";

/** A span with its place in the tree of its trace. */
export interface PlacedSpan extends AnalysedSpan {
  /** 0 of a root. */
  readonly depth: number;
  /** Since the start of its trace. */
  readonly fromUs: number;
}

export interface StepPair extends Omit<ComparedStep, "a" | "b"> {
  /** Null in the trace that has no such step. */
  readonly a: PlacedSpan | null;
  readonly b: PlacedSpan | null;
}

export interface TraceComparison {
  readonly a: TraceRecord;
  readonly b: TraceRecord;
  /** In the order in which they are shown side by side. */
  readonly steps: readonly StepPair[];
}

export const edits = ["equal", "changed", "renamed", "moved", "removed", "inserted"] as const;
export const changedParts = ["input", "output", "status", "model", "parameters", "promptVersion"] as const;

const Difference = (unit: string) =>
  Nullable(Type.Number(), {
    description: `Of the second, less that of the first, in ${unit}; null where one is not known.`,
  });

const SideBody = Nullable(
  Type.Object({
    id: Type.String(),
    span_id: Type.String(),
    parent_id: Nullable(Type.String()),
    name: Type.String(),
    span_kind: Type.String(),
    status_code: Type.String(),
    model_name: Nullable(Type.String()),
    start_ms: Type.Number({ description: "Since the start of its trace." }),
    latency_ms: Type.Number(),
    token_count_total: Nullable(Type.Number()),
    cost: Nullable(Type.Number()),
  }),
);
type SideBody = Static<typeof SideBody>;

export const ComparisonQuery = Type.Object({
  with: Type.String({ description: "The second trace, by its id or that of the exporter; of any project." }),
});

export const ComparisonAnswer = Type.Object({
  data: Type.Object({
    trace_ids: Type.Array(Type.String(), { description: "Of the first and the second." }),
    latency_ms: Difference("milliseconds"),
    step_counts: Type.Object(Object.fromEntries(edits.map((edit) => [edit, Type.Integer()]))),
    steps: Type.Array(
      Type.Object({
        edit: Words(edits),
        changes: Type.Array(Words(["input", "output", "status", "model", "parameters", "prompt_version"])),
        latency_ms: Difference("milliseconds"),
        token_count_total: Difference("tokens"),
        cost: Difference("USD"),
        first: SideBody,
        second: SideBody,
      }),
      { description: "In the order in which they stand side by side, parents before children." },
    ),
  }),
});
type ComparisonAnswer = Static<typeof ComparisonAnswer>;

export function stepCounts(steps: readonly StepPair[]): Record<(typeof edits)[number], number> {
  const counts = { equal: 0, changed: 0, renamed: 0, moved: 0, removed: 0, inserted: 0 };
  for (const { edit } of steps) counts[edit]++;
  return counts;
}

export function comparisonAnswer(
  { a, b, steps }: TraceComparison,
  idOf: (span: AnalysedSpan) => string,
): ComparisonAnswer {
  const sideBody = (span: PlacedSpan | null): SideBody =>
    span === null
      ? null
      : {
          id: idOf(span),
          span_id: span.spanKey,
          parent_id: span.parentKey,
          name: span.name,
          span_kind: span.kind,
          status_code: span.status,
          model_name: span.model,
          start_ms: millisecondsOf(span.fromUs),
          latency_ms: millisecondsOf(span.endUs - span.startUs),
          token_count_total: span.tokens,
          cost: span.cost === null ? null : usdOf(span.cost),
        };
  return {
    data: {
      trace_ids: [a.traceKey, b.traceKey],
      latency_ms: millisecondsOf(b.latencyUs - a.latencyUs),
      step_counts: stepCounts(steps),
      steps: steps.map(({ edit, changes, durationUs, tokens, cost, ...step }) => ({
        edit,
        changes: changes.map((part) => (part === "promptVersion" ? "prompt_version" : part)),
        latency_ms: durationUs === null ? null : millisecondsOf(durationUs),
        token_count_total: tokens,
        cost: cost === null ? null : usdOf(cost),
        first: sideBody(step.a),
        second: sideBody(step.b),
      })),
    },
  };
}

// The comparison of two traces in GraphQL.
import { requireRowId } from "../../../../graphql/ids.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import { globalId } from "../../../../kernel/ids.ts";
import { SPAN } from "../../spans/spans.schema.ts";
import { spanKindType } from "../../traces/span-kind.graphql.ts";
import { TRACE } from "../../traces/traces.schema.ts";
import { millisecondsOf, usdOf } from "../trace-analysis.schema.ts";
import {
  changedParts,
  edits,
  type PlacedSpan,
  type StepPair,
  type TraceComparison,
} from "./trace-comparison.schema.ts";
import type { GoodTrace, TraceComparisonService } from "./trace-comparison.service.ts";

const upper = (word: string) => word.replace(/[A-Z]/g, "_$&").toUpperCase();
const wordsOf = <Word extends string>(words: readonly Word[]) =>
  Object.fromEntries(words.map((word) => [upper(word), { value: word }])) as Record<string, { value: Word }>;

export function addTraceComparison(types: GraphqlTypes, comparisons: TraceComparisonService): void {
  const { builder, ref } = types;
  const StepEdit = builder.enumType("TraceStepEdit", { values: wordsOf(edits) });
  const ChangedPart = builder.enumType("TraceStepPart", { values: wordsOf(changedParts) });
  const Step = builder.objectRef<PlacedSpan>("ComparedSpan").implement({
    fields: (t) => ({
      spanNodeId: t.id({ resolve: ({ id }) => globalId(SPAN, id) }),
      name: t.exposeString("name"),
      spanKind: t.field({ type: spanKindType(types), resolve: ({ kind }) => kind }),
      failed: t.boolean({ resolve: ({ status }) => status === "ERROR" }),
      depth: t.exposeInt("depth", { description: "0 of a root." }),
      startMs: t.float({
        description: "Since the start of its trace.",
        resolve: ({ fromUs }) => millisecondsOf(fromUs),
      }),
      latencyMs: t.float({ resolve: ({ startUs, endUs }) => millisecondsOf(endUs - startUs) }),
      modelName: t.exposeString("model", { nullable: true }),
      tokens: t.exposeFloat("tokens", { nullable: true }),
      cost: t.float({
        nullable: true,
        description: "Its own in USD.",
        resolve: ({ cost }) => (cost === null ? null : usdOf(cost)),
      }),
    }),
  });
  const Pair = builder.objectRef<StepPair>("TraceStepPair").implement({
    fields: (t) => ({
      edit: t.field({ type: StepEdit, resolve: ({ edit }) => edit }),
      changes: t.field({ type: [ChangedPart], resolve: ({ changes }) => [...changes] }),
      first: t.field({ type: Step, nullable: true, resolve: ({ a }) => a }),
      second: t.field({ type: Step, nullable: true, resolve: ({ b }) => b }),
      latencyDifferenceMs: t.float({
        nullable: true,
        description: "Of the second, less that of the first, here and below; null where one is not known.",
        resolve: ({ durationUs }) => (durationUs === null ? null : millisecondsOf(durationUs)),
      }),
      tokenDifference: t.exposeFloat("tokens", { nullable: true }),
      costDifference: t.float({ nullable: true, resolve: ({ cost }) => (cost === null ? null : usdOf(cost)) }),
    }),
  });
  const Comparison = builder.objectRef<TraceComparison>("TraceComparison").implement({
    fields: (t) => ({
      first: t.field({ type: ref(TRACE), resolve: ({ a }) => a }),
      second: t.field({ type: ref(TRACE), resolve: ({ b }) => b }),
      steps: t.field({
        type: [Pair],
        description: "In the order in which they stand side by side, parents before children.",
        resolve: ({ steps }) => [...steps],
      }),
    }),
  });
  const Good = builder.objectRef<GoodTrace>("GoodTrace").implement({
    fields: (t) => ({
      trace: t.field({ type: ref(TRACE), resolve: ({ trace }) => trace }),
      hasSamePattern: t.exposeBoolean("hasSamePattern", {
        description: "It has the same steps, but for repetitions; else only its first step is the same.",
      }),
    }),
  });
  builder.objectFields(ref(TRACE), (t) => ({
    comparison: t.field({
      type: Comparison,
      nullable: true,
      description: "What was inserted, removed, renamed, moved and changed to make another trace of this one.",
      args: { with: t.arg.id({ required: true }) },
      resolve: ({ id }, given, call) => call.load(comparisons.readComparisons, id, requireRowId(TRACE, given.with)),
    }),
    lastGoodTrace: t.field({
      type: Good,
      nullable: true,
      description:
        "The newest one before it, of the last 50 without a failure, with the same pattern or the same first step.",
      resolve: ({ id }, _given, call) => call.load(comparisons.findGoodTraces, id, null),
    }),
  }));
}

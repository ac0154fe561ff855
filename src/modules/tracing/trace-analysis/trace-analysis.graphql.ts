// The analysis of a trace in GraphQL.
import type { Spent } from "../../../analysis/loops/waste.ts";
import type { GraphqlTypes } from "../../../graphql/types.ts";
import { globalId } from "../../../kernel/ids.ts";
import type { SpanKind } from "../../../model/span.ts";
import { SPAN } from "../spans/spans.schema.ts";
import { spanKindType } from "../traces/span-kind.graphql.ts";
import { TRACE } from "../traces/traces.schema.ts";
import type { AnalysedSpan } from "./analysed-spans.schema.ts";
import { millisecondsOf, type TraceTiming, type TraceWaste, usdOf, type Waste } from "./trace-analysis.schema.ts";
import type { TraceAnalysisService } from "./trace-analysis.service.ts";

const spanNodeId = ({ id }: Pick<AnalysedSpan, "id">) => globalId(SPAN, id);

export function addTraceAnalysis(types: GraphqlTypes, analysis: TraceAnalysisService): void {
  addCriticalPath(types, analysis);
  addWaste(types, analysis);
}

function addCriticalPath(types: GraphqlTypes, analysis: TraceAnalysisService): void {
  const { builder, ref } = types;
  const Segment = builder
    .objectRef<{ readonly spanNodeId: string | null; readonly startMs: number; readonly durationMs: number }>(
      "CriticalPathSegment",
    )
    .implement({
      fields: (t) => ({
        spanNodeId: t.exposeID("spanNodeId", {
          nullable: true,
          description: "Null between the roots of a trace that has several.",
        }),
        startMs: t.exposeFloat("startMs", { description: "Since the start of the trace." }),
        durationMs: t.exposeFloat("durationMs"),
      }),
    });
  const SpanShare = builder
    .objectRef<{ readonly timing: TraceTiming; readonly at: number }>("CriticalPathSpan")
    .implement({
      fields: (t) => ({
        spanNodeId: t.id({ resolve: ({ timing, at }) => spanNodeId(timing.spans[at]!) }),
        selfMs: t.float({
          description: "Time in which none of its children runs.",
          resolve: ({ timing, at }) => millisecondsOf(timing.path.selfUs[at]!),
        }),
        onPathMs: t.float({
          description: "Its part of the segments.",
          resolve: ({ timing, at }) => millisecondsOf(timing.path.onPathUs[at]!),
        }),
        cumulativeCost: t.float({
          description: "With everything below it, in USD; unknown costs count as 0.",
          resolve: ({ timing, at }) => usdOf(timing.costsBelow[at]!),
        }),
      }),
    });
  const InstantStep = builder.objectRef<TraceTiming["instantSteps"][number]>("InstantStep").implement({
    fields: (t) => ({
      spanKind: t.field({ type: spanKindType(types), resolve: ({ kind }) => kind as SpanKind }),
      name: t.exposeString("name"),
      spanCount: t.exposeInt("spans"),
      savedMs: t.float({ resolve: ({ savedUs }) => millisecondsOf(savedUs) }),
    }),
  });
  const StepCost = builder.objectRef<TraceTiming["stepCosts"][number]>("StepCost").implement({
    fields: (t) => ({
      spanKind: t.field({ type: spanKindType(types), resolve: ({ kind }) => kind as SpanKind }),
      name: t.exposeString("name"),
      spanCount: t.exposeInt("spans"),
      cost: t.float({ description: "In USD, of those whose cost is known.", resolve: ({ cost }) => usdOf(cost) }),
      tokens: t.exposeFloat("tokens"),
      unpricedSpanCount: t.exposeInt("unpriced", { description: "Spans with tokens whose cost is not known." }),
    }),
  });
  const CriticalPath = builder.objectRef<TraceTiming>("TraceCriticalPath").implement({
    fields: (t) => ({
      durationMs: t.float({ resolve: ({ durationUs }) => millisecondsOf(durationUs) }),
      segments: t.field({
        type: [Segment],
        description: "Without gaps: the span that runs and waits for none of its children.",
        resolve: ({ spans, path: { segments } }) => {
          const startUs = segments[0]?.fromUs ?? 0;
          const ids = new Map(spans.map((span) => [span.spanKey, spanNodeId(span)]));
          return segments.map(({ spanKey, fromUs, toUs }) => ({
            spanNodeId: spanKey === null ? null : ids.get(spanKey)!,
            startMs: millisecondsOf(fromUs - startUs),
            durationMs: millisecondsOf(toUs - fromUs),
          }));
        },
      }),
      spans: t.field({ type: [SpanShare], resolve: (timing) => timing.spans.map((_, at) => ({ timing, at })) }),
      instantSteps: t.field({
        type: [InstantStep],
        description: "By how much the trace would be shorter if all spans of the step took no time; the most first.",
        resolve: ({ instantSteps }) => [...instantSteps],
      }),
      stepCosts: t.field({
        type: [StepCost],
        description: "Where the money went; the most first.",
        resolve: ({ stepCosts }) => [...stepCosts],
      }),
    }),
  });
  builder.objectField(ref(TRACE), "criticalPath", (t) =>
    t.field({
      type: CriticalPath,
      nullable: true,
      description: "What determines how long it takes, the time that each span takes itself, and where its money went.",
      resolve: ({ id }, _given, call) => call.load(analysis.readTimings, id, null),
    }),
  );
}

function addWaste(types: GraphqlTypes, analysis: TraceAnalysisService): void {
  const { builder, ref } = types;
  const WasteKind = builder.enumType("WasteKind", {
    values: {
      LOOP: { value: "loop", description: "Equal calls of tools, three rounds and more." },
      RETRY: { value: "retry", description: "A call that fails as it did before." },
      CONTEXT: { value: "context", description: "Calls of a model that were given nothing new." },
    } as const,
  });
  const SpentType = builder.objectRef<Spent>("SpentWork").implement({
    fields: (t) => ({
      timeMs: t.float({ resolve: ({ timeUs }) => millisecondsOf(timeUs) }),
      tokens: t.exposeFloat("tokens"),
      cost: t.float({ description: "In USD, of what is known.", resolve: ({ cost }) => usdOf(cost) }),
    }),
  });
  type Found = Waste & { readonly ids: ReadonlyMap<string, string> };
  const WasteType = builder.objectRef<Found>("Waste").implement({
    fields: (t) => ({
      kind: t.field({ type: WasteKind, resolve: ({ kind }) => kind }),
      agentNodeId: t.id({
        description: "The agent, or the root, that makes the calls.",
        resolve: ({ agentKey, ids }) => ids.get(agentKey)!,
      }),
      period: t.exposeInt("period", { description: "Calls of one round." }),
      times: t.exposeInt("times"),
      spanNodeIds: t.idList({
        description: "The calls of all rounds in order.",
        resolve: ({ spanKeys, ids }) => spanKeys.map((key) => ids.get(key)!),
      }),
      newAnswers: t.exposeInt("newAnswers", {
        nullable: true,
        description: "Rounds after the first whose answer no round before had; null where an answer was not recorded.",
      }),
      took: t.field({ type: SpentType, resolve: ({ took }) => took }),
      wasted: t.field({
        type: SpentType,
        description: "What came after the first round.",
        resolve: ({ wasted }) => wasted,
      }),
    }),
  });
  const TraceWasteType = builder.objectRef<TraceWaste>("TraceWaste").implement({
    fields: (t) => ({
      hasLoop: t.exposeBoolean("hasLoop"),
      wasted: t.field({
        type: SpentType,
        description: "Of all together; what two of them hold counts once.",
        resolve: ({ wasted }) => wasted,
      }),
      found: t.field({
        type: [WasteType],
        resolve: ({ all, spans }) => {
          const ids = new Map(spans.map((span) => [span.spanKey, spanNodeId(span)]));
          return all.map((each) => ({ ...each, ids }));
        },
      }),
    }),
  });
  builder.objectField(ref(TRACE), "waste", (t) =>
    t.field({
      type: TraceWasteType,
      nullable: true,
      description: "What it spends without getting further: loops, retries that fail alike, contexts that only repeat.",
      resolve: ({ id }, _given, call) => call.load(analysis.readWaste, id, null),
    }),
  );
}

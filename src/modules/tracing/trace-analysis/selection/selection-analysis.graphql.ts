// What many traces are made of in GraphQL.
import { rangeOf } from "../../../../graphql/statistics.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import type { SpanKind } from "../../../../model/span.ts";
import { PROJECT } from "../../projects/projects.schema.ts";
import { spanKindType } from "../../traces/span-kind.graphql.ts";
import { agentGraphType } from "../graph/trace-graphs.graphql.ts";
import { millisecondsOf } from "../trace-analysis.schema.ts";
import { MOST_ANALYSED, type SavingStep, type SelectionAnalysis } from "./selection-analysis.schema.ts";
import type { SelectionAnalysisService } from "./selection-analysis.service.ts";

export function addSelectionAnalysis(types: GraphqlTypes, selections: SelectionAnalysisService): void {
  const { builder, ref, TimeRange } = types;
  const Step = builder.objectRef<SavingStep>("SavingStep").implement({
    fields: (t) => ({
      spanKind: t.field({ type: spanKindType(types), resolve: ({ kind }) => kind as SpanKind }),
      name: t.exposeString("name"),
      traceCount: t.exposeInt("traces", { description: "On whose critical path it is." }),
      spanCount: t.exposeInt("spans"),
      savedMs: t.float({
        description: "Of all traces together.",
        resolve: ({ savedUs }) => millisecondsOf(savedUs),
      }),
    }),
  });
  const Analysis = builder.objectRef<SelectionAnalysis>("TraceSelectionAnalysis").implement({
    fields: (t) => ({
      traceCount: t.exposeInt("traceCount"),
      spanCount: t.exposeInt("spanCount"),
      isComplete: t.exposeBoolean("isComplete", {
        description: "False where more traces match: then these are the newest of them.",
      }),
      durationMs: t.float({
        description: "Of all traces together.",
        resolve: ({ durationUs }) => millisecondsOf(durationUs),
      }),
      agentGraphs: t.field({
        type: [agentGraphType(types)],
        description: "Those that ran most often first, 50 at most.",
        resolve: ({ graphs }) => [...graphs],
      }),
      instantSteps: t.field({
        type: [Step],
        description: "By how much the traces would be shorter if all spans of the step took no time; the most first.",
        resolve: ({ instantSteps }) => [...instantSteps],
      }),
    }),
  });
  builder.objectField(ref(PROJECT), "traceAnalysis", (t) =>
    t.field({
      type: Analysis,
      description:
        "Of the newest traces that start in the range and match the condition on traces, 10,000 at most: the graphs of their agents as one, and the steps that would save most time.",
      args: {
        timeRange: t.arg({ type: TimeRange }),
        filterCondition: t.arg.string(),
      },
      resolve: ({ id }, { timeRange, filterCondition }, call) =>
        call.readOnce(
          selections.analyse,
          { projectId: id, range: rangeOf(timeRange), condition: filterCondition ?? "" },
          MOST_ANALYSED,
        ),
    }),
  );
}

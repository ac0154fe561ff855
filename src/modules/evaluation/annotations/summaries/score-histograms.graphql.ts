// Scores of a project in bins, in GraphQL.
import { argumentRefused } from "../../../../graphql/connection.ts";
import { histogramBinType } from "../../../../graphql/histogram.ts";
import { requirePeriodOf } from "../../../../graphql/statistics.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import { PROJECT } from "../../../tracing/projects/projects.schema.ts";
import { type TargetKind, targetKinds } from "../annotation-targets.rules.ts";
import type { ScoreHistogram } from "../annotations.schema.ts";
import type { AnnotationSummariesService } from "./annotation-summaries.service.ts";

const MOST_NAMES = 50;

export function addScoreHistograms(types: GraphqlTypes, summaries: AnnotationSummariesService): void {
  const { builder, ref, TimeRange } = types;
  const Histogram = builder.objectRef<ScoreHistogram>("AnnotationScoreHistogram").implement({
    fields: (t) => ({
      name: t.exposeString("name"),
      bins: t.field({
        type: [histogramBinType(types)],
        description: "Scores, in bins with round edges.",
        resolve: ({ bins }) => [...bins],
      }),
      humanCounts: t.intList({
        description: "How many of the scores of each bin people gave.",
        resolve: ({ bins }) => bins.map(({ humanCount }) => humanCount),
      }),
    }),
  });
  builder.objectFields(ref(PROJECT), (t) => {
    const histograms = (kind: TargetKind) =>
      t.field({
        type: [Histogram],
        description: "By name, those with most scores first.",
        args: {
          timeRange: t.arg({ type: TimeRange, required: true }),
          first: t.arg.int({ required: true, defaultValue: 12 }),
        },
        resolve: async ({ id }, { timeRange, first }, call) => {
          if (first < 1 || first > MOST_NAMES) throw argumentRefused("first", `must be from 1 to ${MOST_NAMES}`);
          return [
            ...(await call.readOnce(summaries.listHistograms, kind, id, requirePeriodOf(timeRange, call.nowUs), first)),
          ];
        },
      });
    return {
      spanAnnotationScoreHistograms: histograms(targetKinds.span),
      traceAnnotationScoreHistograms: histograms(targetKinds.trace),
      sessionAnnotationScoreHistograms: histograms(targetKinds.session),
    };
  });
}

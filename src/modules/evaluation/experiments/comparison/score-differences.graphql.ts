// How the scores of experiments differ from those of their base, in GraphQL.
import { argumentRefused } from "../../../../graphql/connection.ts";
import { requireRowId } from "../../../../graphql/ids.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import { globalId } from "../../../../kernel/ids.ts";
import { EXPERIMENT } from "../experiments.schema.ts";
import type { ExperimentComparisonService } from "./experiment-comparison.service.ts";
import type { ScoreDifference } from "./score-differences.schema.ts";

export function addScoreDifferences({ builder }: GraphqlTypes, comparison: ExperimentComparisonService): void {
  const Difference = builder.objectRef<ScoreDifference>("ExperimentScoreDifference").implement({
    description: "Over the examples that both experiments have scores of the evaluation for.",
    fields: (t) => ({
      experimentId: t.id({ resolve: ({ experimentId }) => globalId(EXPERIMENT, experimentId) }),
      annotationName: t.exposeString("name"),
      exampleCount: t.exposeInt("examples"),
      meanDifference: t.exposeFloat("mean", { description: "Of the experiment to the base." }),
      intervalLow: t.float({
        nullable: true,
        description: "Of the 95 % interval of the mean difference; null for fewer than five examples.",
        resolve: ({ interval }) => interval?.low ?? null,
      }),
      intervalHigh: t.float({ nullable: true, resolve: ({ interval }) => interval?.high ?? null }),
      numExamplesHigher: t.exposeInt("higher", { description: "By more than the threshold." }),
      numExamplesLower: t.exposeInt("lower"),
    }),
  });
  builder.queryFields((t) => ({
    experimentScoreDifferences: t.field({
      type: [Difference],
      description: "By experiment and evaluation. An example has the mean of its repetitions.",
      may: "experiments.read",
      args: {
        baseExperimentId: t.arg.id({ required: true }),
        compareExperimentIds: t.arg.idList({ required: true }),
        // A default here could not be shown by introspection: a float that is written as such has no form in its language.
        threshold: t.arg.float({ description: "0 where it is not given." }),
      },
      resolve: async (_root, { baseExperimentId, compareExperimentIds, threshold }, call) => {
        if ((threshold ?? 0) < 0) throw argumentRefused("threshold", "must not be negative");
        const found = await comparison.compareScores(
          call.context,
          requireRowId(EXPERIMENT, baseExperimentId),
          compareExperimentIds.map((id) => requireRowId(EXPERIMENT, id)),
          threshold ?? 0,
        );
        return [...found];
      },
    }),
  }));
}

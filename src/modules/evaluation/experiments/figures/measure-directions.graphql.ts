// Which values of a measure are the better ones, in GraphQL.
import { argumentRefused, requireKey } from "../../../../graphql/connection.ts";
import { optimizationDirectionType } from "../../../../graphql/optimization-direction.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import type { BetterDirection } from "../../../../model/annotation.ts";
import { type DirectedMeasure, type PlainMeasure, plainMeasures } from "./measure-directions.schema.ts";
import type { MeasureDirectionsService } from "./measure-directions.service.ts";

interface PlainDirection {
  readonly measure: PlainMeasure;
  readonly direction: BetterDirection;
}

export function addMeasureDirections(types: GraphqlTypes, directions: MeasureDirectionsService): void {
  const { builder } = types;
  const Direction = optimizationDirectionType(types);
  const Measure = builder.enumType("ExperimentMeasure", {
    description:
      "What experiments are compared by beside the scores of evaluations; ERRORS is the share of failed runs.",
    values: plainMeasures,
  });
  const Directed = builder.objectRef<PlainDirection>("ExperimentMeasureDirection").implement({
    fields: (t) => ({
      measure: t.field({ type: Measure, resolve: ({ measure }) => measure }),
      optimizationDirection: t.field({ type: Direction, resolve: ({ direction }) => direction }),
    }),
  });
  builder.queryField("experimentMeasureDirections", (t) =>
    t.field({
      type: [Directed],
      description: "Of every measure that is no evaluation; that of an evaluation stands in its summaries.",
      may: "experiments.read",
      resolve: async (_root, _given, call) => {
        const plain = await directions.getPlain(call.context);
        return plainMeasures.map((measure) => ({ measure, direction: plain[measure] }));
      },
    }),
  );

  const Input = builder.inputType("SetExperimentMeasureDirectionInput", {
    fields: (t) => ({
      measure: t.field({ type: Measure }),
      annotationName: t.string(),
      optimizationDirection: t.field({ type: Direction, required: true }),
    }),
  });
  const Payload = types.payload<{ readonly direction: BetterDirection }>(
    "SetExperimentMeasureDirectionPayload",
    (t) => ({ optimizationDirection: t.field({ type: Direction, resolve: ({ direction }) => direction }) }),
  );
  builder.mutationField("setExperimentMeasureDirection", (t) =>
    t.field({
      type: Payload,
      description:
        "For everybody: of a measure, or of the evaluation of that name, in whose annotation configuration it is written where there is one.",
      may: "experiments.change",
      adds: true,
      args: { input: t.arg({ type: Input, required: true }) },
      resolve: async (_root, { input }, call) => {
        const { optimizationDirection: direction } = input;
        if (direction === "NONE") throw argumentRefused("optimizationDirection", "must be MINIMIZE or MAXIMIZE");
        await directions.setDirection(call.context, directedOf(input.measure, input.annotationName), direction);
        return { direction };
      },
    }),
  );
}

/** Throws kind `invalid` for both, neither, and a name that no evaluation can have. */
function directedOf(measure: PlainMeasure | null | undefined, evaluation: string | null | undefined): DirectedMeasure {
  if (measure == null && evaluation == null) throw argumentRefused("measure", "name a measure or an annotationName");
  if (measure != null && evaluation != null) throw argumentRefused("annotationName", "must not stand beside a measure");
  if (measure != null) return { measure };
  const name = evaluation ?? "";
  if (name === "") throw argumentRefused("annotationName", "must not be empty");
  requireKey("annotationName", name);
  return { evaluation: name };
}

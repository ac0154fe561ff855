// Annotations of the rows of a list, beside it: `annotations` of `listedSpans` and `listedTraces`, `rootSpanAnnotations` of the latter, `listedSessionAnnotations` of a
// project. Fields that exist here only.
import { argumentRefused } from "../../../../graphql/connection.ts";
import { scopeOf } from "../../../../graphql/statistics.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import { PROJECT } from "../../../tracing/projects/projects.schema.ts";
import { listedSpansRef, listedTracesRef } from "../../../tracing/spans/listed/listed.graphql.ts";
import type { AnnotationFigures } from "../annotations.schema.ts";
import type { ListedAnnotationsService } from "./listed-annotations.service.ts";

/** Each costs a reader a pass over its annotations. */
const MOST_NAMES = 50;
const NAMES = 10;

function requireNames(first: number): number {
  if (first < 1 || first > MOST_NAMES) throw argumentRefused("first", `must be from 1 to ${MOST_NAMES}`);
  return first;
}

export function addListedAnnotations(types: GraphqlTypes, listed: ListedAnnotationsService): void {
  const { builder } = types;
  const Annotation = listedAnnotationType(types);
  const description = "By name, notes left out; the names that most rows carry first.";
  builder.objectField(listedSpansRef(types), "annotations", (t) =>
    t.field({
      type: [Annotation],
      description,
      args: { first: t.arg.int({ required: true, defaultValue: NAMES }) },
      resolve: ({ scope }, { first }, { context }) =>
        listed.ofSpans(context, scope.projectId, scope, requireNames(first)),
    }),
  );
  builder.objectField(listedTracesRef(types), "annotations", (t) =>
    t.field({
      type: [Annotation],
      description,
      args: { first: t.arg.int({ required: true, defaultValue: NAMES }) },
      resolve: ({ scope }, { first }, { context }) => listed.ofTraces(context, scope, requireNames(first)),
    }),
  );
  builder.objectField(listedTracesRef(types), "rootSpanAnnotations", (t) =>
    t.field({
      type: [Annotation],
      description: `Of the root spans of the traces, as \`root_annotations\` of a condition reads them. ${description}`,
      args: { first: t.arg.int({ required: true, defaultValue: NAMES }) },
      resolve: ({ scope }, { first }, { context }) => listed.ofRootSpans(context, scope, requireNames(first)),
    }),
  );
  builder.objectField(types.ref(PROJECT), "listedSessionAnnotations", (t) =>
    t.field({
      type: [Annotation],
      description: `Of the sessions that were active in the range and match the condition. ${description}`,
      args: {
        timeRange: t.arg({ type: types.TimeRange }),
        sessionFilterCondition: t.arg.string(),
        first: t.arg.int({ required: true, defaultValue: NAMES }),
      },
      resolve: ({ id }, { first, ...given }, { context }) =>
        listed.ofSessions(context, id, scopeOf(given), requireNames(first)),
    }),
  );
}

function listedAnnotationType({ builder }: GraphqlTypes) {
  const Label = builder.objectRef<AnnotationFigures["labels"][number]>("AnnotationLabelCount").implement({
    fields: (t) => ({
      label: t.exposeString("label", {
        description: "As conditions compare it; of long labels the first 200 characters.",
      }),
      count: t.exposeInt("count", { description: "Rows that have it." }),
      fraction: t.exposeFloat("fraction", {
        description: "Of all labels; what was labelled often does not weigh more.",
      }),
    }),
  });
  const Band = builder.objectRef<AnnotationFigures["scores"][number]>("AnnotationScoreBand").implement({
    fields: (t) => ({
      min: t.exposeFloat("min", { nullable: true, description: "From here on; null in the first band." }),
      max: t.exposeFloat("max", { nullable: true, description: "Below this; null in the last band." }),
      count: t.exposeInt("count", { description: "Rows with a score in it." }),
    }),
  });
  return builder.objectRef<AnnotationFigures>("AnnotationFigures").implement({
    description: "Annotations of one name on the rows of a list. Counts are of rows.",
    fields: (t) => ({
      name: t.exposeString("name"),
      count: t.exposeInt("count", { description: "Rows that carry it." }),
      labelledCount: t.exposeInt("labelledCount"),
      scoredCount: t.exposeInt("scoredCount"),
      meanScore: t.exposeFloat("meanScore", { nullable: true, description: "Mean over the rows of the mean of each." }),
      labels: t.field({
        type: [Label],
        description: "Most frequent first, at most 20.",
        resolve: ({ labels }) => [...labels],
      }),
      scores: t.field({
        type: [Band],
        description: "Between round bounds, those that hold scores; none where all scores are alike.",
        resolve: ({ scores }) => [...scores],
      }),
      disputedCount: t.exposeInt("disputedCount", { description: "People and programs disagree." }),
    }),
  });
}

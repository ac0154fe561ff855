// How far people and programs agree, in GraphQL.
import { argumentRefused } from "../../../../graphql/connection.ts";
import { requirePeriodOf } from "../../../../graphql/statistics.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import { PROJECT } from "../../../tracing/projects/projects.schema.ts";
import { type TargetKind, targetKinds } from "../annotation-targets.rules.ts";
import type { AgreementCategory, AnnotationAgreement } from "./agreement.rules.ts";
import type { AnnotationSummariesService } from "./annotation-summaries.service.ts";

const MOST_NAMES = 50;

export function addAgreement(types: GraphqlTypes, summaries: AnnotationSummariesService): void {
  const { builder, ref, TimeRange } = types;
  const Category = builder.objectRef<AgreementCategory>("AnnotationAgreementCategory").implement({
    description: "A label, or a bin of scores.",
    fields: (t) => ({
      label: t.exposeString("label", { nullable: true }),
      min: t.exposeFloat("min", { nullable: true, description: "Included." }),
      max: t.exposeFloat("max", {
        nullable: true,
        description: "Excluded, but in the last category and where it equals `min`: then it is that score alone.",
      }),
    }),
  });
  const Cell = builder.objectRef<AnnotationAgreement["cells"][number]>("AnnotationAgreementCell").implement({
    fields: (t) => ({
      people: t.exposeInt("people", { description: "Index of the category that people chose." }),
      programs: t.exposeInt("programs", { description: "Index of the category that programs chose." }),
      count: t.exposeInt("count"),
    }),
  });
  const Agreement = builder.objectRef<AnnotationAgreement>("AnnotationAgreement").implement({
    description:
      "Annotations by people against those by programs (models and code) on the same items. Two pairs of one item count as two only if they differ.",
    fields: (t) => ({
      name: t.exposeString("name"),
      categories: t.field({
        type: [Category],
        description: "At most the 12 most frequent labels; or at most 5 bins of scores where not both have labels.",
        resolve: ({ categories }) => [...categories],
      }),
      cells: t.field({ type: [Cell], resolve: ({ cells }) => [...cells] }),
      pairCount: t.exposeInt("pairCount"),
      agreedCount: t.exposeInt("agreedCount"),
      omittedPairCount: t.exposeInt("omittedPairCount", {
        description: "With labels that are not among the categories.",
      }),
      kappa: t.exposeFloat("kappa", {
        nullable: true,
        description: "Cohen's; null where all say the same, and of more than 400 different pairs of labels.",
      }),
    }),
  });
  builder.objectFields(ref(PROJECT), (t) => {
    const agreements = (kind: TargetKind) =>
      t.field({
        type: [Agreement],
        description: "By name, those with most pairs first.",
        args: {
          timeRange: t.arg({ type: TimeRange, required: true }),
          annotationName: t.arg.string(),
          first: t.arg.int({ required: true, defaultValue: 12 }),
        },
        resolve: async ({ id }, { timeRange, annotationName, first }, call) => {
          if (first < 1 || first > MOST_NAMES) throw argumentRefused("first", `must be from 1 to ${MOST_NAMES}`);
          const scope = { ...requirePeriodOf(timeRange, call.nowUs), name: annotationName ?? null };
          return [...(await call.readOnce(summaries.listAgreements, kind, id, scope, first))];
        },
      });
    return {
      spanAnnotationAgreements: agreements(targetKinds.span),
      traceAnnotationAgreements: agreements(targetKinds.trace),
      sessionAnnotationAgreements: agreements(targetKinds.session),
    };
  });
}

// Outputs of evaluators in GraphQL.
import type { GraphqlTypes } from "../../../graphql/types.ts";
import { type AnnotationConfig, configWords } from "../annotation-configs/annotation-configs.schema.ts";

/** They are no rows of annotation configurations, but of the same types. */
export const outputConfigType = (types: GraphqlTypes) =>
  types.once("BuiltInEvaluatorOutputConfig", () =>
    types.builder.unionType("BuiltInEvaluatorOutputConfig", {
      types: Object.values(configWords).map((word) => types.ref<AnnotationConfig>(word)),
      resolveType: ({ type }: AnnotationConfig) => configWords[type],
    }),
  );

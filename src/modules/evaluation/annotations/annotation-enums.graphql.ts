// The enums of annotations in GraphQL.
import type { GraphqlTypes } from "../../../graphql/types.ts";

/** Made by the first that asks; types and inputs share them. */
export function annotationWords({ builder, once }: GraphqlTypes) {
  return {
    AnnotatorKind: once("AnnotatorKind", () =>
      builder.enumType("AnnotatorKind", { values: ["LLM", "HUMAN", "CODE"] as const }),
    ),
    AnnotationSource: once("AnnotationSource", () =>
      builder.enumType("AnnotationSource", { values: ["API", "APP"] as const }),
    ),
  };
}

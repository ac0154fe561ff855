// Which values of a measure are the better ones: the word that annotation configurations and experiments share.
import type { GraphqlTypes } from "./types.ts";

export function optimizationDirectionType(types: GraphqlTypes) {
  return types.once("OptimizationDirection", () =>
    types.builder.enumType("OptimizationDirection", {
      description: "Which scores are the better ones.",
      values: ["MINIMIZE", "MAXIMIZE", "NONE"] as const,
    }),
  );
}

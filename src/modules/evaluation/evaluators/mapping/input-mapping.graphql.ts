// Input mappings in GraphQL.
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import type { Json } from "../../../../kernel/json.ts";
import { inputMappingMissing } from "../evaluators.errors.ts";
import type { InputMapping } from "../evaluators.schema.ts";
import { requireInputMapping } from "./input-mapping.rules.ts";

export const inputMappingInput = (types: GraphqlTypes) =>
  types.once("EvaluatorInputMappingInput", () =>
    types.builder.inputType("EvaluatorInputMappingInput", {
      description:
        "Where inputs come from: a literal, else a JSONPath, else the member of the context with the same name.",
      fields: (t) => ({
        literalMapping: t.field({ type: "JSON", required: true, description: "An object: values by input." }),
        pathMapping: t.field({ type: "JSON", required: true, description: "An object: paths by input." }),
      }),
    }),
  );

interface GivenMapping {
  readonly literalMapping?: unknown;
  readonly pathMapping?: unknown;
}

/** Throws kind `invalid`. */
export function inputMappingOf(given: GivenMapping | null | undefined): InputMapping {
  if (given == null) throw inputMappingMissing();
  return requireInputMapping({
    literalMapping: given.literalMapping as Json,
    pathMapping: given.pathMapping as Json,
  });
}

// The providers of models in GraphQL, where one is chosen.
import type { GraphqlTypes } from "../../../graphql/types.ts";
import { modelProviders } from "../../../model/prompt.ts";

export const providerKeyType = (types: GraphqlTypes) =>
  types.once("GenerativeProviderKey", () =>
    types.builder.enumType("GenerativeProviderKey", { values: modelProviders }),
  );

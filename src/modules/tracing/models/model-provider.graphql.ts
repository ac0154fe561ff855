// The providers of models in GraphQL, where one is chosen, and what all models have.
import type { GraphqlTypes } from "../../../graphql/types.ts";
import { modelProviders } from "../../../model/prompt.ts";

export const providerKeyType = (types: GraphqlTypes) =>
  types.once("GenerativeProviderKey", () =>
    types.builder.enumType("GenerativeProviderKey", { values: modelProviders }),
  );

/** Types that implement it resolve its fields themselves. */
export const modelInterface = (types: GraphqlTypes) =>
  types.once("ModelInterface", () =>
    types.builder.interfaceRef<object>("ModelInterface").implement({
      fields: (t) => ({
        name: t.string({ resolve: () => "" }),
        providerKey: t.field({ type: providerKeyType(types), nullable: true, resolve: () => null }),
      }),
    }),
  );

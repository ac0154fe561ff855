// Keys of providers that a request brings along.
import type { GraphqlTypes } from "../../../graphql/types.ts";

export const generativeCredentialInput = (types: GraphqlTypes) =>
  types.once("GenerativeCredentialInput", () =>
    types.builder.inputType("GenerativeCredentialInput", {
      description: "A key of a provider, for this request only: it is not stored.",
      fields: (t) => ({
        envVarName: t.string({
          required: true,
          description: "The variable that servers read it from, e.g. OPENAI_API_KEY.",
        }),
        value: t.field({ type: "SecretString", required: true }),
      }),
    }),
  );

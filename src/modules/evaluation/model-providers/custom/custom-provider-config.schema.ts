// The configuration of a custom provider as it is stored: one JSON document, encrypted. It holds the only copies of its secrets.
import { type Static, Type } from "@sinclair/typebox";
import { isJsonObject, parseJson } from "../../../../kernel/json.ts";
import { Nullable, Tagged, Words } from "../../../../kernel/schema.ts";
import { readValue } from "../../../../kernel/validation.ts";
import { Violations } from "../../../../kernel/violations.ts";
import { customProviderSdks } from "../../../../model/custom-provider.ts";

const Authentication = Tagged("type", [
  Type.Object({ type: Type.Literal("api_key"), api_key: Type.String() }),
  Type.Object({
    type: Type.Literal("access_keys"),
    access_key_id: Type.String(),
    secret_access_key: Type.String(),
    session_token: Nullable(Type.String()),
  }),
  /** An application of Microsoft Entra ID. */
  Type.Object({
    type: Type.Literal("azure_ad"),
    tenant_id: Type.String(),
    client_id: Type.String(),
    client_secret: Type.String(),
    scope: Type.String(),
  }),
  /** The identity that the environment of the server gives it. */
  Type.Object({ type: Type.Literal("default_credentials") }),
]);
export type Authentication = Static<typeof Authentication>;

const CustomProviderConfig = Type.Object({
  sdk: Words(customProviderSdks),
  authentication: Authentication,
  /** As entered, without a trailing slash; null for the provider's own. */
  base_url: Nullable(Type.String()),
  /** Of Bedrock; null for the others. */
  region: Nullable(Type.String()),
  /** Of OpenAI. */
  organization: Nullable(Type.String()),
  project: Nullable(Type.String()),
  /** Of OpenAI and Azure OpenAI; null for the others. */
  api_type: Nullable(Words(["CHAT_COMPLETIONS", "RESPONSES"])),
  /** Names in lower case, each once. The values are secrets. */
  headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
});
export type CustomProviderConfig = Static<typeof CustomProviderConfig>;

/** Null for a text that is not such a document. */
export function findConfig(text: string): CustomProviderConfig | null {
  const document = findDocument(text);
  if (document === null) return null;
  const violations = new Violations();
  const config = readValue(CustomProviderConfig, document, [], violations);
  return violations.total === 0 ? (config as CustomProviderConfig) : null;
}

function findDocument(text: string) {
  try {
    const document = parseJson(text);
    return isJsonObject(document) ? document : null;
  } catch {
    return null;
  }
}

// Validates calls before anything is sent.
import { isJsonObject, type JsonObject } from "../kernel/json.ts";
import { parameterFamily } from "../model/prompt.ts";
import { builtInProviders } from "./built-in-providers.ts";
import { extraBodyNoObject, noModelName, noTools, otherFamily, thinkingBudgetTooLarge } from "./model-call.errors.ts";
import type { CallParameters, ModelCall } from "./model-call.ts";
import { requireSendableHeaders } from "./request-headers.ts";
import { wireRequest } from "./wires/wires.ts";

/** Throws kind `invalid`, naming the member, for a call that is invalid or that the protocol cannot express. */
export function requireModelCall(call: ModelCall): void {
  const { endpoint, model, tools, parameters } = call;
  const expected = parameterFamily(endpoint.provider);
  if (model.trim() === "")
    throw noModelName(builtInProviders.get(endpoint.provider)?.modelsName ?? endpoint.displayName);
  if (parameters.type !== expected) throw otherFamily(parameters.type, endpoint.provider, expected);
  if (tools !== null && tools.tools.length === 0) throw noTools();
  requireParameters(parameters);
  // Headers with keys were checked when the endpoint was created.
  requireSendableHeaders(endpoint.headers, { allowsKeys: true });
  wireRequest(call);
}

interface WithExtraBody {
  readonly extra_body?: JsonObject;
}

function requireParameters(parameters: CallParameters): void {
  const { [parameters.type]: values } = parameters as { readonly [Family in CallParameters["type"]]?: WithExtraBody };
  if (values?.extra_body !== undefined && !isJsonObject(values.extra_body)) throw extraBodyNoObject();
  if (parameters.type !== "anthropic") return;
  const { thinking, max_tokens } = parameters.anthropic;
  if (thinking?.type === "enabled" && thinking.budget_tokens >= max_tokens) throw thinkingBudgetTooLarge();
}

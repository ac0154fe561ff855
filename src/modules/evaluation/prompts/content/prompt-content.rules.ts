// How what is sent of a version becomes what is stored of it.
import { type Json, type JsonObject, stringifyJson } from "../../../../kernel/json.ts";
import { parameterFamily } from "../../../../model/prompt.ts";
import { keptParameters } from "../prompt-content.schema.ts";
import { onlyChats, parametersOfOther } from "../prompts.errors.ts";
import { EMPTY_METADATA, type VersionBody, type VersionContent } from "../prompts.schema.ts";

/** Throws kind `invalid` for a template that is no chat. */
export function contentOf(body: VersionBody): VersionContent {
  if (body.template_type !== "CHAT") throw onlyChats();
  return {
    description: body.description ?? null,
    modelProvider: body.model_provider,
    modelName: body.model_name,
    templateType: body.template_type,
    templateFormat: body.template_format,
    template: textOf(body.template),
    invocationParameters: textOf(keptParameters(body.invocation_parameters)),
    tools: body.tools == null ? null : textOf(body.tools),
    responseFormat: body.response_format == null ? null : textOf(body.response_format),
    metadata: keptMetadata(body.metadata),
    customProviderId: null,
  };
}

/** Throws kind `invalid` for parameters of another family than that of the provider. */
export function requireParametersOf({
  model_provider,
  invocation_parameters,
}: Pick<VersionBody, "model_provider" | "invocation_parameters">): void {
  const expected = parameterFamily(model_provider);
  if (keptParameters(invocation_parameters).type !== expected) {
    throw parametersOfOther(invocation_parameters.type, model_provider, expected);
  }
}

export function keptMetadata(metadata: JsonObject | null | undefined): string {
  return metadata == null ? EMPTY_METADATA : textOf(metadata);
}

/** As a description is changed: trimmed, null clears it. */
export function changedDescription(description: string | null): string | null {
  return description === null ? null : description.trim();
}

function textOf(value: unknown): string {
  return stringifyJson(value as Json);
}

// From a run as REST sends it to the chats that are tried: versions of prompts are looked up, and what a variant says itself wins.
import { findGlobalId, globalId } from "../../../../kernel/ids.ts";
import type { JsonObject } from "../../../../kernel/json.ts";
import { parseStoredJson } from "../../../../kernel/json.ts";
import type { TemplateFormat } from "../../../../model/prompt.ts";
import type { CallMessage, CallParameters, CallResponseFormat, CallTools } from "../../../../providers/model-call.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { CUSTOM_PROVIDER } from "../../model-providers/custom/custom-providers.schema.ts";
import { connectionOf } from "../../model-providers/sent-connection.rules.ts";
import { keptParameters, type Template } from "../../prompts/prompt-content.schema.ts";
import type { PromptVersionsService } from "../../prompts/prompt-versions.service.ts";
import { PROMPT_VERSION, type PromptVersion } from "../../prompts/prompts.schema.ts";
import { wrongNode } from "../chats.errors.ts";
import type { ChatRequest, ChatVariant } from "../chats.schema.ts";
import type { SentPlaygroundRun, SentVariant } from "./playground-runs.schema.ts";

export interface RunRequestsService {
  /** Throws kind `not_found` for a prompt, a tag or a version that is not there, `invalid` for an id of another kind. */
  chatsOf(context: CallContext, run: SentPlaygroundRun): Promise<ChatRequest>;
}

type Version = Pick<
  ChatVariant,
  "provider" | "customProviderId" | "model" | "messages" | "parameters" | "tools" | "responseFormat" | "metadata"
> & {
  /** Null without a version: messages are a template if there are variables. */
  readonly format: TemplateFormat | null;
};

export function createRunRequestsService(
  versions: Pick<PromptVersionsService, "getVersion" | "getLatestVersion" | "getTaggedVersion">,
): RunRequestsService {
  async function findVersion(
    context: CallContext,
    { prompt_version_id: id, prompt }: SentVariant,
  ): Promise<PromptVersion | null> {
    if (id !== undefined) return versions.getVersion(context, id);
    if (prompt === undefined) return null;
    return prompt.tag === undefined
      ? versions.getLatestVersion(context, prompt.name)
      : versions.getTaggedVersion(context, prompt.name, prompt.tag);
  }

  return {
    async chatsOf(context, run) {
      const variants = await Promise.all(
        run.variants.map(async (sent) => {
          const version = await findVersion(context, sent);
          return variantOf(sent, version === null ? noVersion : contentOf(version), run.variables);
        }),
      );
      return { variants, repetitions: run.repetitions, credentials: run.credentials ?? [], streaming: run.stream };
    },
  };
}

function variantOf(sent: SentVariant, version: Version, shared: JsonObject | undefined): ChatVariant {
  const { model_provider: provider, custom_provider_id: customProvider, invocation_parameters: parameters } = sent;
  const variables = sent.variables ?? shared;
  const format = sent.template_format ?? version.format ?? (variables === undefined ? "NONE" : "MUSTACHE");
  // Another provider has no part of the one of the version.
  const hasOwnProvider = provider !== undefined || customProvider !== undefined;
  return {
    ...version,
    ...(hasOwnProvider ? { provider: provider ?? null, customProviderId: customProviderRow(customProvider) } : {}),
    ...(sent.model_name === undefined ? {} : { model: sent.model_name }),
    ...(sent.messages === undefined ? {} : { messages: sent.messages as readonly CallMessage[] }),
    ...(parameters === undefined ? {} : { parameters: keptParameters(parameters) }),
    ...(sent.tools === undefined ? {} : { tools: sent.tools }),
    ...(sent.response_format === undefined ? {} : { responseFormat: sent.response_format }),
    template: format === "NONE" ? null : { format, variables: variables ?? {} },
    connection: sent.connection === undefined ? null : connectionOf(sent.connection),
    headers: sent.headers ?? null,
  };
}

const noVersion: Version = {
  provider: null,
  customProviderId: null,
  model: "",
  messages: [],
  parameters: null,
  tools: null,
  responseFormat: null,
  metadata: {},
  format: null,
};

function contentOf(version: PromptVersion): Version {
  const template = parseStoredJson<Template>(version.template);
  return {
    provider: version.modelProvider,
    customProviderId: version.customProviderId,
    model: version.modelName,
    messages: template.type === "chat" ? template.messages : [{ role: "user", content: template.template }],
    parameters: parseStoredJson<CallParameters>(version.invocationParameters),
    tools: version.tools === null ? null : parseStoredJson<CallTools>(version.tools),
    responseFormat:
      version.responseFormat === null ? null : parseStoredJson<CallResponseFormat>(version.responseFormat),
    metadata: { prompt_version_id: globalId(PROMPT_VERSION, version.id) },
    format: version.templateFormat,
  };
}

function customProviderRow(id: string | null | undefined): number | null {
  if (id == null) return null;
  const found = findGlobalId(id);
  if (found?.type !== CUSTOM_PROVIDER) throw wrongNode(CUSTOM_PROVIDER, found?.type ?? id);
  return found.rowId;
}

// From a frozen prompt and an example to the call of a model.
import { parseStoredJson } from "../../../../kernel/json.ts";
import type {
  CallMessage,
  CallParameters,
  CallResponseFormat,
  ModelCall,
  ModelEndpoint,
} from "../../../../providers/model-call.ts";
import { filledTemplate } from "../../prompts/content/template-filling.rules.ts";
import type { Template, Tools } from "../../prompts/prompt-content.schema.ts";
import type { FrozenPrompt } from "../../prompts/prompts.schema.ts";
import { onlyChatPrompts } from "../experiment-jobs.errors.ts";
import type { JobTask } from "../experiment-jobs.schema.ts";
import { appendedMessages } from "./appended-messages.rules.ts";
import { type TaskExample, templateVariables } from "./example-values.rules.ts";

/** Characters of the messages of one call with the values in place. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

type Chat = Extract<Template, { readonly type: "chat" }>;
type FilledPart = Pick<JobTask, "templateVariablesPath" | "appendedMessagesPath">;

/** A prompt read once for all examples. */
export interface ReadPrompt {
  /** The call of an example. Throws kind `invalid` for what the example lacks, or the template has wrong. */
  callFor(example: TaskExample): ModelCall;
  /** The call with the template as it stands: for checks before there is an example. */
  readonly unfilled: ModelCall;
}

/** Throws kind `invalid` for a prompt that is no chat. */
export function readPrompt(
  prompt: FrozenPrompt,
  parts: FilledPart,
  endpoint: ModelEndpoint,
  streaming: boolean,
): ReadPrompt {
  const template = parseStoredJson<Template>(prompt.template);
  if (template.type !== "chat") throw onlyChatPrompts();
  const shared: Omit<ModelCall, "messages"> = {
    endpoint,
    model: prompt.modelName,
    tools: prompt.tools === null ? null : toolsOf(parseStoredJson<Tools>(prompt.tools)),
    responseFormat: prompt.responseFormat === null ? null : parseStoredJson<CallResponseFormat>(prompt.responseFormat),
    parameters: parseStoredJson<CallParameters>(prompt.invocationParameters),
    streaming,
  };
  return {
    unfilled: { ...shared, messages: template.messages as readonly CallMessage[] },
    callFor: (example) => ({ ...shared, messages: messagesFor(template, prompt, parts, example) }),
  };
}

function messagesFor(
  template: Chat,
  { templateFormat }: FrozenPrompt,
  { templateVariablesPath, appendedMessagesPath }: FilledPart,
  example: TaskExample,
): readonly CallMessage[] {
  const values = templateVariables(example, templateVariablesPath);
  const { messages } = filledTemplate(template, templateFormat, values, MAX_CHARACTERS).chat;
  const appended = appendedMessagesPath === null ? [] : appendedMessages(example, appendedMessagesPath);
  return [...(messages as readonly CallMessage[]), ...appended];
}

function toolsOf({ type: _, ...tools }: Tools): ModelCall["tools"] {
  return tools as ModelCall["tools"];
}

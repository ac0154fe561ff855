// What a version of a prompt is made of: messages, tools, the form of the answer, parameters of the model
// (docs/protocol/prompts.md). These objects are closed, so that a member written wrongly is refused and not lost.
import { type Static, Type } from "@sinclair/typebox";
import { AnyObject, Closed, Ruled, Tagged, Words } from "../../../kernel/schema.ts";

const optional = Type.Optional;
const integer = optional(Type.Integer());
const number = optional(Type.Number());
const texts = optional(Type.Array(Type.String()));
const object = optional(AnyObject());
/** Any JSON, also null. */
const AnyJson = Type.Unknown();

const TextPart = Closed({ type: Type.Literal("text"), text: Type.String() });
const ToolCallPart = Closed({
  type: Type.Literal("tool_call"),
  tool_call_id: Type.String(),
  tool_call: Closed({
    type: Type.Literal("function"),
    name: Type.String(),
    arguments: Type.String({ description: "JSON text." }),
  }),
});
const ToolResultPart = Closed({
  type: Type.Literal("tool_result"),
  tool_call_id: Type.String(),
  tool_result: AnyJson,
});
/** The parts of a message by their types. */
export const messageParts = [TextPart, ToolCallPart, ToolResultPart] as const;
const MessagePart = Tagged("type", [...messageParts]);
export type MessagePart = Static<typeof MessagePart>;

export const messageRoles = ["user", "assistant", "model", "ai", "tool", "system", "developer"] as const;
export type MessageRole = (typeof messageRoles)[number];

const Message = Closed({
  role: Words(messageRoles, { violation: "enum" }),
  content: Type.Union([Type.String(), Type.Array(MessagePart, { minItems: 1 })]),
});
export type PromptMessage = Static<typeof Message>;

export const Template = Tagged("type", [
  Closed({ type: Type.Literal("chat"), messages: Type.Array(Message) }),
  Closed({ type: Type.Literal("string"), template: Type.String() }),
]);
export type Template = Static<typeof Template>;

const ToolFunction = Closed({
  name: Type.String(),
  description: optional(Type.String()),
  parameters: optional(AnyObject({ description: "JSON schema." })),
  strict: optional(Type.Boolean()),
});
const Tool = Tagged("type", [
  Closed({ type: Type.Literal("function"), function: ToolFunction }),
  Closed({ type: Type.Literal("raw"), raw: AnyObject({ description: "In the provider's own words." }) }),
]);
export type Tool = Static<typeof Tool>;

const ToolChoice = Tagged("type", [
  Closed({ type: Type.Literal("none") }),
  Closed({ type: Type.Literal("zero_or_more") }),
  Closed({ type: Type.Literal("one_or_more") }),
  Closed({ type: Type.Literal("specific_function"), function_name: Type.String() }),
]);
export type ToolChoice = Static<typeof ToolChoice>;

export const Tools = Closed({
  type: Type.Literal("tools"),
  tools: Type.Array(Tool, { minItems: 1 }),
  tool_choice: optional(ToolChoice),
  disable_parallel_tool_calls: optional(Type.Boolean()),
});
export type Tools = Static<typeof Tools>;

export const ResponseFormat = Closed({
  type: Type.Literal("json_schema"),
  json_schema: Closed({
    name: Type.String(),
    description: optional(Type.String()),
    schema: object,
    strict: optional(Type.Boolean()),
  }),
});
export type ResponseFormat = Static<typeof ResponseFormat>;

const OpenAiParameters = Closed({
  temperature: number,
  max_tokens: integer,
  max_completion_tokens: integer,
  frequency_penalty: number,
  presence_penalty: number,
  top_p: number,
  seed: integer,
  stop: texts,
  reasoning_effort: optional(Words(["none", "minimal", "low", "medium", "high", "xhigh"])),
  extra_body: object,
});
export type OpenAiParameters = Static<typeof OpenAiParameters>;

const display = optional(Words(["summarized", "omitted"]));
const LEAST_THINKING_TOKENS = 1024;
const Thinking = Tagged("type", [
  Closed({ type: Type.Literal("disabled") }),
  Closed({
    type: Type.Literal("enabled"),
    budget_tokens: Type.Integer({ minimum: LEAST_THINKING_TOKENS }),
    display,
  }),
  Closed({ type: Type.Literal("adaptive"), display }),
]);
export type Thinking = Static<typeof Thinking>;

const AnthropicParameters = Ruled(
  Closed({
    max_tokens: Type.Integer(),
    temperature: number,
    top_p: number,
    stop_sequences: texts,
    output_config: optional(Closed({ effort: optional(Words(["low", "medium", "high", "xhigh", "max"])) })),
    thinking: optional(Thinking),
    extra_body: object,
  }),
  ({ max_tokens, thinking }) =>
    thinking?.type === "enabled" && thinking.budget_tokens >= max_tokens
      ? "thinking.budget_tokens must be below max_tokens"
      : null,
);
export type AnthropicParameters = Static<typeof AnthropicParameters>;

const GoogleParameters = Closed({
  temperature: number,
  max_output_tokens: integer,
  stop_sequences: texts,
  presence_penalty: number,
  frequency_penalty: number,
  top_p: number,
  top_k: integer,
  thinking_config: optional(
    Closed({
      thinking_budget: integer,
      thinking_level: optional(Words(["minimal", "low", "medium", "high"])),
      include_thoughts: optional(Type.Boolean()),
    }),
  ),
});
export type GoogleParameters = Static<typeof GoogleParameters>;

const AwsParameters = Closed({ max_tokens: integer, temperature: number, top_p: number, stop_sequences: texts });
export type AwsParameters = Static<typeof AwsParameters>;

/** The parameters stand in a member that is called as the type. */
const families = [
  Closed({ type: Type.Literal("openai"), openai: OpenAiParameters }),
  Closed({ type: Type.Literal("anthropic"), anthropic: AnthropicParameters }),
  Closed({ type: Type.Literal("google"), google: GoogleParameters }),
  Closed({ type: Type.Literal("aws"), aws: AwsParameters }),
] as const;

/** As they are stored. */
export const InvocationParameters = Tagged("type", [...families]);
export type InvocationParameters = Static<typeof InvocationParameters>;

/** Providers that speak as OpenAI does: what is sent under their names is stored as `openai`. */
const openAiSpeakers = [
  "azure_openai",
  "deepseek",
  "xai",
  "ollama",
  "cerebras",
  "fireworks",
  "groq",
  "moonshot",
  "perplexity",
  "together",
  "zai",
  "meta",
] as const;
type SpeakerParameters = {
  readonly [Speaker in (typeof openAiSpeakers)[number]]: { readonly type: Speaker } & Readonly<
    Record<Speaker, OpenAiParameters>
  >;
}[(typeof openAiSpeakers)[number]];

export type SentInvocationParameters = InvocationParameters | SpeakerParameters;
export const SentInvocationParameters = Type.Unsafe<SentInvocationParameters>(
  Tagged("type", [
    ...families,
    ...openAiSpeakers.map((word) => Closed({ type: Type.Literal(word), [word]: OpenAiParameters })),
  ]),
);

/** As they are stored. */
export function keptParameters(sent: SentInvocationParameters): InvocationParameters {
  switch (sent.type) {
    case "openai":
    case "anthropic":
    case "google":
    case "aws":
      return sent;
    default:
      return { type: "openai", openai: (sent as Partial<Record<typeof sent.type, OpenAiParameters>>)[sent.type]! };
  }
}

// Chat completions as OpenAI's clients send them.
import { type Static, Type } from "@sinclair/typebox";
import { AnyObject, Nullable, Words } from "../../../kernel/schema.ts";

const optional = Type.Optional;
const number = optional(Nullable(Type.Number()));
const integer = optional(Nullable(Type.Integer()));
const positive = optional(Nullable(Type.Integer({ minimum: 1 })));
const flag = optional(Nullable(Type.Boolean()));

const chatRoles = ["system", "developer", "user", "assistant", "tool"] as const;

const Message = Type.Object({
  role: Words(chatRoles, { violation: "enum" }),
  content: optional(
    Nullable(Type.Union([Type.String(), Type.Array(AnyObject())]), {
      description: "A text, or parts of type `text` and, of users, `image_url`.",
    }),
  ),
  tool_calls: optional(Nullable(Type.Array(AnyObject(), { description: "Of type `function`; of assistants." }))),
  tool_call_id: optional(Nullable(Type.String({ description: "Of the messages of tools." }))),
});
export type SentMessage = Static<typeof Message>;

export const NewChatCompletion = Type.Object({
  model: Type.String({
    description: "`<provider>:<name>`, such as `openai:gpt-4o-mini`, or `custom:<id of a custom provider>:<name>`.",
  }),
  messages: Type.Array(Message, { minItems: 1 }),
  stream: flag,
  stream_options: optional(Nullable(Type.Object({ include_usage: flag }))),
  temperature: number,
  top_p: number,
  frequency_penalty: number,
  presence_penalty: number,
  seed: integer,
  max_tokens: positive,
  max_completion_tokens: positive,
  stop: optional(Nullable(Type.Union([Type.String(), Type.Array(Type.String())]))),
  reasoning_effort: optional(Nullable(Words(["none", "minimal", "low", "medium", "high", "xhigh"]))),
  n: integer,
  tools: optional(Nullable(Type.Array(AnyObject(), { description: "Functions." }))),
  tool_choice: optional(Nullable(Type.Union([Type.String(), AnyObject()]))),
  parallel_tool_calls: flag,
  response_format: optional(Nullable(AnyObject({ description: "`text`, or `json_schema` with its schema." }))),
});
export type SentChatCompletion = Static<typeof NewChatCompletion>;

const Usage = Type.Object({
  prompt_tokens: Type.Integer(),
  completion_tokens: Type.Integer(),
  total_tokens: Type.Integer(),
  prompt_tokens_details: optional(Type.Object({ cached_tokens: Type.Integer() })),
});
export type Usage = Static<typeof Usage>;

const ShownFinish = Words(["stop", "length", "tool_calls", "content_filter"]);
export type ShownFinish = Static<typeof ShownFinish>;

export const ChatCompletion = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal("chat.completion"),
    created: Type.Integer({ description: "Seconds since 1970." }),
    model: Type.String({ description: "As it was asked for." }),
    choices: Type.Array(
      Type.Object({
        index: Type.Integer(),
        message: Type.Object({
          role: Type.Literal("assistant"),
          content: Nullable(Type.String()),
          tool_calls: optional(
            Type.Array(
              Type.Object({
                id: Type.String(),
                type: Type.Literal("function"),
                function: Type.Object({ name: Type.String(), arguments: Type.String() }),
              }),
            ),
          ),
        }),
        finish_reason: ShownFinish,
      }),
    ),
    usage: optional(Usage),
  },
  { $id: "ChatCompletion" },
);
export type ChatCompletion = Static<typeof ChatCompletion>;

export const ModelsQuery = Type.Object({
  provider: optional(
    Type.String({
      description: "The models that this endpoint lists: `ollama`, or `custom:<id of a custom provider>`.",
    }),
  ),
});

export const ModelsAnswer = Type.Object({
  object: Type.Literal("list"),
  data: Type.Array(
    Type.Object({
      id: Type.String(),
      object: Type.Literal("model"),
      created: Type.Integer({ description: "Always 0: it is not known." }),
      owned_by: Type.String({ description: "The provider." }),
    }),
  ),
});
export type ListedModel = Static<typeof ModelsAnswer>["data"][number];

// Runs of the playground over REST: what is sent.
import { type Static, Type } from "@sinclair/typebox";
import { AnyObject, Closed, Nullable, Ruled, Tagged, Words } from "../../../../kernel/schema.ts";
import { modelProviders, templateFormats } from "../../../../model/prompt.ts";
import {
  messageParts,
  messageRoles,
  ResponseFormat,
  SentInvocationParameters,
  Tools,
} from "../../prompts/prompt-content.schema.ts";
import { MAX_REPETITIONS, MAX_VARIANTS } from "../run-bounds.rules.ts";

const optional = Type.Optional;
const text = optional(Nullable(Type.String()));

const ImagePart = Closed({
  type: Type.Literal("image"),
  url: Type.String({ description: "`https://…`, or `data:image/…;base64,…`, which every provider takes." }),
});

const thoughtParts = [
  Closed(
    { type: Type.Literal("thinking"), thinking: Type.String(), signature: Type.String() },
    { description: "What an Anthropic model thought, as its message has it. Other providers do not get it." },
  ),
  Closed({ type: Type.Literal("redacted_thinking"), data: Type.String() }),
] as const;

const Message = Closed({
  role: Words(messageRoles, { violation: "enum" }),
  content: Type.Union([
    Type.String(),
    Type.Array(Tagged("type", [...messageParts, ImagePart, ...thoughtParts]), { minItems: 1 }),
  ]),
});

const Connection = Closed(
  {
    base_url: text,
    azure_endpoint: text,
    region_name: text,
    endpoint_url: text,
    openai_api_type: optional(Nullable(Words(["CHAT_COMPLETIONS", "RESPONSES"]))),
    organization: text,
    project: text,
  },
  {
    description: "Where a built-in provider is called. A key of the server never goes to an address that is sent here.",
  },
);

const Variant = Ruled(
  Closed({
    prompt_version_id: optional(
      Type.String({ description: "The version gives what the variant does not say itself." }),
    ),
    prompt: optional(
      Closed(
        { name: Type.String(), tag: optional(Type.String()) },
        { description: "In the place of an id: the tagged version of a prompt, or its latest." },
      ),
    ),
    messages: optional(Type.Array(Message)),
    template_format: optional(Words(templateFormats, { violation: "enum" })),
    variables: optional(AnyObject({ description: "In the place of those of the run." })),
    model_provider: optional(Words(modelProviders, { violation: "enum" })),
    custom_provider_id: optional(Nullable(Type.String({ description: "Null: the built-in provider." }))),
    model_name: optional(Type.String()),
    invocation_parameters: optional(SentInvocationParameters),
    tools: optional(Nullable(Tools)),
    response_format: optional(Nullable(ResponseFormat)),
    connection: optional(Connection),
    headers: optional(AnyObject({ description: "Added to the requests to the provider: texts by names." })),
  }),
  ({ prompt_version_id, prompt, messages, model_name, model_provider, custom_provider_id }) => {
    if (prompt_version_id !== undefined && prompt !== undefined)
      return "prompt_version_id and prompt exclude each other";
    if (prompt_version_id !== undefined || prompt !== undefined) return null;
    if (messages === undefined) return "messages must be given, or a prompt";
    if (model_name === undefined) return "model_name must be given, or a prompt";
    return model_provider === undefined && custom_provider_id == null
      ? "model_provider or custom_provider_id must be given, or a prompt"
      : null;
  },
);
export type SentVariant = Static<typeof Variant>;

export const NewPlaygroundRun = Closed({
  variants: Type.Array(Variant, {
    minItems: 1,
    maxItems: MAX_VARIANTS,
    description: "Called side by side: other models, prompts or parameters.",
  }),
  variables: optional(
    AnyObject({
      description: "Values for the variables of all variants. Messages that are sent here are a template with them.",
    }),
  ),
  repetitions: Type.Integer({ default: 1, minimum: 1, maximum: MAX_REPETITIONS, description: "Of each variant." }),
  stream: Type.Boolean({ default: true, description: "False asks the provider for the answer in one piece." }),
  credentials: optional(
    Type.Array(Closed({ name: Type.String({ description: "Such as `OPENAI_API_KEY`." }), value: Type.String() }), {
      description: "Keys for this request, which are never stored.",
    }),
  ),
});
export type SentPlaygroundRun = Static<typeof NewPlaygroundRun>;

// The parameters of each family of providers that have a field of their own; all others are written as JSON.
import type { parameterFamily } from "../../../../model/prompt.ts";
import type {
  AnthropicParameters,
  AwsParameters,
  GoogleParameters,
  OpenAiParameters,
} from "../../../../modules/evaluation/prompts/prompt-content.schema.ts";

export type ParameterFamily = ReturnType<typeof parameterFamily>;

export interface ParameterField<Name extends string = string> {
  readonly name: Name;
  readonly kind: "number" | "integer" | "word";
  /** Of a `word`. */
  readonly words?: readonly string[];
  readonly required?: boolean;
}

interface Parameters {
  readonly openai: OpenAiParameters;
  readonly anthropic: AnthropicParameters;
  readonly google: GoogleParameters;
  readonly aws: AwsParameters;
}

const efforts = ["none", "minimal", "low", "medium", "high", "xhigh"] as const satisfies readonly NonNullable<
  OpenAiParameters["reasoning_effort"]
>[];

const number = <Name extends string>(name: Name) => ({ name, kind: "number" }) as const;
const integer = <Name extends string>(name: Name) => ({ name, kind: "integer" }) as const;

export const parameterFields: {
  readonly [Family in ParameterFamily]: readonly ParameterField<string & keyof Parameters[Family]>[];
} = {
  openai: [
    number("temperature"),
    number("top_p"),
    integer("max_completion_tokens"),
    integer("max_tokens"),
    number("frequency_penalty"),
    number("presence_penalty"),
    integer("seed"),
    { name: "reasoning_effort", kind: "word", words: efforts },
  ],
  anthropic: [{ ...integer("max_tokens"), required: true }, number("temperature"), number("top_p")],
  google: [
    number("temperature"),
    number("top_p"),
    integer("top_k"),
    integer("max_output_tokens"),
    number("frequency_penalty"),
    number("presence_penalty"),
  ],
  aws: [number("temperature"), number("top_p"), integer("max_tokens")],
};

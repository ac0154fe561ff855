// An evaluator of a dataset while it is written: what it begins with, what is wrong with it, and what is sent.
import { isJsonObject, type JsonObject } from "../../../../kernel/json.ts";
import { parameterFamily } from "../../../../model/prompt.ts";
import { problemsOf } from "../../../domain/prompts/editor/draft-problems.ts";
import { draftOf, emptyDraft, newMessage, type PromptDraft } from "../../../domain/prompts/editor/prompt-draft.ts";
import { isName } from "../../../domain/prompts/names.ts";
import type { PromptVersionContent } from "../../../domain/prompts/version-parts.ts";
import type { VariablesOf } from "../../../lib/graphql.ts";
import { text } from "../../../texts/texts.ts";
import type { BuiltInKind, createLlm, ListedEvaluator, ReadyJudge } from "./evaluators.queries.ts";
import {
  builtInInputs,
  type DeclaredInput,
  type InputDrafts,
  mappingOf,
  promptInputs,
  storedInputs,
} from "./input-mapping.ts";
import { isOutputChanged, newOutput, type OutputDraft, outputDraft, outputInput, outputProblems } from "./outputs.ts";
import { type VersionInput, versionInput } from "./version-input.ts";

export interface EvaluatorDraft {
  /** Null for one that asks a model. */
  readonly builtIn: BuiltInKind | null;
  readonly name: string;
  readonly description: string;
  readonly prompt: PromptDraft;
  readonly customProviderId: string | null;
  /** The model says why it chose a label. */
  readonly explains: boolean;
  readonly outputs: readonly OutputDraft[];
  readonly inputs: InputDrafts;
}

const OUTPUT_NAME = "quality";
const BEGUN_PROMPT = "Is this answer good?\n\nQuestion: {{input}}\nAnswer: {{output}}";

export function newLlmDraft(): EvaluatorDraft {
  return {
    builtIn: null,
    name: "",
    description: "",
    prompt: withMessage(emptyDraft(), BEGUN_PROMPT),
    customProviderId: null,
    explains: true,
    outputs: [newOutput(OUTPUT_NAME, "MAXIMIZE", { good: 1, bad: 0 })],
    inputs: {},
  };
}

const withMessage = (prompt: PromptDraft, source: string): PromptDraft => ({
  ...prompt,
  messages: [newMessage("user", source)],
});

/** The same model with the prompt and the labels of a ready-made judge. */
export function judgeDraft(draft: EvaluatorDraft, judge: ReadyJudge): EvaluatorDraft {
  const source = judge.messages.flatMap(({ content }) => content.map((part) => ("text" in part ? part.text.text : "")));
  return {
    ...draft,
    builtIn: null,
    name: draft.name.trim() === "" ? judge.name : draft.name,
    description: judge.description ?? "",
    prompt: withMessage({ ...draft.prompt, format: "MUSTACHE" }, source.join("\n")),
    outputs: [newOutput(judge.name, judge.optimizationDirection, judge.choices as Record<string, number>)],
    inputs: {},
  };
}

export function builtInDraft(draft: EvaluatorDraft, builtIn: BuiltInKind): EvaluatorDraft {
  return {
    ...draft,
    builtIn,
    name: draft.name.trim() === "" ? builtIn.name : draft.name,
    outputs: builtIn.outputConfigs.map(outputDraft),
    inputs: {},
  };
}

/** One that is stored; `content` is the version of its prompt. */
export function storedDraft(
  stored: ListedEvaluator,
  builtIn: BuiltInKind | null,
  content: PromptVersionContent | null,
): EvaluatorDraft {
  const { name, description, outputConfigs, inputMapping, evaluator } = stored;
  return {
    ...newLlmDraft(),
    builtIn,
    name,
    description: description ?? "",
    prompt: content === null ? emptyDraft() : draftOf(content),
    customProviderId:
      evaluator.__typename === "LLMEvaluator" ? (evaluator.promptVersion?.customProvider?.id ?? null) : null,
    explains: content === null || explainsIn(content),
    outputs: outputConfigs.map(outputDraft),
    inputs: storedInputs(inputMapping),
  };
}

function explainsIn({ tools }: PromptVersionContent): boolean {
  const [first] = tools?.tools ?? [];
  const properties = first?.type === "function" ? first.function.parameters?.properties : undefined;
  return isJsonObject(properties) && Object.hasOwn(properties, "explanation");
}

export function declaredInputs({ builtIn, prompt }: EvaluatorDraft): readonly DeclaredInput[] {
  return builtIn === null ? promptInputs(prompt) : builtInInputs(builtIn);
}

/** Places: `name`, those of prompts, of `outputs.ts`, and `input NAME`. */
export function draftProblems(draft: EvaluatorDraft): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  if (!isName(draft.name.trim())) found.set("name", text("evaluators.name.wrong"));
  for (const [place, problem] of outputProblems(draft.outputs)) found.set(place, problem);
  if (draft.builtIn === null) {
    for (const [place, problem] of problemsOf(draft.prompt, false)) found.set(place, problem);
    if (draft.prompt.model.trim() === "") found.set("model", text("evaluators.model.missing"));
  }
  for (const { name, type, isRequired } of draft.builtIn === null ? [] : declaredInputs(draft)) {
    const given = draft.inputs[name];
    if (isRequired && type === "string" && given?.from === "value" && given.source === "") {
      found.set(inputPlace(name), text("evaluators.input.missing"));
    }
  }
  return found;
}

export const inputPlace = (name: string) => `input ${name}`;

type LlmInput = VariablesOf<typeof createLlm>["input"];

/** What both kinds send alike. */
export function sharedInput(draft: EvaluatorDraft) {
  return {
    name: draft.name.trim(),
    description: draft.description.trim() || null,
    inputMapping: mappingOf(declaredInputs(draft), draft.inputs),
  };
}

/** Null: those of the built-in evaluator, whatever they become. */
export function builtInOutputs({ builtIn, outputs }: EvaluatorDraft) {
  const initial = builtIn?.outputConfigs.map(outputDraft) ?? [];
  return isOutputChanged(initial, outputs) ? outputs.map(outputInput) : null;
}

export function llmInput(draft: EvaluatorDraft): Pick<LlmInput, "promptVersion" | "outputConfigs"> {
  return {
    promptVersion: versionInput(draft.prompt, toolsOf(draft), draft.customProviderId),
    outputConfigs: draft.outputs.map(outputInput),
  };
}

/** One tool an output: its label is one of the labels. */
function toolsOf({ outputs, explains, description }: EvaluatorDraft): NonNullable<VersionInput["tools"]> {
  const about = description.trim();
  return {
    tools: outputs.map(({ name, labels }) => {
      const properties: JsonObject = {
        // Before the label: a model that has given its reasons chooses better.
        ...(explains ? { explanation: { type: "string", description: text("evaluators.tool.explanation") } } : {}),
        label: { type: "string", enum: labels.map(({ label }) => label.trim()), description: name.trim() },
      };
      return {
        function: {
          name: name.trim(),
          ...(about === "" ? {} : { description: about }),
          parameters: { type: "object", properties, required: Object.keys(properties) },
        },
      };
    }),
    toolChoice: { oneOrMore: true },
  };
}

/** With the parameters that a provider needs, where the draft has none. */
export function withProvider(prompt: PromptDraft, provider: PromptDraft["provider"]): PromptDraft {
  const needsBound = parameterFamily(provider) === "anthropic" && (prompt.parameters.max_tokens ?? "") === "";
  return {
    ...prompt,
    provider,
    parameters: needsBound ? { ...prompt.parameters, max_tokens: "1024" } : prompt.parameters,
  };
}

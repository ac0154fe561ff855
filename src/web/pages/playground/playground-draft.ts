// What is tried in the playground, while it is written: up to eight variants, and values for their variables.
import { type ModelProvider, parameterFamily } from "../../../model/prompt.ts";
import { MAX_VARIANTS } from "../../../modules/evaluation/playground/run-bounds.rules.ts";
import {
  emptyDraft,
  isChanged,
  type MessageDraft,
  type PromptDraft,
} from "../../domain/prompts/editor/prompt-draft.ts";
import { variableNames } from "../../domain/prompts/editor/template-values.ts";

/** The version of a prompt that a variant begins with. */
interface LoadedVersion {
  readonly promptId: string;
  readonly name: string;
  readonly versionId: string;
  readonly number: number;
  readonly prompt: PromptDraft;
}

export interface VariantDraft {
  /** Its own, wherever it stands. */
  readonly key: number;
  readonly prompt: PromptDraft;
  /** Null for a built-in provider, which `prompt` names. */
  readonly customProviderId: string | null;
  /** Where a built-in provider is called; empty leaves it to the server. */
  readonly baseUrl: string;
  /** Messages, tools and response format are those of the first variant. */
  readonly isShared: boolean;
  readonly loaded: LoadedVersion | null;
}

/** What runs over a dataset, instead of with values that are typed. */
export interface OverDataset {
  readonly datasetId: string;
  /** Empty for the newest. */
  readonly versionId: string;
  /** None for all. */
  readonly splitIds: readonly string[];
  readonly evaluatorIds: readonly string[];
  /** A text that the examples hold; empty for all. */
  readonly filter: string;
  /** Into `{input, reference, metadata}` of an example; empty for all of it. */
  readonly variablesPath: string;
  /** Into the input: messages that follow those of the prompt. Empty for none. */
  readonly messagesPath: string;
  /** Calls at once, as it is typed. */
  readonly concurrency: string;
  /** US dollars, as it is typed; empty for no limit. */
  readonly maxCost: string;
}

export interface PlaygroundDraft {
  /** At least one. */
  readonly variants: readonly VariantDraft[];
  /** What is typed for the variables, by their names. */
  readonly values: Readonly<Record<string, string>>;
  /** As it is typed. */
  readonly repetitions: string;
  /** Null for single runs. */
  readonly over: OverDataset | null;
}

interface Target {
  readonly provider: ModelProvider;
  readonly customProviderId: string | null;
}

const DEFAULT_MAX_TOKENS = "2000";

let lastKey = 0;

function newVariant(prompt: PromptDraft, changes: Partial<VariantDraft> = {}): VariantDraft {
  lastKey += 1;
  const variant = { key: lastKey, prompt, customProviderId: null, baseUrl: "", isShared: false, loaded: null };
  return { ...variant, ...changes, key: lastKey };
}

export function newPlayground(
  prompt: PromptDraft = emptyDraft(),
  changes: Partial<VariantDraft> = {},
): PlaygroundDraft {
  return { variants: [newVariant(prompt, changes)], values: {}, repetitions: "1", over: null };
}

/** What a variant sends: a shared one has its own model and parameters only. */
export function promptOf({ variants }: PlaygroundDraft, variant: VariantDraft): PromptDraft {
  const [first] = variants;
  if (!variant.isShared || first === undefined || first.key === variant.key) return variant.prompt;
  const { messages, format, tools, responseFormat } = first.prompt;
  return { ...variant.prompt, messages, format, tools, responseFormat };
}

/** Another model: parameters of another family mean nothing to it, and Anthropic demands one. */
export function withTarget(variant: VariantDraft, { provider, customProviderId }: Target): VariantDraft {
  const { prompt } = variant;
  const [before, now] = [parameterFamily(prompt.provider), parameterFamily(provider)];
  const { temperature, top_p } = prompt.parameters;
  const carried = { ...(temperature ? { temperature } : {}), ...(top_p ? { top_p } : {}) };
  const needed = now === "anthropic" ? { max_tokens: DEFAULT_MAX_TOKENS } : {};
  const changed = before === now ? {} : { parameters: { ...carried, ...needed }, otherParameters: "" };
  return { ...variant, customProviderId, baseUrl: "", prompt: { ...prompt, provider, ...changed } };
}

/** Beside the others, with the messages of the first. */
export function withNewVariant(draft: PlaygroundDraft): PlaygroundDraft {
  const last = draft.variants.at(-1);
  if (last === undefined || !mayAdd(draft)) return draft;
  const { prompt, customProviderId, baseUrl } = last;
  return {
    ...draft,
    variants: [...draft.variants, newVariant(prompt, { customProviderId, baseUrl, isShared: true })],
  };
}

export function withCopy(draft: PlaygroundDraft, variant: VariantDraft): PlaygroundDraft {
  if (!mayAdd(draft)) return draft;
  const copy = newVariant(promptOf(draft, variant), { ...variant, isShared: false });
  return { ...draft, variants: draft.variants.flatMap((each) => (each.key === variant.key ? [each, copy] : [each])) };
}

/** What shared its messages keeps them. */
export function withoutVariant(draft: PlaygroundDraft, key: number): PlaygroundDraft {
  const left = draft.variants.filter((each) => each.key !== key);
  if (left.length === 0) return draft;
  const isFirst = draft.variants[0]?.key === key;
  const [next, ...others] = left;
  return {
    ...draft,
    variants: isFirst ? [{ ...next!, prompt: promptOf(draft, next!), isShared: false }, ...others] : left,
  };
}

export function withVariant(draft: PlaygroundDraft, changed: VariantDraft): PlaygroundDraft {
  return { ...draft, variants: draft.variants.map((each) => (each.key === changed.key ? changed : each)) };
}

/** Messages behind those of a variant, which are its own from then on. */
export function withMessages(draft: PlaygroundDraft, key: number, added: readonly MessageDraft[]): PlaygroundDraft {
  const variant = draft.variants.find((each) => each.key === key);
  if (variant === undefined) return draft;
  const prompt = promptOf(draft, variant);
  const changed = { ...prompt, messages: [...prompt.messages, ...added] };
  return withVariant(draft, { ...variant, isShared: false, prompt: changed });
}

/** `A` for the first. */
export function letterOf(position: number): string {
  return String.fromCharCode(65 + position);
}

export function mayAdd({ variants }: PlaygroundDraft): boolean {
  return variants.length < MAX_VARIANTS;
}

/** Of all variants, each once. */
export function namesOf(draft: PlaygroundDraft): readonly string[] {
  const names = draft.variants.flatMap((variant) => {
    const { messages, format } = promptOf(draft, variant);
    return variableNames(messages, format);
  });
  return [...new Set(names)];
}

/** Differs from the version that it began with. */
export function isEdited(draft: PlaygroundDraft, variant: VariantDraft): boolean {
  return variant.loaded !== null && isChanged(variant.loaded.prompt, promptOf(draft, variant));
}

/** What stands where, without what is typed: two drafts with the same shape differ by typing only. */
export function shapeOf({ variants, over }: PlaygroundDraft): string {
  return JSON.stringify([
    over === null ? null : [over.datasetId, over.versionId, over.splitIds, over.evaluatorIds],
    ...variants.map(({ key, prompt, customProviderId, isShared, loaded }) => [
      key,
      prompt.provider,
      customProviderId,
      isShared,
      loaded?.versionId,
      prompt.format,
      prompt.tools === "",
      prompt.responseFormat === "",
      prompt.messages.map((message) => [message.key, message.role, message.parts.map(({ kind }) => kind)]),
    ]),
  ]);
}

/** Keys that are given from now on follow those of a draft that was kept. */
export function noteKeys({ variants }: PlaygroundDraft): void {
  lastKey = Math.max(lastKey, ...variants.map(({ key }) => key));
}

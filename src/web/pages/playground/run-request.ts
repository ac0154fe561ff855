// What is sent to try variants, over REST.
import { Failure } from "../../../kernel/failure.ts";
import type { Json, JsonObject } from "../../../kernel/json.ts";
import { MAX_REPETITIONS } from "../../../modules/evaluation/playground/run-bounds.rules.ts";
import { problemsOf } from "../../domain/prompts/editor/draft-problems.ts";
import { contentOf, type MessageDraft, type PromptDraft } from "../../domain/prompts/editor/prompt-draft.ts";
import { valuesOf } from "../../domain/prompts/editor/template-values.ts";
import { text } from "../../texts/texts.ts";
import { isEdited, type PlaygroundDraft, promptOf, type VariantDraft } from "./playground-draft.ts";

/** Where no model is named. */
export const MODEL = "model";
/** What concerns a variant as a whole. */
export const VARIANT = "variant";

/** What is wrong with a variant, by the place of its field. */
export function variantProblems(draft: PlaygroundDraft, variant: VariantDraft): ReadonlyMap<string, string> {
  const prompt = promptOf(draft, variant);
  const found = new Map(problemsOf(prompt, false));
  if (prompt.model.trim() === "") found.set(MODEL, text("playground.model.missing"));
  if (found.size > 0) return found;
  try {
    valuesOf(prompt.messages, prompt.format, draft.values);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    found.set(VARIANT, error.message);
  }
  return found;
}

/** Null while it is no number of repetitions. */
export function repetitionsOf({ repetitions }: PlaygroundDraft): number | null {
  const number = /^\d+$/.test(repetitions.trim()) ? Number(repetitions) : 0;
  return number >= 1 && number <= MAX_REPETITIONS ? number : null;
}

/** Only of variants without problems. */
export function runBody(draft: PlaygroundDraft, variants: readonly VariantDraft[]): JsonObject {
  return {
    variants: variants.map((variant) => variantBody(draft, variant)),
    repetitions: repetitionsOf(draft) ?? 1,
  };
}

/** An empty system message is left out: providers refuse it. */
function isUnwritten({ role, parts }: MessageDraft): boolean {
  return (
    (role === "system" || role === "developer") &&
    parts.every(({ kind, source }) => kind === "text" && source.trim() === "")
  );
}

export function sentPrompt(draft: PlaygroundDraft, variant: VariantDraft): PromptDraft {
  const whole = promptOf(draft, variant);
  return { ...whole, messages: whole.messages.filter((message) => !isUnwritten(message)) };
}

function variantBody(draft: PlaygroundDraft, variant: VariantDraft): JsonObject {
  const prompt = sentPrompt(draft, variant);
  const { model_provider, model_name, template_format, template, invocation_parameters, tools, response_format } =
    contentOf(prompt);
  const { customProviderId, baseUrl, loaded } = variant;
  const given: Readonly<Record<string, Json | undefined>> = {
    // The version is on the spans, too, as long as it is what runs.
    prompt_version_id: loaded !== null && !isEdited(draft, variant) ? loaded.versionId : undefined,
    ...(customProviderId === null ? { model_provider } : { custom_provider_id: customProviderId }),
    model_name,
    template_format,
    messages: (template as JsonObject).messages,
    variables: prompt.format === "NONE" ? undefined : valuesOf(prompt.messages, prompt.format, draft.values),
    invocation_parameters,
    tools: tools ?? null,
    response_format: response_format ?? null,
    connection: customProviderId === null && baseUrl.trim() !== "" ? { base_url: baseUrl.trim() } : undefined,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as JsonObject;
}

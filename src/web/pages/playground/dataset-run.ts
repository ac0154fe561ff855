// A run of variants over a dataset: what is chosen for it, what is sent, and what the server tells of it.
import type { Json, JsonObject } from "../../../kernel/json.ts";
import { contentOf } from "../../domain/prompts/editor/prompt-draft.ts";
import { text } from "../../texts/texts.ts";
import { isEdited, type OverDataset, type PlaygroundDraft, promptOf, type VariantDraft } from "./playground-draft.ts";
import { repetitionsOf, sentPrompt } from "./run-request.ts";

interface Amounts {
  readonly calls: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  /** USD; null where a price is not known. */
  readonly cost: number | null;
  readonly max_cost: number | null;
}

export interface RunEstimate extends Amounts {
  readonly examples: number;
  readonly runs: number;
  readonly failing_examples: number;
  readonly problem: string | null;
}

/** A job of the server. */
export interface DatasetRun {
  /** Of the experiment. */
  readonly id: string;
  readonly status: "RUNNING" | "COMPLETED" | "STOPPED" | "ERROR";
  readonly stop_reason: string | null;
  readonly stop_message: string | null;
  readonly pausing: boolean;
  readonly spent: { readonly cost: number; readonly unpriced_calls: number };
  readonly progress: {
    readonly runs: number;
    readonly succeeded: number;
    readonly failed: number;
    readonly left: number;
    readonly seconds_left: number | null;
    readonly cost_left: number | null;
  };
  readonly last_error: { readonly message: string } | null;
}

export function newOverDataset(datasetId: string): OverDataset {
  return {
    datasetId,
    versionId: "",
    splitIds: [],
    evaluatorIds: [],
    filter: "",
    variablesPath: "input",
    messagesPath: "",
    concurrency: "10",
    maxCost: "",
  };
}

type OverProblems = Partial<Readonly<Record<"concurrency" | "maxCost", string>>>;

const MOST_AT_ONCE = 100;
const MOST_USD = 9000;

export function overProblems({ concurrency, maxCost }: OverDataset): OverProblems {
  const atOnce = /^\d+$/.test(concurrency.trim()) ? Number(concurrency) : 0;
  const dollars = maxCost.trim() === "" ? 0 : Number(maxCost);
  return {
    ...(atOnce >= 1 && atOnce <= MOST_AT_ONCE ? {} : { concurrency: text("playground.dataset.concurrency.wrong") }),
    ...(dollars >= 0 && dollars <= MOST_USD ? {} : { maxCost: text("playground.dataset.limit.wrong") }),
  };
}

/** Only of a variant and choices without problems. */
export function datasetRunBody(
  draft: PlaygroundDraft,
  over: OverDataset,
  variant: VariantDraft,
  letter: string,
): JsonObject {
  const { customProviderId, baseUrl, loaded } = variant;
  const { model_provider, model_name, template_format, template, invocation_parameters, tools, response_format } =
    contentOf(sentPrompt(draft, variant));
  const prompt = withoutAbsent({
    model_provider,
    model_name,
    template_format,
    template,
    invocation_parameters,
    tools,
    response_format,
  });
  const name = [
    loaded?.name ?? text("playground.title"),
    promptOf(draft, variant).model,
    ...(draft.variants.length > 1 ? [letter] : []),
  ];
  return withoutAbsent({
    dataset_id: over.datasetId,
    dataset_version_id: over.versionId || undefined,
    split_ids: over.splitIds.length === 0 ? undefined : [...over.splitIds],
    filter: over.filter.trim() || undefined,
    prompt,
    prompt_version_id: loaded !== null && !isEdited(draft, variant) ? loaded.versionId : undefined,
    custom_provider_id: customProviderId ?? undefined,
    connection: customProviderId === null && baseUrl.trim() !== "" ? { base_url: baseUrl.trim() } : undefined,
    template_variables_path: over.variablesPath.trim(),
    appended_messages_path: over.messagesPath.trim() || undefined,
    name: name.join(" · "),
    repetitions: repetitionsOf(draft) ?? 1,
    max_concurrency: Number(over.concurrency),
    evaluator_ids: over.evaluatorIds.length === 0 ? undefined : [...over.evaluatorIds],
    limits: over.maxCost.trim() === "" ? undefined : { max_cost: Number(over.maxCost) },
  });
}

function withoutAbsent(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );
}

/** Of all variants together; a price that is not known of one is not known of the sum. */
export function sumOf(estimates: readonly RunEstimate[]): Amounts {
  const sum = (of: (estimate: RunEstimate) => number | null) =>
    estimates.reduce<number | null>((total, each) => {
      const value = of(each);
      return total === null || value === null ? null : total + value;
    }, 0);
  return {
    calls: sum(({ calls }) => calls) ?? 0,
    prompt_tokens: sum((each) => each.prompt_tokens) ?? 0,
    completion_tokens: sum((each) => each.completion_tokens) ?? 0,
    cost: sum(({ cost }) => cost),
    max_cost: sum((each) => each.max_cost),
  };
}

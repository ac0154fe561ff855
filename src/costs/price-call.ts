// What one call of a model costs: its tokens by kind, each at the price of that kind. Amounts are whole numbers of 10^-12 USD.
import { isJsonObject, type Json, type JsonObject, numberOf } from "../kernel/json.ts";
import { MAX_TOKENS_PER_SPAN } from "../model/span.ts";
import type { StepBudget } from "./name-pattern.ts";
import { type PricedModel, type PriceList, type TokenPrice, UNITS_PER_USD } from "./price-list.ts";
import type { CostDetail, SpanCost } from "./span-cost.ts";

/** Kinds of tokens of one side that are counted on their own; the others count as input or output. */
const MAX_KINDS = 64;
/** Characters of the name of a kind. */
const MAX_KIND_CHARACTERS = 100;
/** About 9,007 USD. A call that would cost more has an unknown cost: its counts or prices are wrong, and sums stay exact. */
const MAX_COST = Number.MAX_SAFE_INTEGER;

interface TokenCount {
  readonly tokenType: string;
  readonly isPrompt: boolean;
  /** A whole number, at most MAX_TOKENS_PER_SPAN. */
  readonly tokens: number;
}

/** What senders say that a call costs, in units. */
interface GivenCost {
  readonly total: number | null;
  readonly prompt: number | null;
  readonly completion: number | null;
}

interface ModelCall {
  /** As sent; null for no text, or a blank one. */
  readonly model: string | null;
  readonly provider: string | null;
  readonly startUs: number;
  /** What decides on the tier of a price. */
  readonly promptTokens: number;
  readonly counts: readonly TokenCount[];
  readonly given: GivenCost | null;
}

/** The call that the nested attributes of an LLM span report. */
export function callOf(attributes: JsonObject, startUs: number): ModelCall {
  const llm = objectOf(attributes.llm);
  const counts = objectOf(llm.token_count);
  let prompt = tokensOf(counts.prompt) ?? 0;
  let completion = tokensOf(counts.completion) ?? 0;
  const total = tokensOf(counts.total) ?? 0;
  if (total > prompt + completion) {
    if (prompt === 0) prompt = total - completion;
    else completion = total - prompt;
  }
  const promptCounts = countsOf(prompt, objectOf(counts.prompt_details), true);
  const completionCounts = countsOf(completion, objectOf(counts.completion_details), false);
  return {
    model: textOf(llm.model_name),
    provider: textOf(llm.provider),
    startUs,
    promptTokens: prompt > 0 ? prompt : sumOf(promptCounts.map(({ tokens }) => tokens)),
    counts: [...promptCounts, ...completionCounts],
    given: givenOf(attributes, objectOf(llm.cost)),
  };
}

/** Null for a call that reports nothing that costs, or names no model. Calls that share a budget of steps have no price once it is used up. */
export function priceCall(list: PriceList, call: ModelCall, budget?: StepBudget): SpanCost | null {
  const { given, counts } = call;
  if (given === null && (call.model === null || counts.length === 0)) return null;
  const model = call.model === null ? null : list.findModel(call.model, call.provider, call.startUs, budget);
  const priced = model === null ? null : pricedBy(model, call);
  const details = priced ?? counts.map((count) => ({ ...count, cost: null }));
  const sides = [details.filter(({ isPrompt }) => isPrompt), details.filter(({ isPrompt }) => !isPrompt)] as const;
  const common = {
    modelId: model?.id ?? null,
    promptTokens: presentSum(sides[0].map(({ tokens }) => tokens)),
    completionTokens: presentSum(sides[1].map(({ tokens }) => tokens)),
    given: given?.total ?? null,
    details,
  };
  if (priced?.some(({ cost }) => cost !== null)) {
    const [prompt, completion] = [presentSum(sides[0].map(costOf)), presentSum(sides[1].map(costOf))];
    return { ...common, source: "price", prompt, completion, total: presentSum([prompt, completion]) };
  }
  if (given !== null) return { ...common, source: "given", ...given, given: given.total };
  return { ...common, source: "unknown", prompt: null, completion: null, total: null };
}

function costOf({ cost }: CostDetail): number | null {
  return cost;
}

/** Null when the call would cost more than MAX_COST. */
function pricedBy(model: PricedModel, call: ModelCall): CostDetail[] | null {
  const details: CostDetail[] = [];
  let total = 0;
  for (const count of call.counts) {
    const rate = rateFor(model.prices, count, call.promptTokens);
    // Above 2^53 this is not exact, but then it is above the bound.
    const cost = rate === null ? null : count.tokens * rate;
    total += cost ?? 0;
    details.push({ ...count, cost });
  }
  return total > MAX_COST ? null : details;
}

/** The price of that kind, or of all of its side. */
function rateFor(prices: readonly TokenPrice[], { tokenType, isPrompt }: TokenCount, promptTokens: number) {
  const price =
    prices.find((other) => other.isPrompt === isPrompt && other.tokenType === tokenType) ??
    prices.find((other) => other.isPrompt === isPrompt && other.tokenType === (isPrompt ? "input" : "output"));
  if (price === undefined) return null;
  let { rate } = price;
  let reached = 0;
  for (const tier of price.tiers ?? []) {
    if (promptTokens <= tier.abovePromptTokens || tier.abovePromptTokens < reached) continue;
    reached = tier.abovePromptTokens;
    rate = tier.rate;
  }
  return rate;
}

function countsOf(reported: number, details: JsonObject, isPrompt: boolean): TokenCount[] {
  const counts: TokenCount[] = [];
  for (const [tokenType, value] of Object.entries(details)) {
    const tokens = tokensOf(value);
    if (tokens === null || tokenType.length > MAX_KIND_CHARACTERS) continue;
    if (counts.push({ tokenType, isPrompt, tokens }) === MAX_KINDS) break;
  }
  const whole = isPrompt ? "input" : "output";
  const remaining = reported - sumOf(counts.map(({ tokens }) => tokens));
  if (remaining > 0 && !counts.some(({ tokenType }) => tokenType === whole)) {
    counts.push({ tokenType: whole, isPrompt, tokens: remaining });
  }
  return counts;
}

/** Whole tokens from 0 to the most of a span; null for what is no number. */
function tokensOf(value: Json | undefined): number | null {
  const number = typeof value === "boolean" ? Number(value) : numberOf(value);
  if (number === null || number === undefined || Number.isNaN(number)) return null;
  return Math.min(MAX_TOKENS_PER_SPAN, Math.max(0, Math.trunc(number))) + 0;
}

/** A total of 0 says nothing: many senders write it where they know no price. */
function givenOf(attributes: JsonObject, cost: JsonObject): GivenCost | null {
  const prompt = unitsOf(cost.prompt);
  const completion = unitsOf(cost.completion);
  const reported = unitsOf(cost.total) ?? unitsOf(objectOf(objectOf(attributes.gen_ai).usage).cost);
  const total = reported ?? presentSum([prompt, completion]);
  return total === null || total === 0 || total > MAX_COST ? null : { total, prompt, completion };
}

/** Units of an amount in USD; null if it is not valid or above MAX_COST. */
function unitsOf(value: Json | undefined): number | null {
  const usd = numberOf(value);
  if (usd === null || usd === undefined || !(usd >= 0)) return null;
  const units = Math.round(usd * UNITS_PER_USD);
  return units > MAX_COST ? null : units;
}

function textOf(value: Json | undefined): string | null {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
}

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

/** The sum of what is neither null nor 0; null of nothing. */
function presentSum(numbers: readonly (number | null)[]): number | null {
  const sum = numbers.reduce<number>((before, number) => before + (number ?? 0), 0);
  return sum === 0 ? null : sum;
}

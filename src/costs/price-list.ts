// The prices that are known, and which of them a call is charged by: own models before built-in ones, then those of its provider,
// then the pattern that says most, then the newest.
import { createLastUsed } from "../kernel/last-used.ts";
import { matchedPart } from "./matched-name.ts";
import type { NamePattern, StepBudget } from "./name-pattern.ts";
import { createNameSearch, type PatternProblem } from "./name-search.ts";
import { specificityOf } from "./pattern-specificity.ts";

/** 10^-12 USD: the unit of every amount. */
export const UNITS_PER_USD = 1e12;
/** Prices are given per million tokens: one unit a token is this many USD. */
export const TOKENS_OF_A_PRICE = 1e6;
/** The highest price, in USD for a million tokens. */
export const MAX_PRICE_PER_MILLION = 1e9;

export interface TokenPrice {
  readonly tokenType: string;
  readonly isPrompt: boolean;
  /** Integer of 10^-12 USD a token. */
  readonly rate: number;
  /** All tokens of the kind cost the rate of the highest bound that the prompt exceeds. */
  readonly tiers?: readonly { readonly abovePromptTokens: number; readonly rate: number }[];
}

/** A model with its prices, as plain data: it is handed between threads. */
export interface PricedModel {
  readonly id: number;
  readonly name: string;
  /** A pattern of Python, searched for in the name that a span says. */
  readonly namePattern: string;
  readonly provider: string | null;
  /** Microseconds UTC from when the prices apply; null for always. */
  readonly startUs: number | null;
  readonly isBuiltIn: boolean;
  readonly prices: readonly TokenPrice[];
  /** Where a file has the prices from, as it says it: usually an address. */
  readonly source?: string;
}

export interface PriceList {
  /** Another one for other prices. */
  readonly generation: number;
  readonly models: readonly PricedModel[];
  /** Those that are searched for, by their source. */
  readonly patterns: ReadonlyMap<string, NamePattern>;
  /** The winner among the models whose pattern is found in the trimmed name; null where there is none, where the patterns are too expensive
   *  for the name, and where the budget that several names share is used up. */
  findModel(modelName: string, provider: string | null, startUs: number, budget?: StepBudget): PricedModel | null;
  /** Whether the patterns took more steps than a name has, so that its model is not known. */
  isTooExpensive(modelName: string): boolean;
}

interface Candidate {
  readonly model: PricedModel;
  readonly specificity: number;
}

/** What calls of one name cost, by provider and time. */
interface Winners {
  /** Positions in the list of models, ascending. */
  readonly orders: readonly number[];
  /** Starts of the candidates, ascending. */
  readonly starts: readonly number[];
  /** By provider and by how many starts have passed; without what was not asked for. */
  readonly models: Map<string, PricedModel | null>;
  readonly isTooExpensive: boolean;
}

/** Names whose winners are cached. */
const MAX_KEPT_NAMES = 4096;
/** Winners that are cached of one name. */
const MAX_KEPT_WINNERS = 64;
const NOTHING: readonly number[] = [];

interface PriceListOptions {
  /** The list before this one: what it has compiled is used again. */
  readonly previous?: PriceList;
  /** Called once for each pattern that is skipped or too expensive. */
  readonly onProblem?: (problem: PatternProblem) => void;
}

/** Skips models whose pattern is not usable. */
export function createPriceList(
  models: readonly PricedModel[],
  generation: number,
  { previous, onProblem = () => {} }: PriceListOptions = {},
): PriceList {
  const search = createNameSearch(models, { compiled: previous?.patterns, report: onProblem });
  /** Asked for only where several patterns match. */
  const specificities: number[] = [];
  const kept = createLastUsed<string, Winners>(MAX_KEPT_NAMES);

  function candidateOf(order: number): Candidate {
    const model = models[order]!;
    return {
      model,
      get specificity() {
        specificities[order] ??= specificityOf(model.namePattern);
        return specificities[order];
      },
    };
  }

  /** Null when the budget of others is used up: the name has its turn later. */
  function winnersOf(modelName: string, budget: StepBudget): Winners | null {
    const name = matchedPart(modelName.trim());
    const found = kept.find(name);
    if (found !== undefined) return found;
    const orders = budget.left > 0 ? search.findIn(name, budget) : null;
    if (orders === null && budget.left <= 0) return null;
    const starts = [...new Set(orders?.flatMap((order) => models[order]!.startUs ?? []))].sort((a, b) => a - b);
    const winners = { orders: orders ?? NOTHING, starts, models: new Map(), isTooExpensive: orders === null };
    kept.set(name, winners);
    return winners;
  }

  return {
    generation,
    models,
    patterns: search.patterns,
    findModel(modelName, provider, startUs, budget = unlimited()) {
      const winners = winnersOf(modelName, budget);
      if (winners === null || winners.orders.length === 0) return null;
      const { orders, starts, models: kept } = winners;
      const wanted = provider?.trim() ?? "";
      // Whatever else senders write there makes no difference.
      const known = orders.some((order) => models[order]!.provider === wanted) ? wanted : "";
      let begun = 0;
      while (begun < starts.length && starts[begun]! <= startUs) begun++;
      const key = `${begun} ${known}`;
      const model = kept.get(key);
      if (model !== undefined) return model;
      const valid = orders.filter((order) => (models[order]!.startUs ?? startUs) <= startUs);
      const winner = winnerOf(valid.map(candidateOf), known)?.model ?? null;
      if (kept.size >= MAX_KEPT_WINNERS) kept.clear();
      kept.set(key, winner);
      return winner;
    },
    isTooExpensive: (modelName) => winnersOf(modelName, unlimited())!.isTooExpensive,
  };
}

/** A name by itself has a bound anyway. */
function unlimited(): StepBudget {
  return { left: Number.POSITIVE_INFINITY };
}

function winnerOf(candidates: readonly Candidate[], provider: string): Candidate | null {
  if (candidates.length <= 1) return candidates[0] ?? null;
  const own = candidates.filter(({ model }) => !model.isBuiltIn);
  const tier = own.length > 0 ? own : candidates;
  const ofProvider = provider === "" ? [] : tier.filter(({ model }) => model.provider === provider);
  return (ofProvider.length > 0 ? ofProvider : tier).reduce((best, other) => (isBefore(other, best) ? other : best));
}

function isBefore(one: Candidate, other: Candidate): boolean {
  if (one.specificity !== other.specificity) return one.specificity > other.specificity;
  const [start, otherStart] = [one.model.startUs ?? 0, other.model.startUs ?? 0];
  if (start !== otherStart) return start > otherStart;
  // The newest of the own ones, the first of the built-in ones.
  return !one.model.isBuiltIn && one.model.id > other.model.id;
}

/** Units a token of a price for a million tokens, rounded to whole ones; null for what is no price. */
export function rateOf(costPerMillionTokens: number): number | null {
  if (!(costPerMillionTokens >= 0) || costPerMillionTokens > MAX_PRICE_PER_MILLION) return null;
  return Math.round(costPerMillionTokens * (UNITS_PER_USD / TOKENS_OF_A_PRICE));
}

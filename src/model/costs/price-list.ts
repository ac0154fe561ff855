// The prices that are known, and which of them a call is charged by: own models before built-in ones, then those of its provider,
// then the pattern that says most, then the newest.
import { compileNamePattern, type NamePattern } from "./name-pattern.ts";
import { specificityOf } from "./pattern-specificity.ts";

/** 10^-12 USD: the unit of every amount. */
export const UNITS_PER_USD = 1e12;
/** Prices are said for a million tokens: one unit a token is this many USD. */
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
  /** The winner among the models whose pattern is found in the trimmed name; null where there is none. */
  findModel(modelName: string, provider: string | null, startUs: number): PricedModel | null;
}

interface Candidate {
  /** Place in the list. */
  readonly order: number;
  readonly model: PricedModel;
  readonly pattern: NamePattern;
  readonly specificity: number;
}

/** What calls of one name and provider cost, by time: the winner from each start to the next one, undefined until asked for. */
interface Winners {
  readonly candidates: readonly Candidate[];
  /** Starts of the candidates, ascending. */
  readonly starts: readonly number[];
  readonly models: (PricedModel | null | undefined)[];
}

/** Pairs of a name and a provider whose winners are kept; they are forgotten together, and found again. */
const MAX_KEPT = 4096;

/** Fails for a pattern that is not usable. */
export function createPriceList(models: readonly PricedModel[], generation: number): PriceList {
  /** Asked for only where several patterns match. */
  const specificities: number[] = [];
  const known = models.map((model, order) => ({
    model,
    order,
    wholeName: wholeNameOf(model.namePattern),
    pattern: compileNamePattern(model.namePattern),
    get specificity() {
      specificities[order] ??= specificityOf(model.namePattern);
      return specificities[order];
    },
  }));
  // Most patterns are whole names, which are looked up: only the others are tried with every name that is new.
  const whole = Map.groupBy(
    known.filter(({ wholeName }) => wholeName !== null),
    ({ wholeName }) => wholeName!,
  );
  const searched = known.filter(({ wholeName }) => wholeName === null);
  const kept = new Map<string, Map<string, Winners>>();
  let keptCount = 0;

  function winnersOf(modelName: string, provider: string): Winners {
    const found = kept.get(provider)?.get(modelName);
    if (found !== undefined) return found;
    const name = modelName.trim();
    const candidates = [
      ...(whole.get(name.toLowerCase()) ?? []),
      ...searched.filter(({ pattern }) => pattern.isFoundIn(name)),
    ].sort((one, other) => one.order - other.order);
    const starts = [...new Set(candidates.flatMap(({ model }) => model.startUs ?? []))].sort((a, b) => a - b);
    const winners = { candidates, starts, models: [] };
    if (keptCount++ >= MAX_KEPT) {
      kept.clear();
      keptCount = 1;
    }
    let ofProvider = kept.get(provider);
    if (ofProvider === undefined) {
      ofProvider = new Map();
      kept.set(provider, ofProvider);
    }
    ofProvider.set(modelName, winners);
    return winners;
  }

  return {
    generation,
    models,
    findModel(modelName, provider, startUs) {
      const winners = winnersOf(modelName, provider ?? "");
      const { candidates, starts, models: found } = winners;
      if (candidates.length === 0) return null;
      let begun = 0;
      while (begun < starts.length && starts[begun]! <= startUs) begun++;
      const model = found[begun];
      if (model !== undefined) return model;
      const valid = candidates.filter(({ model: { startUs: from } }) => from === null || from <= startUs);
      const winner = winnerOf(valid, provider?.trim() ?? "")?.model ?? null;
      found[begun] = winner;
      return winner;
    },
  };
}

/** The one name, in lower case, that a pattern such as (?i)^gpt-4\.1$ is found in; null for any other pattern. */
function wholeNameOf(pattern: string): string | null {
  const found = /^\(\?i\)\^((?:[\w\-/:@ ]|\\[.+*?()[\]{}|^$\\])+)\$$/.exec(pattern);
  return found === null ? null : found[1]!.replace(/\\(.)/g, "$1").toLowerCase();
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

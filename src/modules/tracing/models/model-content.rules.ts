// What a model that people enter must look like. Every refusal names the field.

import { compileNamePattern } from "../../../costs/name-pattern.ts";
import { MAX_PRICE_PER_MILLION, rateOf, type TokenPrice } from "../../../costs/price-list.ts";
import { storableText } from "../../../kernel/validation-scalars.ts";
import { MAX_TOKENS_PER_SPAN } from "../../../model/span.ts";
import { modelRefused } from "./models.errors.ts";
import type { GivenModel, GivenPrice, NewModel } from "./models.schema.ts";

const MAX_NAME_CHARACTERS = 255;
const MAX_KIND_CHARACTERS = 100;
const MAX_PRICES = 64;
const MAX_TIERS = 20;
/** A price for a million tokens that has no more decimals is a whole number of 10^-12 USD a token. */
const DECIMALS = 1e6;

/** Throws kind `invalid`. */
export function requireModel(given: GivenModel): NewModel {
  const name = requireText("name", given.name);
  const provider = given.provider === null || given.provider.trim() === "" ? null : given.provider;
  return {
    name,
    provider: provider === null ? null : requireText("provider", provider),
    namePattern: requirePattern(given.namePattern),
    startUs: given.startUs,
    prices: requirePrices(given.prices),
  };
}

/** Throws kind `invalid` for what is no pattern, or is found in every name by accident. */
function requirePattern(given: string): string {
  const pattern = storableText(given.trim());
  if (pattern === "") throw modelRefused("namePattern", "must not be empty");
  // What is found in nothing at all is found everywhere, and own models come before built-in ones.
  if (compileNamePattern(pattern).isFoundIn("")) {
    throw modelRefused("namePattern", "is found in every name; if that is meant, write .+");
  }
  return pattern;
}

function requireText(field: string, given: string): string {
  const text = storableText(given.trim());
  if (text === "") throw modelRefused(field, "must not be empty");
  if ([...text].length > MAX_NAME_CHARACTERS) {
    throw modelRefused(field, `must not be longer than ${MAX_NAME_CHARACTERS} characters`);
  }
  return text;
}

function requirePrices(given: readonly GivenPrice[]): TokenPrice[] {
  if (given.length > MAX_PRICES) throw modelRefused("costs", `must not be more than ${MAX_PRICES}`);
  const prices = given.map((price, position) => requirePrice(price, `costs[${position}]`));
  prices.forEach(({ tokenType, isPrompt }, position) => {
    const first = prices.findIndex((other) => other.tokenType === tokenType && other.isPrompt === isPrompt);
    if (first < position)
      throw modelRefused(`costs[${position}]`, `${tokenType} has a price already in costs[${first}]`);
  });
  for (const [tokenType, isPrompt] of [
    ["input", true],
    ["output", false],
  ] as const) {
    if (!prices.some((price) => price.tokenType === tokenType && price.isPrompt === isPrompt)) {
      throw modelRefused("costs", `a price of ${tokenType} (${isPrompt ? "PROMPT" : "COMPLETION"}) is missing`);
    }
  }
  return prices;
}

function requirePrice({ tokenType, isPrompt, perMillion, tiers }: GivenPrice, place: string): TokenPrice {
  const kind = storableText(tokenType.trim());
  if (kind === "") throw modelRefused(`${place}.tokenType`, "must not be empty");
  if (kind.length > MAX_KIND_CHARACTERS) {
    throw modelRefused(`${place}.tokenType`, `must not be longer than ${MAX_KIND_CHARACTERS} characters`);
  }
  const price = { tokenType: kind, isPrompt, rate: requireRate(perMillion, `${place}.costPerMillionTokens`) };
  if (tiers.length === 0) return price;
  if (tiers.length > MAX_TIERS) throw modelRefused(`${place}.tiers`, `must not be more than ${MAX_TIERS}`);
  return { ...price, tiers: requireTiers(tiers, `${place}.tiers`) };
}

function requireTiers(tiers: GivenPrice["tiers"], place: string): NonNullable<TokenPrice["tiers"]> {
  const bounds = new Set<number>();
  return tiers.map(({ abovePromptTokens, perMillion }, position) => {
    const where = `${place}[${position}]`;
    if (!Number.isInteger(abovePromptTokens) || abovePromptTokens < 0 || abovePromptTokens > MAX_TOKENS_PER_SPAN) {
      throw modelRefused(`${where}.abovePromptTokens`, `must be a whole number from 0 to ${MAX_TOKENS_PER_SPAN}`);
    }
    if (bounds.has(abovePromptTokens)) throw modelRefused(`${where}.abovePromptTokens`, "has a price already");
    bounds.add(abovePromptTokens);
    return { abovePromptTokens, rate: requireRate(perMillion, `${where}.costPerMillionTokens`) };
  });
}

function requireRate(perMillion: number, place: string): number {
  const rate = rateOf(perMillion);
  if (rate === null) {
    throw modelRefused(place, `must be USD for a million tokens, from 0 to ${MAX_PRICE_PER_MILLION}`);
  }
  if (rate / DECIMALS !== perMillion) throw modelRefused(place, "must not have more than six decimals");
  return rate;
}

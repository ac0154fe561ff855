// A model as a form has it: texts, and prices in rows of which input and output come first and stay.

import { compileNamePattern } from "../../../../costs/name-pattern.ts";
import { messageOf } from "../../../../kernel/failure.ts";
import type { Problems } from "../../../kit/form/use-form.ts";
import { fromZonedFields, zonedFields } from "../../../kit/zoned-fields.ts";
import { text } from "../../../texts/texts.ts";
import type { ListedModel } from "./models.queries.ts";
import { patternOf } from "./used-names.ts";

export interface TierRow {
  /** Of the row in the form alone, here and below. */
  readonly key: number;
  /** Tokens of the prompt. */
  readonly above: string;
  readonly price: string;
}

export interface PriceRow {
  readonly key: number;
  readonly tokenType: string;
  readonly kind: "PROMPT" | "COMPLETION";
  /** USD for a million tokens. */
  readonly price: string;
  readonly tiers: readonly TierRow[];
}

export interface ModelValues {
  readonly name: string;
  readonly provider: string;
  readonly namePattern: string;
  /** Of a field of date and time, in the zone of the reader; empty for always. */
  readonly start: string;
  readonly prices: readonly PriceRow[];
}

const fresh: ModelValues = {
  name: "",
  provider: "",
  namePattern: "",
  start: "",
  prices: [
    { key: 0, tokenType: "input", kind: "PROMPT", price: "", tiers: [] },
    { key: 1, tokenType: "output", kind: "COMPLETION", price: "", tiers: [] },
  ],
};

/** Input and output must have a price. */
export function isFixed({ tokenType, kind }: Pick<PriceRow, "tokenType" | "kind">): boolean {
  return (tokenType === "input" && kind === "PROMPT") || (tokenType === "output" && kind === "COMPLETION");
}

export function modelValuesOf(model: ListedModel | null, zone: string): ModelValues {
  if (model === null) return fresh;
  const rows = model.tokenPrices.map(({ tokenType, kind, costPerMillionTokens, tiers }, key) => ({
    ...{ key, tokenType, kind, price: plainNumber(costPerMillionTokens) },
    tiers: tiers.map((tier, at) => ({
      ...{ key: at, above: String(tier.abovePromptTokens), price: plainNumber(tier.costPerMillionTokens) },
    })),
  }));
  return {
    name: model.name,
    provider: model.provider ?? "",
    namePattern: model.namePattern,
    start: model.startTime === null ? "" : zonedFields(model.startTime, zone),
    prices: [...rows.filter(isFixed), ...rows.filter((row) => !isFixed(row))],
  };
}

/** Of a model that occurs in spans and has no price. */
export function modelValuesOfName(name: string): ModelValues {
  return { ...fresh, name, namePattern: patternOf(name) };
}

/** Without an exponent, which fields do not take: prices have six decimals at most. */
function plainNumber(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(6).replace(/0+$/, "");
}

/** Null for what is no price. */
export function priceFrom(typed: string): number | null {
  const plain = typed
    .trim()
    .replace(/^\$\s*/, "")
    .replace(",", ".");
  return /^(\d+(\.\d{0,6})?|\.\d{1,6})$/.test(plain) ? Number(plain) : null;
}

function boundFrom(typed: string): number | null {
  const plain = typed.trim().replaceAll(/[, ]/g, "");
  return /^\d{1,13}$/.test(plain) ? Number(plain) : null;
}

export function modelProblems({ name, namePattern, prices }: ModelValues): Problems<ModelValues> {
  return {
    name: name.trim() === "" && text("models.name.missing"),
    namePattern: problemOfPattern(namePattern.trim()),
    prices: problemOfPrices(prices),
  };
}

function problemOfPattern(pattern: string): string | null {
  if (pattern === "") return text("models.pattern.missing");
  try {
    return compileNamePattern(pattern).isFoundIn("") ? text("models.pattern.everything") : null;
  } catch (error) {
    return messageOf(error);
  }
}

function problemOfPrices(prices: ModelValues["prices"]): string | null {
  if (prices.some(({ tokenType }) => tokenType.trim() === "")) return text("models.price.kind.missing");
  const kinds = prices.map(({ tokenType, kind }) => `${kind} ${tokenType.trim()}`);
  if (new Set(kinds).size < kinds.length) return text("models.price.twice");
  const isWrong = ({ price, tiers }: PriceRow) =>
    priceFrom(price) === null || tiers.some((tier) => priceFrom(tier.price) === null);
  if (prices.some(isWrong)) return text("models.price.number");
  const bounds = prices.map(({ tiers }) => tiers.map(({ above }) => boundFrom(above)));
  if (bounds.flat().includes(null)) return text("models.tier.number");
  return bounds.some((each) => new Set(each).size < each.length) ? text("models.tier.twice") : null;
}

/** Of values without a problem. */
export function modelInputOf({ name, provider, namePattern, start, prices }: ModelValues, zone: string) {
  return {
    name: name.trim(),
    provider: provider.trim() || null,
    namePattern: namePattern.trim(),
    startTime: fromZonedFields(start, zone),
    costs: prices.map(({ tokenType, kind, price, tiers }) => ({
      tokenType: tokenType.trim(),
      kind,
      costPerMillionTokens: priceFrom(price) ?? 0,
      tiers: tiers.map((tier) => ({
        abovePromptTokens: boundFrom(tier.above) ?? 0,
        costPerMillionTokens: priceFrom(tier.price) ?? 0,
      })),
    })),
  };
}

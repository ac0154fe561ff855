// Prices as a file: the built-in ones, and those that an operator puts in their place.
// Errors name the line or the entry.
import { type Failure, fail, messageOf } from "../kernel/failure.ts";
import { compileNamePattern } from "./name-pattern.ts";
import { MAX_PRICE_PER_MILLION, type PricedModel, rateOf, type TokenPrice } from "./price-list.ts";

/** Ids of models that no table holds begin here; each is made of what tells the model from others, so that it stays the same. */
const FIRST_ID = 2 ** 40;
const IDS = 2 ** 32;
const FIELDS: readonly string[] = ["name", "pattern", "provider", "from", "source", "prompt", "completion"];

/** Fails (`models.prices_file_invalid`, invalid) for a file that is not usable. */
export function readPricesFile(text: string): PricedModel[] {
  return modelsOfFile(parsed(text));
}

/** The same of what is parsed already. */
export function modelsOfFile(file: unknown): PricedModel[] {
  const { models } = requireObject(file, "the file");
  if (!Array.isArray(models)) throw invalid("the file must hold a list called models");
  const ids = new Set<number>();
  return models.map((entry: unknown, position) => {
    const name = isObject(entry) && typeof entry.name === "string" ? ` (${entry.name.slice(0, 100)})` : "";
    return modelOf(entry, `entry ${position + 1}${name}`, ids);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(`it is no JSON, ${placeOfMistake(text)}${messageOf(error)}`);
  }
}

/** The parser names no line: lines that hold a whole entry, as in the built-in file, are tried by themselves. */
function placeOfMistake(text: string): string {
  const lines = text.split("\n");
  const mistaken = lines.findIndex((line) => {
    const entry = line.trim().replace(/,$/, "");
    if (!entry.startsWith("{") || !entry.endsWith("}")) return false;
    try {
      JSON.parse(entry);
      return false;
    } catch {
      return true;
    }
  });
  return mistaken === -1 ? "" : `line ${mistaken + 1}: `;
}

function modelOf(entry: unknown, place: string, ids: Set<number>): PricedModel {
  const given = requireObject(entry, place);
  for (const field of Object.keys(given)) {
    if (!FIELDS.includes(field)) throw invalid(`${place}: ${field} is not known; known are ${FIELDS.join(", ")}`);
  }
  const name = requireText(given.name, `${place}: name`);
  const namePattern = requireText(given.pattern, `${place}: pattern`);
  try {
    compileNamePattern(namePattern);
  } catch (error) {
    throw invalid(`${place}: ${messageOf(error)}`);
  }
  const provider = given.provider === undefined ? null : requireText(given.provider, `${place}: provider`);
  const source = given.source === undefined ? {} : { source: requireText(given.source, `${place}: source`) };
  const startUs = given.from === undefined ? null : requireTime(given.from, `${place}: from`);
  const id = freeId([provider, namePattern, startUs].join("\n"), ids);
  const prices = [...pricesOf(given, "prompt", place), ...pricesOf(given, "completion", place)];
  return { id, name, namePattern, provider, startUs, isBuiltIn: true, prices, ...source };
}

function pricesOf(entry: Record<string, unknown>, side: "prompt" | "completion", place: string): TokenPrice[] {
  const whole = side === "prompt" ? "input" : "output";
  const given = requireObject(entry[side], `${place}: ${side}`);
  if (given[whole] === undefined) throw invalid(`${place}: ${side}.${whole} is missing`);
  return Object.entries(given).map(([tokenType, value]) => {
    const where = `${place}: ${side}.${tokenType}`;
    const price = { tokenType, isPrompt: side === "prompt" };
    if (typeof value === "number") return { ...price, rate: requireRate(value, where) };
    const { base, tiers } = requireObject(value, where);
    if (!Array.isArray(tiers)) throw invalid(`${where}.tiers must be a list`);
    return {
      ...price,
      rate: requireRate(base, `${where}.base`),
      tiers: tiers.map((tier: unknown, position) => {
        const ofTier = `${where}.tiers[${position}]`;
        const { above, price: ofTokens } = requireObject(tier, ofTier);
        if (!Number.isSafeInteger(above) || (above as number) < 0) {
          throw invalid(`${ofTier}.above must be a whole number of tokens`);
        }
        return { abovePromptTokens: above as number, rate: requireRate(ofTokens, `${ofTier}.price`) };
      }),
    };
  });
}

function requireRate(value: unknown, place: string): number {
  const rate = typeof value === "number" ? rateOf(value) : null;
  if (rate === null) {
    throw invalid(`${place} must be a price in USD for a million tokens, from 0 to ${MAX_PRICE_PER_MILLION}`);
  }
  return rate;
}

function requireTime(value: unknown, place: string): number {
  const milliseconds = typeof value === "string" && /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(milliseconds)) throw invalid(`${place} must be a date such as 2026-11-01`);
  return milliseconds * 1000;
}

function requireText(value: unknown, place: string): string {
  if (typeof value !== "string" || value.trim() === "") throw invalid(`${place} must be a text that is not empty`);
  return value;
}

function requireObject(value: unknown, place: string): Record<string, unknown> {
  if (!isObject(value)) throw invalid(`${place} must be an object`);
  return value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function freeId(key: string, ids: Set<number>): number {
  // FNV-1a of 32 bits: the same on every server and in every version.
  let hash = 0x811c9dc5;
  for (let position = 0; position < key.length; position++) {
    hash = Math.imul(hash ^ key.charCodeAt(position), 0x01000193) >>> 0;
  }
  while (ids.has(FIRST_ID + hash)) hash = (hash + 1) % IDS;
  ids.add(FIRST_ID + hash);
  return FIRST_ID + hash;
}

function invalid(problem: string): Failure {
  return fail("models.prices_file_invalid", "invalid", `The file of model prices is not usable: ${problem}`);
}

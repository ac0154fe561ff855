// What of the attributes of a span its cost depends on, taken out where they are decoded, so that the thread that prices spans need not
// parse them again: the name of the model, its provider, token counts and what the sender says that the call costs, as they were sent.
import { isJsonObject, type Json, type JsonObject, numberOf } from "../kernel/json.ts";

/** No real bill has more kinds of tokens. */
const MOST_KINDS = 64;

/** The exact word of the attribute: other spellings count as LLM elsewhere, and have no cost. */
export function isPricedKind(value: Json | undefined): boolean {
  return value === "LLM";
}

/** JSON text of an object like `llm`, with those of its members; null where nothing of it costs. `usageCost` is another way to say the
 *  total cost. */
export function reportedCall(llm: Json | undefined, usageCost?: Json): string | null {
  if (!isJsonObject(llm)) return usageCost === undefined ? null : reportedCall({}, usageCost);
  const { model_name, provider, token_count, cost } = llm;
  const counts = isJsonObject(token_count) ? countsOf(token_count) : null;
  const reported = usageCost === undefined ? null : numbersOf({ total: usageCost }, ["total"]);
  const own = isJsonObject(cost) ? numbersOf(cost, ["total", "prompt", "completion"]) : null;
  const given = reported === null ? own : { ...reported, ...own };
  if (counts === null && given === null) return null;
  const call: JsonObject = {};
  if (typeof model_name === "string") call.model_name = model_name;
  if (typeof provider === "string") call.provider = provider;
  if (counts !== null) call.token_count = counts;
  if (given !== null) call.cost = given;
  return JSON.stringify(call);
}

/** The same of nested attributes. */
export function callOfAttributes({ llm, gen_ai }: JsonObject): string | null {
  const usage = isJsonObject(gen_ai) ? gen_ai.usage : undefined;
  return reportedCall(llm, isJsonObject(usage) ? usage.cost : undefined);
}

/** The attributes that a text of `reportedCall` stands for. */
export function attributesOfCall(text: string): JsonObject {
  return { llm: JSON.parse(text) as JsonObject };
}

function countsOf(reported: JsonObject): JsonObject | null {
  const counts = numbersOf(reported, ["prompt", "completion", "total"]) ?? {};
  for (const side of ["prompt_details", "completion_details"]) {
    const details = reported[side];
    const kinds = isJsonObject(details) ? numbersOf(details, Object.keys(details).slice(0, MOST_KINDS)) : null;
    if (kinds !== null) counts[side] = kinds;
  }
  return Object.keys(counts).length === 0 ? null : counts;
}

/** Those of the members that count something: numbers, and booleans as 0 and 1. */
function numbersOf(object: JsonObject, names: readonly string[]): JsonObject | null {
  let found: JsonObject | null = null;
  for (const name of names) {
    const value = object[name];
    const number = typeof value === "boolean" ? Number(value) : numberOf(value);
    // A member of that name would be none of the object.
    if (number === null || !Number.isFinite(number) || name === "__proto__") continue;
    found ??= {};
    found[name] = number;
  }
  return found;
}

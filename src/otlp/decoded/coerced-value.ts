// What single attributes become by their keys: token counts integers, JSON texts values, bytes text.
import { integerOf } from "../../ingest/span-columns.ts";
import type { Json } from "../../kernel/json.ts";
import { parseEmbeddedJson } from "../../model/attributes/embedded-json.ts";
import type { DecodedValue } from "./decoded.ts";
import { plainValue } from "./events.ts";

const JSON_SUFFIXES = ["metadata", "tool.parameters", "llm.prompt_template.variables"];
const TOKEN_KEYS = new Set(["llm.token_count.prompt", "llm.token_count.completion", "llm.token_count.total"]);

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The value as it is stored, before the nested attributes are built; null adds nothing. */
export function coercedValue(key: string, value: DecodedValue): Json {
  if (value === null) return null;
  if (holdsJson(key)) {
    const text = value instanceof Uint8Array ? utf8Of(value) : value;
    const parsed = typeof text === "string" ? parseEmbeddedJson(text) : undefined;
    return parsed === undefined ? plainValue(value) : parsed;
  }
  if (countsTokens(key)) return integerOf(plainValue(value)) ?? plainValue(value);
  return typeof value === "string" ? value : plainValue(value);
}

export function countsTokens(key: string): boolean {
  return TOKEN_KEYS.has(key);
}

/** The test is one of suffixes on the wire key: `my_metadata` counts too. */
export function holdsJson(key: string): boolean {
  const last = key.charCodeAt(key.length - 1);
  // Most keys are dismissed by their last letter: "a" of metadata, "s" of parameters and variables.
  if (last !== 97 && last !== 115) return false;
  for (const suffix of JSON_SUFFIXES) if (key.endsWith(suffix)) return true;
  return false;
}

function utf8Of(bytes: Uint8Array): string | undefined {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return undefined;
  }
}

// Tells a condition from plain words: `refund policy`, `what's up?` are searches, `latency_ms > 5` is a condition, finished or not.
import { chipsOf } from "./chips.ts";

/** Nothing that only the language has. */
const WORDS = /^[^=<>()[\]'"]*$/;
const OF_THE_LANGUAGE = /\bis (?:None|not None)\b/;
const COMPARISON = /==|!=|[<>]|\bin\s*\[/;

export function isCondition(written: string): boolean {
  if (WORDS.test(written)) return OF_THE_LANGUAGE.test(written);
  return COMPARISON.test(written) || chipsOf(written) !== null;
}

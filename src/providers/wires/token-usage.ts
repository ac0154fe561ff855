// Token counts of an answer, of which providers name different ones.
import type { TokenUsage } from "../model-event.ts";

/** Null if all are null. */
export function sumOf(...numbers: readonly (number | null)[]): number | null {
  const present = numbers.filter((number) => number !== null);
  return present.length === 0 ? null : present.reduce((sum, number) => sum + number, 0);
}

/** Counts that are left out are null. */
export function tokenUsage(counts: Partial<TokenUsage>): TokenUsage {
  return { ...NO_USAGE, ...counts };
}

const NO_USAGE: TokenUsage = {
  prompt: null,
  completion: null,
  total: null,
  cacheRead: null,
  cacheWrite: null,
  promptAudio: null,
  reasoning: null,
  completionAudio: null,
};

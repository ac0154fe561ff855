// How figures of runs are put together.
import type { ListedRun, RunScore } from "./compared-runs.schema.ts";
import type { RunTokens } from "./experiment-figures.schema.ts";

/** Prompt, completion and both together; null where no trace is stored. No price is known of any. */
export function costOf(tokens: RunTokens | null) {
  const of = (amount: number | null) => ({ tokens: amount, cost: null });
  if (tokens === null) return { prompt: of(null), completion: of(null), total: of(null) };
  return { prompt: of(tokens.prompt), completion: of(tokens.completion), total: of(tokens.prompt + tokens.completion) };
}

/** Microseconds; null without runs. */
export function meanLatencyUs(runs: readonly ListedRun[]): number | null {
  if (runs.length === 0) return null;
  return runs.reduce((sum, { startUs, endUs }) => sum + (endUs - startUs), 0) / runs.length;
}

/** The mean of each evaluation, by name; null where it gave no score. */
export function meanScores(
  scores: readonly RunScore[],
): readonly { readonly name: string; readonly mean: number | null }[] {
  const byName = [...Map.groupBy(scores, ({ name }) => name)].sort(([one], [other]) => (one < other ? -1 : 1));
  return byName.map(([name, found]) => {
    const given = found.flatMap(({ score }) => score ?? []);
    return { name, mean: given.length === 0 ? null : given.reduce((sum, score) => sum + score, 0) / given.length };
  });
}

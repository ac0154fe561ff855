// How figures of runs are put together.
import { UNITS_PER_USD } from "../../../../costs/price-list.ts";
import type { CostEntry } from "../../../tracing/costs/costs.schema.ts";
import type { ListedRun, RunScore } from "../runs/compared-runs.schema.ts";
import type { RunTokens } from "./experiment-figures.schema.ts";

/** Prompt, completion and both together, costs in USD; null where no trace is stored, and costs where no price is known. */
export function costOf(tokens: RunTokens | null, entries: readonly CostEntry[]) {
  const costOfSide = (sides: readonly boolean[]): number | null => {
    const known = entries.flatMap(({ isPrompt, cost }) => (cost !== null && sides.includes(isPrompt) ? cost : []));
    return known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0) / UNITS_PER_USD;
  };
  const { prompt = null, completion = null } = tokens ?? {};
  const total = prompt === null || completion === null ? null : prompt + completion;
  return {
    prompt: { tokens: prompt, cost: costOfSide([true]) },
    completion: { tokens: completion, cost: costOfSide([false]) },
    total: { tokens: total, cost: costOfSide([true, false]) },
  };
}

/** Entries of several runs, one a kind of token: those of the prompt first, then by name. What is not known adds nothing. */
export function addedEntries(entries: readonly CostEntry[]): CostEntry[] {
  const sum = (known: readonly number[]) =>
    known.length === 0 ? null : known.reduce((total, each) => total + each, 0);
  const byKind = Map.groupBy(entries, ({ tokenType, isPrompt }) => `${isPrompt ? 0 : 1} ${tokenType}`);
  return [...byKind]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, found]) => ({
      tokenType: found[0]!.tokenType,
      isPrompt: found[0]!.isPrompt,
      tokens: sum(found.flatMap(({ tokens }) => tokens ?? [])),
      cost: sum(found.flatMap(({ cost }) => cost ?? [])),
    }));
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

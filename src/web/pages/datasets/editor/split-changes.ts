// Splits of several examples at once: a split that only some are in stays as it is until the reader changes it.

export interface SplitMember {
  readonly id: string;
  readonly datasetSplits: readonly { readonly id: string }[];
}

export type Share = "all" | "some" | "none";

export function shareOf(splitId: string, examples: readonly SplitMember[]): Share {
  const count = examples.filter(({ datasetSplits }) => datasetSplits.some(({ id }) => id === splitId)).length;
  if (count === 0) return "none";
  return count === examples.length ? "all" : "some";
}

interface SplitChange {
  readonly splitIds: readonly string[];
  readonly exampleIds: readonly string[];
}

/** The splits of each example afterwards, together for those that are in the same; those that change in nothing are left out.
 *  `chosen`: by id of a split, whether all are in it. */
export function splitChanges(
  examples: readonly SplitMember[],
  chosen: Readonly<Record<string, boolean>>,
): readonly SplitChange[] {
  const groups = new Map<string, { splitIds: string[]; exampleIds: string[] }>();
  for (const { id, datasetSplits } of examples) {
    const before = datasetSplits.map((split) => split.id).sort();
    const kept = before.filter((splitId) => chosen[splitId] !== false);
    const added = Object.keys(chosen).filter((splitId) => chosen[splitId] === true);
    const splitIds = [...new Set([...kept, ...added])].sort();
    if (splitIds.join() === before.join()) continue;
    const group = groups.get(splitIds.join()) ?? { splitIds, exampleIds: [] };
    group.exampleIds.push(id);
    groups.set(splitIds.join(), group);
  }
  return [...groups.values()];
}

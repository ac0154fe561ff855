// What is different between two texts, word by word.
import { diffWordsWithSpace } from "diff";

interface WordChange {
  readonly value: string;
  /** Gone: only in the text before. Come: only in the text after. */
  readonly kind: "same" | "gone" | "come";
}

/** Maximum number of differing words. The time grows with their number, and longer differences are not readable. */
const MOST_CHANGES = 400;

export function wordChanges(before: string, after: string): readonly WordChange[] {
  const found = diffWordsWithSpace(before, after, { maxEditLength: MOST_CHANGES });
  // Two texts that have little in common are shown as what they are: one that went and one that came.
  if (found === undefined) return [...piece("gone", before), ...piece("come", after)];
  return found.flatMap(({ value, added, removed }) => piece(added ? "come" : removed ? "gone" : "same", value));
}

/** Less than this share of the longer text is the same: marks would say nothing but that it is another one. */
const LITTLE = 0.25;

export function haveLittleInCommon(changes: readonly WordChange[]): boolean {
  const lengthOf = (...kinds: readonly WordChange["kind"][]) =>
    changes.reduce((sum, { kind, value }) => sum + (kinds.includes(kind) ? value.length : 0), 0);
  return lengthOf("same") < LITTLE * Math.max(lengthOf("same", "gone"), lengthOf("same", "come"));
}

function piece(kind: WordChange["kind"], value: string): readonly WordChange[] {
  return value === "" ? [] : [{ kind, value }];
}

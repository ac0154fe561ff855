// What is different between two texts, word by word.
import { diffWordsWithSpace } from "diff";

interface WordChange {
  readonly value: string;
  /** Gone: only in the text before. Come: only in the text after. */
  readonly kind: "same" | "gone" | "come";
}

/** Words that may differ. Finding more costs seconds, and nobody would read such a difference. */
const MOST_CHANGES = 1_500;

export function wordChanges(before: string, after: string): readonly WordChange[] {
  const found = diffWordsWithSpace(before, after, { maxEditLength: MOST_CHANGES });
  // Two texts that have little in common are shown as what they are: one that went and one that came.
  if (found === undefined) return [...piece("gone", before), ...piece("come", after)];
  return found.flatMap(({ value, added, removed }) => piece(added ? "come" : removed ? "gone" : "same", value));
}

function piece(kind: WordChange["kind"], value: string): readonly WordChange[] {
  return value === "" ? [] : [{ kind, value }];
}

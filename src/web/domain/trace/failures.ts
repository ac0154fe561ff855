// What failed in a trace.
import { text } from "../../texts/texts.ts";
import type { TraceTree, TreeNode } from "./tree.ts";

interface Failed {
  readonly errorCount: number;
  readonly errorsByType: readonly { readonly exceptionType: string | null }[];
}

/** In lists and in the head of a trace alike: the most frequent type of error; only the word if no type was recorded. Null of a
 *  trace in which nothing failed. */
export function failureWords({ errorCount, errorsByType }: Failed): string | null {
  if (errorCount === 0) return null;
  const [first, ...others] = errorsByType.flatMap(({ exceptionType }) => exceptionType ?? []);
  if (first === undefined) return text("traces.failed");
  return others.length === 0 ? first : text("traces.failed.more", { type: first, more: others.length });
}

/** By start. */
export function failedSpans(tree: TraceTree): TreeNode[] {
  return [...tree.byKey.values()]
    .filter(({ span }) => span?.status === "ERROR")
    .sort((one, other) => one.startUs - other.startUs);
}

/** Where it began: of the failed spans without a failed one below them, the one that ended first. Those above it failed because
 *  of it. Null where nothing failed. */
export function firstFailure(tree: TraceTree): TreeNode | null {
  const failed = failedSpans(tree);
  const passedOn = new Set<TreeNode>();
  for (const each of failed) {
    for (let above = each.parent; above !== null && !passedOn.has(above); above = above.parent) passedOn.add(above);
  }
  return failed
    .filter((each) => !passedOn.has(each))
    .reduce<TreeNode | null>((first, each) => (first === null || each.endUs < first.endUs ? each : first), null);
}

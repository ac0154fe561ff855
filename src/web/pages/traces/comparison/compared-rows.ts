// The rows of a comparison: steps that are equal in both traces are folded, but for those that lead to a difference.
import type { StepPair } from "./comparison.queries.ts";

export type ComparedRow =
  | { readonly kind: "step"; readonly at: number }
  /** Equal steps, by the first and the last of them. */
  | { readonly kind: "equal"; readonly from: number; readonly to: number };

/** Fewer are shown as they are. */
const FEWEST_FOLDED = 3;

type Step = Pick<StepPair, "edit"> & { readonly depth: number };

export function depthOf({ first, second }: Pick<StepPair, "first" | "second">): number {
  return (second ?? first)?.depth ?? 0;
}

/** `opened`: the first steps of runs that were opened. */
export function comparedRows(steps: readonly Step[], opened: ReadonlySet<number>, foldsEqual: boolean): ComparedRow[] {
  const leads = leadingSteps(steps);
  const rows: ComparedRow[] = [];
  for (let at = 0; at < steps.length; ) {
    let end = at;
    while (end < steps.length && steps[end]!.edit === "EQUAL" && !leads.has(end)) end++;
    const isFolded = foldsEqual && end - at >= FEWEST_FOLDED && !opened.has(at);
    if (isFolded) rows.push({ kind: "equal", from: at, to: end - 1 });
    else for (let each = at; each < Math.max(end, at + 1); each++) rows.push({ kind: "step", at: each });
    at = Math.max(end, at + 1);
  }
  return rows;
}

/** Steps with a difference somewhere below them. */
function leadingSteps(steps: readonly Step[]): ReadonlySet<number> {
  const leads = new Set<number>();
  let above = Number.NEGATIVE_INFINITY;
  for (let at = steps.length - 1; at >= 0; at--) {
    const { edit, depth } = steps[at]!;
    if (depth < above) {
      leads.add(at);
      above = depth;
    }
    if (edit !== "EQUAL") above = Math.max(above, depth);
  }
  return leads;
}

/** The next step that differs; from the last one on to the first. Null where none does. */
export function nextDifference(steps: readonly Pick<Step, "edit">[], from: number): number | null {
  for (let step = 1; step <= steps.length; step++) {
    const at = (from + step) % steps.length;
    if (steps[at]!.edit !== "EQUAL") return at;
  }
  return null;
}

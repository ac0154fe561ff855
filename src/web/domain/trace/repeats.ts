// Equal spans beside each other as one row with a count: a thousand looks into a page are one thing that was done. What failed
// among them is named, so that it can be reached without opening the row.
import type { ShownSpan } from "./shown-span.ts";

/** Equal spans one after the other that are worth a fold. */
const FEWEST_IN_ROW = 5;
/** So many equal ones below one span are one row even where others stand between them, as the steps of a long loop do. */
const FEWEST_APART = 30;

/** Of spans below the same span, by start: the repeated ones as one that holds them, at the place of the first. */
export function collapseRepeats(siblings: readonly ShownSpan[]): readonly ShownSpan[] {
  if (siblings.length < FEWEST_IN_ROW) return siblings;
  const counts = new Map<string, number>();
  for (const each of siblings) counts.set(likeness(each), (counts.get(likeness(each)) ?? 0) + 1);
  const groups = new Map<string, ShownSpan[]>();
  const lists: ShownSpan[][] = [];
  let before = "";
  for (const each of siblings) {
    const alike = likeness(each);
    const isMany = counts.get(alike)! >= FEWEST_APART;
    const group = isMany || alike === before ? groups.get(alike) : undefined;
    if (group !== undefined && alike !== "") group.push(each);
    else {
      const list = [each];
      groups.set(alike, list);
      lists.push(list);
    }
    before = alike;
  }
  if (lists.length === siblings.length) return siblings;
  return lists.flatMap((list) => (list.length < FEWEST_IN_ROW ? list : [repeated(list)]));
}

/** Siblings of equal text are shown as one row. Empty for agents and for spans that have not arrived: each keeps its row. */
function likeness({ node: { span } }: ShownSpan): string {
  return span === null || span.kind === "AGENT" ? "" : `${span.kind} ${span.name}`;
}

function repeated(children: readonly ShownSpan[]): ShownSpan {
  const members = children.map(({ node }) => node);
  const { key, parent, span } = members[0]!;
  const lengths = members.map(({ startUs, endUs }) => endUs - startUs).sort((one, other) => one - other);
  return {
    node: {
      // No id of a span looks like this.
      key: `×${key}`,
      span: null,
      children: [],
      parent,
      cyclic: false,
      startUs: members[0]!.startUs,
      endUs: members.reduce((latest, { endUs }) => Math.max(latest, endUs), 0),
    },
    children,
    folded: 0,
    context: false,
    repeats: {
      name: span!.name,
      kind: span!.kind,
      p50Us: lengths[Math.ceil(lengths.length / 2) - 1]!,
      members,
      failed: members.filter((member) => member.span?.status === "ERROR"),
    },
  };
}

// Repeated spans beside each other as one row with a count, whether one span or a sequence of them is repeated. What failed among
// them is named, so that it can be reached without opening the row.
import type { ShownSpan } from "./shown-span.ts";

/** Equal spans one after the other that are worth a fold. */
const FEWEST_IN_ROW = 5;
/** So many equal ones below one span are one row even where others stand between them, as the steps of a long loop do. */
const FEWEST_APART = 30;

/** The spans of the longest sequence that is one row. */
const LONGEST_SEQUENCE = 4;
/** Between the names of a sequence. */
const THEN = " → ";

/** Of spans below the same span, by start: the repeated ones as one that holds them, at the place of the first. */
export function collapseRepeats(siblings: readonly ShownSpan[]): readonly ShownSpan[] {
  if (siblings.length < FEWEST_IN_ROW) return siblings;
  const alike = siblings.map(likeness);
  const collapsed: ShownSpan[] = [];
  let apart: ShownSpan[] = [];
  for (let at = 0; at < siblings.length; ) {
    const { length, times } = sequenceAt(alike, at);
    if (times === 0) apart.push(siblings[at++]!);
    else {
      collapsed.push(...collapseEqual(apart), repeated(siblings.slice(at, at + length * times), length));
      apart = [];
      at += length * times;
    }
  }
  return [...collapsed, ...collapseEqual(apart)];
}

/** The sequence of two or more different spans that begins here and covers most; 0 times where none is repeated often enough. */
function sequenceAt(alike: readonly string[], at: number): { readonly length: number; readonly times: number } {
  let best = { length: 0, times: 0 };
  for (let length = 2; length <= LONGEST_SEQUENCE; length++) {
    const sequence = alike.slice(at, at + length);
    if (sequence.includes("") || new Set(sequence).size === 1) continue;
    let end = at + length;
    while (end < alike.length && alike[end] === alike[end - length]) end++;
    const times = Math.floor((end - at) / length);
    if (times >= FEWEST_IN_ROW && times * length > best.times * best.length) best = { length, times };
  }
  return best;
}

function collapseEqual(siblings: readonly ShownSpan[]): readonly ShownSpan[] {
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
  return lists.flatMap((list) => (list.length < FEWEST_IN_ROW ? list : [repeated(list, 1)]));
}

/** Siblings of equal text are shown as one row. Empty for agents and for spans that have not arrived: each keeps its row. */
function likeness({ node: { span } }: ShownSpan): string {
  return span === null || span.kind === "AGENT" ? "" : `${span.kind} ${span.name}`;
}

/** `length`: spans of the sequence that the children repeat. */
function repeated(children: readonly ShownSpan[], length: number): ShownSpan {
  const members = children.map(({ node }) => node);
  const { key, parent, span } = members[0]!;
  const rounds = Array.from({ length: members.length / length }, (_, at) =>
    members.slice(at * length, (at + 1) * length),
  );
  const lengths = rounds.map((round) => latestEnd(round) - round[0]!.startUs).sort((one, other) => one - other);
  return {
    node: {
      // No id of a span looks like this.
      key: `×${key}`,
      span: null,
      children: [],
      parent,
      cyclic: false,
      startUs: members[0]!.startUs,
      endUs: latestEnd(members),
    },
    children,
    folded: 0,
    context: false,
    repeats: {
      name: rounds[0]!.map((member) => member.span!.name).join(THEN),
      kind: span!.kind,
      times: rounds.length,
      p50Us: lengths[Math.ceil(lengths.length / 2) - 1]!,
      members,
      failed: members.filter((member) => member.span?.status === "ERROR"),
    },
  };
}

function latestEnd(nodes: readonly ShownSpan["node"][]): number {
  return nodes.reduce((latest, { endUs }) => Math.max(latest, endUs), 0);
}

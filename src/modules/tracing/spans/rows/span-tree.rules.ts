// What hangs below a span, level by level, without the spans that have nothing below them: the list is the children of each parent in
// turn, so that the place of a page is found by counting children, and only the children on the page are read.

/** A span that has children. */
export interface ParentLink {
  readonly id: number;
  readonly traceId: number;
  readonly spanKey: string;
  readonly parentKey: string | null;
  readonly children: number;
}

/** A span whose children are in the list; each of them has `children` there. */
export interface ListedParent {
  readonly id: number;
  readonly children: number;
  /** The span that is asked about, where it is among these children: parents that form a cycle. It is not below itself. */
  readonly without: number | null;
}

/** Children of one span by start: those at `from` and behind it, at most `most`. */
export interface ChildrenSlice {
  readonly from: number;
  readonly most: number;
  /** A span that is left out. */
  readonly without: number | null;
}

/** Children of one parent on a page: those at `from` and before `to` of the slice that is read. */
interface ChildrenPart {
  readonly parentId: number;
  readonly slice: ChildrenSlice;
  readonly from: number;
  readonly to: number;
}

/** Of parents with no more children than these all are read, so that one statement reads those of many. */
const READ_WHOLE = 1000;

type Top = Omit<ParentLink, "children">;

/** The parents whose children are the list: the span itself, then those below it, level by level. `maxDepth` 0 is no limit. `links` are
 *  all parents of the trace by start. */
export function parentsBelow(top: Top, links: TraceLinks, maxDepth: number): ListedParent[] {
  const found: ListedParent[] = [];
  const own = links.byKey.get(placeOf(top.traceId, top.spanKey));
  let level = own === undefined ? [] : [own];
  for (let depth = 1; level.length > 0 && (maxDepth === 0 || depth <= maxDepth); depth++) {
    for (const link of level) {
      const without = top.parentKey === link.spanKey ? top.id : null;
      found.push({ id: link.id, children: link.children - (without === null ? 0 : 1), without });
    }
    level = level
      .flatMap((link) => links.byParent.get(placeOf(link.traceId, link.spanKey)) ?? [])
      .filter(({ id }) => id !== top.id);
  }
  return found;
}

/** What is to be read for the positions from `begin` to before `end` of the list. */
export function partsOfPage(parents: readonly ListedParent[], begin: number, end: number): ChildrenPart[] {
  const parts: ChildrenPart[] = [];
  let at = 0;
  for (const { id, children, without } of parents) {
    if (at >= end) break;
    const from = Math.max(0, begin - at);
    const to = Math.min(children, end - at);
    const whole = children <= READ_WHOLE;
    const slice = whole ? { from: 0, most: READ_WHOLE, without } : { from, most: to - from, without };
    if (to > from) parts.push({ parentId: id, slice, from: from - slice.from, to: to - slice.from });
    at += children;
  }
  return parts;
}

interface TraceLinks {
  readonly byKey: ReadonlyMap<string, ParentLink>;
  readonly byParent: ReadonlyMap<string, readonly ParentLink[]>;
}

export function linksOf(links: readonly ParentLink[]): TraceLinks {
  const below = links.filter(({ parentKey }) => parentKey !== null);
  return {
    byKey: new Map(links.map((link) => [placeOf(link.traceId, link.spanKey), link])),
    byParent: Map.groupBy(below, (link) => placeOf(link.traceId, link.parentKey!)),
  };
}

function placeOf(traceId: number, spanKey: string): string {
  return `${traceId} ${spanKey}`;
}

// Which step of one trace is which of the other: pairs in order, and pairs of what is left.
import type { Pair } from "./alignment.ts";
import type { ComparedTrace } from "./compared-trace.ts";

export class TracePairs {
  /** The partner of each span, by position; -1 of one without. */
  readonly ofA: Int32Array;
  readonly ofB: Int32Array;
  /** Whether the pair of each span of b is one of those in order. */
  private readonly inOrder: Uint8Array;

  /** `aligned` are places in the order of rows. */
  constructor(
    private readonly a: ComparedTrace,
    private readonly b: ComparedTrace,
    aligned: readonly Pair[],
  ) {
    this.ofA = new Int32Array(a.spans.length).fill(-1);
    this.ofB = new Int32Array(b.spans.length).fill(-1);
    this.inOrder = new Uint8Array(b.spans.length);
    for (const [placeA, placeB] of aligned) {
      const at = b.forest.preorder[placeB]!;
      this.pair(a.forest.preorder[placeA]!, at);
      this.inOrder[at] = 1;
    }
  }

  isInOrder(at: number): boolean {
    return this.inOrder[at] === 1;
  }

  /** Pairs what is left and equal in label and content, then what is the only one left of its label. */
  pairEqual(): void {
    this.pairLeftBy(({ keys }, place) => `${keys.label[place]} ${keys.input[place]} ${keys.output[place]}`, false);
    this.pairLeftBy(({ keys }, place) => String(keys.label[place]), true);
  }

  /** Pairs what is left below partners, of one kind, with the same content or with mostly the same children. From the leaves up. */
  pairRenamed(): void {
    const above = this.ancestors();
    const left = Map.groupBy(this.left(this.b, this.ofB), (at) => this.nearKey(this.b.spans[at]!.kind, above.b[at]!));
    for (const at of this.left(this.a, this.ofA).reverse()) {
      const near = above.a[at]! < 0 ? -1 : this.ofA[above.a[at]!]!;
      const candidates = left.get(this.nearKey(this.a.spans[at]!.kind, near)) ?? [];
      const other = candidates.find((each) => this.ofB[each]! < 0 && this.isRenamed(at, each));
      if (other !== undefined) this.pair(at, other);
    }
  }

  /** Whether the pair of this span of b lies elsewhere in a. What is below a moved step is not moved itself, nor are steps that ran side by
   *  side and started in another order. */
  isMoved(at: number): boolean {
    const other = this.ofB[at]!;
    const [aboveA, aboveB] = [nearestPaired(this.a, this.ofA, other), nearestPaired(this.b, this.ofB, at)];
    if ((aboveA < 0 ? -1 : this.ofA[aboveA]!) !== aboveB) return true;
    if (this.isInOrder(at)) return false;
    return this.siblingsOf(aboveB).some((sibling) => this.isInOrder(sibling) && this.overtakes(at, sibling));
  }

  private overtakes(at: number, sibling: number): boolean {
    const [one, other] = [this.ofB[at]!, this.ofB[sibling]!];
    const isBeforeInA = this.a.places[one]! < this.a.places[other]!;
    if (isBeforeInA === this.b.places[at]! < this.b.places[sibling]!) return false;
    return !(overlap(this.a, one, other) && overlap(this.b, at, sibling));
  }

  private siblings: Map<number, number[]> | null = null;

  /** Paired spans of b by the nearest paired span above them. */
  private siblingsOf(above: number): readonly number[] {
    if (this.siblings === null) {
      const { b: ancestors } = this.ancestors();
      const paired = [...this.b.forest.preorder].filter((at) => this.ofB[at]! >= 0);
      this.siblings = Map.groupBy(paired, (at) => ancestors[at]!);
    }
    return this.siblings.get(above) ?? [];
  }

  private isRenamed(at: number, other: number): boolean {
    const [a, b] = [this.a.spans[at]!, this.b.spans[other]!];
    if (a.input !== null && a.input !== "" && a.input === b.input) return true;
    if (a.output !== null && a.output !== "" && a.output === b.output) return true;
    const children = this.a.forest.children[at]!;
    const kept = children.filter((child) => this.ofA[child]! >= 0 && this.b.forest.parents[this.ofA[child]!] === other);
    return kept.length > 0 && kept.length * 2 >= Math.max(children.length, this.b.forest.children[other]!.length);
  }

  private nearKey(kind: string, above: number): string {
    return `${above} ${kind}`;
  }

  private pairLeftBy(keyOf: (trace: ComparedTrace, place: number) => string, onlyOnes: boolean): void {
    const keyed = (trace: ComparedTrace) => (at: number) => keyOf(trace, trace.places[at]!);
    const inB = Map.groupBy(this.left(this.b, this.ofB), keyed(this.b));
    for (const [key, positions] of Map.groupBy(this.left(this.a, this.ofA), keyed(this.a))) {
      const others = inB.get(key) ?? [];
      if (onlyOnes && (positions.length > 1 || others.length > 1)) continue;
      positions.slice(0, others.length).forEach((at, number) => void this.pair(at, others[number]!));
    }
  }

  /** In the order of rows. */
  private left(trace: ComparedTrace, partners: Int32Array): number[] {
    return [...trace.forest.preorder].filter((at) => partners[at]! < 0);
  }

  private pair(a: number, b: number): void {
    this.ofA[a] = b;
    this.ofB[b] = a;
  }

  private ancestors(): { readonly a: Int32Array; readonly b: Int32Array } {
    return { a: nearestPairedOfAll(this.a, this.ofA), b: nearestPairedOfAll(this.b, this.ofB) };
  }
}

function nearestPaired({ forest }: ComparedTrace, partners: Int32Array, at: number): number {
  let above = forest.parents[at]!;
  while (above >= 0 && partners[above]! < 0) above = forest.parents[above]!;
  return above;
}

/** Of each span the nearest one above it that has a partner; -1 without. */
function nearestPairedOfAll({ forest }: ComparedTrace, partners: Int32Array): Int32Array {
  const nearest = new Int32Array(partners.length).fill(-1);
  for (const at of forest.preorder) {
    const parent = forest.parents[at]!;
    if (parent >= 0) nearest[at] = partners[parent]! >= 0 ? parent : nearest[parent]!;
  }
  return nearest;
}

function overlap({ spans }: ComparedTrace, one: number, other: number): boolean {
  return spans[one]!.startUs < spans[other]!.endUs && spans[other]!.startUs < spans[one]!.endUs;
}

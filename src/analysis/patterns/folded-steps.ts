// The steps of a trace without their repetitions: traces that do the same, however often they repeat it, have the same pattern.
import type { NamedSpan } from "../critical-path/instant-steps.ts";
import { digestOf } from "../digest.ts";
import { forestOf } from "../forest.ts";
import { wavesOf } from "../waves.ts";

export interface PatternStep {
  readonly kind: string;
  readonly name: string;
  /** 0 of a root. */
  readonly depth: number;
  /** How often it is repeated in this trace. */
  readonly times: number;
}

/** A step with what is below it, without its repetitions. Equal ones are one object. */
interface Shape {
  readonly digest: string;
  readonly label: string;
}

interface FoldedStep {
  /** The first of its repetitions. */
  readonly at: number;
  readonly times: number;
  readonly shape: Shape;
}

const LONGEST_PERIOD = 4;
/** Steps of a picture. */
const MOST_STEPS = 1000;
/** Shapes that are remembered: traces of one program have few. */
const MOST_SHAPES = 200_000;

/** A trace without its repetitions. */
class FoldedTrace {
  /** Of its pattern: equal for traces of one pattern in every process. */
  readonly id: string;

  constructor(
    private readonly spans: readonly NamedSpan[],
    private readonly roots: readonly FoldedStep[],
    private readonly below: readonly (readonly FoldedStep[])[],
  ) {
    this.id = digestOf(roots.map(({ shape }) => shape.digest));
  }

  /** As they are shown: parents before children, at most 1,000. */
  steps(): readonly PatternStep[] {
    const steps: PatternStep[] = [];
    const waiting = this.roots.toReversed().map((folded) => ({ folded, depth: 0 }));
    for (let next = waiting.pop(); next !== undefined && steps.length < MOST_STEPS; next = waiting.pop()) {
      const { folded, depth } = next;
      const { kind, name } = this.spans[folded.at]!;
      steps.push({ kind, name, depth, times: folded.times });
      for (const each of this.below[folded.at]!.toReversed()) waiting.push({ folded: each, depth: depth + 1 });
    }
    return steps;
  }
}

/** Folds traces one after the other, and remembers what they have in common. */
export class StepFolder {
  private shapes = new Map<string, Shape>();

  /** Takes time n log n. */
  fold(spans: readonly NamedSpan[]): FoldedTrace {
    const { preorder, children, roots } = forestOf(spans);
    if (this.shapes.size > MOST_SHAPES) this.shapes = new Map();
    const below = new Array<readonly FoldedStep[]>(spans.length);
    const shapes = new Array<Shape>(spans.length);
    for (let place = preorder.length - 1; place >= 0; place--) {
      const at = preorder[place]!;
      below[at] = this.foldSiblings(spans, children[at]!, shapes);
      shapes[at] = this.shapeOf(spans[at]!, below[at]);
    }
    return new FoldedTrace(spans, this.foldSiblings(spans, roots, shapes), below);
  }

  /** Steps that ran side by side have no order: theirs is that of their names. */
  private foldSiblings(
    spans: readonly NamedSpan[],
    siblings: readonly number[],
    shapes: readonly Shape[],
  ): readonly FoldedStep[] {
    if (siblings.length === 0) return NONE;
    const ordered = wavesOf(spans, siblings).flatMap((wave) =>
      wave.length === 1 ? wave : wave.toSorted((a, b) => compareShapes(shapes[a]!, shapes[b]!)),
    );
    let steps: readonly FoldedStep[] = ordered.map((at) => ({ at, times: 1, shape: shapes[at]! }));
    for (let folded = foldOnce(steps); folded.length < steps.length; folded = foldOnce(steps)) steps = folded;
    return steps;
  }

  private shapeOf({ kind, name }: NamedSpan, below: readonly FoldedStep[]): Shape {
    const label = `${kind}:${name}`;
    const key = below.length === 0 ? label : JSON.stringify([label, ...below.map(({ shape }) => shape.digest)]);
    const found = this.shapes.get(key);
    if (found !== undefined) return found;
    const shape = { label, digest: digestOf([label, ...below.map(({ shape: { digest } }) => digest)]) };
    this.shapes.set(key, shape);
    return shape;
  }
}

const NONE: readonly FoldedStep[] = [];

function compareShapes(one: Shape, other: Shape): number {
  if (one.label !== other.label) return one.label < other.label ? -1 : 1;
  return one.digest < other.digest ? -1 : one.digest > other.digest ? 1 : 0;
}

/** From the left, the shortest period first: rounds that follow each other become the first of them. */
function foldOnce(steps: readonly FoldedStep[]): readonly FoldedStep[] {
  const folded: FoldedStep[] = [];
  for (let from = 0; from < steps.length; ) {
    const { period, rounds } = roundsAt(steps, from);
    for (let at = from; at < from + period; at++)
      folded.push(rounds === 1 ? steps[at]! : joined(steps, at, period, rounds));
    from += period * rounds;
  }
  return folded;
}

function joined(steps: readonly FoldedStep[], at: number, period: number, rounds: number): FoldedStep {
  let times = 0;
  for (let round = 0; round < rounds; round++) times += steps[at + round * period]!.times;
  return { ...steps[at]!, times };
}

function roundsAt(steps: readonly FoldedStep[], from: number): { readonly period: number; readonly rounds: number } {
  for (let period = 1; period <= LONGEST_PERIOD; period++) {
    let end = from + period;
    while (end < steps.length && steps[end]!.shape === steps[end - period]!.shape) end++;
    const rounds = Math.floor((end - from) / period);
    if (rounds > 1) return { period, rounds };
  }
  return { period: 1, rounds: 1 };
}

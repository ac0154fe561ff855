// A trace as it is compared: its steps in the order in which they are shown, and numbers for what they have in common with others.
import type { NamedSpan } from "../critical-path/instant-steps.ts";
import { type Forest, forestOf } from "../forest.ts";
import type { StepKeys } from "./alignment.ts";

export interface ComparedSpan extends NamedSpan {
  readonly status: string;
  /** Texts, or digests of them; null where none were recorded. */
  readonly input: string | null;
  readonly output: string | null;
  readonly model: string | null;
  /** Canonical JSON. */
  readonly parameters: string | null;
  readonly promptVersion: string | null;
  readonly tokens: number | null;
  /** Its own, in 10^-12 USD. */
  readonly cost: number | null;
}

export interface ComparedTrace {
  readonly spans: readonly ComparedSpan[];
  readonly forest: Forest;
  /** By place in the order of rows: parents before children, children by start. */
  readonly keys: StepKeys;
  /** Place of each span in this order. */
  readonly places: Int32Array;
}

/** Numbers for texts, the same for both traces. */
export class Numbers {
  private readonly known = new Map<string | null, number>();

  of(text: string | null): number {
    const found = this.known.get(text);
    if (found !== undefined) return found;
    this.known.set(text, this.known.size);
    return this.known.size - 1;
  }
}

export function comparedTrace(spans: readonly ComparedSpan[], numbers: Numbers): ComparedTrace {
  const forest = forestOf(spans);
  const count = spans.length;
  const keyed = () => new Int32Array(count);
  const keys = { label: keyed(), path: keyed(), input: keyed(), output: keyed() };
  const places = new Int32Array(count);
  forest.preorder.forEach((at, place) => {
    const { kind, name, input, output } = spans[at]!;
    const parent = forest.parents[at]!;
    places[at] = place;
    keys.label[place] = numbers.of(`label ${kind}:${name}`);
    keys.path[place] = numbers.of(
      parent < 0 ? "path" : `path ${keys.path[places[parent]!]} ${keys.label[places[parent]!]}`,
    );
    keys.input[place] = numbers.of(input === null ? null : `text ${input}`);
    keys.output[place] = numbers.of(output === null ? null : `text ${output}`);
  });
  return { spans, forest, keys, places };
}

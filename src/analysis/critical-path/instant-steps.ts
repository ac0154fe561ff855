// How much sooner a trace would have ended if a step had taken no time. Every span is taken to wait for the sibling that ended last before it
// started, and to take up the same time after it; a parent ends as long after its last child as it did.
import { type Forest, forestOf, type TreeSpan } from "../forest.ts";
import { type ClippedTimes, clippedTimes } from "./clipped-times.ts";
import { walkCriticalPath } from "./critical-path.ts";

export interface NamedSpan extends TreeSpan {
  readonly kind: string;
  readonly name: string;
}

interface InstantStep {
  readonly kind: string;
  readonly name: string;
  /** In how many of the traces the step is on the critical path. */
  traces: number;
  /** Spans of the step on the critical paths, or with a span below them that is. */
  spans: number;
  savedUs: number;
}

/** Spans of these kinds that have children only hold other steps: of course a trace without them takes no time. */
const holders = new Set(["AGENT", "CHAIN", "UNKNOWN"]);
/** Steps of one trace that are tried: those with the largest parts of its critical path. No step saves more than its part. */
const MOST_TRIED = 50;

export class InstantSteps {
  private readonly steps = new Map<string, InstantStep>();
  /** Of all traces together. */
  durationUs = 0;

  /** Adds a trace. Takes time n log n, and n for each step that is tried. */
  add(spans: readonly NamedSpan[]): void {
    const forest = forestOf(spans);
    const times = clippedTimes(spans, forest);
    const waits = waitsOf(forest, times);
    const wholeUs = durationWithout(null, forest, times, waits);
    this.durationUs += wholeUs;
    const labels = spans.map(({ kind, name }) => `${kind}:${name}`);
    const isStep = (at: number) => forest.children[at]!.length === 0 || !holders.has(spans[at]!.kind);
    const stepLabels = new Set(labels.filter((_, at) => isStep(at)));
    const parts = partsOfPath(labels, forest, times).filter(({ label }) => stepLabels.has(label));
    const tried = parts.sort((one, other) => other.us - one.us || (one.label < other.label ? -1 : 1));
    for (const { label, positions } of tried.slice(0, MOST_TRIED)) {
      const savedUs = wholeUs - durationWithout((at) => labels[at] === label, forest, times, waits);
      if (savedUs <= 0) continue;
      const { kind, name } = spans[positions[0]!]!;
      const step = this.steps.get(label) ?? { kind, name, traces: 0, spans: 0, savedUs: 0 };
      this.steps.set(label, step);
      step.traces++;
      step.spans += positions.length;
      step.savedUs += savedUs;
    }
  }

  /** Those that save most first. */
  most(count: number): readonly InstantStep[] {
    const all = [...this.steps].sort(([a, one], [b, other]) => other.savedUs - one.savedUs || (a < b ? -1 : 1));
    return all.slice(0, count).map(([, step]) => step);
  }
}

interface Part {
  readonly label: string;
  readonly positions: number[];
  us: number;
}

/** How much of the critical path lies in each step and below it. */
function partsOfPath(labels: readonly string[], forest: Forest, times: ClippedTimes): Part[] {
  const below = new Float64Array(labels.length);
  walkCriticalPath(forest, times, (at, fromUs, toUs) => {
    if (at >= 0) below[at]! += toUs - fromUs;
  });
  const { preorder, parents } = forest;
  for (let position = preorder.length - 1; position >= 0; position--) {
    const at = preorder[position]!;
    if (parents[at]! >= 0) below[parents[at]!]! += below[at]!;
  }
  const parts = new Map<string, Part>();
  for (const at of preorder) {
    if (below[at] === 0) continue;
    const part = parts.get(labels[at]!) ?? { label: labels[at]!, positions: [], us: 0 };
    parts.set(part.label, part);
    part.positions.push(at);
    part.us += below[at]!;
  }
  return [...parts.values()];
}

/** What each span waits for: the position of a sibling, or -1 for its parent's start. */
function waitsOf({ roots, children }: Forest, { starts, ends }: ClippedTimes): Int32Array {
  const waits = new Int32Array(starts.length).fill(-1);
  for (const siblings of [roots, ...children]) {
    if (siblings.length < 2) continue;
    const byEnd = siblings.toSorted((a, b) => ends[a]! - ends[b]!);
    for (const at of siblings) waits[at] = lastEndedBefore(byEnd, at, { starts, ends });
  }
  return waits;
}

/** As the critical path chooses: the one that ended last, of equal ones the longer, then the one before in the list. */
function lastEndedBefore(byEnd: readonly number[], at: number, { starts, ends }: ClippedTimes): number {
  let [low, high] = [0, byEnd.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ends[byEnd[middle]!]! <= starts[at]!) low = middle + 1;
    else high = middle;
  }
  let best = -1;
  for (let each = low - 1; each >= 0; each--) {
    const candidate = byEnd[each]!;
    if (best >= 0 && ends[candidate]! < ends[best]!) break;
    // Points in time delay nothing.
    if (ends[candidate] === starts[candidate]) continue;
    const isBetter =
      best < 0 || starts[candidate]! < starts[best]! || (starts[candidate] === starts[best] && candidate < best);
    if (isBetter) best = candidate;
  }
  return best;
}

/** How long the trace would take if those spans, with all below them, took no time. */
function durationWithout(
  isInstant: ((at: number) => boolean) | null,
  { roots, children, preorder }: Forest,
  times: ClippedTimes,
  waits: Int32Array,
): number {
  if (roots.length === 0) return 0;
  const durations = new Float64Array(waits.length);
  const newEnds = new Float64Array(waits.length);
  const of = (startUs: number, endUs: number, positions: readonly number[]) =>
    shiftedDuration(startUs, endUs, positions, { times, waits, durations, newEnds });
  for (let position = preorder.length - 1; position >= 0; position--) {
    const at = preorder[position]!;
    if (isInstant?.(at) !== true) durations[at] = of(times.starts[at]!, times.ends[at]!, children[at]!);
  }
  const firstUs = times.starts[roots[0]!]!;
  const lastUs = roots.reduce((last, root) => Math.max(last, times.ends[root]!), firstUs);
  return of(firstUs, lastUs, roots);
}

interface Shifting {
  readonly times: ClippedTimes;
  readonly waits: Int32Array;
  /** New ones, of the children. */
  readonly durations: Float64Array;
  /** Since the start of the parent; filled here. */
  readonly newEnds: Float64Array;
}

function shiftedDuration(startUs: number, endUs: number, positions: readonly number[], shifting: Shifting): number {
  const { times, waits, durations, newEnds } = shifting;
  let last = -1;
  let latest = 0;
  for (const at of positions) {
    const before = waits[at]!;
    const gap = times.starts[at]! - (before < 0 ? startUs : times.ends[before]!);
    newEnds[at] = (before < 0 ? 0 : newEnds[before]!) + gap + durations[at]!;
    latest = Math.max(latest, newEnds[at]!);
    if (times.ends[at]! > times.starts[at]! && (last < 0 || endsLater(at, last, times))) last = at;
  }
  const tail = endUs - (last < 0 ? startUs : times.ends[last]!);
  return Math.max(latest, (last < 0 ? 0 : newEnds[last]!) + tail);
}

function endsLater(at: number, other: number, { starts, ends }: ClippedTimes): boolean {
  if (ends[at] !== ends[other]) return ends[at]! > ends[other]!;
  return starts[at] === starts[other] ? at < other : starts[at]! < starts[other]!;
}

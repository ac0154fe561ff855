// Traces by pattern: how often, how many fail, how long they take and what they cost; and what is different from the good ones.
import { alignSteps, type StepKeys } from "../compare/alignment.ts";
import { Numbers } from "../compare/compared-trace.ts";
import type { NamedSpan } from "../critical-path/instant-steps.ts";
import { Samples } from "../samples.ts";
import { type PatternStep, StepFolder } from "./folded-steps.ts";

interface PatternTrace {
  readonly traceKey: string;
  readonly spans: readonly NamedSpan[];
  readonly startUs: number;
  readonly durationUs: number;
  readonly failed: boolean;
  /** In 10^-12 USD; null where it is not known. */
  readonly cost: number | null;
}

export interface Pattern {
  /** 32 hexadecimal digits, equal in every process. */
  readonly id: string;
  /** Of the first trace that was added. */
  readonly steps: readonly PatternStep[];
  traces: number;
  failed: number;
  readonly durationsUs: Samples;
  /** Of the traces whose cost is known. */
  cost: number;
  priced: number;
  /** The trace that started last, and the last one that did not fail. */
  last: TraceAtTime;
  lastGood: TraceAtTime | null;
}

interface TraceAtTime {
  readonly traceKey: string;
  readonly startUs: number;
}

/** Patterns that are counted one by one. */
const MOST_PATTERNS = 10_000;

export class PatternTally {
  private readonly folder = new StepFolder();
  private readonly patterns = new Map<string, Pattern>();
  /** Traces of patterns that came when there were too many. */
  others = 0;

  /** Takes time n log n. Returns the id of the trace's pattern. */
  add(trace: PatternTrace): string {
    const folded = this.folder.fold(trace.spans);
    const { id } = folded;
    let pattern = this.patterns.get(id);
    if (pattern === undefined) {
      if (this.patterns.size >= MOST_PATTERNS) {
        this.others++;
        return id;
      }
      pattern = emptyPattern(id, folded.steps(), trace);
      this.patterns.set(id, pattern);
    }
    pattern.traces++;
    if (trace.failed) pattern.failed++;
    pattern.durationsUs.add(trace.durationUs);
    if (trace.cost !== null) {
      pattern.cost += trace.cost;
      pattern.priced++;
    }
    pattern.last = later(pattern.last, trace);
    if (!trace.failed) pattern.lastGood = pattern.lastGood === null ? atTime(trace) : later(pattern.lastGood, trace);
    return id;
  }

  /** Those with most traces first. */
  list(): readonly Pattern[] {
    return [...this.patterns.values()].sort((one, other) => other.traces - one.traces || (one.id < other.id ? -1 : 1));
  }

  /** The pattern with most traces that did not fail, which others are compared with; null where all failed. */
  mostSuccessful(): Pattern | null {
    const good = ({ traces, failed }: Pattern) => traces - failed;
    return this.list().reduce<Pattern | null>(
      (best, each) => (good(each) > (best === null ? 0 : good(best)) ? each : best),
      null,
    );
  }
}

function emptyPattern(id: string, steps: readonly PatternStep[], trace: PatternTrace): Pattern {
  const counts = { traces: 0, failed: 0, cost: 0, priced: 0 };
  return { id, steps, ...counts, durationsUs: new Samples(), last: atTime(trace), lastGood: null };
}

function atTime({ traceKey, startUs }: PatternTrace): TraceAtTime {
  return { traceKey, startUs };
}

/** Of equal times the one with the higher key, so that the order of adding does not matter. */
function later(one: TraceAtTime, other: PatternTrace): TraceAtTime {
  const isLater = other.startUs > one.startUs || (other.startUs === one.startUs && other.traceKey > one.traceKey);
  return isLater ? atTime(other) : one;
}

interface PatternDifference {
  /** Positions in the two lists; null in the one without the step. */
  readonly a: number | null;
  readonly b: number | null;
}

/** The steps of two patterns side by side, as many as possible in pairs of equal kind and name. */
export function patternDifferences(a: readonly PatternStep[], b: readonly PatternStep[]): readonly PatternDifference[] {
  const numbers = new Numbers();
  const rows: PatternDifference[] = [];
  let [atA, atB] = [0, 0];
  const pairs = alignSteps(keysOf(a, numbers), keysOf(b, numbers));
  for (const [pairedA, pairedB] of [...pairs, [a.length, b.length] as const]) {
    while (atA < pairedA) rows.push({ a: atA++, b: null });
    while (atB < pairedB) rows.push({ a: null, b: atB++ });
    if (pairedA < a.length) rows.push({ a: atA++, b: atB++ });
  }
  return rows;
}

function keysOf(steps: readonly PatternStep[], numbers: Numbers): StepKeys {
  const same = new Int32Array(steps.length);
  const label = Int32Array.from(steps, ({ kind, name }) => numbers.of(`label ${kind}:${name}`));
  const above: number[] = [];
  const path = steps.map(({ depth }, at) => {
    above.length = depth;
    const number = numbers.of(`path ${above.join(" ")}`);
    above.push(label[at]!);
    return number;
  });
  return { label, path: Int32Array.from(path), input: same, output: same };
}

// Critical path, self time, money and instant steps against the vectors and against brute force.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { criticalPath, type PathSegment } from "../../src/analysis/critical-path/critical-path.ts";
import { InstantSteps } from "../../src/analysis/critical-path/instant-steps.ts";
import { costsBelow, StepCosts } from "../../src/analysis/critical-path/step-costs.ts";
import { type DrawnSpan, traces } from "./drawn-traces.ts";
import { vectorRows } from "./vectors.ts";

interface PathRow {
  readonly spans: readonly {
    readonly id: string;
    readonly parent: string | null;
    readonly start: number;
    readonly end: number;
  }[];
  readonly critical_path: readonly (readonly [string, number, number])[];
  readonly self_time: Readonly<Record<string, number>>;
}

test("the vectors of critical paths", async () => {
  const rows = await vectorRows<PathRow>("critical-path");
  expect(rows.length).toBe(60);
  for (const row of rows) {
    const spans = row.spans.map(({ id, parent, start, end }) => ({
      spanKey: id,
      parentKey: parent,
      startUs: start,
      endUs: end,
    }));
    const { segments, selfUs, onPathUs } = criticalPath(spans);
    expect(segments.map(({ spanKey, fromUs, toUs }) => [spanKey!, fromUs, toUs])).toEqual(
      row.critical_path.map((each) => [...each]),
    );
    expect(Object.fromEntries(spans.map(({ spanKey }, at) => [spanKey, selfUs[at]!]))).toEqual({ ...row.self_time });
    const onPath = (key: string) =>
      row.critical_path.reduce((sum, [id, from, to]) => sum + (id === key ? to - from : 0), 0);
    expect(spans.map(({ spanKey }, at) => [spanKey, onPathUs[at]!])).toEqual(
      spans.map(({ spanKey }) => [spanKey, onPath(spanKey)]),
    );
  }
});

/** A span with its times inside its parent's, and what is below it. */
interface Node {
  readonly span: DrawnSpan;
  readonly at: number;
  readonly start: number;
  readonly end: number;
  readonly below: readonly Node[];
}

/** By the definition, slowly. */
function treeOf(spans: readonly DrawnSpan[]): readonly Node[] {
  const below = (parent: DrawnSpan | null, start: number, end: number): Node[] =>
    spans.flatMap((span, at) => {
      if (span.parentKey !== (parent?.spanKey ?? null)) return [];
      const clip = (time: number) => Math.min(Math.max(time, start), end);
      const times = { start: clip(span.startUs), end: Math.max(clip(span.startUs), Math.min(span.endUs, end)) };
      return [{ span, at, ...times, below: below(span, times.start, times.end) }];
    });
  return below(null, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
}

function waitedFor(nodes: readonly Node[], now: number): Node | undefined {
  const ended = nodes.filter(({ start, end }) => end <= now && end > start);
  return ended.sort((a, b) => b.end - a.end || a.start - b.start || a.at - b.at)[0];
}

function slowPath({
  span,
  start,
  end,
  below,
}: Pick<Node, "start" | "end" | "below"> & { span: DrawnSpan | null }): PathSegment[] {
  const segments: PathSegment[] = [];
  let now = end;
  for (let next = waitedFor(below, now); next !== undefined; next = waitedFor(below, now)) {
    segments.unshift(...slowPath(next), { spanKey: span?.spanKey ?? null, fromUs: next.end, toUs: now });
    now = next.start;
  }
  segments.unshift({ spanKey: span?.spanKey ?? null, fromUs: start, toUs: now });
  return segments.filter(({ fromUs, toUs }) => fromUs < toUs);
}

/** The spans under one root, which is what is above them where there are several. */
function rootOf(nodes: readonly Node[]): Pick<Node, "start" | "end" | "below"> & { span: DrawnSpan | null } {
  if (nodes.length === 1) return nodes[0]!;
  return {
    span: null,
    start: Math.min(...nodes.map(({ start }) => start)),
    end: Math.max(...nodes.map(({ end }) => end)),
    below: nodes,
  };
}

/** When everything would end if spans of that name took no time; the same rule as in the source, written by recursion. */
function slowDuration(
  { span, start, end, below }: Pick<Node, "start" | "end" | "below"> & { span: DrawnSpan | null },
  instant: string,
): number {
  if (span !== null && `${span.kind}:${span.name}` === instant) return 0;
  const order = [...below].sort((a, b) => a.span.startUs - b.span.startUs || a.at - b.at);
  const newEnd = (node: Node): number => {
    const before = waitedFor(order.slice(0, order.indexOf(node)), node.start);
    const gap = node.start - (before?.end ?? start);
    return (before === undefined ? 0 : newEnd(before)) + gap + slowDuration(node, instant);
  };
  const last = waitedFor(below, end);
  const tail = end - (last?.end ?? start);
  return Math.max((last === undefined ? 0 : newEnd(last)) + tail, ...below.map(newEnd));
}

describe("generated traces", () => {
  test("have the path and the self times of the slow way, and the segments leave no gap", () => {
    fc.assert(
      fc.property(traces({ roots: 2 }), (spans) => {
        const { segments, selfUs } = criticalPath(spans);
        const tree = treeOf(spans);
        expect(segments).toEqual(slowPath(rootOf(tree)));
        segments.slice(1).forEach((segment, at) => void expect(segment.fromUs).toBe(segments[at]!.toUs));
        const visit = (node: Node): void => {
          let self = 0;
          for (let time = node.start; time < node.end; time++) {
            if (!node.below.some(({ start, end }) => start <= time && time < end)) self++;
          }
          expect(selfUs[node.at]).toBe(self);
          node.below.forEach(visit);
        };
        tree.forEach(visit);
      }),
      { numRuns: 300 },
    );
  });

  test("save what the slow way says where a step is instant", () => {
    fc.assert(
      fc.property(traces({ roots: 2 }), (spans) => {
        const steps = new InstantSteps();
        steps.add(spans);
        const root = rootOf(treeOf(spans));
        expect(steps.durationUs).toBe(root.end - root.start);
        const parents = new Set(spans.map(({ parentKey }) => parentKey));
        const isStep = (label: string) =>
          spans.some(
            ({ kind, name, spanKey }) =>
              `${kind}:${name}` === label && (!parents.has(spanKey) || /LLM|TOOL/.test(kind)),
          );
        const labels = [...new Set(spans.map(({ kind, name }) => `${kind}:${name}`))];
        const expected = labels
          .map((label) => ({ label, savedUs: root.end - root.start - slowDuration(root, label) }))
          .filter(({ label, savedUs }) => savedUs > 0 && isStep(label));
        const found = steps.most(100).map(({ kind, name, savedUs }) => ({ label: `${kind}:${name}`, savedUs }));
        const byLabel = (one: { label: string }, other: { label: string }) => (one.label < other.label ? -1 : 1);
        expect([...found].sort(byLabel)).toEqual(expected.sort(byLabel));
      }),
      { numRuns: 300 },
    );
  });

  test("cost by step and below each span what adding one by one gives", () => {
    fc.assert(
      fc.property(traces({ roots: 2 }), (spans) => {
        const costs = new StepCosts();
        costs.add(spans);
        const below = costsBelow(spans);
        const sum = (node: Node): number =>
          (node.span.cost ?? 0) + node.below.reduce((all, each) => all + sum(each), 0);
        const visit = (node: Node): void => {
          expect(below[node.at]).toBe(sum(node));
          node.below.forEach(visit);
        };
        treeOf(spans).forEach(visit);
        const all = costs.most(100);
        expect(all.reduce((total, { cost }) => total + cost, 0)).toBe(costs.cost);
        expect(costs.cost).toBe(spans.reduce((total, { cost }) => total + (cost ?? 0), 0));
        for (const { name, kind, cost, unpriced } of all) {
          const own = spans.filter((span) => span.name === name && span.kind === kind);
          expect(cost).toBe(own.reduce((total, span) => total + (span.cost ?? 0), 0));
          expect(unpriced).toBe(own.filter((span) => span.cost === null && span.tokens !== null).length);
        }
      }),
    );
  });
});

describe("single traces", () => {
  const span = (spanKey: string, parentKey: string | null, startUs: number, endUs: number) => ({
    spanKey,
    parentKey,
    startUs,
    endUs,
    kind: "TOOL",
    name: spanKey,
  });

  test("a slow step beside one that is as slow saves only what the other leaves", () => {
    const steps = new InstantSteps();
    steps.add([
      { ...span("root", null, 0, 100), kind: "AGENT" },
      span("slow", "root", 0, 90),
      span("other", "root", 0, 70),
      span("last", "root", 95, 100),
    ]);
    const saved = Object.fromEntries(steps.most(10).map(({ name, savedUs }) => [name, savedUs]));
    expect(saved).toEqual({ slow: 30, last: 5 });
  });

  test("none, spans without their parents, and spans that are each other's parents end", () => {
    expect(criticalPath([]).segments).toEqual([]);
    expect(
      criticalPath([span("a", "gone", 0, 10), span("b", "a", 2, 4)]).segments.map(({ spanKey }) => spanKey),
    ).toEqual(["a", "b", "a"]);
    const circle = criticalPath([span("a", "b", 5, 8), span("b", "a", 0, 10)]);
    expect(circle.segments.map(({ spanKey }) => spanKey)).toEqual(["b", "a", "b"]);
    const steps = new InstantSteps();
    steps.add([]);
    expect(steps.most(1)).toEqual([]);
  });

  test("a chain of 100,000 spans inside each other", () => {
    const spans = Array.from({ length: 100_000 }, (_, at) =>
      span(String(at), at === 0 ? null : String(at - 1), at, 300_000 - at),
    );
    const { segments } = criticalPath(spans);
    expect(segments.length).toBe(199_999);
    expect(segments[99_999]).toEqual({ spanKey: "99999", fromUs: 99_999, toUs: 200_001 });
  });
});

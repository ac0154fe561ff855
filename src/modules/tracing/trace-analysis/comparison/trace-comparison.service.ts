// Two traces compared step by step, and the trace that one is best compared with.
import { compareTraces } from "../../../../analysis/compare/trace-comparison.ts";
import { forestOf } from "../../../../analysis/forest.ts";
import { StepFolder } from "../../../../analysis/patterns/folded-steps.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { SpanReadsService } from "../../spans/reading/span-reads.service.ts";
import type { TraceReadsService } from "../../traces/reads/trace-reads.service.ts";
import type { TraceRecord } from "../../traces/traces.schema.ts";
import type { AnalysedSpan } from "../analysed-spans.schema.ts";
import type { TraceAnalysisService } from "../trace-analysis.service.ts";
import type { GoodCandidate, GoodTracesStore } from "./good-traces.store.ts";
import { NO_CONTENT, type StepContent, stepContentOf } from "./step-content.rules.ts";
import type { PlacedSpan, TraceComparison } from "./trace-comparison.schema.ts";

/** Traces that are looked at for one that is like another. */
const MOST_CANDIDATES = 50;

/** A trace without a failure, before another one. */
export interface GoodTrace {
  readonly trace: TraceRecord;
  /** It has the same steps, but for repetitions; else only its first step is the same. */
  readonly hasSamePattern: boolean;
}

export interface TraceComparisonService {
  /** Of each trace with another one, by row id of the first; `withId` is a row id. Bounded as the analysis of traces is. Traces that
   *  are gone are left out. */
  readComparisons(
    context: CallContext,
    traceIds: readonly number[],
    withId: number,
  ): Promise<Map<number, TraceComparison>>;
  /** Of each trace, by row id, the newest one of the project before it that has no failure and the same pattern; where none of the last 50
   *  has, the newest of them that begins with the same step. Traces without one are left out. Throws kind `too_large` for a trace beyond
   *  the bound of the analysis. */
  findGoodTraces(context: CallContext, traceIds: readonly number[]): Promise<Map<number, GoodTrace>>;
}

interface TraceComparisonDependencies {
  readonly analysis: TraceAnalysisService;
  readonly spanReads: SpanReadsService;
  readonly traceReads: TraceReadsService;
  readonly goodTraces: GoodTracesStore;
}

export function createTraceComparisonService(dependencies: TraceComparisonDependencies): TraceComparisonService {
  const { analysis, spanReads, traceReads, goodTraces } = dependencies;
  return {
    async readComparisons(context, traceIds, withId) {
      const ids = [...new Set([...traceIds, withId])];
      const traces = await traceReads.findTraces(context, ids);
      const spans = await analysis.listSpans(context, [...traces.keys()]);
      const contents = new Map<number, StepContent>();
      const spanIds = [...spans.values()].flatMap((each) => each.map(({ id }) => id));
      for await (const part of spanReads.walkPayloads(context, spanIds, analysis.limits.bytes))
        for (const [id, { attributes }] of part) contents.set(id, stepContentOf(attributes));
      const sideOf = (id: number) => {
        const [trace, found] = [traces.get(id), spans.get(id)];
        if (trace === undefined || found === undefined) return null;
        const compared = found.map((span) => ({ ...span, ...(contents.get(span.id) ?? NO_CONTENT) }));
        return { trace, compared, placed: placedSpans(found) };
      };
      const b = sideOf(withId);
      const comparisons = new Map<number, TraceComparison>();
      for (const id of traceIds) {
        const a = sideOf(id);
        if (a === null || b === null) continue;
        const steps = compareTraces(a.compared, b.compared).map((step) => ({
          ...step,
          a: step.a === null ? null : a.placed[step.a]!,
          b: step.b === null ? null : b.placed[step.b]!,
        }));
        comparisons.set(id, { a: a.trace, b: b.trace, steps });
      }
      return comparisons;
    },

    async findGoodTraces(context, traceIds) {
      const mostSpans = analysis.limits.spans;
      const traces = [...(await traceReads.findTraces(context, traceIds)).values()];
      const before = await goodTraces.listBefore(context, traces, MOST_CANDIDATES);
      const searches = traces.map((trace) => ({
        trace,
        candidates: fittingCandidates(before.get(trace.id) ?? [], mostSpans - trace.spanCount),
      }));
      const folder = new StepFolder();
      const chosen = new Map<number, ChosenTrace>();
      for (const group of groupsOf(searches, mostSpans)) {
        const spans = await analysis.listSpans(context, [...group.spanCounts.keys()]);
        for (const { trace, candidates } of group.searches) {
          const found = chooseTrace(folder, trace.id, candidates, spans);
          if (found !== null) chosen.set(trace.id, found);
        }
      }
      const good = await traceReads.findTraces(context, [...new Set([...chosen.values()].map(({ id }) => id))]);
      return new Map(
        [...chosen].flatMap(([traceId, { id, hasSamePattern }]) => {
          const trace = good.get(id);
          return trace === undefined ? [] : [[traceId, { trace, hasSamePattern }] as const];
        }),
      );
    },
  };
}

/** A trace and those that it may be like, latest first. */
interface Search {
  readonly trace: TraceRecord;
  readonly candidates: readonly GoodCandidate[];
}

/** By row id. */
interface ChosenTrace {
  readonly id: number;
  readonly hasSamePattern: boolean;
}

/** Searches one after the other whose traces have at most so many spans together; one beyond that is a group of its own. */
function groupsOf(searches: readonly Search[], mostSpans: number) {
  const groups: { readonly searches: Search[]; readonly spanCounts: Map<number, number> }[] = [];
  let spans = 0;
  for (const search of searches) {
    const wanted = [search.trace, ...search.candidates];
    const addedTo = (known?: ReadonlyMap<number, number>) =>
      wanted.reduce((sum, { id, spanCount }) => sum + (known?.has(id) ? 0 : spanCount), 0);
    let group = groups.at(-1);
    if (group === undefined || spans + addedTo(group.spanCounts) > mostSpans) {
      group = { searches: [], spanCounts: new Map() };
      groups.push(group);
      spans = 0;
    }
    spans += addedTo(group.spanCounts);
    group.searches.push(search);
    for (const { id, spanCount } of wanted) group.spanCounts.set(id, spanCount);
  }
  return groups;
}

function chooseTrace(
  folder: StepFolder,
  traceId: number,
  candidates: readonly GoodCandidate[],
  spans: ReadonlyMap<number, readonly AnalysedSpan[]>,
): ChosenTrace | null {
  const own = spans.get(traceId);
  if (own === undefined) return null;
  const pattern = folder.fold(own).id;
  const known = candidates.filter(({ id }) => spans.has(id));
  const alike = known.find(({ id }) => folder.fold(spans.get(id)!).id === pattern);
  const first = firstStep(own);
  const found = alike ?? known.find(({ id }) => firstStep(spans.get(id)!) === first);
  return found === undefined ? null : { id: found.id, hasSamePattern: alike !== undefined };
}

/** The first of them that have at most so many spans together. */
function fittingCandidates(candidates: readonly GoodCandidate[], mostSpans: number): readonly GoodCandidate[] {
  let spans = 0;
  const end = candidates.findIndex(({ spanCount }) => {
    spans += spanCount;
    return spans > mostSpans;
  });
  return end < 0 ? candidates : candidates.slice(0, end);
}

function placedSpans(spans: readonly AnalysedSpan[]): readonly PlacedSpan[] {
  const { preorder, parents } = forestOf(spans);
  const depths = new Int32Array(spans.length);
  for (const at of preorder) depths[at] = parents[at]! < 0 ? 0 : depths[parents[at]!]! + 1;
  const startUs = spans.reduce((first, span) => Math.min(first, span.startUs), Number.POSITIVE_INFINITY);
  return spans.map((span, at) => ({ ...span, depth: depths[at]!, fromUs: span.startUs - startUs }));
}

function firstStep(spans: readonly AnalysedSpan[]): string | null {
  const root = forestOf(spans).roots[0];
  return root === undefined ? null : `${spans[root]!.kind}:${spans[root]!.name}`;
}

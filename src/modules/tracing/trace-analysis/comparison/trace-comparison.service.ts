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
  /** The newest trace of the project before it that has no failure and the same pattern; where none of the last 50 has, the newest of them
   *  that begins with the same step. */
  findGoodTrace(context: CallContext, traceId: number): Promise<GoodTrace | null>;
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

    async findGoodTrace(context, traceId) {
      const trace = (await traceReads.findTraces(context, [traceId])).get(traceId);
      if (trace === undefined) return null;
      const candidates = fittingCandidates(
        await goodTraces.listBefore(context, trace, MOST_CANDIDATES),
        analysis.limits.spans - trace.spanCount,
      );
      const spans = await analysis.listSpans(context, [traceId, ...candidates]);
      const folder = new StepFolder();
      const own = spans.get(traceId);
      if (own === undefined) return null;
      const pattern = folder.fold(own).id;
      const known = candidates.filter((id) => spans.has(id));
      const alike = known.find((id) => folder.fold(spans.get(id)!).id === pattern);
      const first = firstStep(own);
      const found = alike ?? known.find((id) => firstStep(spans.get(id)!) === first);
      if (found === undefined) return null;
      const good = (await traceReads.findTraces(context, [found])).get(found);
      return good === undefined ? null : { trace: good, hasSamePattern: alike !== undefined };
    },
  };
}

/** The first of them that have at most so many spans together. */
function fittingCandidates(candidates: readonly GoodCandidate[], mostSpans: number): readonly number[] {
  let spans = 0;
  const end = candidates.findIndex(({ spanCount }) => {
    spans += spanCount;
    return spans > mostSpans;
  });
  return (end < 0 ? candidates : candidates.slice(0, end)).map(({ id }) => id);
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

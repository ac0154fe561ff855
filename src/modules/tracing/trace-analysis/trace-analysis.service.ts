// What determines how long traces take, and what they spend without getting further. Computed when it is asked for; nothing is stored.

import { criticalPath } from "../../../analysis/critical-path/critical-path.ts";
import { InstantSteps } from "../../../analysis/critical-path/instant-steps.ts";
import { costsBelow, StepCosts } from "../../../analysis/critical-path/step-costs.ts";
import { wasteOf } from "../../../analysis/loops/waste.ts";
import { identified } from "../../../kernel/ids.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { ProjectsService } from "../projects/projects.service.ts";
import type { SpanReadsService } from "../spans/reading/span-reads.service.ts";
import type { TraceReadsService } from "../traces/reads/trace-reads.service.ts";
import { TRACE, type TraceRecord } from "../traces/traces.schema.ts";
import type { AnalysedSpan } from "./analysed-spans.schema.ts";
import type { AnalysedSpansStore } from "./analysed-spans.store.ts";
import { mayRepeat, NO_WORK, workOf } from "./span-work.rules.ts";
import { analysedTraceNotFound, tooManySpans } from "./trace-analysis.errors.ts";
import type { TraceTiming, TraceWaste } from "./trace-analysis.schema.ts";

/** Of all traces of one question together. */
interface AnalysisLimits {
  readonly spans: number;
  /** Of payloads that are read; a few of them are in memory at a time. */
  readonly bytes: number;
}

const LIMITS: AnalysisLimits = { spans: 20_000, bytes: 64 * 1024 * 1024 };
/** Steps that are named. */
const MOST_STEPS = 20;

export interface TraceAnalysisService {
  /** By global id or that of the sender. Throws kind `not_found` for the project, then for a trace that is not one of it. */
  getTrace(context: CallContext, projectIdentifier: string, identifier: string): Promise<TraceRecord>;
  /** In whatever project it is. */
  findTrace(context: CallContext, identifier: string): Promise<TraceRecord | null>;
  readonly limits: AnalysisLimits;
  /** By row id of the trace, here and below; each list by start. Throws kind `too_large` beyond 20,000 spans in all. */
  listSpans(context: CallContext, traceIds: readonly number[]): Promise<Map<number, AnalysedSpan[]>>;
  /** The same bounds, here and below. */
  readTimings(context: CallContext, traceIds: readonly number[]): Promise<Map<number, TraceTiming>>;
  /** Throws kind `too_large` also beyond 64 MiB of what the repeated tools and the models were given and answered. */
  readWaste(context: CallContext, traceIds: readonly number[]): Promise<Map<number, TraceWaste>>;
}

interface TraceAnalysisDependencies {
  readonly store: AnalysedSpansStore;
  readonly spanReads: SpanReadsService;
  readonly traceReads: TraceReadsService;
  readonly projects: ProjectsService;
  readonly limits?: AnalysisLimits;
}

export function createTraceAnalysisService(dependencies: TraceAnalysisDependencies): TraceAnalysisService {
  const { store, spanReads, traceReads, projects, limits = LIMITS } = dependencies;

  async function listSpans(context: CallContext, traceIds: readonly number[]) {
    const found = await store.list(context, traceIds, limits.spans);
    if (found === null) throw tooManySpans(limits.spans);
    return found;
  }

  async function findTrace(context: CallContext, identifier: string): Promise<TraceRecord | null> {
    const named = identified(TRACE, identifier);
    if ("key" in named) return traceReads.findTraceByKey(context, named.key);
    return (await traceReads.findTraces(context, [named.id])).get(named.id) ?? null;
  }

  return {
    limits,
    listSpans,
    findTrace,

    async getTrace(context, projectIdentifier, identifier) {
      const project = await projects.getProject(context, projectIdentifier);
      const found = await findTrace(context, identifier);
      if (found?.projectId !== project.id) throw analysedTraceNotFound(identifier);
      return found;
    },

    async readTimings(context, traceIds) {
      const spans = await listSpans(context, traceIds);
      return new Map([...spans].map(([traceId, each]) => [traceId, timingOf(each)]));
    },

    async readWaste(context, traceIds) {
      const byTrace = await listSpans(context, traceIds);
      const repeating = new Map([...byTrace.values()].flatMap(mayRepeat).map((span) => [span.id, span]));
      const work = new Map<number, ReturnType<typeof workOf>>();
      for await (const part of spanReads.walkPayloads(context, [...repeating.keys()], limits.bytes))
        for (const [id, payload] of part) work.set(id, workOf(repeating.get(id)!, payload));
      const waste = (spans: readonly AnalysedSpan[]) =>
        wasteOf(spans.map((span) => ({ ...span, ...(work.get(span.id) ?? NO_WORK) })));
      return new Map([...byTrace].map(([traceId, spans]) => [traceId, { ...waste(spans), spans }]));
    },
  };
}

function timingOf(spans: readonly AnalysedSpan[]): TraceTiming {
  const instant = new InstantSteps();
  const costs = new StepCosts();
  instant.add(spans);
  costs.add(spans);
  return {
    spans,
    path: criticalPath(spans),
    costsBelow: costsBelow(spans),
    durationUs: instant.durationUs,
    instantSteps: instant.most(MOST_STEPS),
    stepCosts: costs.most(MOST_STEPS),
  };
}

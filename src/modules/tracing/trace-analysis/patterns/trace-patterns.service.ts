// The traces of a list by the sequence of their steps. Computed when it is asked for; nothing is stored.
import { PatternTally } from "../../../../analysis/patterns/pattern-tally.ts";
import { countFitting } from "../../../../kernel/list.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { TraceListScope, TraceListService } from "../../traces/list/trace-list.service.ts";
import type { AnalysedSpansStore } from "../analysed-spans.store.ts";
import { tooManySpans } from "../trace-analysis.errors.ts";
import type { TracePatterns } from "./trace-patterns.schema.ts";

export interface TracePatternsService {
  /** Of the newest traces of the list. Throws `filter.invalid`. */
  listPatterns(context: CallContext, scope: TraceListScope): Promise<TracePatterns>;
}

interface PatternLimits {
  readonly traces: number;
  /** Of all traces together; one trace may have as many. */
  readonly spans: number;
}

const LIMITS: PatternLimits = { traces: 10_000, spans: 50_000 };
const NEWEST = { sort: "startTime", order: "desc", start: null } as const;

export function createTracePatternsService(
  store: AnalysedSpansStore,
  traces: Pick<TraceListService, "listOfProject">,
  limits: PatternLimits = LIMITS,
): TracePatternsService {
  return {
    async listPatterns(context, scope) {
      const { items, next } = await traces.listOfProject(context, scope, { ...NEWEST, limit: limits.traces });
      const taken = items.slice(
        0,
        countFitting(items, limits.spans, ({ spanCount }) => spanCount),
      );
      const ids = taken.map(({ id }) => id);
      const spans = await store.list(context, ids, limits.spans);
      if (spans === null) throw tooManySpans(limits.spans);
      const tally = new PatternTally();
      for (const { id, traceKey, startUs, latencyUs, errorCount } of taken) {
        const ofTrace = spans.get(id);
        // Deleted since it was listed.
        if (ofTrace === undefined) continue;
        const cost = ofTrace.reduce((sum, each) => sum + (each.cost ?? 0), 0);
        tally.add({ traceKey, spans: ofTrace, startUs, durationUs: latencyUs, failed: errorCount > 0, cost });
      }
      return {
        traces: taken.length,
        isComplete: next === null && taken.length === items.length,
        patterns: tally.list().map(({ durationsUs, last, lastGood, ...pattern }) => ({
          ...pattern,
          p50Us: durationsUs.percentile(0.5),
          p99Us: durationsUs.percentile(0.99),
          lastKey: last.traceKey,
          lastGoodKey: lastGood?.traceKey ?? null,
        })),
      };
    },
  };
}

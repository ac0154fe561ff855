// Which traces of a project a rule takes: those before a place in the order of their starts.
import type { Clock } from "../../../kernel/clock.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { OldTraces, OldTracesStore, TracePlace } from "./old-traces.store.ts";
import type { RetentionRule } from "./retention.schema.ts";

const DAY_US = 24 * 3_600_000_000;
/** Traces whose sizes are read at once. */
const SIZED_TRACES = 1000;

export interface OldTracesService extends Pick<OldTracesStore, "list" | "count" | "countAll" | "measure"> {
  /** Disjoint sets of traces: those that the rule selects, and those past the age that their senders set. `context` is asked for each step, because each has its own deadline. */
  choose(context: () => CallContext, projectId: number, rule: RetentionRule): Promise<OldTraces[]>;
}

export function createOldTracesService(store: OldTracesStore, clock: Clock): OldTracesService {
  /** The first trace that a total of bytes keeps; null where it keeps all. */
  async function oldestOfSize(
    context: () => CallContext,
    projectId: number,
    maxBytes: number,
  ): Promise<TracePlace | null> {
    let kept: TracePlace | null = null;
    for (let remaining = maxBytes, before: TracePlace | null = null; ; ) {
      const sized = await store.listSizes(context(), projectId, before, SIZED_TRACES);
      for (const trace of sized) {
        remaining -= trace.bytes;
        // Where not even the newest fits, all go.
        if (remaining < 0) return kept ?? { startUs: trace.startUs, id: trace.id + 1 };
        kept = trace;
      }
      if (sized.length < SIZED_TRACES) return null;
      before = sized.at(-1)!;
    }
  }

  async function choose(context: () => CallContext, projectId: number, rule: RetentionRule): Promise<OldTraces[]> {
    const nowUs = clock.now();
    const beyond = newest([
      rule.maxCount ? await store.findOldestKept(context(), projectId, rule.maxCount) : null,
      rule.maxBytes ? await oldestOfSize(context, projectId, rule.maxBytes) : null,
    ]);
    const aged = rule.maxDays ? { startUs: Math.floor(nowUs - rule.maxDays * DAY_US), id: 0 } : null;
    const before = newest([aged, beyond]);
    const { keepsAnnotated, keepsDatasetSources } = rule;
    return [
      ...(before === null ? [] : [{ kind: "rule", before, beyond } as const]),
      { kind: "lifetime", nowUs, beyond } as const,
    ].map((by) => ({ projectId, keepsAnnotated, keepsDatasetSources, by }));
  }

  return { choose, list: store.list, count: store.count, countAll: store.countAll, measure: store.measure };
}

function newest(places: readonly (TracePlace | null)[]): TracePlace | null {
  const found = places.filter((place) => place !== null);
  return found.sort((one, other) => other.startUs - one.startUs || other.id - one.id)[0] ?? null;
}

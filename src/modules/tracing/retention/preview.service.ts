// What a rule would take from projects now, as far as one request may look.
import { Failure } from "../../../kernel/failure.ts";
import { DEADLINE } from "../../../storage/stopped-read.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { OldTracesService } from "./old-traces.service.ts";
import type { OldTraces, TracePlace } from "./old-traces.store.ts";
import type { RetentionCounts, RetentionPreviewCounts, RetentionRule } from "./retention.schema.ts";

export interface PreviewLimits {
  /** For all projects of a request. */
  readonly milliseconds: number;
  /** Traces that are counted of a project. */
  readonly traces: number;
}

export interface PreviewService {
  /** What the rule would take from each project now. Where the time or the number of traces is over, the answer of a project says what was
   *  found until then. */
  preview(
    context: CallContext,
    projectIds: readonly number[],
    rule: RetentionRule,
  ): Promise<Map<number, RetentionPreviewCounts>>;
}

const LIMITS: PreviewLimits = { milliseconds: 10_000, traces: 1_000_000 };
/** Of a request with many projects, each has this long while there is time. */
const LEAST_MILLISECONDS = 1000;
/** Traces of the first count; each further one looks at ten times as many. */
const FIRST_COUNT = 10_000;
/** Traces whose bytes are read at once. */
const MEASURED_TRACES = 1000;
const NOTHING: RetentionPreviewCounts = { traces: 0, spans: 0, bytes: 0, isEverything: false, isComplete: false };

type Counts = Pick<RetentionCounts, "traces" | "spans">;

export function createPreviewService(oldTraces: OldTracesService, limits: PreviewLimits = LIMITS): PreviewService {
  /** Traces and spans, in counts of more and more traces: what one has found stays when the next is stopped. */
  async function count(context: CallContext, traces: OldTraces, most: number): Promise<Counts & Complete> {
    let found: Counts & Complete = { traces: 0, spans: 0, isComplete: false };
    for (let limit = Math.min(FIRST_COUNT, most); ; limit = Math.min(limit * 10, most)) {
      const counted = await unlessStopped(() => oldTraces.count(context, traces, limit));
      if (counted === null) return found;
      found = { ...counted, isComplete: counted.traces < limit };
      if (found.isComplete || limit === most) return found;
    }
  }

  async function measure(context: CallContext, traces: OldTraces, most: number): Promise<{ bytes: number } & Complete> {
    let bytes = 0;
    let after: TracePlace | null = null;
    for (let left = most; left > 0; left -= MEASURED_TRACES) {
      const limit = Math.min(MEASURED_TRACES, left);
      const part = await unlessStopped(async () => {
        const listed = await oldTraces.list(context, traces, after, limit);
        const ids = listed.map(({ id }) => id);
        return { listed, held: await oldTraces.measure(context, ids) };
      });
      if (part === null) return { bytes, isComplete: false };
      bytes += part.held.bytes;
      if (part.listed.length < limit) break;
      after = part.listed.at(-1)!;
    }
    return { bytes, isComplete: true };
  }

  async function previewProject(
    context: CallContext,
    projectId: number,
    rule: RetentionRule,
    milliseconds: number,
  ): Promise<RetentionPreviewCounts> {
    const endsAt = Math.min(context.deadline, performance.now() + milliseconds);
    /** A part of the time that is left, so that a slow step leaves some to the next. */
    const within = (part: number): CallContext => {
      const now = performance.now();
      return { ...context, deadline: now + Math.max(0, endsAt - now) * part };
    };
    const half = within(0.5);
    const chosen = await unlessStopped(() => oldTraces.choose(() => half, projectId, rule));
    // A walk by size that was stopped has found no limit; those by age and count are still looked up.
    const rest = within(0.5);
    const choices =
      chosen ?? (await unlessStopped(() => oldTraces.choose(() => rest, projectId, { ...rule, maxBytes: null })));
    if (choices === null) return NOTHING;
    let found = { ...NOTHING, isComplete: chosen !== null };
    for (const traces of choices) {
      const counted = await count(within(0.5), traces, limits.traces - found.traces);
      const measured = await measure(within(0.8), traces, counted.traces);
      found = {
        ...found,
        traces: found.traces + counted.traces,
        spans: found.spans + counted.spans,
        bytes: found.bytes + measured.bytes,
        isComplete: found.isComplete && counted.isComplete && measured.isComplete,
      };
      if (found.traces >= limits.traces) break;
    }
    if (found.traces === 0) return found;
    const all = await unlessStopped(() => oldTraces.countAll(within(1), projectId));
    // More where traces arrived between the two counts.
    return all === null ? { ...found, isComplete: false } : { ...found, isEverything: all <= found.traces };
  }

  return {
    async preview(context, projectIds, rule) {
      const endsAt = performance.now() + limits.milliseconds;
      const previews = new Map<number, RetentionPreviewCounts>();
      for (const [index, projectId] of projectIds.entries()) {
        const left = Math.max(0, endsAt - performance.now());
        const share = Math.min(left, Math.max(LEAST_MILLISECONDS, left / (projectIds.length - index)));
        previews.set(projectId, share === 0 ? NOTHING : await previewProject(context, projectId, rule, share));
      }
      return previews;
    },
  };
}

interface Complete {
  readonly isComplete: boolean;
}

/** Null where the time of the read was over; other failures are thrown. */
async function unlessStopped<Read>(read: () => Promise<Read>): Promise<Read | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Failure && error.code === DEADLINE) return null;
    throw error;
  }
}

// Deletes what policies no longer keep: whole traces, the oldest first, with the sessions that they leave empty. One server does it at a
// time; what an interruption leaves is found again.
import type { Clock } from "../../kernel/clock.ts";
import { messageOf } from "../../kernel/failure.ts";
import type { Logger } from "../../kernel/logger.ts";
import type { CallContext } from "../../storage/storage.ts";
import type { DeletionService } from "../traces/delete/deletion.service.ts";
import type { OldTracesService } from "./old-traces.service.ts";
import type { OldTraces, TracePlace } from "./old-traces.store.ts";
import type { PoliciesStore } from "./policies.store.ts";
import type { PolicyAssignmentsStore } from "./policy-assignments.store.ts";
import type {
  RetentionCounts,
  RetentionPolicy,
  RetentionPreviewCounts,
  RetentionRule,
  RetentionSweep,
} from "./retention.schema.ts";
import { dueMoment } from "./schedule.rules.ts";
import type { SweepsStore } from "./sweeps.store.ts";

const DAY_US = 24 * 3_600_000_000;
/** Traces that are listed, measured and deleted at once. */
const PART_TRACES = 100;
/** Spans of one transaction, and how many times as long as it took is left to ingestion after it. */
const PACE = { spans: 100, rest: 4 };
/** Microseconds for which the sweeps that were made are kept. */
const SWEEPS_KEPT_US = 180 * DAY_US;
const NOTHING: RetentionCounts = { traces: 0, spans: 0, bytes: 0 };

interface SweepsDependencies {
  readonly policies: Pick<PoliciesStore, "list" | "markServed">;
  readonly assignments: Pick<PolicyAssignmentsStore, "listProjects">;
  readonly store: SweepsStore;
  readonly oldTraces: OldTracesService;
  readonly deletion: Pick<DeletionService, "deleteTraces">;
  /** Runs the work unless another server does; false where it did not run. */
  readonly withLease: (context: CallContext, work: () => Promise<void>) => Promise<boolean>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Asked between parts: false ends a round early, and the next one goes on. */
type GoOn = () => boolean;

export interface SweepsService {
  /** Serves what schedules ask for, as long as `goOn` says so. Resolves to true when nothing is left to do now. `context` is asked for
   *  each step, because each has its own deadline. */
  serveSchedules(context: () => CallContext, goOn: GoOn): Promise<boolean>;
  /** What the rule would take from the project now. */
  preview(context: CallContext, projectId: number, rule: RetentionRule): Promise<RetentionPreviewCounts>;
  /** The newest first. */
  listSweeps(
    context: CallContext,
    of: { readonly policyId: number } | { readonly projectId: number },
    limit: number,
  ): Promise<RetentionSweep[]>;
}

export function createSweepsService(dependencies: SweepsDependencies): SweepsService {
  const { policies, assignments, store, oldTraces, deletion, withLease, clock, log } = dependencies;
  /** Projects that earlier rounds of a sweep have finished. */
  const swept = new Set<string>();

  async function removePart(
    context: () => CallContext,
    traces: OldTraces,
    after: TracePlace | null,
  ): Promise<{ readonly taken: RetentionCounts; readonly last: TracePlace | null }> {
    const part = await oldTraces.list(context(), traces, after, PART_TRACES);
    if (part.length === 0) return { taken: NOTHING, last: null };
    const ids = part.map(({ id }) => id);
    const held = await oldTraces.measure(context(), ids);
    await deletion.deleteTraces(context(), traces.projectId, part, {
      spans: PACE.spans,
      rest: (worked) => Bun.sleep(worked * PACE.rest),
    });
    // What was moved to another project meanwhile is still there.
    return { taken: subtract(held, await oldTraces.measure(context(), ids)), last: part.at(-1)! };
  }

  /** True when the project is done. */
  async function sweepProject(
    context: () => CallContext,
    policy: RetentionPolicy,
    { projectId, dueUs }: { readonly projectId: number; readonly dueUs: number },
    goOn: GoOn,
  ): Promise<boolean> {
    const beganUs = clock.now();
    let taken = NOTHING;
    let failure: string | null = null;
    let isDone = true;
    try {
      for (const traces of await oldTraces.choose(context, projectId, policy)) {
        for (let after: TracePlace | null = null; isDone; isDone = goOn()) {
          const { taken: more, last } = await removePart(context, traces, after);
          taken = add(taken, more);
          if (last === null) break;
          after = last;
        }
      }
    } catch (error) {
      failure = messageOf(error);
      log.warning("a project could not be swept", { project_id: projectId, policy: policy.name, reason: failure });
    }
    if (taken.traces > 0 || failure !== null) {
      const endedUs = clock.now();
      const sweep = { policyId: policy.id, projectId, dueUs, beganUs, endedUs, ...taken, failure };
      await store.record(context(), sweep, endedUs - SWEEPS_KEPT_US);
      const seconds = Math.round((endedUs - beganUs) / 1000) / 1000;
      if (taken.traces > 0)
        log.info("old traces were deleted", { project_id: projectId, policy: policy.name, ...taken, seconds });
    }
    return isDone;
  }

  async function serve(
    context: () => CallContext,
    policy: RetentionPolicy,
    dueUs: number,
    goOn: GoOn,
  ): Promise<boolean> {
    const keyOf = (projectId: number) => `${policy.id} ${dueUs} ${projectId}`;
    const projectIds = await assignments.listProjects(context(), policy.id);
    for (const projectId of projectIds.filter((id) => !swept.has(keyOf(id)))) {
      if (!(await sweepProject(context, policy, { projectId, dueUs }, goOn))) return false;
      swept.add(keyOf(projectId));
      if (!goOn() && projectId !== projectIds.at(-1)) return false;
    }
    for (const projectId of projectIds) swept.delete(keyOf(projectId));
    await policies.markServed(context(), policy.id, dueUs);
    return true;
  }

  return {
    async serveSchedules(context, goOn) {
      const dueSince = ({ schedule, servedUs }: RetentionPolicy) =>
        servedUs < 0 ? -servedUs : dueMoment(schedule, servedUs, clock.now());
      if ((await policies.list(context())).every((policy) => dueSince(policy) === null)) return true;
      let isDone = true;
      await withLease(context(), async () => {
        // Asked again under the lease: another server may have served some.
        for (const policy of await policies.list(context())) {
          const dueUs = dueSince(policy);
          if (dueUs === null) continue;
          isDone = await serve(context, policy, dueUs, goOn);
          if (!isDone) return;
        }
      });
      return isDone;
    },

    async preview(context, projectId, rule) {
      let taken = NOTHING;
      for (const traces of await oldTraces.choose(() => context, projectId, rule)) {
        taken = add(taken, await oldTraces.count(context, traces));
      }
      // More where traces arrived between the two counts.
      const isEverything = taken.traces > 0 && (await oldTraces.countAll(context, projectId)) <= taken.traces;
      return { ...taken, isEverything };
    },

    listSweeps: (context, of, limit) => store.listSweeps(context, of, limit),
  };
}

function add(one: RetentionCounts, other: RetentionCounts): RetentionCounts {
  return {
    traces: one.traces + other.traces,
    spans: one.spans + other.spans,
    bytes: one.bytes + other.bytes,
  };
}

function subtract(one: RetentionCounts, other: RetentionCounts): RetentionCounts {
  return {
    traces: one.traces - other.traces,
    spans: one.spans - other.spans,
    bytes: one.bytes - other.bytes,
  };
}

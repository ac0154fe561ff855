// Deletes what policies no longer keep: whole traces, the oldest first, with the sessions that they leave empty. One server does it at a
// time; what an interruption leaves is found again.
import type { JobContext } from "../../../jobs/job.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { messageOf } from "../../../kernel/failure.ts";
import { globalId } from "../../../kernel/ids.ts";
import type { Logger } from "../../../kernel/logger.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { DeletionService } from "../deletion/deletion.service.ts";
import { PROJECT } from "../projects/projects.schema.ts";
import type { OldTracesService } from "./old-traces.service.ts";
import type { OldTraces, TracePlace } from "./old-traces.store.ts";
import type { PoliciesStore } from "./policies.store.ts";
import type { PolicyAssignmentsStore } from "./policy-assignments.store.ts";
import type { RetentionCounts, RetentionPolicy, RetentionSweep } from "./retention.schema.ts";
import { lastDue } from "./schedule.rules.ts";
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
  readonly policies: PoliciesStore;
  readonly assignments: PolicyAssignmentsStore;
  readonly store: SweepsStore;
  readonly oldTraces: OldTracesService;
  readonly deletion: DeletionService;
  readonly clock: Clock;
  readonly log: Logger;
}

/** How far a sweep of a project has come. Its limits are chosen once: finding them may read the sizes of all its traces. */
interface ProjectSweep {
  /** The rule that the limits were chosen by. */
  readonly rule: string;
  /** What is still to be taken, the first one behind `after`. */
  readonly choices: OldTraces[];
  after: TracePlace | null;
}

/** Of a policy at one time of its schedule. */
interface PolicySweep {
  readonly dueUs: number;
  readonly sweptProjects: Set<number>;
  /** Projects whose last attempt failed. */
  readonly failedProjects: Set<number>;
  readonly begun: Map<number, ProjectSweep>;
}

export interface SweepsService {
  /** Serves what schedules ask for, project by project. One that fails is tried again later, and its policy counts as served only when
   *  all of its projects are. Resolves to false when more is left. For one server at a time. */
  serveSchedules(job: JobContext): Promise<boolean>;
  /** The newest first, so many of each, by policy. */
  listOfPolicies(context: CallContext, ids: readonly number[], limit: number): Promise<Map<number, RetentionSweep[]>>;
  /** The same by project. */
  listOfProjects(context: CallContext, ids: readonly number[], limit: number): Promise<Map<number, RetentionSweep[]>>;
}

/** With its limits, which are chosen again when the rule has changed. */
async function begunSweep(
  oldTraces: OldTracesService,
  context: () => CallContext,
  policy: RetentionPolicy,
  { begun }: PolicySweep,
  projectId: number,
): Promise<ProjectSweep> {
  const { maxDays, maxCount, maxBytes, keepsAnnotated, keepsDatasetSources } = policy;
  const rule = JSON.stringify([maxDays, maxCount, maxBytes, keepsAnnotated, keepsDatasetSources]);
  const before = begun.get(projectId);
  if (before?.rule === rule) return before;
  const sweep = { rule, choices: await oldTraces.choose(context, projectId, policy), after: null };
  begun.set(projectId, sweep);
  return sweep;
}

function sweepOf(sweeps: Map<number, PolicySweep>, { id }: RetentionPolicy, dueUs: number): PolicySweep {
  const before = sweeps.get(id);
  if (before?.dueUs === dueUs) return before;
  const sweep = { dueUs, sweptProjects: new Set<number>(), failedProjects: new Set<number>(), begun: new Map() };
  sweeps.set(id, sweep);
  return sweep;
}

export function createSweepsService(dependencies: SweepsDependencies): SweepsService {
  const { policies, assignments, store, oldTraces, deletion, clock, log } = dependencies;
  /** Sweeps that have begun, by policy. */
  const sweeps = new Map<number, PolicySweep>();

  async function removePart(
    { context, pause }: JobContext,
    traces: OldTraces,
    after: TracePlace | null,
  ): Promise<{ readonly taken: RetentionCounts; readonly last: TracePlace | null }> {
    const part = await oldTraces.list(context(), traces, after, PART_TRACES);
    if (part.length === 0) return { taken: NOTHING, last: null };
    const ids = part.map(({ id }) => id);
    const held = await oldTraces.measure(context(), ids);
    await deletion.deleteTraces(context(), traces.projectId, part, {
      spans: PACE.spans,
      rest: (worked) => pause(worked * PACE.rest),
    });
    // What was moved to another project meanwhile is still there.
    return { taken: subtract(held, await oldTraces.measure(context(), ids)), last: part.at(-1)! };
  }

  /** True when the project is done. */
  async function sweepProject(
    job: JobContext,
    policy: RetentionPolicy,
    sweep: PolicySweep,
    projectId: number,
  ): Promise<boolean> {
    const { context, goOn } = job;
    const beganUs = clock.now();
    let taken = NOTHING;
    const record = async (failure: string | null) => {
      const endedUs = clock.now();
      const row = { policyId: policy.id, projectId, dueUs: sweep.dueUs, beganUs, endedUs, ...taken, failure };
      await store.record(context(), row, endedUs - SWEEPS_KEPT_US);
      const seconds = Math.round((endedUs - beganUs) / 1000) / 1000;
      if (taken.traces > 0)
        log.info("old traces were deleted", { project_id: projectId, policy: policy.name, ...taken, seconds });
    };
    try {
      const project = await begunSweep(oldTraces, context, policy, sweep, projectId);
      let isInTime = true;
      while (project.choices[0] !== undefined && isInTime) {
        const { taken: more, last } = await removePart(job, project.choices[0], project.after);
        taken = add(taken, more);
        project.after = last;
        if (last === null) project.choices.shift();
        else isInTime = goOn();
      }
      const isDone = project.choices.length === 0;
      if (isDone) sweep.begun.delete(projectId);
      if (taken.traces > 0 || sweep.failedProjects.has(projectId)) await record(null);
      sweep.failedProjects.delete(projectId);
      return isDone;
    } catch (error) {
      sweep.begun.delete(projectId);
      sweep.failedProjects.add(projectId);
      await record(messageOf(error));
      throw error;
    }
  }

  /** False when the round is over and more is left. */
  async function serve(job: JobContext, policy: RetentionPolicy, dueUs: number): Promise<boolean> {
    const sweep = sweepOf(sweeps, policy, dueUs);
    const projectIds = await assignments.listProjects(job.context(), policy.id);
    const due = projectIds.filter((id) => !sweep.sweptProjects.has(id));
    for (const projectId of due) {
      let isDone = true;
      const hasSucceeded = await job.attempt(globalId(PROJECT, projectId), async () => {
        isDone = await sweepProject(job, policy, sweep, projectId);
      });
      if (!isDone) return false;
      if (hasSucceeded) sweep.sweptProjects.add(projectId);
      if (!job.goOn() && projectId !== due.at(-1)) return false;
    }
    if (projectIds.some((id) => !sweep.sweptProjects.has(id))) return true;
    sweeps.delete(policy.id);
    await policies.completeSweep(job.context(), policy, dueUs);
    return true;
  }

  return {
    async serveSchedules(job) {
      for (const policy of await policies.list(job.context())) {
        const { schedule, servedUs } = policy;
        const dueUs = servedUs < 0 ? -servedUs : lastDue(schedule, servedUs, clock.now());
        if (dueUs !== null && !(await serve(job, policy, dueUs))) return false;
      }
      return true;
    },

    listOfPolicies: (context, ids, limit) => store.listSweeps(context, "policy_id", ids, limit),
    listOfProjects: (context, ids, limit) => store.listSweeps(context, "project_id", ids, limit),
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

// The use cases of retention policies: making, changing and assigning them. What they delete is the business of the sweeps.
import type { Clock } from "../../../kernel/clock.ts";
import { globalId } from "../../../kernel/ids.ts";
import type { CallContext, Storage } from "../../../storage/storage.ts";
import type { ProjectsService } from "../projects/projects.service.ts";
import type { PoliciesStore } from "./policies.store.ts";
import type { PolicyAssignmentsStore } from "./policy-assignments.store.ts";
import { defaultPolicyKeepsItsName, defaultPolicyStays, policyNotFound, policyRefused } from "./retention.errors.ts";
import {
  DEFAULT_POLICY_ID,
  MAX_POLICY_NAME_BYTES,
  type NewRetentionPolicy,
  RETENTION_POLICY,
  type RetentionPolicy,
  type RetentionPolicyChanges,
  type RetentionRule,
} from "./retention.schema.ts";
import { nextOccurrence, scheduleProblem } from "./schedule.rules.ts";

interface RetentionDependencies {
  readonly store: PoliciesStore;
  readonly assignments: PolicyAssignmentsStore;
  readonly storage: Pick<Storage, "transaction">;
  readonly projects: ProjectsService;
  readonly clock: Clock;
  /** SERVICE_DEFAULT_RETENTION_POLICY_DAYS. */
  readonly defaultDays: number;
}

/** Row ids of projects. */
interface Assignments {
  readonly add?: readonly number[];
  readonly remove?: readonly number[];
}

export interface RetentionService {
  /** The default policy first. */
  listPolicies(context: CallContext): Promise<RetentionPolicy[]>;
  /** By row id. */
  findPolicies(context: CallContext, ids: readonly number[]): Promise<Map<number, RetentionPolicy>>;
  /** Throws kind `not_found`. */
  getPolicy(context: CallContext, id: number): Promise<RetentionPolicy>;
  /** The policy of each project. */
  policiesOfProjects(context: CallContext, projectIds: readonly number[]): Promise<Map<number, RetentionPolicy>>;
  /** Row ids of the projects that have it, ascending. */
  listProjectIds(context: CallContext, policyId: number): Promise<number[]>;
  /** Pages of them, by policy. */
  pageProjects: PolicyAssignmentsStore["pageProjects"];
  /** Throws kind `invalid` for an invalid name, schedule or rule, `not_found` for projects. */
  createPolicy(context: CallContext, policy: NewRetentionPolicy, assignments?: Assignments): Promise<RetentionPolicy>;
  /** Throws like `createPolicy`, kind `not_found` for the policy, `invalid` for another name of the default one. */
  changePolicy(
    context: CallContext,
    id: number,
    changes: RetentionPolicyChanges,
    assignments?: Assignments,
  ): Promise<RetentionPolicy>;
  /** Its projects have the default policy then. Throws kind `not_found`, and `invalid` for the default policy. */
  deletePolicy(context: CallContext, id: number): Promise<RetentionPolicy>;
  /** Gives a project, by id or name, another policy. Throws kind `not_found` for the project, then for the policy. */
  assign(context: CallContext, projectIdentifier: string, policyId: number): Promise<{ readonly projectId: number }>;
  /** Has the policy served as soon as a server looks, whatever its schedule says. Throws kind `not_found`. */
  requestSweep(context: CallContext, id: number): Promise<RetentionPolicy>;
  /** Makes the default policy unless it exists. Called at start. */
  ensureDefaultPolicy(context: CallContext): Promise<void>;
  /** Microseconds. */
  nextSweepUs(policy: RetentionPolicy): number;
}

const DEFAULT_NAME = "Default";
/** Sundays at midnight. */
const DEFAULT_SCHEDULE = "0 0 * * 0";
/** A century: what is older was not traced. */
const MAX_DAYS = 36_525;

export function createRetentionService(dependencies: RetentionDependencies): RetentionService {
  const { store, assignments, storage, projects, clock, defaultDays } = dependencies;

  async function getPolicy(context: CallContext, id: number): Promise<RetentionPolicy> {
    const [policy] = await store.findAll(context, [id]);
    if (policy === undefined) throw policyNotFound(globalId(RETENTION_POLICY, id));
    return policy;
  }

  /** In the transaction that holds the policy. Throws kind `not_found` for projects. */
  async function assignAll(inner: CallContext, id: number, { add = [], remove = [] }: Assignments): Promise<void> {
    const named = [...new Set([...add, ...remove])];
    if (named.length === 0) return;
    await assignments.lockProjects(inner, named);
    for (const project of named) await projects.getProject(inner, globalId("Project", project));
    if (add.length > 0) await assignments.assign(inner, add, id);
    if (remove.length > 0) await assignments.release(inner, remove, id);
  }

  /** In a transaction that holds it. Throws kind `not_found`. */
  const holding = <Result>(
    context: CallContext,
    id: number,
    work: (inner: CallContext, policy: RetentionPolicy) => Promise<Result>,
  ): Promise<Result> =>
    storage.transaction(context, async (inner) => {
      const policy = await store.lock(inner, id);
      if (policy === null) throw policyNotFound(globalId(RETENTION_POLICY, id));
      return work(inner, policy);
    });

  return {
    getPolicy,
    listPolicies: store.list,
    listProjectIds: assignments.listProjects,
    pageProjects: assignments.pageProjects,
    nextSweepUs: ({ schedule }) => nextOccurrence(schedule, clock.now()),

    async findPolicies(context, ids) {
      return new Map((await store.findAll(context, ids)).map((policy) => [policy.id, policy]));
    },

    async policiesOfProjects(context, projectIds) {
      const assigned = await assignments.listOfProjects(context, projectIds);
      const policies = await store.findAll(context, [...new Set(assigned.map(({ policyId }) => policyId))]);
      return new Map(
        assigned.flatMap(({ projectId, policyId }) => {
          const policy = policies.find(({ id }) => id === policyId);
          return policy === undefined ? [] : [[projectId, policy]];
        }),
      );
    },

    async createPolicy(context, policy, given = {}) {
      const checked = { ...policy, name: policy.name.trim(), schedule: plainSchedule(policy.schedule) };
      requirePolicy(checked);
      requireApart(given);
      return storage.transaction(context, async (inner) => {
        const made = await store.insert(inner, checked, clock.now());
        await assignAll(inner, made.id, given);
        return made;
      });
    },

    async changePolicy(context, id, changes, given = {}) {
      const before = await getPolicy(context, id);
      const { name, schedule } = changes;
      const checked = {
        ...changes,
        ...(name === undefined ? {} : { name: name.trim() }),
        ...(schedule === undefined ? {} : { schedule: plainSchedule(schedule) }),
      };
      if (id === DEFAULT_POLICY_ID && (checked.name ?? before.name) !== before.name) throw defaultPolicyKeepsItsName();
      requirePolicy({ ...before, ...checked });
      requireApart(given);
      return storage.transaction(context, async (inner) => {
        const changed = await store.update(inner, id, checked, clock.now());
        if (changed === null) throw policyNotFound(globalId(RETENTION_POLICY, id));
        // A past time of the new schedule does not count as missed.
        if (checked.schedule !== undefined && checked.schedule !== before.schedule) {
          await store.markServed(inner, id, clock.now());
        }
        await assignAll(inner, id, given);
        return changed;
      });
    },

    async deletePolicy(context, id) {
      if (id === DEFAULT_POLICY_ID) throw defaultPolicyStays();
      return holding(context, id, (inner, policy) => store.remove(inner, id).then(() => policy));
    },

    async assign(context, projectIdentifier, policyId) {
      const { id: projectId } = await projects.getProject(context, projectIdentifier);
      return holding(context, policyId, async (inner) => {
        await assignAll(inner, policyId, { add: [projectId] });
        return { projectId };
      });
    },

    async requestSweep(context, id) {
      const policy = await getPolicy(context, id);
      await store.requestSweep(context, id, clock.now());
      return policy;
    },

    async ensureDefaultPolicy(context) {
      if ((await store.findAll(context, [DEFAULT_POLICY_ID])).length > 0) return;
      const rule: RetentionRule = {
        maxDays: defaultDays,
        maxCount: null,
        maxBytes: null,
        keepsAnnotated: false,
        keepsDatasetSources: false,
      };
      const policy = { ...rule, name: DEFAULT_NAME, schedule: DEFAULT_SCHEDULE };
      await store.insertDefault(context, policy, clock.now());
    },
  };
}

function requireApart({ add = [], remove = [] }: Assignments): void {
  const both = add.find((id) => remove.includes(id));
  if (both !== undefined) throw policyRefused("removeProjects", `${globalId("Project", both)} is in addProjects, too`);
}

function plainSchedule(schedule: string): string {
  return schedule.trim().split(/\s+/).join(" ");
}

function requirePolicy(policy: NewRetentionPolicy): void {
  const { name, schedule, maxDays, maxCount, maxBytes } = policy;
  if (name === "") throw policyRefused("name", "must not be empty");
  if (Buffer.byteLength(name) > MAX_POLICY_NAME_BYTES) {
    throw policyRefused("name", `must not be longer than ${MAX_POLICY_NAME_BYTES} bytes`);
  }
  const problem = scheduleProblem(schedule);
  if (problem !== null) throw policyRefused("cronExpression", problem);
  const halves = { maxDays, maxCount, maxBytes };
  for (const [half, value] of Object.entries(halves)) {
    if (value !== null && !(value >= 0)) throw policyRefused(half, "must not be negative");
    if (value !== null && value > Number.MAX_SAFE_INTEGER) throw policyRefused(half, "is too large");
  }
  if ((maxDays ?? 0) > MAX_DAYS) throw policyRefused("maxDays", `must not be more than ${MAX_DAYS}`);
}

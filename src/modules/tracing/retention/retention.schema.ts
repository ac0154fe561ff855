// How long traces are kept: policies, what a sweep took, and their shapes over REST.
import { type Static, Type } from "@sinclair/typebox";
import { globalId, type TypeWord } from "../../../kernel/ids.ts";
import { Amount, Nullable } from "../../../kernel/schema.ts";
import { formatInstant } from "../../../kernel/time.ts";

export interface RetentionPolicy extends RetentionRule {
  readonly id: number;
  readonly name: string;
  /** Five fields of cron, UTC. */
  readonly schedule: string;
  /** The last served time of the schedule; a negative value is the time since which a sweep is requested. */
  readonly servedUs: number;
  readonly createdUs: number;
  readonly updatedUs: number;
}

/** Which traces of a project go, oldest first: those that any half names. Null where the rule does not have it, 0 switches it off. */
export interface RetentionRule {
  /** Since the start of the trace. */
  readonly maxDays: number | null;
  /** Traces of a project. */
  readonly maxCount: number | null;
  /** Of the payloads of a project. */
  readonly maxBytes: number | null;
  /** Traces that a person annotated stay, with those of a session that one annotated. */
  readonly keepsAnnotated: boolean;
  /** Traces that examples of datasets were made of stay. */
  readonly keepsDatasetSources: boolean;
}

export type NewRetentionPolicy = RetentionRule & Pick<RetentionPolicy, "name" | "schedule">;

/** What is absent stays. */
export type RetentionPolicyChanges = Partial<NewRetentionPolicy>;

/** Traces with their spans, and the bytes of their payloads. */
export interface RetentionCounts {
  readonly traces: number;
  readonly spans: number;
  readonly bytes: number;
}

/** What a rule would take from a project now. */
export interface RetentionPreviewCounts extends RetentionCounts {
  /** No trace of the project would stay. */
  readonly isEverything: boolean;
  /** False where the look was stopped early: the counts are at least these, and parts of them may not have been looked for. */
  readonly isComplete: boolean;
}

/** What a sweep took from a project. */
export interface RetentionSweep extends RetentionCounts {
  readonly id: number;
  readonly policyId: number;
  readonly projectId: number;
  /** The time of the schedule that it served. */
  readonly dueUs: number;
  readonly beganUs: number;
  readonly endedUs: number;
  /** Why it ended early; null for one that is complete. */
  readonly failure: string | null;
}

export const RETENTION_POLICY: TypeWord<RetentionPolicy> = "ProjectTraceRetentionPolicy";
/** The policy of every project without another one. */
export const DEFAULT_POLICY_ID = 0;
export const MAX_POLICY_NAME_BYTES = 1024;

export const RetentionAssignment = Type.Object({
  policy_id: Nullable(Type.String(), { description: "The id of a retention policy; null for the default one." }),
});

export const RetentionAssigned = Type.Object({
  data: Type.Object({ project_id: Type.String(), policy_id: Nullable(Type.String()) }),
});

const PolicyBody = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    schedule: Type.String({ description: "Five fields of cron, UTC: `0 hour * * weekday`." }),
    max_days: Nullable(Type.Number()),
    max_count: Nullable(Type.Integer()),
    max_bytes: Nullable(Type.Integer({ description: "Of the payloads of a project." })),
    keeps_annotated: Type.Boolean(),
    keeps_dataset_sources: Type.Boolean(),
    next_sweep_at: Type.String(),
  },
  { $id: "RetentionPolicy" },
);
type PolicyBody = Static<typeof PolicyBody>;
export const PolicyAnswer = Type.Object({ data: PolicyBody });
export const PolicyListAnswer = Type.Object({ data: Type.Array(PolicyBody) });

export function policyBody(policy: RetentionPolicy, nextSweepUs: number): PolicyBody {
  return {
    id: globalId(RETENTION_POLICY, policy.id),
    name: policy.name,
    schedule: policy.schedule,
    max_days: policy.maxDays,
    max_count: policy.maxCount,
    max_bytes: policy.maxBytes,
    keeps_annotated: policy.keepsAnnotated,
    keeps_dataset_sources: policy.keepsDatasetSources,
    next_sweep_at: formatInstant(nextSweepUs),
  };
}

const ruleFields = {
  max_days: Type.Optional(Nullable(Amount({ minimum: 0 }))),
  max_count: Type.Optional(Nullable(Type.Integer({ minimum: 0 }))),
  max_bytes: Type.Optional(Nullable(Type.Integer({ minimum: 0 }))),
  keeps_annotated: Type.Optional(Type.Boolean()),
  keeps_dataset_sources: Type.Optional(Type.Boolean()),
};

export const NewPolicyBody = Type.Object({ name: Type.String(), schedule: Type.String(), ...ruleFields });
export const PolicyPatchBody = Type.Partial(NewPolicyBody);

/** The members that were sent. */
export function policyChanges(body: Static<typeof PolicyPatchBody>): RetentionPolicyChanges {
  const { max_days: maxDays, max_count: maxCount, max_bytes: maxBytes } = body;
  const { name, schedule, keeps_annotated: keepsAnnotated, keeps_dataset_sources: keepsDatasetSources } = body;
  const all = { name, schedule, maxDays, maxCount, maxBytes, keepsAnnotated, keepsDatasetSources };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

export const RetentionPreviewAnswer = Type.Object({
  data: Type.Object({
    projects: Type.Array(
      Type.Object({
        project_id: Type.String(),
        trace_count: Type.Integer(),
        span_count: Type.Integer(),
        byte_count: Type.Integer({ description: "Of payloads." }),
        is_everything: Type.Boolean({ description: "No trace of the project would stay." }),
        is_complete: Type.Boolean({ description: "False where the time was over: the counts are at least these." }),
      }),
    ),
  }),
});

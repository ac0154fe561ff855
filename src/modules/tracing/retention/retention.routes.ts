// Retention over REST: the policies, which project has which, and what a policy would delete now.
import { type Route, type RouteModule, route } from "../../../api/route.ts";
import { findRowId, globalId } from "../../../kernel/ids.ts";
import { PROJECT } from "../projects/projects.schema.ts";
import type { PreviewService } from "./preview.service.ts";
import { notAPolicyId } from "./retention.errors.ts";
import {
  DEFAULT_POLICY_ID,
  NewPolicyBody,
  PolicyAnswer,
  PolicyListAnswer,
  PolicyPatchBody,
  policyBody,
  policyChanges,
  RETENTION_POLICY,
  RetentionAssigned,
  RetentionAssignment,
  type RetentionPolicy,
  RetentionPreviewAnswer,
  type RetentionPreviewCounts,
} from "./retention.schema.ts";
import type { RetentionService } from "./retention.service.ts";

interface RetentionServices {
  readonly retention: RetentionService;
  readonly previews: PreviewService;
}

const POLICY_LINKS = {
  updateRetentionPolicy: { policy_id: "$response.body#/data/id" },
  previewRetentionPolicy: { policy_id: "$response.body#/data/id" },
  deleteRetentionPolicy: { policy_id: "$response.body#/data/id" },
};
const id = "UHJvamVjdFRyYWNlUmV0ZW50aW9uUG9saWN5OjE=";
const projectId = "UHJvamVjdDoy";
const sent = { name: "a month", schedule: "0 3 * * *", max_days: 30, keeps_annotated: true };
const answered = {
  id,
  ...sent,
  max_count: null,
  max_bytes: null,
  keeps_dataset_sources: false,
  next_sweep_at: "2026-11-24T03:00:00+00:00",
};
const notFound = { not_found: "No retention policy has this id." };
const badId = { invalid: "This is not the id of a retention policy." };
const refused = { invalid: "The name, the schedule or the rule is not valid." };

export function retentionRoutes(services: RetentionServices): RouteModule {
  return { name: "retention", routes: [...policyRoutes(services), ...projectRoutes(services)] };
}

/** Throws kind `invalid` for any other text. */
function requirePolicyId(text: string): number {
  const rowId = findRowId(RETENTION_POLICY, text);
  if (rowId === null || rowId < 0) throw notAPolicyId(text);
  return rowId;
}

function policyRoutes({ retention, previews }: RetentionServices): Route[] {
  const answer = (policy: RetentionPolicy) => ({ data: policyBody(policy, retention.nextSweepUs(policy)) });
  return [
    route({
      method: "GET",
      path: "/v1/retention_policies",
      operationId: "listRetentionPolicies",
      summary: "List retention policies",
      description: "The default one first.",
      action: "retention.read",
      status: 200,
      response: PolicyListAnswer,
      example: { response: { data: [answered] } },
      handler: async ({ context }) => ({
        data: (await retention.listPolicies(context)).map((policy) => answer(policy).data),
      }),
    }),
    route({
      method: "POST",
      path: "/v1/retention_policies",
      operationId: "createRetentionPolicy",
      summary: "Create a retention policy",
      description:
        "Traces go whole, the oldest first, as soon as any part of the rule names them. 0 or null switches a part off.",
      action: "retention.change",
      status: 200,
      links: POLICY_LINKS,
      storageLocked: true,
      body: NewPolicyBody,
      response: PolicyAnswer,
      errors: refused,
      example: { body: sent, response: { data: answered } },
      handler: async ({ context, body }) => {
        const none = {
          maxDays: null,
          maxCount: null,
          maxBytes: null,
          keepsAnnotated: false,
          keepsDatasetSources: false,
        };
        const { name, schedule } = body;
        return answer(await retention.createPolicy(context, { ...none, ...policyChanges(body), name, schedule }));
      },
    }),
    route({
      method: "PATCH",
      path: "/v1/retention_policies/{policy_id}",
      operationId: "updateRetentionPolicy",
      summary: "Change a retention policy",
      description: "What is left out stays.",
      action: "retention.change",
      status: 200,
      storageLocked: true,
      body: PolicyPatchBody,
      response: PolicyAnswer,
      errors: { ...refused, ...notFound },
      example: { parameters: { policy_id: id }, body: { max_days: 30 }, response: { data: answered } },
      handler: async ({ context, params, body }) =>
        answer(await retention.changePolicy(context, requirePolicyId(params.policy_id), policyChanges(body))),
    }),
    route({
      method: "DELETE",
      path: "/v1/retention_policies/{policy_id}",
      operationId: "deleteRetentionPolicy",
      summary: "Delete a retention policy",
      description: "Its projects have the default policy then, which cannot be deleted.",
      action: "retention.change",
      status: 204,
      errors: { ...badId, ...notFound },
      example: { parameters: { policy_id: globalId(RETENTION_POLICY, 2) } },
      handler: async ({ context, params }) => {
        await retention.deletePolicy(context, requirePolicyId(params.policy_id));
      },
    }),
    route({
      method: "GET",
      path: "/v1/retention_policies/{policy_id}/preview",
      operationId: "previewRetentionPolicy",
      summary: "What a retention policy would delete now",
      description: "Nothing is deleted. Projects that lose nothing are left out.",
      action: "retention.read",
      status: 200,
      response: RetentionPreviewAnswer,
      errors: { ...badId, ...notFound },
      example: {
        parameters: { policy_id: id },
        response: {
          data: {
            projects: [
              {
                project_id: projectId,
                trace_count: 120,
                span_count: 900,
                byte_count: 1_800_000,
                is_everything: false,
                is_complete: true,
              },
            ],
          },
        },
      },
      handler: async ({ context, params }) => {
        const policy = await retention.getPolicy(context, requirePolicyId(params.policy_id));
        const projects = [];
        const projectIds = await retention.listProjectIds(context, policy.id);
        for (const [project, counts] of await previews.preview(context, projectIds, policy)) {
          if (counts.traces > 0 || !counts.isComplete) projects.push(previewBody(project, counts));
        }
        return { data: { projects } };
      },
    }),
  ];
}

function previewBody(project: number, counts: RetentionPreviewCounts) {
  return {
    project_id: globalId(PROJECT, project),
    trace_count: counts.traces,
    span_count: counts.spans,
    byte_count: counts.bytes,
    is_everything: counts.isEverything,
    is_complete: counts.isComplete,
  };
}

function projectRoutes({ retention }: RetentionServices): Route[] {
  return [
    route({
      method: "PATCH",
      path: "/v1/projects/{project_identifier}/retention",
      operationId: "setProjectRetentionPolicy",
      summary: "Give a project a retention policy",
      description: "Takes effect when the policy is next served.",
      action: "retention.change",
      status: 200,
      storageLocked: true,
      body: RetentionAssignment,
      response: RetentionAssigned,
      errors: { ...badId, not_found: "No project, or no retention policy, has this identifier." },
      example: {
        parameters: { project_identifier: "example-support-agent" },
        body: { policy_id: id },
        response: { data: { project_id: projectId, policy_id: id } },
      },
      handler: async ({ context, params, body: { policy_id: given } }) => {
        const policyId = given === null ? DEFAULT_POLICY_ID : requirePolicyId(given);
        const assigned = await retention.assign(context, params.project_identifier, policyId);
        return {
          data: {
            project_id: globalId(PROJECT, assigned.projectId),
            policy_id: policyId === DEFAULT_POLICY_ID ? null : globalId(RETENTION_POLICY, policyId),
          },
        };
      },
    }),
  ];
}

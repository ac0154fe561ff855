// Groups of failures over REST.
import { type Route, type RouteModule, route } from "../../../api/route.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { globalId } from "../../../kernel/ids.ts";
import { emptyPage, pageBody, type RestCursors, requestedPage } from "../../../kernel/list.ts";
import type { ProjectsService } from "../projects/projects.service.ts";
import type { FailureDecisionsService } from "./decisions/failure-decisions.service.ts";
import { requireSplit } from "./decisions/given-split.rules.ts";
import {
  FailedSpanPage,
  FailureGroupAnswer,
  FailureGroupDetails,
  FailureGroupMerge,
  FailureGroupPage,
  FailureGroupPatch,
  FailureGroupSplit,
  FailureGroupsQuery,
  FailureSpansQuery,
  failedSpanBody,
  failureDetailsBody,
  failureGroupBody,
  TrendQuery,
} from "./failure-bodies.schema.ts";
import type { FailureGroupsService } from "./failure-groups.service.ts";
import { FAILURE_GROUP, intervalsUs, USUAL_POINTS } from "./failures.schema.ts";

const START_US = Date.parse("2026-03-01T10:00:00Z") * 1000;
const key = "86b0932719bb6fac8193996d206f17b1";
const otherKey = "67f2517cf9b024d7981d052e970e6fb4";
const exampleGroup = {
  id: 4,
  projectId: 1,
  key,
  kind: "error",
  type: "httpx.ReadTimeout",
  message: "The order system did not answer within … s",
  httpStatus: null,
  code: null,
  toolName: "create_return_label",
  spanName: null,
  frames: ["tools/orders.py:create_return_label", "httpx/_client.py:post"],
  state: "open",
  stateUs: null,
  resolvedVersion: null,
  reopenedVersion: null,
  spanCount: 1204,
  traceCount: 611,
  sessionCount: 300,
  userCount: 88,
  firstUs: START_US,
  lastUs: START_US + 86_400_000_000,
  knownUs: START_US,
} as const;
const example = failureGroupBody(exampleGroup);
const project = { project_identifier: "example-support-agent" };
const parameters = { ...project, failure_group_identifier: key };
const path = "/v1/projects/{project_identifier}/failure_groups";
const onePath = "/v1/projects/{project_identifier}/failure_groups/{failure_group_identifier}";
const notFound = "No project has this identifier, or the group is not one of it.";

interface FailureRoutesServices {
  readonly groups: FailureGroupsService;
  readonly decisions: FailureDecisionsService;
  readonly projects: ProjectsService;
  readonly clock: Clock;
}

export function failureRoutes(services: FailureRoutesServices): RouteModule {
  return { name: "failures", routes: [...readingRoutes(services), ...decisionRoutes(services)] };
}

function readingRoutes({ groups, projects, clock }: FailureRoutesServices): Route[] {
  return [
    route({
      method: "GET",
      path,
      operationId: "listFailureGroups",
      summary: "List the failure groups of a project",
      description:
        "Failed spans by their cause: type and masked message of the exception, frames of the program, codes of the provider, name of the tool; also answers that are empty, cut, no JSON, refused or blocked. Current to the last stored span.",
      action: "failures.read",
      status: 200,
      query: FailureGroupsQuery,
      response: FailureGroupPage,
      errors: { not_found: "No project has this identifier.", invalid: "The cursor is not one of this order." },
      example: { parameters: { ...project, limit: 10 }, response: { data: [example], next_cursor: null } },
      handler: async ({ context, params, query }) => {
        const { id } = await projects.getProject(context, params.project_identifier);
        const cursors: RestCursors = { type: FAILURE_GROUP, word: query.sort };
        const states = query.state === undefined ? null : [query.state];
        const request = { ...requestedPage(cursors, query), sort: query.sort, states };
        const pages = await groups.listOfProjects(context, [id], request);
        return pageBody(pages.get(id) ?? emptyPage, cursors, failureGroupBody);
      },
    }),
    route({
      method: "GET",
      path: onePath,
      operationId: "getFailureGroup",
      summary: "Get a failure group",
      description: "By its id or its key, with its versions, its trend and what was merged into it.",
      action: "failures.read",
      status: 200,
      query: TrendQuery,
      response: FailureGroupDetails,
      errors: { not_found: notFound, invalid: "The trend has more than 1,000 intervals." },
      example: {
        parameters,
        response: {
          data: failureDetailsBody(exampleGroup, {
            versions: [
              {
                groupId: 4,
                version: "2.4.1",
                environment: "production",
                spanCount: 1204,
                firstUs: START_US,
                lastUs: START_US + 86_400_000_000,
              },
            ],
            trend: [{ groupId: 4, startUs: START_US, spanCount: 70 }],
            fingerprints: [{ groupId: 4, fingerprint: key, type: example.type, message: example.message }],
          }),
        },
      },
      handler: async ({ context, params, query }) => {
        const group = await groups.getGroup(context, params.project_identifier, params.failure_group_identifier);
        const intervalUs = intervalsUs[query.trend_unit];
        const endUs = query.trend_end ?? clock.now();
        const startUs = query.trend_start ?? endUs - USUAL_POINTS * intervalUs;
        const ids = [group.id];
        const [versions, trends, fingerprints] = [
          await groups.listVersions(context, ids),
          await groups.readTrends(context, ids, { startUs, endUs, intervalUs }),
          await groups.listFingerprints(context, ids),
        ];
        return {
          data: failureDetailsBody(group, {
            versions: versions.get(group.id) ?? [],
            trend: trends.get(group.id) ?? [],
            fingerprints: fingerprints.get(group.id) ?? [],
          }),
        };
      },
    }),
    route({
      method: "GET",
      path: `${onePath}/spans`,
      operationId: "listFailureGroupSpans",
      summary: "List the spans of a failure group",
      description: "The latest first.",
      action: "failures.read",
      status: 200,
      query: FailureSpansQuery,
      response: FailedSpanPage,
      errors: { not_found: notFound, invalid: "The cursor is not one of this list." },
      example: {
        parameters,
        response: {
          data: [
            {
              id: globalId("Span", 9),
              span_id: "00f067aa0ba902b7",
              trace_id: globalId("Trace", 7),
              name: "lookup_order",
              start_time: example.last_seen_at,
              status_message: "Timed out after 30 s",
            },
          ],
          next_cursor: null,
        },
      },
      handler: async ({ context, params, query }) => {
        const group = await groups.getGroup(context, params.project_identifier, params.failure_group_identifier);
        const cursors: RestCursors = { type: FAILURE_GROUP, word: "start" };
        const pages = await groups.listSpans(context, [group.id], requestedPage(cursors, query));
        return pageBody(pages.get(group.id) ?? emptyPage, cursors, failedSpanBody);
      },
    }),
  ];
}

function decisionRoutes({ groups, decisions }: FailureRoutesServices): Route[] {
  return [
    route({
      method: "PATCH",
      path: onePath,
      operationId: "patchFailureGroup",
      summary: "Change the state of a failure group",
      description:
        "A resolved group opens again when it fails in a version that had not failed before it was resolved, or later where no version is known.",
      action: "failures.change",
      status: 200,
      body: FailureGroupPatch,
      response: FailureGroupAnswer,
      errors: { not_found: notFound, invalid: "A version is named for a group that is not resolved." },
      example: {
        parameters,
        body: { state: "resolved", resolved_version: "2.4.2" },
        response: { data: { ...example, state: "resolved", resolved_version: "2.4.2" } },
      },
      handler: async ({ context, params, body }) => {
        const group = await groups.getGroup(context, params.project_identifier, params.failure_group_identifier);
        const given = { state: body.state, resolvedVersion: body.resolved_version ?? null };
        return { data: failureGroupBody(await decisions.changeState(context, group.id, given)) };
      },
    }),
    route({
      method: "POST",
      path: `${onePath}/merge`,
      operationId: "mergeFailureGroups",
      summary: "Merge failure groups",
      description: "The others become part of the group, also for failures that come later. It keeps its state.",
      action: "failures.change",
      status: 200,
      body: FailureGroupMerge,
      response: FailureGroupAnswer,
      errors: { not_found: notFound, invalid: "One of them is the group itself, or of another project." },
      example: {
        parameters,
        body: { failure_group_identifiers: [otherKey] },
        response: { data: example },
      },
      handler: async ({ context, params, body }) => {
        const group = await groups.getGroup(context, params.project_identifier, params.failure_group_identifier);
        const others: number[] = [];
        for (const identifier of body.failure_group_identifiers)
          others.push((await groups.getGroup(context, params.project_identifier, identifier)).id);
        return { data: failureGroupBody(await decisions.mergeGroups(context, group.id, others)) };
      },
    }),
    route({
      method: "POST",
      path: `${onePath}/split`,
      operationId: "splitFailureGroup",
      summary: "Split a failure group",
      description:
        "Takes a fingerprint out that was merged in, or the spans with a value of an attribute. Answers the new group, to which failures that come later belong as well.",
      action: "failures.change",
      status: 200,
      storageLocked: true,
      body: FailureGroupSplit,
      response: FailureGroupAnswer,
      errors: {
        not_found: notFound,
        invalid: "Not exactly one way is named, or the fingerprint is not one that can be split off.",
        conflict: "The spans with this value were split off before.",
      },
      example: {
        parameters,
        body: { attribute: "tool.name", value: "create_return_label" },
        response: { data: example },
      },
      handler: async ({ context, params, body }) => {
        const group = await groups.getGroup(context, params.project_identifier, params.failure_group_identifier);
        return { data: failureGroupBody(await decisions.splitGroup(context, group.id, requireSplit(body))) };
      },
    }),
  ];
}

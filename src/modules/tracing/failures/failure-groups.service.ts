// Groups of failures as they are read: settled before, so that they hold every span that was stored.
import type { Clock } from "../../../kernel/clock.ts";
import { identified } from "../../../kernel/ids.ts";
import { emptyPage, type PageRequest, type PlacedPage } from "../../../kernel/list.ts";
import { inOrderOf } from "../../../storage/list.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { ProjectsService } from "../projects/projects.service.ts";
import type { SpanReadsService } from "../spans/reading/span-reads.service.ts";
import type { SpanRecord } from "../spans/spans.schema.ts";
import type { FailureFiguresStore, TrendRequest } from "./failure-figures.store.ts";
import type { FailureGroupsStore, GroupsRequest } from "./failure-groups.store.ts";
import { failureGroupNotFound, trendTooFine } from "./failures.errors.ts";
import {
  FAILURE_GROUP,
  type FailureFingerprint,
  type FailureGroup,
  type FailureGroupCounts,
  type FailureTrendPoint,
  type FailureVersion,
} from "./failures.schema.ts";
import type { SettlementService } from "./settlement/settlement.service.ts";

/** Of a group, those with most spans. */
const MOST_VERSIONS = 20;
/** Intervals of one trend. */
const MOST_POINTS = 1000;

/** By row id of the group, here and below. */
export interface FailureGroupsService {
  listOfProjects(
    context: CallContext,
    projectIds: readonly number[],
    request: GroupsRequest,
  ): Promise<Map<number, PlacedPage<FailureGroup>>>;
  /** Groups that are gone are left out. */
  findGroups(context: CallContext, ids: readonly number[]): Promise<Map<number, FailureGroup>>;
  /** By global id or key. Throws kind `not_found` for the project, then for a group that is not one of it. */
  getGroup(context: CallContext, projectIdentifier: string, identifier: string): Promise<FailureGroup>;
  countStates(context: CallContext, projectIds: readonly number[]): Promise<Map<number, FailureGroupCounts>>;
  listVersions(context: CallContext, groupIds: readonly number[]): Promise<Map<number, FailureVersion[]>>;
  /** Throws kind `invalid` for more than 1,000 intervals. */
  readTrends(
    context: CallContext,
    groupIds: readonly number[],
    request: TrendRequest,
  ): Promise<Map<number, FailureTrendPoint[]>>;
  listFingerprints(context: CallContext, groupIds: readonly number[]): Promise<Map<number, FailureFingerprint[]>>;
  /** The latest first. */
  listSpans(
    context: CallContext,
    groupIds: readonly number[],
    request: PageRequest,
  ): Promise<Map<number, PlacedPage<SpanRecord>>>;
  /** By row id of the span: its group, or that of the span whose failure it passes on. */
  findGroupsOfSpans(context: CallContext, spanIds: readonly number[]): Promise<Map<number, FailureGroup>>;
}

interface FailureGroupsDependencies {
  readonly store: FailureGroupsStore;
  readonly figures: FailureFiguresStore;
  readonly settlement: Pick<SettlementService, "settle">;
  readonly spanReads: Pick<SpanReadsService, "findSpans">;
  readonly projects: ProjectsService;
  readonly clock: Clock;
}

export function createFailureGroupsService(dependencies: FailureGroupsDependencies): FailureGroupsService {
  const { store, figures, settlement, spanReads, projects, clock } = dependencies;
  const settled = async <Value>(context: CallContext, read: () => Promise<Value>): Promise<Value> => {
    await settlement.settle(context);
    return read();
  };
  const byGroup = async <Row extends { readonly groupId: number }>(context: CallContext, read: () => Promise<Row[]>) =>
    Map.groupBy(await settled(context, read), ({ groupId }) => groupId);

  const findGroups: FailureGroupsService["findGroups"] = async (context, ids) =>
    new Map((await settled(context, () => store.findGroups(context, ids))).map((group) => [group.id, group]));

  return {
    findGroups,

    listOfProjects: (context, projectIds, request) =>
      settled(context, () => store.listOfProjects(context, projectIds, request)),

    async getGroup(context, projectIdentifier, identifier) {
      const project = await projects.getProject(context, projectIdentifier);
      const named = identified(FAILURE_GROUP, identifier);
      const found =
        "id" in named
          ? (await findGroups(context, [named.id])).get(named.id)
          : await settled(context, () => store.findByKey(context, project.id, named.key));
      if (found?.projectId !== project.id) throw failureGroupNotFound(identifier);
      return found;
    },

    countStates: (context, projectIds) => settled(context, () => store.countStates(context, projectIds, clock.now())),

    async listVersions(context, groupIds) {
      const found = await byGroup(context, () => figures.listVersions(context, groupIds));
      return new Map([...found].map(([id, versions]) => [id, versions.slice(0, MOST_VERSIONS)]));
    },

    async readTrends(context, groupIds, request) {
      if ((request.endUs - request.startUs) / request.intervalUs > MOST_POINTS) throw trendTooFine(MOST_POINTS);
      return byGroup(context, () => figures.readTrends(context, groupIds, request));
    },

    listFingerprints: (context, groupIds) => byGroup(context, () => figures.listFingerprints(context, groupIds)),

    async listSpans(context, groupIds, request) {
      const pages = await settled(context, () => figures.listSpans(context, groupIds, request));
      const ids = [...pages.values()].flatMap(({ items }) => items);
      const spans = [...(await spanReads.findSpans(context, ids)).values()];
      return new Map(groupIds.map((id) => [id, inOrderOf(pages.get(id) ?? emptyPage, spans)]));
    },

    async findGroupsOfSpans(context, spanIds) {
      const groupIds = await settled(context, () => figures.findGroupsOfSpans(context, spanIds));
      const groups = await store.findGroups(context, [...new Set(groupIds.values())]);
      const byId = new Map(groups.map((group) => [group.id, group]));
      return new Map(
        [...groupIds].flatMap(([spanId, groupId]) => {
          const group = byId.get(groupId);
          return group === undefined ? [] : [[spanId, group] as const];
        }),
      );
    },
  };
}

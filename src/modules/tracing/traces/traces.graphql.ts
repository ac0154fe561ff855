// Traces in GraphQL: their type, the fields that lead to them, deletion and transfer.
import { requireRowId } from "../../../graphql/ids.ts";
import type { GraphqlTypes } from "../../../graphql/types.ts";
import { globalId, identified } from "../../../kernel/ids.ts";
import type { SpanKind } from "../../../model/span.ts";
import { PROJECT } from "../projects/projects.schema.ts";
import type { ProjectsService } from "../projects/projects.service.ts";
import { addTraceList } from "./list/trace-list.graphql.ts";
import type { TraceListService } from "./list/trace-list.service.ts";
import type { ProjectChangesService } from "./project-changes.service.ts";
import type { ErrorTypeCount, KindCount, TraceReadsService } from "./reads/trace-reads.service.ts";
import { spanKindType } from "./span-kind.graphql.ts";
import { addTraceStatistics } from "./statistics/trace-statistics.graphql.ts";
import type { TraceStatisticsService } from "./statistics/trace-statistics.service.ts";
import { TRACE } from "./traces.schema.ts";
import type { TracesService } from "./traces.service.ts";

interface TraceTypesServices {
  readonly traces: TracesService;
  readonly traceReads: TraceReadsService;
  readonly traceList: TraceListService;
  readonly traceStatistics: TraceStatisticsService;
  readonly projectChanges: ProjectChangesService;
  readonly projects: ProjectsService;
}

const MICROSECONDS = 1000;

export function addTraceTypes(types: GraphqlTypes, services: TraceTypesServices): void {
  const { builder } = types;
  const { traceReads, projects } = services;

  const SpanKindCount = builder.objectRef<KindCount>("SpanKindCount").implement({
    fields: (t) => ({
      spanKind: t.field({ type: spanKindType(types), resolve: ({ kind }): SpanKind => kind }),
      count: t.exposeInt("count"),
    }),
  });
  const SpanErrorTypeCount = builder.objectRef<ErrorTypeCount>("SpanErrorTypeCount").implement({
    fields: (t) => ({
      exceptionType: t.exposeString("exceptionType", { nullable: true }),
      count: t.exposeInt("count"),
    }),
  });

  types.defineNode(TRACE, {
    find: (call, id) => call.load(traceReads.findTraces, id, null),
    fields: (t) => ({
      traceId: t.id({ resolve: ({ traceKey }) => traceKey }),
      projectId: t.id({ resolve: ({ projectId }) => globalId(PROJECT, projectId) }),
      project: t.field({
        type: types.ref(PROJECT),
        resolve: ({ projectId }, _given, call) => call.loadExisting(projects.findProjects, projectId),
      }),
      startTime: t.field({ type: "DateTime", resolve: ({ startUs }) => startUs }),
      endTime: t.field({ type: "DateTime", resolve: ({ endUs }) => endUs }),
      latencyMs: t.float({ nullable: true, resolve: ({ latencyUs }) => latencyUs / MICROSECONDS }),
      numSpans: t.exposeInt("spanCount"),
      errorCount: t.exposeInt("errorCount"),
      userId: t.string({
        nullable: true,
        resolve: ({ id }, _given, call) => call.load(traceReads.findUsers, id, null),
      }),
      spanCountsByKind: t.field({
        type: [SpanKindCount],
        resolve: async ({ id }, _given, call) => (await call.load(traceReads.countKinds, id, null)) ?? [],
      }),
      errorsByType: t.field({
        type: [SpanErrorTypeCount],
        resolve: async ({ id }, _given, call) => (await call.load(traceReads.countErrorTypes, id, null)) ?? [],
      }),
    }),
  });
  builder.queryField("getTraceByOtelId", (t) =>
    t.field({
      may: "traces.read",
      type: types.ref(TRACE),
      nullable: true,
      args: { traceId: t.arg.string({ required: true }) },
      resolve: (_root, { traceId }, call) => traceReads.findTraceByKey(call.context, traceId),
    }),
  );
  builder.objectField(types.ref(PROJECT), "trace", (t) =>
    t.field({
      type: types.ref(TRACE),
      nullable: true,
      description: "By its id, or by that of the exporter.",
      args: { traceId: t.arg.id({ required: true }) },
      resolve: async (project, { traceId }, call) => {
        const named = identified(TRACE, traceId);
        const found =
          "id" in named
            ? await call.load(traceReads.findTraces, named.id, null)
            : await call.load(traceReads.findTracesByKey, named.key, null);
        return found?.projectId === project.id ? found : null;
      },
    }),
  );
  addTraceList(types, services.traceList);
  addTraceStatistics(types, services.traceStatistics);
  builder.objectField(types.ref(PROJECT), "streamingLastUpdatedAt", (t) =>
    t.field({
      type: "DateTime",
      nullable: true,
      description: "When this server noticed the last change; null without spans. Fetch again when it moves.",
      resolve: ({ id }, _given, call) => services.projectChanges.findLastChange(call.context, id),
    }),
  );
  builder.queryFields((t) => ({
    projectsLastUpdatedAt: t.field({
      type: "DateTime",
      nullable: true,
      may: "projects.read",
      description:
        "When this server noticed the last change of any project, or of its spans. Fetch again when it moves.",
      resolve: (_root, _given, call) => services.projectChanges.getLastChangeOfAny(call.context),
    }),
  }));
  addTraceMutations(types, services.traces);
}

function addTraceMutations(types: GraphqlTypes, traces: TracesService): void {
  const ClearProjectInput = types.builder.inputType("ClearProjectInput", {
    fields: (t) => ({ id: t.id({ required: true }), endTime: t.field({ type: "DateTime" }) }),
  });
  types.builder.mutationFields((t) => ({
    clearProject: t.field({
      type: types.QueryRoot,
      description:
        "Deletes the traces, all or those that started before a time, with the sessions that lose their last.",
      may: "traces.clear",
      adds: false,
      args: { input: t.arg({ type: ClearProjectInput, required: true }) },
      resolve: async (_root, { input }, call) => {
        await traces.clearProject(call.context, requireRowId(PROJECT, input.id), input.endTime ?? null);
        return {};
      },
    }),
    deleteTraces: t.field({
      type: types.QueryRoot,
      description: "Traces of one project, with the sessions that lose their last trace by it.",
      may: "traces.delete",
      adds: false,
      args: { traceIds: t.arg.idList({ required: true }) },
      resolve: async (_root, { traceIds }, call) => {
        await traces.deleteTraces(
          call.context,
          traceIds.map((id) => requireRowId(TRACE, id)),
        );
        return {};
      },
    }),
    transferTracesToProject: t.field({
      type: types.QueryRoot,
      description: "Traces of one project; their sessions stay.",
      may: "traces.transfer",
      adds: false,
      args: { traceIds: t.arg.idList({ required: true }), projectId: t.arg.id({ required: true }) },
      resolve: async (_root, { traceIds, projectId }, call) => {
        for (const id of traceIds) requireRowId(TRACE, id);
        requireRowId(PROJECT, projectId);
        await traces.transferTraces(call.context, traceIds, projectId);
        return {};
      },
    }),
  }));
}

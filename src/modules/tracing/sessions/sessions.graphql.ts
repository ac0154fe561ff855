// Sessions in GraphQL: their type, the fields that lead to them, statistics of projects over them.
import { annotationOf, annotationStart } from "../../../graphql/annotation-sort.ts";
import { pageConnection, readStart, requireBounded } from "../../../graphql/connection.ts";
import { type GivenRange, rangeOf, requireProbability } from "../../../graphql/statistics.ts";
import type { GraphqlTypes } from "../../../graphql/types.ts";
import { identified } from "../../../kernel/ids.ts";
import { annotationValues } from "../../../storage/annotation-order.ts";
import { PROJECT } from "../projects/projects.schema.ts";
import type { ProjectsService } from "../projects/projects.service.ts";
import type { TraceReadsService } from "../traces/reads/trace-reads.service.ts";
import { TRACE } from "../traces/traces.schema.ts";
import { sessionList, shownSessionSorts } from "./session-list.rules.ts";
import type { CountedBand, SessionFacets, SessionReadsService } from "./session-reads.service.ts";
import { addTracesOfSessions } from "./session-traces.graphql.ts";
import { SESSION, type SessionRecord } from "./sessions.schema.ts";
import type { SessionsService } from "./sessions.service.ts";

interface SessionTypesServices {
  readonly sessions: SessionsService;
  readonly sessionReads: SessionReadsService;
  readonly projects: ProjectsService;
  readonly traceReads: TraceReadsService;
}

const MICROSECONDS = 1000;
const DEFAULT_PAGE = 50;

export function addSessionTypes(types: GraphqlTypes, services: SessionTypesServices): void {
  const { sessions, sessionReads, projects, traceReads } = services;
  const { builder } = types;
  const TokenUsage = builder.objectRef<SessionRecord>("TokenUsage").implement({
    fields: (t) => ({
      prompt: t.float({ resolve: ({ promptTokens }) => promptTokens }),
      completion: t.float({ resolve: ({ completionTokens }) => completionTokens }),
      total: t.float({ resolve: ({ promptTokens, completionTokens }) => promptTokens + completionTokens }),
    }),
  });

  types.defineNode(SESSION, {
    find: (call, id) => call.load(sessionReads.findSessions, id, null),
    fields: (t) => ({
      sessionId: t.exposeString("sessionKey"),
      startTime: t.field({ type: "DateTime", resolve: ({ startUs }) => startUs }),
      endTime: t.field({ type: "DateTime", resolve: ({ endUs }) => endUs }),
      project: t.field({
        type: types.ref(PROJECT),
        resolve: ({ projectId }, _given, call) => call.loadExisting(projects.findProjects, projectId),
      }),
      numTraces: t.exposeInt("traceCount"),
      numTracesWithError: t.exposeInt("errorTraceCount"),
      tokenUsage: t.field({ type: TokenUsage, resolve: (session) => session }),
    }),
  });
  addTracesOfSessions(types, traceReads);
  builder.queryField("getProjectSessionById", (t) =>
    t.field({
      may: "sessions.read",
      type: types.ref(SESSION),
      nullable: true,
      description: "By the sender's id.",
      args: { sessionId: t.arg.string({ required: true }) },
      resolve: (_root, { sessionId }, call) => sessionReads.findSessionByKey(call.context, sessionId),
    }),
  );
  builder.objectField(types.ref(PROJECT), "session", (t) =>
    t.field({
      type: types.ref(SESSION),
      nullable: true,
      description: "By its id, or by that of the sender; also one of another project that has traces in this one.",
      args: { sessionId: t.arg.id({ required: true }) },
      resolve: (project, { sessionId }, call) =>
        sessionReads.findInProject(call.context, project.id, identified(SESSION, sessionId)),
    }),
  );
  builder.objectField(types.ref(TRACE), "session", (t) =>
    t.field({
      type: types.ref(SESSION),
      nullable: true,
      resolve: ({ sessionId }, _given, call) =>
        sessionId === null ? null : call.load(sessionReads.findSessions, sessionId, null),
    }),
  );
  addSessionList(types, sessions);
  addSessionStatistics(types, sessionReads);
  addSessionFacets(types, sessionReads);
}

function addSessionList(types: GraphqlTypes, sessions: SessionsService): void {
  const { builder } = types;
  const ProjectSessionColumn = builder.enumType("ProjectSessionColumn", { values: shownSessionSorts });
  const AnnoAttr = builder.enumType("ProjectSessionAnnoAttr", { values: annotationValues });
  const AnnoResultKey = builder.inputType("ProjectSessionAnnoResultKey", {
    fields: (t) => ({ name: t.string({ required: true }), attr: t.field({ type: AnnoAttr, required: true }) }),
  });
  const ProjectSessionSort = builder.inputType("ProjectSessionSort", {
    description: "By a column, or by an annotation: then the sessions that have none are left out.",
    fields: (t) => ({
      col: t.field({ type: ProjectSessionColumn }),
      annoResultKey: t.field({ type: AnnoResultKey }),
      dir: t.field({ type: types.SortDir, required: true }),
    }),
  });
  builder.objectField(types.ref(PROJECT), "sessions", (t) =>
    t.field({
      type: types.connection(SESSION),
      description: "Latest start first when nothing else is asked for.",
      args: {
        first: t.arg.int({ defaultValue: DEFAULT_PAGE }),
        timeRange: t.arg({ type: types.TimeRange }),
        after: t.arg.string(),
        sort: t.arg({ type: ProjectSessionSort }),
        sessionFilterCondition: t.arg.string(),
      },
      resolve: async (project, given, call, info) => {
        const limit = requireBounded({ first: given.first ?? DEFAULT_PAGE });
        const { sort, sessionFilterCondition } = given;
        const annotation = annotationOf(sort, sort?.annoResultKey);
        const order = sort?.dir ?? "desc";
        const scope = {
          projectId: project.id,
          range: rangeOf(given.timeRange),
          condition: sessionFilterCondition ?? "",
        };
        if (annotation !== null) {
          const { word, start } = annotationStart("sessions", annotation, order, given.after);
          const page = await call.readOnce(sessions.listByAnnotation, scope, { sort: annotation, order, start, limit });
          return pageConnection({ call, info }, page, word);
        }
        const by = sort?.col ?? "startTime";
        const word = sessionList.orderWord(by, order);
        const start = readStart(word, given.after);
        const page = await call.readOnce(sessions.listOfProject, scope, { sort: by, order, start, limit });
        return pageConnection({ call, info }, page, word);
      },
    }),
  );
}

function addSessionStatistics({ builder, TimeRange, ref }: GraphqlTypes, sessionReads: SessionReadsService): void {
  builder.objectFields(ref(PROJECT), (t) => {
    const scope = { timeRange: t.arg({ type: TimeRange }), sessionFilterCondition: t.arg.string() };
    return {
      sessionCount: t.int({
        args: scope,
        resolve: async ({ id }, given, call) =>
          (await call.load(sessionReads.totals, id, optionsOf(given)))?.count ?? 0,
      }),
      averageSessionDurationMs: t.float({
        nullable: true,
        args: scope,
        resolve: async ({ id }, given, call) => {
          const totals = await call.load(sessionReads.totals, id, optionsOf(given));
          return totals === null ? null : totals.durationUs / totals.count / MICROSECONDS;
        },
      }),
      averageTracesPerSession: t.float({
        nullable: true,
        args: scope,
        resolve: async ({ id }, given, call) => {
          const totals = await call.load(sessionReads.totals, id, optionsOf(given));
          return totals === null ? null : totals.traces / totals.count;
        },
      }),
      sessionDurationMsQuantile: t.float({
        nullable: true,
        args: { probability: t.arg.float({ required: true }), ...scope },
        resolve: async ({ id }, { probability, ...given }, call) => {
          const options = {
            ...optionsOf(given),
            probability: requireProbability(probability),
          };
          const quantile = await call.load(sessionReads.durationQuantile, id, options);
          return quantile === null ? null : quantile / MICROSECONDS;
        },
      }),
    };
  });
}

function addSessionFacets({ builder, TimeRange, ref }: GraphqlTypes, sessionReads: SessionReadsService): void {
  const SessionBand = builder.objectRef<CountedBand>("SessionBand").implement({
    fields: (t) => ({
      min: t.float({ description: "Included.", resolve: ({ low }) => low }),
      max: t.float({ nullable: true, description: "Excluded; none in the last band.", resolve: ({ high }) => high }),
      count: t.exposeInt("count", { description: "Sessions." }),
    }),
  });
  const inMs = ({ low, high, count }: CountedBand): CountedBand => ({
    low: low / MICROSECONDS,
    high: high === null ? null : high / MICROSECONDS,
    count,
  });
  const Facets = builder.objectRef<SessionFacets>("SessionFacets").implement({
    fields: (t) => ({
      count: t.exposeInt("count"),
      errorCount: t.exposeInt("errorCount", { description: "Sessions in which a span failed." }),
      turns: t.field({ type: [SessionBand], description: "By traces, in order.", resolve: ({ turns }) => [...turns] }),
      durations: t.field({
        type: [SessionBand],
        description: "By milliseconds from start to end, in order.",
        resolve: ({ durations }) => durations.map(inMs),
      }),
    }),
  });
  builder.objectField(ref(PROJECT), "sessionFacets", (t) =>
    t.field({
      type: Facets,
      nullable: true,
      description: "Of the sessions that were active in the range and match the condition; null without any.",
      args: { timeRange: t.arg({ type: TimeRange }), sessionFilterCondition: t.arg.string() },
      resolve: ({ id }, given, call) => call.load(sessionReads.facets, id, optionsOf(given)),
    }),
  );
}

interface GivenSessions {
  readonly timeRange?: GivenRange;
  readonly sessionFilterCondition?: string | null | undefined;
}

const optionsOf = ({ timeRange, sessionFilterCondition }: GivenSessions) => ({
  ...rangeOf(timeRange),
  condition: sessionFilterCondition ?? "",
});

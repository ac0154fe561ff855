// Spans in GraphQL: their type, and the fields of other types that lead to them.
import type { GraphqlCall } from "../../graphql/call.ts";
import {
  argumentRefused,
  offsetConnection,
  pageConnection,
  readStart,
  requireBounded,
} from "../../graphql/connection.ts";
import type { GraphqlTypes } from "../../graphql/types.ts";
import { isJsonObject, type JsonObject } from "../../kernel/json.ts";
import { ARRIVAL, emptyPage } from "../../kernel/list.ts";
import { PROJECT } from "../projects/projects.schema.ts";
import type { ProjectsService } from "../projects/projects.service.ts";
import { SESSION } from "../sessions/sessions.schema.ts";
import { spanKindType } from "../traces/span-kind.graphql.ts";
import type { TraceReadsService } from "../traces/trace-reads.service.ts";
import { TRACE } from "../traces/traces.schema.ts";
import { addSpanFacets } from "./facets/facets.graphql.ts";
import type { FacetsService } from "./facets/facets.service.ts";
import { addKeySpans } from "./key-spans.graphql.ts";
import { type SpanSort, shownSpanSorts, spanList } from "./list/span-list.rules.ts";
import { addSearch } from "./search/search.graphql.ts";
import type { SearchService } from "./search/search.service.ts";
import { attributesOf, eventInstant } from "./span-answer.schema.ts";
import { addSpanPayload } from "./span-payload.graphql.ts";
import type { RootScope, SpanReadsService } from "./span-reads.service.ts";
import { addSpanStatistics } from "./span-statistics.graphql.ts";
import type { SpanStatisticsService } from "./span-statistics.service.ts";
import {
  attributesText,
  documentCount,
  eventMessage,
  metadataText,
  previewOf,
  promptDetail,
  shownValue,
} from "./span-values.rules.ts";
import { valueDamaged } from "./spans.errors.ts";
import { SPAN, type SpanRecord } from "./spans.schema.ts";

interface SpanTypesServices {
  readonly spanReads: SpanReadsService;
  readonly spanStatistics: SpanStatisticsService;
  readonly spanFacets: FacetsService;
  readonly traceReads: TraceReadsService;
  readonly search: SearchService;
  readonly projects: ProjectsService;
}

const MICROSECONDS = 1000;

/** Input or output of a span. */
interface SpanSide {
  readonly span: SpanRecord;
  readonly side: "input" | "output";
  readonly head: string;
}

export function addSpanTypes(types: GraphqlTypes, services: SpanTypesServices): void {
  const { builder } = types;
  const { spanReads, traceReads, projects } = services;
  const loadPayload = async (call: GraphqlCall, span: SpanRecord) => {
    const payload = await call.load(spanReads.readPayloads, span.id, null);
    return payload ?? { attributes: {} as JsonObject, events: [], damaged: [] };
  };
  /** For a nullable field that shows one member: it fails where it would show less than was sent, and the rest is answered. */
  const loadMember = async (call: GraphqlCall, span: SpanRecord, member: string) => {
    const { attributes, damaged } = await loadPayload(call, span);
    const shown = damaged.filter((path) => JSON.parse(path)[0] === member);
    if (shown.length > 0) throw valueDamaged(span.spanKey, shown);
    return attributes;
  };
  const loadSums = (call: GraphqlCall, span: SpanRecord) => call.load(spanReads.readSums, span.id, null);

  const SpanStatusCode = builder.enumType("SpanStatusCode", { values: ["OK", "ERROR", "UNSET"] as const });
  const MimeType = builder.enumType("MimeType", { values: ["text", "json"] as const });

  const SpanContext = builder.objectRef<SpanRecord>("SpanContext");
  const SpanIOValue = builder.objectRef<SpanSide>("SpanIOValue").implement({
    fields: (t) => ({
      mimeType: t.field({
        type: MimeType,
        resolve: async ({ span, side }, _given, call) =>
          shownValue((await loadPayload(call, span)).attributes, side).mimeType,
      }),
      truncatedValue: t.string({
        description: "At most 100 characters; lists ask for this one only.",
        resolve: ({ head }) => previewOf(head),
      }),
      value: t.string({
        resolve: async ({ span, side }, _given, call) => shownValue(await loadMember(call, span, side), side).text,
      }),
    }),
  });
  const sideOf = (span: SpanRecord, side: SpanSide["side"]): SpanSide | null => {
    const head = side === "input" ? span.inputHead : span.outputHead;
    return head === null ? null : { span, side, head };
  };

  const SpanEvent = builder.objectRef<JsonObject>("SpanEvent").implement({
    fields: (t) => ({
      name: t.string({ resolve: ({ name }) => (typeof name === "string" ? name : "") }),
      message: t.string({
        description: "Of an exception; empty otherwise.",
        resolve: (event) => eventMessage(attributesOf(event)),
      }),
      timestamp: t.field({
        type: "DateTime",
        // As the other lists do where none can be read.
        resolve: ({ timestamp }, _given, { nowUs }) => eventInstant(timestamp) ?? nowUs,
      }),
      attributes: t.field({ type: "JSON", resolve: (event) => attributesOf(event) }),
    }),
  });
  const TokenCountPromptDetails = builder.objectRef<JsonObject>("TokenCountPromptDetails").implement({
    fields: (t) => ({
      cacheRead: t.int({ nullable: true, resolve: (attributes) => promptDetail(attributes, "cache_read") }),
      cacheWrite: t.int({ nullable: true, resolve: (attributes) => promptDetail(attributes, "cache_write") }),
      audio: t.int({ nullable: true, resolve: (attributes) => promptDetail(attributes, "audio") }),
    }),
  });
  SpanContext.implement({
    fields: (t) => ({
      spanId: t.id({ resolve: ({ spanKey }) => spanKey }),
      traceId: t.id({
        resolve: async ({ traceId }, _given, call) =>
          (await call.loadExisting(traceReads.findTraces, traceId)).traceKey,
      }),
    }),
  });

  types.defineNode(SPAN, {
    find: (call, id) => call.load(spanReads.findSpans, id, null),
    fields: (t) => ({
      name: t.exposeString("name"),
      spanId: t.id({ resolve: ({ spanKey }) => spanKey }),
      context: t.field({ type: SpanContext, resolve: (span) => span }),
      parentId: t.id({ nullable: true, resolve: ({ parentKey }) => parentKey }),
      spanKind: t.field({ type: spanKindType(types), resolve: ({ kind }) => kind }),
      statusCode: t.field({ type: SpanStatusCode, resolve: ({ status }) => status }),
      statusMessage: t.exposeString("statusMessage"),
      startTime: t.field({ type: "DateTime", resolve: ({ startUs }) => startUs }),
      endTime: t.field({ type: "DateTime", nullable: true, resolve: ({ startUs, latencyUs }) => startUs + latencyUs }),
      latencyMs: t.float({ nullable: true, resolve: ({ latencyUs }) => latencyUs / MICROSECONDS }),
      userId: t.string({ nullable: true, resolve: ({ userKey }) => userKey }),
      trace: t.field({
        type: types.ref(TRACE),
        resolve: ({ traceId }, _given, call) => call.loadExisting(traceReads.findTraces, traceId),
      }),
      project: t.field({
        type: types.ref(PROJECT),
        resolve: ({ projectId }, _given, call) => call.loadExisting(projects.findProjects, projectId),
      }),
      tokenCountPrompt: t.int({ nullable: true, resolve: ({ promptTokens }) => promptTokens }),
      tokenCountCompletion: t.int({ nullable: true, resolve: ({ completionTokens }) => completionTokens }),
      tokenCountTotal: t.int({
        nullable: true,
        resolve: ({ promptTokens, completionTokens }) => (promptTokens ?? 0) + (completionTokens ?? 0),
      }),
      cumulativeTokenCountPrompt: t.float({
        nullable: true,
        resolve: async (span, _given, call) => (await loadSums(call, span))?.promptTokens ?? null,
      }),
      cumulativeTokenCountCompletion: t.float({
        nullable: true,
        resolve: async (span, _given, call) => (await loadSums(call, span))?.completionTokens ?? null,
      }),
      cumulativeTokenCountTotal: t.float({
        nullable: true,
        resolve: async (span, _given, call) => {
          const sums = await loadSums(call, span);
          return sums === null ? null : sums.promptTokens + sums.completionTokens;
        },
      }),
      propagatedStatusCode: t.field({
        type: SpanStatusCode,
        description: "ERROR when the span or anything below it failed, else OK.",
        resolve: async (span, _given, call) => ((await loadSums(call, span))?.errors ? "ERROR" : "OK"),
      }),
      attributes: t.string({
        description: "JSON text, nested; vectors of embeddings are replaced by their size.",
        resolve: async (span, _given, call) => attributesText((await loadPayload(call, span)).attributes),
      }),
      metadata: t.string({
        nullable: true,
        resolve: async (span, _given, call) => metadataText(await loadMember(call, span, "metadata")),
      }),
      numDocuments: t.int({
        nullable: true,
        resolve: async (span, _given, call) => documentCount((await loadPayload(call, span)).attributes, span.kind),
      }),
      tokenPromptDetails: t.field({
        type: TokenCountPromptDetails,
        resolve: async (span, _given, call) => (await loadPayload(call, span)).attributes,
      }),
      input: t.field({ type: SpanIOValue, nullable: true, resolve: (span) => sideOf(span, "input") }),
      output: t.field({ type: SpanIOValue, nullable: true, resolve: (span) => sideOf(span, "output") }),
      events: t.field({
        type: [SpanEvent],
        resolve: async (span, _given, call) => (await loadPayload(call, span)).events.filter(isJsonObject),
      }),
      numChildSpans: t.int({
        resolve: async (span, _given, call) => (await call.load(spanReads.countChildren, span.id, null)) ?? 0,
      }),
      descendants: t.field({
        type: types.connection(SPAN),
        description: "Level by level; `maxDepth` 0 is no limit.",
        args: { maxDepth: t.arg.int({ defaultValue: 3 }), ...types.pagingArguments() },
        resolve: async (span, { maxDepth, ...page }, call, info) => {
          const depth = maxDepth ?? 0;
          if (depth < 0) throw argumentRefused("maxDepth", "must not be negative");
          const ids = (await call.load(spanReads.listDescendants, span.id, depth)) ?? [];
          const { edges, pageInfo } = offsetConnection({ call, info }, ids, page);
          const found = await Promise.all(
            edges.map(async ({ cursor, node }) => ({ cursor, node: await call.load(spanReads.findSpans, node, null) })),
          );
          return { edges: found.flatMap(({ cursor, node }) => (node === null ? [] : [{ cursor, node }])), pageInfo };
        },
      }),
    }),
  });
  builder.queryField("getSpanByOtelId", (t) =>
    t.field({
      may: "spans.read",
      type: types.ref(SPAN),
      nullable: true,
      description: "The newest span with this id.",
      args: { spanId: t.arg.string({ required: true }) },
      resolve: (_root, { spanId }, call) => spanReads.findSpanByKey(call.context, spanId),
    }),
  );

  addSpanPayload(types, spanReads);
  addSpanLists(types, spanReads);
  addKeySpans(types, spanReads);
  addSpanStatistics(types, services.spanStatistics);
  addSpanFacets(types, services.spanFacets);
  addSearch(types, services);
  builder.objectFields(types.ref(SESSION), (t) => ({
    firstInput: t.field({
      type: SpanIOValue,
      nullable: true,
      resolve: async (session, _given, call) => {
        const span = await call.load(spanReads.findSessionEnds, session.id, "first");
        return span === null ? null : sideOf(span, "input");
      },
    }),
    lastOutput: t.field({
      type: SpanIOValue,
      nullable: true,
      resolve: async (session, _given, call) => {
        const span = await call.load(spanReads.findSessionEnds, session.id, "last");
        return span === null ? null : sideOf(span, "output");
      },
    }),
  }));
}

/** The lists of spans that other types have. */
function addSpanLists(types: GraphqlTypes, spanReads: SpanReadsService): void {
  const { builder } = types;
  const SpanColumn = builder.enumType("SpanColumn", { values: shownSpanSorts });
  const SpanSortInput = builder.inputType("SpanSort", {
    fields: (t) => ({ col: t.field({ type: SpanColumn }), dir: t.field({ type: types.SortDir, required: true }) }),
  });

  builder.objectField(types.ref(PROJECT), "spans", (t) =>
    t.field({
      type: types.connection(SPAN),
      description: "In the order of arrival when nothing else is asked for.",
      args: {
        ...types.boundedArguments(),
        timeRange: t.arg({ type: types.TimeRange }),
        sort: t.arg({ type: SpanSortInput }),
        rootSpansOnly: t.arg.boolean(),
        filterCondition: t.arg.string(),
        traceFilterCondition: t.arg.string(),
        orphanSpanAsRootSpan: t.arg.boolean({ defaultValue: true }),
      },
      resolve: async (project, given, call, info) => {
        const limit = requireBounded(given);
        const { timeRange, sort, filterCondition, traceFilterCondition } = given;
        if (sort && !sort.col) throw argumentRefused("sort", "name a column");
        const by: SpanSort = sort?.col ?? ARRIVAL;
        const order = sort?.dir ?? "asc";
        const word = spanList.orderWord(by, order);
        const spans = {
          projectId: project.id,
          startUs: timeRange?.start ?? null,
          endUs: timeRange?.end ?? null,
          roots: rootScope(given),
          condition: filterCondition ?? "",
          traceCondition: traceFilterCondition ?? "",
        };
        const start = readStart(word, given.after);
        const page = await spanReads.listOfProject(call.context, spans, { sort: by, order, start, limit });
        return pageConnection({ call, info }, page, word);
      },
    }),
  );

  builder.objectField(types.ref(TRACE), "spans", (t) =>
    t.field({
      type: types.connection(SPAN),
      description: "Newest arrival first.",
      args: {
        ...types.boundedArguments(),
        rootSpansOnly: t.arg.boolean(),
        orphanSpanAsRootSpan: t.arg.boolean({ defaultValue: true }),
        filterCondition: t.arg.string(),
      },
      resolve: async (trace, given, call, info) => {
        const limit = requireBounded(given);
        const asked = {
          roots: rootScope(given),
          condition: given.filterCondition ?? "",
          start: readStart(ARRIVAL, given.after),
          limit,
        };
        const page = await call.load(spanReads.listOfTraces, trace.id, asked);
        return pageConnection({ call, info }, page ?? emptyPage, ARRIVAL);
      },
    }),
  );

  builder.objectField(types.ref(TRACE), "rootSpan", (t) =>
    t.field({
      type: types.ref(SPAN),
      nullable: true,
      description: "The earliest span without a parent.",
      resolve: (trace, _given, call) => call.load(spanReads.findRoots, trace.id, null),
    }),
  );
}

interface RootArguments {
  readonly rootSpansOnly?: boolean | null | undefined;
  readonly orphanSpanAsRootSpan?: boolean | null | undefined;
}

/** The flag about orphans has no effect alone. */
function rootScope(given: RootArguments): RootScope {
  if (given.rootSpansOnly !== true) return "none";
  return given.orphanSpanAsRootSpan === false ? "strict" : "orphans";
}

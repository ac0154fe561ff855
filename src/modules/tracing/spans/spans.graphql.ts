// Spans in GraphQL: their type, and the fields of other types that lead to them.

import type { GraphqlCall } from "../../../graphql/call.ts";
import { argumentRefused, offsetWindow, windowConnection } from "../../../graphql/connection.ts";
import type { GraphqlTypes } from "../../../graphql/types.ts";
import { PROJECT } from "../projects/projects.schema.ts";
import type { ProjectsService } from "../projects/projects.service.ts";
import type { TraceListService } from "../traces/list/trace-list.service.ts";
import type { TraceReadsService } from "../traces/reads/trace-reads.service.ts";
import { spanKindType } from "../traces/span-kind.graphql.ts";
import { TRACE } from "../traces/traces.schema.ts";
import { addSpanFacets } from "./facets/facets.graphql.ts";
import type { FacetsService } from "./facets/facets.service.ts";
import { addListed } from "./listed/listed.graphql.ts";
import type { ListedService } from "./listed/listed.service.ts";
import { addKeySpans } from "./reading/key-spans.graphql.ts";
import { addSpanAttributes } from "./reading/span-attributes.graphql.ts";
import { addSpanContent } from "./reading/span-content.graphql.ts";
import { addSpanLists } from "./reading/span-list.graphql.ts";
import { addSpanPayload } from "./reading/span-payload.graphql.ts";
import type { SpanReadsService } from "./reading/span-reads.service.ts";
import { partsOfPage } from "./rows/span-tree.rules.ts";
import { addSearch } from "./search/search.graphql.ts";
import type { SearchService } from "./search/search.service.ts";
import { SPAN, type SpanRecord } from "./spans.schema.ts";
import { addSpanStatistics } from "./statistics/span-statistics.graphql.ts";
import type { SpanStatisticsService } from "./statistics/span-statistics.service.ts";

interface SpanTypesServices {
  readonly spanReads: SpanReadsService;
  readonly spanStatistics: SpanStatisticsService;
  readonly spanFacets: FacetsService;
  readonly traceReads: TraceReadsService;
  readonly search: SearchService;
  readonly listed: ListedService;
  readonly traceList: TraceListService;
  readonly projects: ProjectsService;
}

const MICROSECONDS = 1000;

export function addSpanTypes(types: GraphqlTypes, services: SpanTypesServices): void {
  const { spanReads } = services;
  addSpanNode(types, services);
  addSpanSums(types, spanReads);
  addSpanTree(types, spanReads);
  addSpanContent(types, spanReads);
  addSpanPayload(types, spanReads);
  addSpanAttributes(types, spanReads);
  addSpanLists(types, spanReads);
  addKeySpans(types, spanReads);
  addSpanStatistics(types, services.spanStatistics);
  addSpanFacets(types, services.spanFacets);
  addSearch(types, services);
  addListed(types, services);
}

const statusCode = ({ builder, once }: GraphqlTypes) =>
  once("SpanStatusCode", () => builder.enumType("SpanStatusCode", { values: ["OK", "ERROR", "UNSET"] as const }));

/** What the row of a span holds. */
function addSpanNode(types: GraphqlTypes, { spanReads, traceReads, projects }: SpanTypesServices): void {
  const { builder } = types;
  const SpanContext = builder.objectRef<SpanRecord>("SpanContext").implement({
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
      statusCode: t.field({ type: statusCode(types), resolve: ({ status }) => status }),
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
      shownName: t.string({
        description:
          "What the pages call it: where the name is a template, the message that was made of it; else the name.",
        resolve: ({ name, shownName }) => shownName ?? name,
      }),
      tokenCountPrompt: t.int({ nullable: true, resolve: ({ promptTokens }) => promptTokens }),
      tokenCountCompletion: t.int({ nullable: true, resolve: ({ completionTokens }) => completionTokens }),
      tokenCountTotal: t.int({
        nullable: true,
        resolve: ({ promptTokens, completionTokens }) => (promptTokens ?? 0) + (completionTokens ?? 0),
      }),
      isCountedInChild: t.boolean({
        description:
          "A child recorded the same call of a model with the same counts: sums count it there, and not here.",
        resolve: ({ repeatsChild }) => repeatsChild,
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
}

/** Sums over child spans. */
function addSpanSums(types: GraphqlTypes, spanReads: SpanReadsService): void {
  const loadSums = (call: GraphqlCall, span: SpanRecord) => call.load(spanReads.readSums, span.id, null);
  types.builder.objectFields(types.ref(SPAN), (t) => ({
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
      type: statusCode(types),
      description: "ERROR when the span or anything below it failed, else OK.",
      resolve: async (span, _given, call) => ((await loadSums(call, span))?.errors ? "ERROR" : "OK"),
    }),
  }));
}

/** What hangs below a span. */
function addSpanTree(types: GraphqlTypes, spanReads: SpanReadsService): void {
  types.builder.objectFields(types.ref(SPAN), (t) => ({
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
        const parents = (await call.load(spanReads.listParentsBelow, span.id, depth)) ?? [];
        const count = parents.reduce((sum, { children }) => sum + children, 0);
        const window = offsetWindow(page, count);
        const parts = await Promise.all(
          partsOfPage(parents, window.begin, window.end).map(async ({ parentId, slice, from, to }) =>
            ((await call.load(spanReads.listChildren, parentId, slice)) ?? []).slice(from, to),
          ),
        );
        const { edges, pageInfo } = windowConnection({ call, info }, parts.flat(), window);
        const found = await Promise.all(
          edges.map(async ({ cursor, node }) => ({ cursor, node: await call.load(spanReads.findSpans, node, null) })),
        );
        return { edges: found.flatMap(({ cursor, node }) => (node === null ? [] : [{ cursor, node }])), pageInfo };
      },
    }),
  }));
}

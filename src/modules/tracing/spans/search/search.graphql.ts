// Text search in GraphQL. A connection goes on where its search stopped, which may be behind its last edge: `pageInfo.endCursor`
// says where, also for a page without edges.
import type { TextPlace } from "../../../../filter/text-search.ts";
import {
  type BoundedArguments,
  chargeRows,
  type PageInfo,
  readStart,
  requireBounded,
} from "../../../../graphql/connection.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import { writeCursor } from "../../../../kernel/list.ts";
import { PROJECT } from "../../projects/projects.schema.ts";
import type { TraceReadsService } from "../../traces/reads/trace-reads.service.ts";
import { TRACE, type TraceRecord } from "../../traces/traces.schema.ts";
import type { SpanReadsService } from "../reading/span-reads.service.ts";
import { SPAN, type SpanRecord } from "../spans.schema.ts";
import type { SearchAnswer, SearchProgress, SearchService } from "./search.service.ts";

interface SearchTypesServices {
  readonly search: SearchService;
  readonly spanReads: SpanReadsService;
  readonly traceReads: TraceReadsService;
}

interface FoundSpan {
  readonly cursor: string;
  readonly node: SpanRecord;
  readonly foundIn: TextPlace;
}

interface FoundTrace {
  readonly cursor: string;
  readonly node: TraceRecord;
  readonly span: SpanRecord;
  readonly foundIn: TextPlace;
}

interface Found<Edge> {
  readonly edges: readonly Edge[];
  readonly pageInfo: PageInfo;
  readonly progress: SearchProgress;
}

const SPAN_ORDER = "search";
const TRACE_ORDER = "searchTraces";

export function searchProgressType({ builder, once }: GraphqlTypes) {
  return once("SearchProgress", () =>
    builder.objectRef<SearchProgress>("SearchProgress").implement({
      description: "How far a search has come, from the newest row of its range to the oldest.",
      fields: (t) => ({
        complete: t.exposeBoolean("complete", { description: "The range is done: nothing follows." }),
        fraction: t.exposeFloat("fraction", { description: "Of the time range, from 0 to 1." }),
        scannedUntil: t.field({
          type: "DateTime",
          nullable: true,
          description: "Everything that started after this has been looked at.",
          resolve: ({ scannedUntilUs }) => scannedUntilUs,
        }),
        scannedCount: t.int({ description: "Rows this answer looked at.", resolve: ({ scannedRows }) => scannedRows }),
      }),
    }),
  );
}

export function addSearch(types: GraphqlTypes, { search, spanReads, traceReads }: SearchTypesServices): void {
  const { builder } = types;
  const place = builder.enumType("SearchedText", {
    description:
      "Where the text stands; ERROR is the message of the status or of an exception, ANNOTATION the explanation of one or a note.",
    values: {
      INPUT: { value: "input" },
      OUTPUT: { value: "output" },
      ERROR: { value: "error" },
      ANNOTATION: { value: "annotation" },
    } as const,
  });
  const progress = searchProgressType(types);
  const arguments_ = () => ({
    text: builder.args((t) => ({ text: t.string({ required: true }) })).text,
    ...types.boundedArguments(),
    timeRange: builder.args((t) => ({ timeRange: t.field({ type: types.TimeRange }) })).timeRange,
    filterCondition: builder.args((t) => ({ filterCondition: t.string() })).filterCondition,
  });

  const spanEdge = builder.objectRef<FoundSpan>("SpanSearchEdge").implement({
    fields: (t) => ({
      cursor: t.exposeString("cursor"),
      node: t.field({ type: types.ref(SPAN), resolve: ({ node }) => node }),
      foundIn: t.field({ type: place, resolve: ({ foundIn }) => foundIn }),
    }),
  });
  const spanSearch = builder.objectRef<Found<FoundSpan>>("SpanSearch").implement({
    fields: (t) => ({
      edges: t.field({ type: [spanEdge], resolve: ({ edges }) => [...edges] }),
      pageInfo: t.field({ type: types.PageInfo, resolve: ({ pageInfo }) => pageInfo }),
      progress: t.field({ type: progress, resolve: (found) => found.progress }),
    }),
  });
  const traceEdge = builder.objectRef<FoundTrace>("TraceSearchEdge").implement({
    fields: (t) => ({
      cursor: t.exposeString("cursor"),
      node: t.field({ type: types.ref(TRACE), resolve: ({ node }) => node }),
      span: t.field({
        type: types.ref(SPAN),
        description:
          "The first span of the trace that contains the text; the first span of all where an annotation of the trace contains it.",
        resolve: ({ span }) => span,
      }),
      foundIn: t.field({ type: place, resolve: ({ foundIn }) => foundIn }),
    }),
  });
  const traceSearch = builder.objectRef<Found<FoundTrace>>("TraceSearch").implement({
    fields: (t) => ({
      edges: t.field({ type: [traceEdge], resolve: ({ edges }) => [...edges] }),
      pageInfo: t.field({ type: types.PageInfo, resolve: ({ pageInfo }) => pageInfo }),
      progress: t.field({ type: progress, resolve: (found) => found.progress }),
    }),
  });

  builder.objectFields(types.ref(PROJECT), (t) => ({
    searchSpans: t.field({
      type: spanSearch,
      description: `Spans that contain every word and "phrase" in input, output, error message or annotations, in any letter case, newest start first.
Looks for about a second; \`pageInfo.endCursor\` goes on, also after a page without edges.`,
      args: arguments_(),
      resolve: async (project, given, call, info) => {
        const request = requestOf(project.id, given, SPAN_ORDER);
        const answer = await search.searchSpans(call.context, request);
        chargeRows({ call, info }, answer.matches.length);
        const ids = answer.matches.map(({ rowId }) => rowId);
        const spans = await spanReads.findSpans(call.context, ids);
        // What was deleted since it was found is left out.
        const edges = answer.matches.flatMap((match) => {
          const node = spans.get(match.rowId);
          return node === undefined ? [] : [{ cursor: writeCursor(SPAN_ORDER, match), node, foundIn: match.foundIn }];
        });
        return foundOf(edges, answer, SPAN_ORDER);
      },
    }),
    searchTraces: t.field({
      type: traceSearch,
      description: "The same for traces: one contains what any of its spans does. The condition is one on traces.",
      args: arguments_(),
      resolve: async (project, given, call, info) => {
        const request = requestOf(project.id, given, TRACE_ORDER);
        const answer = await search.searchTraces(call.context, request);
        chargeRows({ call, info }, answer.matches.length);
        const ids = answer.matches.map(({ rowId }) => rowId);
        const traces = await traceReads.findTraces(call.context, ids);
        const spanIds = answer.matches.map(({ spanId }) => spanId);
        const spans = await spanReads.findSpans(call.context, spanIds);
        const edges = answer.matches.flatMap((match) => {
          const [node, span] = [traces.get(match.rowId), spans.get(match.spanId)];
          if (node === undefined || span === undefined) return [];
          return [{ cursor: writeCursor(TRACE_ORDER, match), node, span, foundIn: match.foundIn }];
        });
        return foundOf(edges, answer, TRACE_ORDER);
      },
    }),
  }));
}

interface Given extends BoundedArguments {
  readonly text: string;
  readonly timeRange?: { readonly start?: Nullish<number>; readonly end?: Nullish<number> } | null | undefined;
  readonly filterCondition?: Nullish<string>;
}
type Nullish<Value> = Value | null | undefined;

function requestOf(projectId: number, given: Given, order: string) {
  const start = readStart(order, given.after);
  return {
    projectId,
    text: given.text,
    startUs: given.timeRange?.start ?? null,
    endUs: given.timeRange?.end ?? null,
    condition: given.filterCondition ?? "",
    after: start?.place ?? null,
    limit: requireBounded(given),
  };
}

function foundOf<Edge extends { readonly cursor: string }>(
  edges: readonly Edge[],
  { next, progress }: SearchAnswer<unknown>,
  order: string,
): Found<Edge> {
  const endCursor = next === null ? (edges.at(-1)?.cursor ?? null) : writeCursor(order, next);
  const pageInfo = {
    hasNextPage: next !== null,
    hasPreviousPage: false,
    startCursor: edges[0]?.cursor ?? null,
    endCursor,
  };
  return { edges, pageInfo, progress };
}

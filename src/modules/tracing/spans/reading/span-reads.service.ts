// Spans for GraphQL, which follows links: pages by any order, the spans of many traces at once, sums that are settled
// before they are shown, trees. Nothing here asks the database once a row.
import { parseSpanFilter, parseTraceFilter } from "../../../../filter/filter.ts";
import type { AttributePath } from "../../../../filter/tree.ts";
import { fail } from "../../../../kernel/failure.ts";
import type { Json } from "../../../../kernel/json.ts";
import { countFitting, type PlacedPage, type SortedRequest } from "../../../../kernel/list.ts";
import { exceptionTypeOf } from "../../../../model/summaries/blocks/facets.ts";
import type { AnnotationOrderRequest } from "../../../../storage/annotation-order.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { RollupsService } from "../../../../summaries/rollups/rollups.service.ts";
import { isSumSort, type SpanSort } from "../list/span-list.rules.ts";
import type { SpanPageScope, SpanPagesStore } from "../list/span-pages.store.ts";
import type { TraceSpanRequest, TraceSpansStore } from "../list/trace-spans.store.ts";
import { SHOWN_HEAD_BYTES, type ShownPayload, shownPayload } from "../payload/span-payload.rules.ts";
import type { SpanPayload, SpanPayloadsStore } from "../payload/span-payloads.store.ts";
import { withoutVectors } from "../payload/span-values.rules.ts";
import type { KeySpansStore } from "../rows/key-spans.store.ts";
import type { SpanAttributesStore } from "../rows/span-attributes.store.ts";
import type { RootSelection } from "../rows/span-columns.store.ts";
import type { SpanRowsStore } from "../rows/span-rows.store.ts";
import { type ChildrenSlice, type ListedParent, linksOf, parentsBelow } from "../rows/span-tree.rules.ts";
import type { SpanTreesStore } from "../rows/span-trees.store.ts";
import type { SpanLookupStore } from "../span-lookup.store.ts";
import { payloadsTooLarge, walkedTooLarge } from "../spans.errors.ts";
import type { SpanRecord, SpanSums } from "../spans.schema.ts";

export type { RootSelection, ShownPayload, SpanPayload };

/** Rows that one question may bring for many traces together. */
export const MAX_ROWS = 20_000;

const MEBIBYTE = 1024 * 1024;
/** Attributes and events that one call may bring into memory; the answer takes a few times as much while it is written. */
const MOST_PAYLOAD_BYTES = 32 * MEBIBYTE;

/** Conditions as texts, here and below; blank ones match everything. */
interface ProjectSpans extends Omit<SpanPageScope, "filter" | "traceFilter"> {
  readonly condition: string;
  readonly traceCondition: string;
}

export interface TraceSpans extends Omit<TraceSpanRequest, "filter"> {
  readonly condition: string;
}

export interface SpanReadsService {
  /** What reads sums settles the traces of the project first. Throws `filter.invalid`, here and below. */
  listOfProject(
    context: CallContext,
    spans: ProjectSpans,
    request: SortedRequest<SpanSort>,
  ): Promise<PlacedPage<SpanRecord>>;
  /** The spans that have the annotation, in the order of its score or label. */
  listByAnnotation(
    context: CallContext,
    spans: ProjectSpans,
    request: AnnotationOrderRequest,
  ): Promise<PlacedPage<SpanRecord>>;
  /** One page of each trace, newest first, by row id of the trace. Throws kind `invalid` beyond MAX_ROWS in all. */
  listOfTraces(
    context: CallContext,
    traceIds: readonly number[],
    spans: TraceSpans,
  ): Promise<Map<number, PlacedPage<SpanRecord>>>;
  /** By row id. Spans that are gone are left out, here and below. */
  findSpans(context: CallContext, ids: readonly number[]): Promise<Map<number, SpanRecord>>;
  /** The newest span with the external id. */
  findSpanByKey(context: CallContext, spanKey: string): Promise<SpanRecord | null>;
  /** By row id of the trace: the earliest span without a parent, or whose parent is not stored. */
  findRoots(context: CallContext, traceIds: readonly number[]): Promise<Map<number, SpanRecord>>;
  /** By row id of the session: its first or last root in the order of trace start, trace and span. */
  findSessionEnds(
    context: CallContext,
    sessionIds: readonly number[],
    end: "first" | "last",
  ): Promise<Map<number, SpanRecord>>;
  /** The spans of each trace that matter, by row id of the trace; traces without any are left out. */
  listKeySpans(context: CallContext, traceIds: readonly number[], most: number): Promise<Map<number, KeySpans>>;
  /** Throws kind `too_large` when all the payloads of one call context would take more than MOST_PAYLOAD_BYTES, unless they
   *  are those of a single span. */
  readPayloads(context: CallContext, ids: readonly number[]): Promise<Map<number, SpanPayload>>;
  /** The payloads of any number of spans in parts, whole, for what keeps little of them. Throws kind `too_large` when all of them take more
   *  than `mostBytes`. */
  walkPayloads(
    context: CallContext,
    ids: readonly number[],
    mostBytes: number,
  ): AsyncGenerator<ReadonlyMap<number, SpanPayload>>;
  /** The payloads as pages show them: bounded, with what was cut. All of them are bounded as above. */
  readShownPayloads(context: CallContext, ids: readonly number[]): Promise<Map<number, ShownPayload>>;
  /** The type of the first exception of each span that recorded one. All of the payloads are bounded as above. */
  readErrorTypes(context: CallContext, ids: readonly number[]): Promise<Map<number, string>>;
  /** The beginning of each attribute as text, in the order of the paths; null where there is none. */
  readAttributes(
    context: CallContext,
    ids: readonly number[],
    paths: readonly AttributePath[],
  ): Promise<Map<number, readonly (string | null)[]>>;
  /** Settled. */
  readSums(context: CallContext, ids: readonly number[]): Promise<Map<number, SpanSums>>;
  countChildren(context: CallContext, ids: readonly number[]): Promise<Map<number, number>>;
  /** By row id of each span: whose children are everything below it, level by level; `maxDepth` 0 is no limit. Throws kind `invalid`
   *  for traces that are too large to be shown as a tree. */
  listParentsBelow(
    context: CallContext,
    ids: readonly number[],
    maxDepth: number,
  ): Promise<Map<number, ListedParent[]>>;
  /** Row ids of the children of each span, by start. */
  listChildren(context: CallContext, ids: readonly number[], slice: ChildrenSlice): Promise<Map<number, number[]>>;
}

/** Model calls, tools, retrievers and the like, and what failed. */
export interface KeySpans {
  /** All of the trace. */
  readonly count: number;
  /** By start; where they are too many, those that failed and the earliest. */
  readonly spans: readonly SpanRecord[];
}

interface SpanReadsDependencies {
  readonly pages: SpanPagesStore;
  readonly traceSpans: TraceSpansStore;
  readonly rows: SpanRowsStore;
  readonly trees: SpanTreesStore;
  readonly keySpans: KeySpansStore;
  readonly payloads: SpanPayloadsStore;
  readonly attributes: SpanAttributesStore;
  readonly lookup: SpanLookupStore;
  readonly rollups: RollupsService;
}

const tooManyRows = () =>
  fail("spans.too_many", "invalid", `first: more than ${MAX_ROWS} spans in all; ask for fewer, or for fewer traces`);

/** Spans whose sizes are looked at together, and bytes that are in memory at a time, while payloads are walked. */
const SPANS_A_LOOK = 1000;
const MOST_PART_BYTES = 4 * MEBIBYTE;
/** Of an attribute in a list. */
const ATTRIBUTE_CHARACTERS = 200;
/** Spans with children of traces whose trees are walked. */
const MOST_PARENTS = 200_000;

export function createSpanReadsService(dependencies: SpanReadsDependencies): SpanReadsService {
  const { pages, traceSpans, rows, trees, keySpans, payloads, attributes, lookup, rollups } = dependencies;
  /** What each call has brought into memory; it goes with its context. */
  const held = new WeakMap<CallContext, { spans: number; bytes: number }>();

  /** Asked before anything is read. A single span can be read at any size. */
  async function requireBudget(context: CallContext, ids: readonly number[], extent: "whole" | "heads"): Promise<void> {
    const sizes = await payloads.sizes(context, ids, extent);
    const before = held.get(context) ?? { spans: 0, bytes: 0 };
    const now = {
      spans: before.spans + ids.length,
      bytes: sizes.values().reduce((sum, size) => sum + size, before.bytes),
    };
    held.set(context, now);
    if (now.spans <= 1 || now.bytes <= MOST_PAYLOAD_BYTES) return;
    throw payloadsTooLarge(now.spans, Math.ceil(now.bytes / MEBIBYTE), MOST_PAYLOAD_BYTES / MEBIBYTE);
  }

  const findSpans = async (context: CallContext, ids: readonly number[]) => byId(await rows.find(context, ids));

  return {
    findSpans,

    async listOfProject(context, spans, request) {
      const of = { projectIds: [spans.projectId] };
      const scope = await settledScope(rollups, context, spans);
      const sort = isSumSort(request.sort) ? await rollups.settled(context, of, request.sort) : request.sort;
      return pages.listOfProject(context, scope, { ...request, sort });
    },

    listByAnnotation: async (context, spans, request) =>
      pages.listByAnnotation(context, await settledScope(rollups, context, spans), request),

    async listOfTraces(context, traceIds, { condition, ...request }) {
      const filter = await rollups.settledFilter(context, { traceIds }, parseSpanFilter(condition));
      const found = await traceSpans.listOfTraces(context, traceIds, { ...request, filter }, MAX_ROWS);
      if (found === null) throw tooManyRows();
      return found;
    },

    async findSpanByKey(context, spanKey) {
      const place = await lookup.findNewest(context, spanKey);
      return place === null ? null : ((await findSpans(context, [place.id])).get(place.id) ?? null);
    },

    async findRoots(context, traceIds) {
      const found = await rows.findRoots(context, traceIds);
      return new Map(found.map((span) => [span.traceId, span]));
    },

    async findSessionEnds(context, sessionIds, end) {
      const found = await rows.findSessionEnds(context, sessionIds, end);
      return new Map(found.map(({ sessionId, ...span }) => [sessionId, span]));
    },

    async listKeySpans(context, traceIds, most) {
      const byTrace = Map.groupBy(await keySpans.listKeySpans(context, traceIds, most), (span) => span.traceId);
      return new Map([...byTrace].map(([traceId, spans]) => [traceId, { count: spans[0]!.stepCount, spans }]));
    },

    async readPayloads(context, ids) {
      await requireBudget(context, ids, "whole");
      return payloads.read(context, ids);
    },

    walkPayloads: (context, ids, mostBytes) => walkPayloads(payloads, context, ids, mostBytes),

    async readShownPayloads(context, ids) {
      await requireBudget(context, ids, "heads");
      const heads = await payloads.readHeads(context, ids, SHOWN_HEAD_BYTES);
      return new Map(
        [...heads].map(([id, payload]) => {
          return [id, shownPayload({ ...payload, attributes: withoutVectors(payload.attributes) })];
        }),
      );
    },

    async readErrorTypes(context, ids) {
      await requireBudget(context, ids, "heads");
      return errorTypesOf(await payloads.readEvents(context, ids));
    },

    readAttributes: (context, ids, paths) => attributes.readTexts(context, ids, paths, ATTRIBUTE_CHARACTERS),

    async readSums(context, ids) {
      const spans = await rows.find(context, ids);
      const of = { traceIds: [...new Set(spans.map((span) => span.traceId))] };
      return rows.readSums(context, await rollups.settled(context, of, of), ids);
    },

    countChildren: (context, ids) => trees.countChildren(context, ids),

    async listParentsBelow(context, ids, maxDepth) {
      const tops = await rows.find(context, ids);
      const traceIds = [...new Set(tops.map((span) => span.traceId))];
      const parents = await trees.listParents(context, traceIds, MOST_PARENTS + 1);
      if (parents.length > MOST_PARENTS) throw tooManyRows();
      const links = linksOf(parents);
      return new Map(tops.map((top) => [top.id, parentsBelow(top, links, maxDepth)]));
    },

    listChildren: (context, ids, slice) => trees.listChildren(context, ids, slice),
  };
}

async function* walkPayloads(
  payloads: SpanPayloadsStore,
  context: CallContext,
  ids: readonly number[],
  mostBytes: number,
): AsyncGenerator<ReadonlyMap<number, SpanPayload>> {
  let bytes = 0;
  for (let first = 0; first < ids.length; first += SPANS_A_LOOK) {
    let rest = ids.slice(first, first + SPANS_A_LOOK);
    const sizes = await payloads.sizes(context, rest, "whole");
    bytes += sizes.values().reduce((sum, size) => sum + size, 0);
    if (bytes > mostBytes) throw walkedTooLarge(mostBytes / MEBIBYTE);
    while (rest.length > 0) {
      const count = countFitting(rest, MOST_PART_BYTES, (id) => sizes.get(id) ?? 0);
      yield await payloads.read(context, rest.slice(0, count));
      rest = rest.slice(count);
    }
  }
}

function errorTypesOf(events: ReadonlyMap<number, Json>): Map<number, string> {
  const types = new Map<number, string>();
  for (const [id, ofSpan] of events) {
    const type = exceptionTypeOf(ofSpan);
    if (type !== null) types.set(id, type);
  }
  return types;
}

async function settledScope(
  rollups: RollupsService,
  context: CallContext,
  { condition, traceCondition, ...spans }: ProjectSpans,
): Promise<SpanPageScope> {
  const of = { projectIds: [spans.projectId] };
  const [filter, traceFilter] = [parseSpanFilter(condition), parseTraceFilter(traceCondition)];
  return {
    ...spans,
    filter: await rollups.settledFilter(context, of, filter),
    traceFilter: await rollups.settledFilter(context, of, traceFilter),
  };
}

function byId<Row extends { readonly id: number }>(found: readonly Row[]): Map<number, Row> {
  return new Map(found.map((row) => [row.id, row]));
}

// Pages of the spans of traces, newest first.
import { type SelectQueryBuilder, sql } from "kysely";
import type { Filter } from "../../../filter/filter.ts";
import type { Settled } from "../../../filter/settled.ts";
import { type PageRequest, type PlacedPage, pageOfRows } from "../../../kernel/list.ts";
import type { Dialect } from "../../../storage/dialect.ts";
import { arrivalOrder, onwards } from "../../../storage/list.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { Tables } from "../../../storage/tables.ts";
import { isRepresentative, type RootSelection, recordOf, spanColumns } from "../rows/span-columns.store.ts";
import type { SpanRecord } from "../spans.schema.ts";

/** Spans of each trace, and rows of each page. */
export interface TraceSpanRequest extends PageRequest {
  readonly roots: RootSelection;
  readonly filter: Settled<Filter> | null;
}

const newestFirst = arrivalOrder(sql.ref<number>("spans.id"), "desc");

export type TraceSpansStore = ReturnType<typeof createTraceSpansStore>;

export function createTraceSpansStore(dialect: Dialect) {
  function narrow<Row>(
    query: SelectQueryBuilder<Tables, "spans", Row>,
    { roots, filter, start }: TraceSpanRequest,
  ): SelectQueryBuilder<Tables, "spans", Row> {
    let narrowed = query;
    if (roots !== "none") narrowed = narrowed.where(isRepresentative(roots));
    if (filter !== null) narrowed = narrowed.where(filter.condition(dialect, "spans"));
    const from = onwards(newestFirst, start);
    return from === null ? narrowed : narrowed.where(from);
  }

  /** The ids are chosen out of an index alone: a page of a trace of 10,000 spans takes a tenth of the time that numbering all of
   *  its rows takes. */
  async function listOfTrace(
    context: CallContext,
    traceId: number,
    request: TraceSpanRequest,
    most: number,
    readClass: "short" | "slow",
  ): Promise<SpanRecord[]> {
    const database = context.database.read(context, readClass);
    const ofTrace = database.selectFrom("spans").select("spans.id").where("spans.trace_id", "=", traceId);
    // Not in the order of the table: it would be read from its newest row on until one belongs to the trace.
    const newest = sql`spans.id + 0`;
    const chosen = narrow(ofTrace, request)
      .orderBy(newest, "desc")
      .limit(Math.min(request.limit + 1, most));
    const query = database
      .selectFrom("spans")
      .select(spanColumns)
      .where("spans.id", "in", chosen)
      .orderBy(newest, "desc");
    return (await query.execute()).map(recordOf);
  }

  /** One row more of each trace than its page has, but `most` of all traces together. */
  async function readRows(
    context: CallContext,
    traceIds: readonly number[],
    request: TraceSpanRequest,
    most: number,
  ): Promise<SpanRecord[]> {
    const readClass = request.filter === null ? "short" : "slow";
    if (traceIds.length === 1) return listOfTrace(context, traceIds[0]!, request, most, readClass);
    const database = context.database.read(context, readClass);
    const numbered = database
      .selectFrom("spans")
      .select(spanColumns)
      .select(sql<number>`row_number() over (partition by spans.trace_id order by spans.id desc)`.as("position"))
      .where(dialect.inList(sql.ref("spans.trace_id"), traceIds));
    const found = await database
      .selectFrom(narrow(numbered, request).as("numbered"))
      .selectAll()
      .where("position", "<=", request.limit + 1)
      .orderBy("traceId")
      .orderBy("id", "desc")
      .limit(most)
      .execute();
    return found.map(({ position: _position, ...row }) => recordOf(row));
  }

  return {
    /** One page of each trace, by row id of the trace; null when there are more than `most` rows in all, counting one behind each
     *  page. */
    async listOfTraces(
      context: CallContext,
      traceIds: readonly number[],
      request: TraceSpanRequest,
      most: number,
    ): Promise<Map<number, PlacedPage<SpanRecord>> | null> {
      const found = await readRows(context, traceIds, request, most + 1);
      if (found.length > most) return null;
      const byTrace = Map.groupBy(found, (span) => span.traceId);
      const place = ({ id }: SpanRecord) => ({ value: id, rowId: id });
      return new Map([...byTrace].map(([id, rows]) => [id, pageOfRows(rows, request.limit, place)]));
    },
  };
}

// Pages of the spans of traces, newest first.
import { sql } from "kysely";
import type { Filter } from "../../../../filter/filter.ts";
import type { Settled } from "../../../../filter/settled.ts";
import { type PageRequest, type PlacedPage, pageOfRows, rowsWanted } from "../../../../kernel/list.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import { arrivalOrder, onwards } from "../../../../storage/list.ts";
import { type SpanRow, selectedSpan } from "../../../../storage/span-columns.ts";
import type { CallContext, Database } from "../../../../storage/storage.ts";
import { type RootSelection, recordOf } from "../rows/span-columns.store.ts";
import { listRepresentatives } from "../rows/span-rows.store.ts";
import type { SpanRecord } from "../spans.schema.ts";
import { chooseOfTraces, MOST_TRACES, type QueryOfSpans } from "./trace-order.store.ts";

/** Spans of each trace, and rows of each page. */
export interface TraceSpanRequest extends PageRequest {
  readonly roots: RootSelection;
  readonly filter: Settled<Filter> | null;
}

const newestFirst = arrivalOrder(sql<number>`(spans.id + 0)`, "desc");

export type TraceSpansStore = ReturnType<typeof createTraceSpansStore>;

export function createTraceSpansStore(dialect: Dialect) {
  const rowsOf = (database: Database, ids: readonly number[]): QueryOfSpans<SpanRow> =>
    database
      .selectFrom("spans")
      .select(selectedSpan)
      .where(dialect.inList(sql.ref("spans.id"), ids))
      .orderBy(newestFirst.rowId, "desc");

  /** One row more of each trace than its page has; null when all of them are more than `most`. */
  async function readRows(
    context: CallContext,
    traceIds: readonly number[],
    { roots, filter, start, limit }: TraceSpanRequest,
    most: number,
  ): Promise<SpanRecord[] | null> {
    const database = context.database.read(context, filter === null ? "short" : "slow");
    const narrow = <Row>(query: QueryOfSpans<Row>) =>
      filter === null ? query : query.where(filter.condition(dialect, "spans"));
    if (roots !== "none") {
      const query = narrow(rowsOf(database, await listRepresentatives(database, dialect, traceIds, roots)));
      const from = onwards(newestFirst, start);
      const found = await (from === null ? query : query.where(from)).execute();
      return found.length > most ? null : found.map(recordOf);
    }
    const rows = { sort: "arrival", order: "desc", start, limit: rowsWanted(limit) } as const;
    const ids: number[] = [];
    for (let first = 0; first < traceIds.length; first += MOST_TRACES) {
      const some = traceIds.slice(first, first + MOST_TRACES);
      for (const { id } of await chooseOfTraces(database, dialect, some, rows, narrow)) ids.push(id);
      if (ids.length > most) return null;
    }
    return (await rowsOf(database, ids).execute()).map(recordOf);
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
      const found = await readRows(context, traceIds, request, most);
      if (found === null) return null;
      const byTrace = Map.groupBy(found, (span) => span.traceId);
      const place = ({ id }: SpanRecord) => ({ value: id, rowId: id });
      return new Map([...byTrace].map(([id, rows]) => [id, pageOfRows(rows, request.limit, place)]));
    },
  };
}

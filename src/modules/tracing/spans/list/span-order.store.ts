// The orders of span lists, and pages among candidates: shared by the lists of both APIs.
import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import { ARRIVAL, type Order, type PlacedPage, rowsWanted, type SortedRequest } from "../../../../kernel/list.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import {
  arrivalOrder,
  type ListOrder,
  placeOf,
  projectArrival,
  readRows,
  type Sorted,
  sortedPage,
  type Unsorted,
} from "../../../../storage/list.ts";
import type { Tables } from "../../../../storage/tables.ts";
import type { CandidateRange } from "../../../../summaries/blocks/candidate-ranges.store.ts";
import { readCandidates } from "../../../../summaries/blocks/candidates.store.ts";
import type { CostSort, SpanSort } from "./span-list.rules.ts";

const sortValues: Readonly<Record<Exclude<SpanSort, "arrival">, RawBuilder<number | null>>> = {
  startTime: sql`spans.start_us`,
  endTime: sql`(spans.start_us + spans.latency_us)`,
  latencyMs: sql`spans.latency_us`,
  tokenCountTotal: sql`(coalesce(spans.prompt_tokens, 0) + coalesce(spans.completion_tokens, 0))`,
  tokenCountPrompt: sql`spans.prompt_tokens`,
  tokenCountCompletion: sql`spans.completion_tokens`,
  cumulativeTokenCountTotal: sql`(spans.sum_prompt + spans.sum_completion)`,
  cumulativeTokenCountPrompt: sql`spans.sum_prompt`,
  cumulativeTokenCountCompletion: sql`spans.sum_completion`,
  tokenCostTotal: sql`spans.own_cost`,
  cumulativeTokenCostTotal: sql`(select nullif(traces.cost, 0) from traces where traces.id = spans.trace_id)`,
};
const nullable: ReadonlySet<SpanSort> = new Set<SpanSort>(["tokenCountPrompt", "tokenCountCompletion"]);

/** Spans that a list in that order has. */
export function hasSortValue(sort: CostSort): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sortValues[sort]} is not null`;
}

/** The order of a list of spans. `walked`: on the index of the order until the page is full; else the matches are sorted, and
 *  expressions see to it that no index is read to its end for them. */
export function spanOrder(sort: SpanSort, direction: Order, walked: boolean): ListOrder {
  const rowId = walked ? sql.ref<number>("spans.id") : sql<number>`(spans.id + 0)`;
  if (sort === ARRIVAL) return arrivalOrder(rowId, direction);
  const value = walked ? sortValues[sort] : sql<number | null>`${sortValues[sort]} + 0`;
  return { value, rowId, direction, nullable: nullable.has(sort) };
}

/** The spans of a project in the order of arrival, to `end` or to the end of the list. */
export function spanArrival(projectId: number, direction: Order, end: number | null = null): ListOrder {
  return projectArrival("spans", projectId, direction, end);
}

/** The page among candidates, which are read group by group. `query`: the spans of the list among those of a group. */
export async function readCandidatePage<Row extends { readonly id: number }>(
  dialect: Dialect,
  ranges: readonly CandidateRange[],
  request: SortedRequest<SpanSort>,
  query: (isCandidate: RawBuilder<boolean>) => SelectQueryBuilder<Tables, "spans", Row>,
): Promise<PlacedPage<Unsorted<Row>>> {
  const { sort, order: direction, start, limit } = request;
  const order = spanOrder(sort, direction, false);
  const by = sort === ARRIVAL ? "id" : sort === "startTime" ? "start" : "other";
  const from = start === null || by === "other" ? null : by === "id" ? start.place.rowId : start.place.value;
  const place = (row: Sorted<Row>) => ({ value: placeOf(order, row).value, id: row.id });
  const list = { direction, by, from, limit: rowsWanted(limit), place } as const;
  const found = await readCandidates(dialect, ranges, list, (isCandidate) =>
    readRows(query(isCandidate), order, request),
  );
  return sortedPage(found, order, limit);
}

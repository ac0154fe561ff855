// Lists in the order of an annotation's score or label: rows without a value are not in them. Of several annotations of the name that
// a row has, the one counts that comes first in the order. Labels are ordered by their beginnings, as their index has them.
import { createHash } from "node:crypto";
import { type Expression, type RawBuilder, sql } from "kysely";
import { type Order, type PageStart, type PlacedPage, pageOfRows, rowsWanted } from "../kernel/list.ts";
import type { CallContext } from "./storage.ts";

export const annotationValues = ["score", "label"] as const;

/** What a list is sorted by. */
export interface AnnotationSort {
  readonly name: string;
  readonly attr: (typeof annotationValues)[number];
}

export interface AnnotationOrderRequest {
  readonly sort: AnnotationSort;
  readonly order: Order;
  readonly start: PageStart | null;
  readonly limit: number;
}

/** Names the order in cursors, which hold letters only. */
export function annotationOrderWord(list: string, { name, attr }: AnnotationSort, order: Order): string {
  const digest = createHash("sha256").update(name).digest("hex").slice(0, 24);
  const letters = digest.replace(/\d/g, (digit) => "ghijklmnop"[Number(digit)]!);
  return `${list}_${attr}_${letters}_${order}`;
}

const tables = {
  span: { table: "span_annotations", owner: "span_id" },
  trace: { table: "trace_annotations", owner: "trace_id" },
  session: { table: "session_annotations", owner: "session_id" },
} as const;

/** A page of row ids. `listed`: a query that selects 1 for the id of a row of the list, nothing for others. */
export async function listByAnnotation(
  context: CallContext,
  grain: keyof typeof tables,
  { sort, order, start, limit }: AnnotationOrderRequest,
  listed: (id: RawBuilder<number>) => Expression<unknown>,
): Promise<PlacedPage<number>> {
  const { table, owner } = tables[grain];
  const [way, beyond, before] = order === "asc" ? [sql`asc`, sql`>`, sql`<`] : [sql`desc`, sql`<`, sql`>`];
  const column = sort.attr === "score" ? "score" : "label_head";
  const of = (alias: string, name: string) => sql.ref(`${alias}.${name}`);
  const [id, value] = [sql.ref<number>(`sorted.${owner}`), of("sorted", column)];
  const other = of("other", column);
  // Both questions are asked row by row, on the way through the index, until the page is full: an `exists` would be joined with all.
  const isFirst = sql`0 = (select count(*) from ${sql.table(table)} as other
    where ${of("other", owner)} = ${id} and other.name = sorted.name
      and (${other} ${before} ${value} or (${other} = ${value} and other.id < sorted.id)))`;
  const further = start === null ? sql`` : sql` and ${behind(start)}`;
  const { rows } = await sql<{ id: number; value: number | string }>`
    select ${id} as id, ${value} as value from ${sql.table(table)} as sorted
    where sorted.name = ${sort.name} and ${value} is not null${further} and ${isFirst} and ${listed(id)} = 1
    order by ${value} ${way}, ${id} ${way} limit ${sql.lit(rowsWanted(limit))}`.execute(
    context.database.read(context, "slow"),
  );
  const page = pageOfRows(rows, limit, (row) =>
    typeof row.value === "string"
      ? { value: null, text: row.value, rowId: row.id }
      : { value: row.value, rowId: row.id },
  );
  return { ...page, items: page.items.map((row) => row.id) };

  // Two comparisons, so that the index is entered at the place.
  function behind({ place, included }: PageStart): RawBuilder<unknown> {
    const from = place.text ?? place.value;
    const next = sql`${id} ${beyond}${included ? sql`=` : sql``} ${place.rowId}`;
    return sql`${value} ${beyond}= ${from} and (${value} <> ${from} or ${next})`;
  }
}

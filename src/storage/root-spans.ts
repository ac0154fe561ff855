// Which span represents a trace: the earliest without a parent; of those that start together the newest.
import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";

/** Which spans have no parent: `orphans` also counts those whose parent is not stored. */
export type TopSpans = "strict" | "orphans";

/** True of a row of spans without a parent. */
export function mayRepresent(span: "spans" | "root" | "first", roots: TopSpans): RawBuilder<SqlBool> {
  const parentKey = sql.ref(`${span}.parent_key`);
  const strict = sql<SqlBool>`${parentKey} is null`;
  if (roots === "strict") return strict;
  const parent = sql`select 1 from spans as parent
    where parent.trace_id = ${sql.ref(`${span}.trace_id`)} and parent.span_key = ${parentKey}`;
  // A value, not `exists`: PostgreSQL would read every parent of the table first.
  return sql<SqlBool>`(${strict} or (${parent} limit 1) is null)`;
}

/** The id of the span that represents a trace; null where none does. Looked for in the order of an index, which is left at the first one
 *  that may: of those that start together the newest is another order, for which all of the trace would be read. */
export function representativeOf(trace: Expression<number>, roots: TopSpans): RawBuilder<number | null> {
  // A case, of which planners know nothing: PostgreSQL knows how rare roots are, and would sort the trace for the one it expects.
  const start = sql`(select first.start_us from spans as first where first.trace_id = ${trace}
    and case when ${mayRepresent("first", roots)} then true else false end order by first.start_us, first.id limit 1)`;
  return sql<number | null>`(select root.id from spans as root where root.trace_id = ${trace}
    and root.start_us = ${start} and ${mayRepresent("root", roots)} order by root.id desc limit 1)`;
}

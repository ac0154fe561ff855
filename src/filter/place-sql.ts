// Where fields and collections are stored, as SQL over the alias of their row.
import { sql } from "kysely";
import { representativeOf } from "../storage/root-spans.ts";
import type { Collection, Field, Place } from "./field.ts";
import { MONEY_SCALE } from "./field-builders.ts";
import type { NumberSql } from "./number-sql.ts";
import { notCompiled } from "./refusal.ts";
import type { Sql, SqlDifferences } from "./sql-differences.ts";

export function columnOf(alias: string, column: string): Sql {
  return sql.ref(`${alias}.${column}`);
}

/** A number or timestamp that is stored in columns. */
export function numberAt(to: SqlDifferences, place: Place, alias: string, grain: "trace" | "session"): NumberSql {
  const stored = (units: Sql, scale: number): NumberSql => ({ form: "exact", units, scale, stored: true });
  switch (place.in) {
    case "column":
      return stored(columnOf(alias, place.column), place.scale);
    case "columns":
      return stored(
        sql`(${sql.join(
          place.columns.map((name) => columnOf(alias, name)),
          sql` + `,
        )})`,
        place.scale,
      );
    case "difference":
      return stored(sql`(${columnOf(alias, place.column)} - ${columnOf(alias, place.from)})`, place.scale);
    case "span cost":
      return stored(spanCost(place.column, alias), MONEY_SCALE);
    case "sum of costs":
      return stored(sumOfCosts(place.column, alias, grain), MONEY_SCALE);
    case "double":
      return { form: "double", value: columnOf(alias, place.column) };
    case "cost per token": {
      const [cost, tokens] = [to.asDouble(columnOf(alias, "cost")), to.asDouble(columnOf(alias, "tokens"))];
      const price = sql`(${cost} / ${to.double(10 ** MONEY_SCALE)} / nullif(${tokens}, ${to.double(0)}))`;
      return { form: "double", value: price };
    }
    default:
      throw notCompiled(`No number stands in ${place.in}`);
  }
}

/** The cost of a span is in its own row; its parts are in the cost row. */
function spanCost(column: string, alias: string): Sql {
  if (column === "cost") return sql`coalesce(${columnOf(alias, "own_cost")}, 0)`;
  return sql`coalesce((select ${sql.ref(`filter_cost.${column}`)} from span_costs as filter_cost
    where filter_cost.span_id = ${columnOf(alias, "id")}), 0)`;
}

/** The spans of a trace or session as `filter_span`, as what follows `from`, before another join and the end of the query. */
function spansOf(grain: string, owner: string): { readonly from: Sql; readonly where: Sql } {
  const id = columnOf(owner, "id");
  if (grain === "trace") return { from: sql`spans as filter_span`, where: sql`filter_span.trace_id = ${id}` };
  const from = sql`traces as filter_trace join spans as filter_span on filter_span.trace_id = filter_trace.id`;
  return { from, where: sql`filter_trace.session_id = ${id}` };
}

function sumOfCosts(column: string, alias: string, grain: "trace" | "session"): Sql {
  const spans = spansOf(grain, alias);
  return sql`coalesce((select sum(${sql.ref(`filter_cost.${column}`)}) from ${spans.from}
    join span_costs as filter_cost on filter_cost.span_id = filter_span.id where ${spans.where}), 0)`;
}

/** The text of a column, or of a code in it. */
export function textAt(place: Place, alias: string): Sql {
  switch (place.in) {
    case "column":
      return columnOf(alias, place.column);
    case "codes": {
      const names = place.names.map((name, code) => sql`when ${sql.lit(code)} then ${sql.lit(name)}`);
      return sql`(case ${columnOf(alias, place.column)} ${sql.join(names, sql` `)} end)`;
    }
    case "trace key":
      return sql`(select filter_trace.trace_key from traces as filter_trace where filter_trace.id = ${columnOf(alias, "trace_id")})`;
    case "error groups":
      return sql`(select min(filter_group.group_key) from ${failuresInGroups(place.of)}
        and ${failureOwner(place.of)} = ${columnOf(alias, "id")})`;
    default:
      throw notCompiled(`No text stands in ${place.in}`);
  }
}

/** The row of which a failure is one. */
function failureOwner(of: "span" | "trace" | "session"): Sql {
  return sql.raw(
    { span: "filter_failure.span_id", trace: "filter_failure.trace_id", session: "filter_failed_trace.session_id" }[of],
  );
}

/** Counted failures with their groups, as what follows `from`; a further condition may be appended. */
function failuresInGroups(of: "span" | "trace" | "session"): Sql {
  const traces =
    of === "session"
      ? sql` join traces as filter_failed_trace on filter_failed_trace.id = filter_failure.trace_id
        and filter_failed_trace.session_id is not null`
      : sql``;
  return sql`failure_groups as filter_group
    join failure_fingerprints as filter_fingerprint on filter_fingerprint.group_id = filter_group.id
    join failures as filter_failure on filter_failure.fingerprint_id = filter_fingerprint.id${traces}
    where filter_failure.passes_on = 0`;
}

/** Row ids, as `id`, of the spans, traces or sessions with a failure in one of the groups. */
export function rowsOfErrorGroups(
  to: Pick<SqlDifferences, "amongTexts">,
  of: "span" | "trace" | "session",
  keys: readonly string[],
): Sql<number> {
  return sql<number>`select ${failureOwner(of)} as id from ${failuresInGroups(of)}
    and ${to.amongTexts(sql.ref("filter_group.group_key"), keys)}`;
}

/** The code of a literal, -1 for a text without a code. */
export function fieldCode(field: Field, literal: string): number {
  return field.place.in === "codes" ? field.place.names.indexOf(literal) : -1;
}

/** The parent of a span, as a row under `alias`, around the value that is read from it. */
export function fromParent(value: Sql, alias: string, child: string): Sql {
  return sql`(select ${value} from spans as ${sql.id(alias)}
    where ${columnOf(alias, "trace_id")} = ${columnOf(child, "trace_id")}
      and ${columnOf(alias, "span_key")} = ${columnOf(child, "parent_key")})`;
}

export function hasNoParent(alias: string): Sql<boolean> {
  return sql<boolean>`(not exists (select 1 from spans as filter_parent
    where filter_parent.trace_id = ${columnOf(alias, "trace_id")}
      and filter_parent.span_key = ${columnOf(alias, "parent_key")}))`;
}

/** The span whose input, output and attributes represent a trace: the earliest without a parent among its spans. For a
 *  session: the root span of its first trace, or of its last one. */
export function rootSpan(grain: "trace" | "session", alias: string, which: "representative" | "last"): Sql {
  if (grain === "trace") return representativeOf(sql.ref<number>(`${alias}.id`), "orphans");
  const order = sql.raw(which === "last" ? "desc" : "asc");
  return sql`(select filter_root.id from traces as filter_trace join spans as filter_root on filter_root.trace_id = filter_trace.id
    where filter_trace.session_id = ${columnOf(alias, "id")} and filter_root.parent_key is null
    order by filter_trace.start_us ${order}, filter_trace.id ${order}, filter_root.id ${order} limit 1)`;
}

/** The elements of a collection under `inner`, as what follows `from`, with `where`. */
export function elementsOf(collection: Collection, owner: string, of: string, inner: string): Sql {
  const as = (table: string) => sql`${sql.table(table)} as ${sql.id(inner)}`;
  const same = (column: string, other: string) => sql`${columnOf(inner, column)} = ${columnOf(of, other)}`;
  switch (`${owner} ${collection.name}`) {
    case "span cost_details":
      return sql`${as("span_cost_details")} where ${same("span_id", "id")}`;
    case "span children":
      return sql`${as("spans")} where ${same("trace_id", "trace_id")} and ${same("parent_key", "span_key")}`;
    case "span siblings":
      return sql`${as("spans")} where ${same("trace_id", "trace_id")} and ${same("parent_key", "parent_key")}
        and ${columnOf(inner, "id")} <> ${columnOf(of, "id")} and not ${hasNoParent(of)}`;
    case "trace spans":
      return sql`${as("spans")} where ${same("trace_id", "id")}`;
    case "trace span_cost_details":
    case "session span_cost_details":
    case "trace span_annotations":
    case "session span_annotations": {
      const spans = spansOf(owner, of);
      return sql`${spans.from} join ${as(collection.name)} on ${columnOf(inner, "span_id")} = filter_span.id
        where ${spans.where}`;
    }
    case "span annotations":
      return sql`${as("span_annotations")} where ${same("span_id", "id")}`;
    case "trace trace_annotations":
      return sql`${as("trace_annotations")} where ${same("trace_id", "id")}`;
    case "session session_annotations":
      return sql`${as("session_annotations")} where ${same("session_id", "id")}`;
    case "session traces":
      return sql`${as("traces")} where ${same("session_id", "id")} and ${columnOf(inner, "span_count")} > 0`;
    case "session spans":
      return sql`traces as filter_trace join ${as("spans")} on ${columnOf(inner, "trace_id")} = filter_trace.id
        where filter_trace.session_id = ${columnOf(of, "id")}`;
    default:
      throw notCompiled(`No elements of ${owner} ${collection.name} are stored`);
  }
}

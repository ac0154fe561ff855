// The rows that have the annotations which a condition requires, found by the indexes of annotations: a list begins there when these
// are few.
import { sql } from "kysely";
import { labelHead } from "../model/annotation.ts";
import type { LanguageGrain } from "./analyse.ts";
import { annotationAliases, annotationTables } from "./annotation-sql.ts";
import { compileAnnotations } from "./compile.ts";
import { columnOf } from "./place-sql.ts";
import type { RequiredAnnotation } from "./required-annotations.ts";
import type { Sql, SqlDifferences } from "./sql-differences.ts";
import type { Condition, Value } from "./tree.ts";
import { annotationKey } from "./tree-walk.ts";

/** A query of their row ids as `id`, in no order and perhaps more than once. */
export function annotatedRows(
  required: readonly RequiredAnnotation[],
  grain: LanguageGrain,
  to: SqlDifferences,
): Sql<number> {
  return sql<number>`${sql.join(
    required.map((each) => ownersOf(each, grain, to)),
    sql` union all `,
  )}`;
}

function ownersOf(required: RequiredAnnotation, grain: LanguageGrain, to: SqlDifferences): Sql {
  const aliases = annotationAliases([required]);
  const alias = aliases.get(annotationKey(required))!;
  const { table, owner } = annotationTables[required.owner];
  const conditions = required.where.flatMap((condition) => {
    const heads = labelHeads(condition);
    const compiled = compileAnnotations(condition, aliases, to);
    return heads === null ? [compiled] : [to.amongTexts(columnOf(alias, "label_head"), heads), compiled];
  });
  const where = [sql`${columnOf(alias, "name")} = ${to.text(required.name)}`, ...conditions];
  const rows = sql`${sql.table(table)} as ${sql.id(alias)}`;
  const id = columnOf(alias, owner);
  return sql`select ${foundBy(required, grain, rows, id)} where ${sql.join(where, sql` and `)}`;
}

/** For the root of a trace any span will do: these rows only narrow the search. */
function foundBy({ owner }: RequiredAnnotation, grain: LanguageGrain, rows: Sql, id: Sql): Sql {
  if (owner === "root")
    return sql`filter_span.trace_id as id from ${rows} join spans as filter_span on filter_span.id = ${id}`;
  if (grain === "span" && owner === "trace")
    return sql`filter_span.id from ${rows} join spans as filter_span on filter_span.trace_id = ${id}`;
  return sql`${id} as id from ${rows}`;
}

/** The beginnings of the labels of which the annotation has one; null where the condition does not say. */
function labelHeads(condition: Condition): string[] | null {
  const isLabel = (value: Value) => value.kind === "annotation" && value.member === "label";
  const heads = (labels: readonly Value[]) => {
    const texts = labels.flatMap((label) => (label.kind === "literal" && label.type === "text" ? label.value : []));
    return texts.length === labels.length ? [...new Set(texts.map(labelHead))] : null;
  };
  if (condition.kind === "among") return isLabel(condition.value) ? heads(condition.members) : null;
  if (condition.kind !== "comparison" || condition.comparator !== "==") return null;
  const { left, right } = condition;
  if (isLabel(left)) return heads([right]);
  return isLabel(right) ? heads([left]) : null;
}

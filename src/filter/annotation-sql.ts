// Annotations in SQL: a condition that reads some is true when one row of each name, or none where there is none, makes it true.
import { sql } from "kysely";
import { columnOf } from "./place-sql.ts";
import type { Sql, SqlDifferences } from "./sql-differences.ts";
import type { AnnotationKey, AnnotationOwner, Condition } from "./tree.ts";
import { annotationKey, annotationsIn } from "./tree-walk.ts";

interface AnnotationTable {
  readonly table: "span_annotations" | "trace_annotations" | "session_annotations" | "experiment_evaluations";
  /** The column of the annotated row. */
  readonly owner: string;
}

export const annotationTables: Readonly<Record<AnnotationOwner, AnnotationTable>> = {
  span: { table: "span_annotations", owner: "span_id" },
  trace: { table: "trace_annotations", owner: "trace_id" },
  root: { table: "span_annotations", owner: "span_id" },
  session: { table: "session_annotations", owner: "session_id" },
  run: { table: "experiment_evaluations", owner: "run_id" },
};

/** What the annotations that a part of a condition reads are called in it, by `annotationKey`. */
export function annotationAliases(keys: readonly AnnotationKey[]): Map<string, string> {
  return new Map(keys.map((key, at) => [annotationKey(key), `filter_annotation_${at}`]));
}

interface ReadAnnotations {
  readonly keys: readonly AnnotationKey[];
  /** The id of the row whose annotations are read. */
  readonly rowOf: (owner: AnnotationOwner) => Sql;
  /** The condition over the aliases. */
  readonly holds: Sql<boolean>;
}

/** Some row of each name, or none where there is none, makes the condition true. The joins name the filtered row, so that PostgreSQL
 *  looks up the annotations of each: joined as a whole, with statistics from before the annotations came, it compares all with all. */
export function someAnnotations(to: SqlDifferences, { keys, rowOf, holds }: ReadAnnotations): Sql<boolean> {
  const aliases = annotationAliases(keys);
  const joins = keys.map((key) => {
    const alias = aliases.get(annotationKey(key))!;
    const { table, owner } = annotationTables[key.owner];
    return sql` left join ${sql.table(table)} as ${sql.id(alias)}
      on ${columnOf(alias, owner)} = ${rowOf(key.owner)} and ${columnOf(alias, "name")} = ${to.text(key.name)}`;
  });
  return sql<boolean>`(exists (select 1 from (select 1 as one) as filter_one${sql.join(joins, sql``)} where ${holds}))`;
}

/** Scores from here on are on one side, lower ones on the other. */
const SIDE_OF_SCORES = 0.5;

/** Two annotations contradict each other: by their labels, or, where one has none, by the sides of their scores; never missing. */
export function contradicts(one: string, other: string): Sql<boolean> {
  const [label, otherLabel] = [columnOf(one, "label"), columnOf(other, "label")];
  const side = (alias: string) => sql`(${columnOf(alias, "score")} < ${sql.lit(SIDE_OF_SCORES)})`;
  return sql<boolean>`(case when ${label} is not null and ${otherLabel} is not null then ${label} <> ${otherLabel}
    else coalesce(${side(one)} <> ${side(other)}, false) end)`;
}

/** Some annotation of a person contradicts one of a program, with the owner and the name of the one that the alias stands for. */
export function isDisputed(of: AnnotationOwner, alias: string): Sql<boolean> {
  const { table, owner } = annotationTables[of];
  const [person, program] = ["filter_person", "filter_program"];
  return sql<boolean>`(exists (select 1 from ${sql.table(table)} as ${sql.id(person)}
    join ${sql.table(table)} as ${sql.id(program)} on ${columnOf(program, owner)} = ${columnOf(person, owner)}
      and ${columnOf(program, "name")} = ${columnOf(person, "name")}
    where ${columnOf(person, owner)} = ${columnOf(alias, owner)} and ${columnOf(person, "name")} = ${columnOf(alias, "name")}
      and ${columnOf(person, "annotator_kind")} = 'HUMAN' and ${columnOf(program, "annotator_kind")} <> 'HUMAN'
      and ${contradicts(person, program)}))`;
}

/** The operands of a conjunction in groups that have no annotation in common: each chooses its rows for itself. */
export function separateOperands(operands: readonly Condition[]): (readonly Condition[])[] {
  const plain: Condition[] = [];
  let groups: { readonly keys: ReadonlySet<string>; readonly operands: readonly Condition[] }[] = [];
  for (const operand of operands) {
    const keys = new Set(annotationsIn(operand).map(annotationKey));
    if (keys.size === 0) {
      plain.push(operand);
      continue;
    }
    const joined = groups.filter((group) => !group.keys.isDisjointFrom(keys));
    groups = groups.filter((group) => !joined.includes(group));
    groups.push({
      keys: joined.reduce((all, group) => all.union(group.keys), keys as ReadonlySet<string>),
      operands: [...joined.flatMap((group) => group.operands), operand],
    });
  }
  return [...(plain.length === 0 ? [] : [plain]), ...groups.map((group) => group.operands)];
}

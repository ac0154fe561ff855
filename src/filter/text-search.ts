// Where a span contains a text: in its input, its output, its error message, or in its annotations. The same search as `in` of the filter
// language, whole texts included that are stored separately from the attributes.
import { sql } from "kysely";
import type { Dialect } from "../storage/dialect.ts";
import { compileCondition } from "./compile.ts";
import { differencesOf } from "./filter.ts";
import { columnOf } from "./place-sql.ts";
import type { Sql } from "./sql-differences.ts";
import type { Condition, Value } from "./tree.ts";

/** The position is the code in an answer of `placeOfText`. */
export const textPlaces = ["input", "output", "error", "annotation"] as const;
export type TextPlace = (typeof textPlaces)[number];

/** The code of the first place that contains the text, else null. Error: the message of the status, or that of an exception
 *  among the events. Annotation: the explanation of one of the span or of its documents, notes among them. `span` and `payload` are the names of the tables in the query that takes it. */
export function placeOfText(dialect: Dialect, needle: string, span: string, payload: string): Sql<number | null> {
  const to = differencesOf(dialect);
  const scope = { id: 0, grain: "span" } as const;
  const contains = (haystack: Value): Sql<boolean> => {
    const condition: Condition = {
      kind: "contains",
      haystack,
      needle: { kind: "literal", type: "text", value: needle },
    };
    return compileCondition(condition, { grain: "span", alias: span, payloads: payload }, to);
  };
  // Without its beginning in the row of the span there is no such value.
  const inValue = (side: "input" | "output") => sql<boolean>`(${columnOf(span, `${side}_head`)} is not null
    and ${contains({ kind: "attribute", scope, paths: [[side, "value"]], reading: "text" })})`;
  const message = columnOf(span, "status_message");
  const inError = sql<boolean>`((${message} <> '' and ${to.containsLiteral(message, needle)})
    or ${to.anyExceptionMessage(columnOf(payload, "events"), (text) => to.containsLiteral(text, needle))})`;
  const inExplanation = (table: "span_annotations" | "document_annotations") =>
    explained(dialect, needle, table, sql`span_id = ${columnOf(span, "id")}`);
  return sql<number | null>`(case when ${inValue("input")} then 0 when ${inValue("output")} then 1
    when ${inError} then 2 when ${inExplanation("span_annotations")} or ${inExplanation("document_annotations")} then 3 end)`;
}

/** True where an annotation of the owner explains itself with the text. */
export function explained(
  dialect: Dialect,
  needle: string,
  table: "span_annotations" | "document_annotations" | "trace_annotations",
  ofOwner: Sql<unknown>,
): Sql<boolean> {
  const to = differencesOf(dialect);
  return sql<boolean>`exists (select 1 from ${sql.table(table)} as annotations
    where annotations.${ofOwner} and annotations.explanation is not null and ${to.containsLiteral(sql.ref("annotations.explanation"), needle)})`;
}

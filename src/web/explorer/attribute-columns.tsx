// Columns of attributes that the reader added by name. The list asks the server for these values only.
import { useMemo } from "react";
import { parseProjection } from "../../filter/projection.ts";
import { literalOf } from "../domain/filter/chips.ts";
import { type Column, useAddedColumns } from "../kit/table/columns.ts";
import type { CellValue } from "./cell-actions.tsx";
import { Words } from "./cells.tsx";
import { fieldFacet } from "./facets.ts";
import { isVerdictColumn } from "./verdicts/verdict-columns.tsx";

/** As many as the server answers at once. */
export const MOST_ATTRIBUTES = 20;

export interface AttributeText {
  readonly name: string;
  readonly text: string | null;
}

/** How conditions spell the typed text, a field of theirs or the key of an attribute; null for what can be neither. */
export function attributeNameOf(typed: string): string | null {
  const key = typed.trim();
  if (key === "") return null;
  return [key, `attributes[${literalOf(key)}]`].find(isName) ?? null;
}

function isName(text: string): boolean {
  try {
    parseProjection(text);
    return true;
  } catch {
    return false;
  }
}

/** The columns of a list with those that were added, and their names. */
export function useAttributeColumns<Row>(
  table: string,
  columns: readonly Column<Row>[],
  textsOf: (row: Row) => readonly AttributeText[],
) {
  const [added] = useAddedColumns(table);
  return useMemo(() => {
    const names = added.filter((key) => !isVerdictColumn(key)).slice(0, MOST_ATTRIBUTES);
    const ofNames = names.map(
      (name): Column<Row> => ({
        key: name,
        title: name,
        width: 140,
        render: (row) => <Words>{attributeText(textsOf(row), name)}</Words>,
      }),
    );
    return { names, columns: [...columns, ...ofNames] };
  }, [added, columns, textsOf]);
}

export function attributeText(texts: readonly AttributeText[], name: string): string | null {
  return texts.find((each) => each.name === name)?.text ?? null;
}

/** What the menu of a cell in such a column is about; undefined for another column. */
export function attributeCell(texts: readonly AttributeText[], column: string): CellValue | null | undefined {
  const found = texts.find(({ name }) => name === column);
  if (found === undefined) return undefined;
  return found.text ? { value: found.text, facet: fieldFacet(column) } : null;
}

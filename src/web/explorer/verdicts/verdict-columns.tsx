// Columns of what was said of rows, one a name, that somebody added. The list asks the server for these names only.
import { useMemo } from "react";
import { type Column, useAddedColumns } from "../../kit/table/columns.ts";
import type { CellValue } from "../cell-actions.tsx";
import { Words } from "../cells.tsx";
import { labelFacet, type VerdictList } from "./verdict-facets.ts";

interface RowVerdict {
  readonly name: string;
  readonly labels: readonly string[];
  /** Of all that was said under the name. */
  readonly meanScore: number | null;
}

const PREFIX = "verdict:";

/** The key of the column of a name. No attribute is spelled like it. */
export function verdictColumn(name: string): string {
  return PREFIX + name;
}

export function isVerdictColumn(key: string): boolean {
  return key.startsWith(PREFIX);
}

/** The columns of a list with those that were added, and their names. */
export function useVerdictColumns<Row>(
  table: VerdictList,
  columns: readonly Column<Row>[],
  verdictsOf: (row: Row) => readonly RowVerdict[] | undefined,
) {
  const [added] = useAddedColumns(table);
  return useMemo(() => {
    const names = added.filter(isVerdictColumn).map((key) => key.slice(PREFIX.length));
    const ofNames = names.map(
      (name): Column<Row> => ({
        key: verdictColumn(name),
        title: name,
        width: 120,
        render: (row) => <Words>{wordsOf(verdictIn(verdictsOf(row), name))}</Words>,
      }),
    );
    return { names, columns: [...columns, ...ofNames] };
  }, [added, columns, verdictsOf]);
}

function verdictIn(verdicts: readonly RowVerdict[] | undefined, name: string): RowVerdict | undefined {
  return verdicts?.find((each) => each.name === name);
}

/** The labels, then the mean score: `good, bad 0.5`. */
function wordsOf(verdict: RowVerdict | undefined): string {
  if (verdict === undefined) return "";
  const { labels, meanScore } = verdict;
  const score = meanScore === null ? "" : String(Number(meanScore.toPrecision(3)));
  return [labels.join(", "), score].filter((part) => part !== "").join(" ");
}

/** What the menu of a cell in such a column is about; undefined for another column. */
export function verdictCell(
  list: VerdictList,
  verdicts: readonly RowVerdict[] | undefined,
  column: string,
): CellValue | null | undefined {
  if (!isVerdictColumn(column)) return undefined;
  const name = column.slice(PREFIX.length);
  const verdict = verdictIn(verdicts, name);
  if (verdict === undefined) return null;
  const [label, ...others] = verdict.labels;
  if (label !== undefined && others.length === 0) return { value: label, facet: labelFacet(list, name) };
  return { value: wordsOf(verdict) };
}

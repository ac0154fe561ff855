// Columns of annotations, one per name, that the reader added. The list asks the server for these names only.
import { useMemo } from "react";
import { type Column, useAddedColumns } from "../../kit/table/columns.ts";
import { text } from "../../texts/texts.ts";
import type { CellValue } from "../cell-actions.tsx";
import { Words } from "../cells.tsx";
import { labelFacet, type VerdictList } from "./verdict-facets.ts";

interface RowVerdict {
  readonly name: string;
  readonly labels: readonly string[];
  /** Of all annotations of the name. */
  readonly meanScore: number | null;
}

const PREFIX = "verdict:";
const ROOT_PREFIX = "root verdict:";

function prefixOf(list: VerdictList): string {
  return list === "roots" ? ROOT_PREFIX : PREFIX;
}

/** The key of the column of a name. No attribute is spelled like it. */
export function verdictColumn(list: VerdictList, name: string): string {
  return prefixOf(list) + name;
}

export function isVerdictColumn(key: string): boolean {
  return key.startsWith(PREFIX) || key.startsWith(ROOT_PREFIX);
}

/** How a name is shown: beside those of traces it says that it is of their root spans. */
export function shownName(list: VerdictList, name: string): string {
  return list === "roots" ? text("explorer.verdicts.root", { name }) : name;
}

/** Those of one row; undefined where they were not asked for. */
export type VerdictsOf<Row> = (row: Row) => readonly RowVerdict[] | undefined;

/** The columns of a list with those that were added, and their names. */
export function useVerdictColumns<Row>(
  table: VerdictList,
  columns: readonly Column<Row>[],
  verdictsOf: VerdictsOf<Row>,
  /** In lists of traces: the annotations of the root span. */
  rootVerdictsOf: VerdictsOf<Row> = verdictsOf,
) {
  const [added] = useAddedColumns(table);
  return useMemo(() => {
    const namesOf = (list: VerdictList) =>
      added.filter((key) => key.startsWith(prefixOf(list))).map((key) => key.slice(prefixOf(list).length));
    const columnsOf = (list: VerdictList, read: VerdictsOf<Row>) =>
      namesOf(list).map(
        (name): Column<Row> => ({
          key: verdictColumn(list, name),
          title: shownName(list, name),
          width: list === "roots" ? 160 : 120,
          render: (row) => <Words>{wordsOf(verdictIn(read(row), name))}</Words>,
        }),
      );
    return {
      names: namesOf(table),
      rootNames: namesOf("roots"),
      columns: [...columns, ...columnsOf(table, verdictsOf), ...columnsOf("roots", rootVerdictsOf)],
    };
  }, [added, columns, table, verdictsOf, rootVerdictsOf]);
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
  if (!column.startsWith(prefixOf(list))) return undefined;
  const name = column.slice(prefixOf(list).length);
  const verdict = verdictIn(verdicts, name);
  if (verdict === undefined) return null;
  const [label, ...others] = verdict.labels;
  if (label !== undefined && others.length === 0) return { value: label, facet: labelFacet(list, name) };
  return { value: wordsOf(verdict) };
}

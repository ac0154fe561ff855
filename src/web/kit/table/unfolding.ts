// Rows that stand below another one while it is unfolded, such as the spans of a trace, and the list of both kinds as it is drawn.
import type { ReactNode } from "react";
import type { Column } from "./columns.ts";

/** A row below another one. It is opened, but never selected. */
export interface ChildRow {
  readonly key: string;
  /** 1 directly below the row. */
  readonly depth: number;
  /** In the place of the title of the row, which is in this column. */
  readonly title: ReactNode | ((column: string) => ReactNode);
  /** Its cell in another column of the table. */
  readonly cell?: (column: string) => ReactNode;
  readonly failed?: boolean;
  /** It is shown beside or over the table. */
  readonly open?: boolean;
  readonly onOpen?: () => void;
}

export interface Unfolding<Row> {
  readonly isFoldable: (row: Row) => boolean;
  readonly isUnfolded: (row: Row) => boolean;
  readonly onUnfold: (row: Row, unfolded: boolean) => void;
  /** Asked for unfolded rows alone. */
  readonly childrenOf: (row: Row) => readonly ChildRow[];
}

/** A line of the table. */
export interface Entry<Row> {
  readonly key: string;
  /** A child stands below this one. */
  readonly row: Row;
  /** Its place among the rows that are no children. */
  readonly rowIndex: number;
  readonly child: ChildRow | null;
  /** Null for what has nothing below it. */
  readonly unfolded: boolean | null;
}

export function entriesOf<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  unfolding: Unfolding<Row> | undefined,
): readonly Entry<Row>[] {
  return rows.flatMap((row, rowIndex): readonly Entry<Row>[] => {
    const key = keyOf(row);
    const unfolded = unfolding?.isFoldable(row) ? unfolding.isUnfolded(row) : null;
    const entry = { key, row, rowIndex, child: null, unfolded };
    if (unfolding === undefined || unfolded !== true) return [entry];
    const below = unfolding.childrenOf(row);
    return [entry, ...below.map((child) => ({ key: `${key} ${child.key}`, row, rowIndex, child, unfolded: null }))];
  });
}

/** The columns of the table as a child fills them: its title where rows have theirs. */
export function childColumns(columns: readonly Column<never>[], narrow: boolean): readonly Column<ChildRow>[] {
  return columns.map((column, at) => {
    const isTitle = narrow ? column.narrow === "title" : at === 0;
    return {
      ...column,
      render: ({ title, cell }: ChildRow) =>
        isTitle ? (typeof title === "function" ? title(column.key) : title) : cell?.(column.key),
    };
  });
}

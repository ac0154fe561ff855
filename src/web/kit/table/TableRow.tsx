// A row of a table: its cells side by side, or in two lines on a phone.
import type { KeyboardEvent, MouseEvent, ReactNode } from "react";
import { text } from "../../texts/texts.ts";
import { classes } from "../classes.ts";
import { Checkbox } from "../Field.tsx";
import type { Column } from "./columns.ts";
import styles from "./DataTable.module.css";
import type { Selection } from "./selection.ts";

/** What the head and all rows have in common. */
export interface RowLayout {
  readonly height: number;
  /** Two lines instead of columns. */
  readonly narrow: boolean;
  readonly style: { readonly gridTemplateColumns: string | undefined; readonly minWidth: number | undefined };
}

interface TableRowProps<Row> {
  readonly row: Row;
  readonly rowKey: string;
  readonly index: number;
  /** Pixels from the first row. */
  readonly top: number;
  readonly layout: RowLayout;
  /** Those to draw, in their order; all of them where there are two lines. */
  readonly columns: readonly Column<Row>[];
  /** Of the rows that can be selected. */
  readonly selection: Selection | null;
  /** It is shown beside or over the table. */
  readonly open: boolean;
  /** Where the Tab key enters the table. */
  readonly tabStop: boolean;
  readonly failed: boolean;
  readonly onActive: () => void;
  readonly onOpen: (() => void) | undefined;
  /** Asked for the menu of a cell; without a cell it is about the whole row. */
  readonly onMenu: (column: string | undefined, event: MouseEvent<HTMLElement>) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

export function TableRow<Row>(props: TableRowProps<Row>) {
  const { row, rowKey, index, top, layout, columns, selection, open, failed, onActive, onOpen } = props;
  const { height, narrow, style } = layout;
  const selected = selection?.isSelected(rowKey) === true;
  const onClick = (event: MouseEvent<HTMLElement>) => {
    onActive();
    const inside = (event.target as HTMLElement).closest("a, button, input, label");
    if (inside === null && getSelection()?.isCollapsed !== false) onOpen?.();
  };
  const onContextMenu = (event: MouseEvent<HTMLElement>) => {
    const cell = (event.target as HTMLElement).closest<HTMLElement>("[data-column]");
    props.onMenu(cell?.dataset.column, event);
  };
  return (
    <div
      role="row"
      data-index={index}
      aria-rowindex={index + 2}
      aria-selected={selection === null || narrow ? open : selected}
      tabIndex={props.tabStop ? 0 : -1}
      className={classes(
        styles.row,
        narrow && styles.narrow,
        onOpen !== undefined && styles.opens,
        (open || selected) && styles.on,
        failed && styles.failed,
      )}
      style={{ transform: `translateY(${top}px)`, height, ...style }}
      onClick={onClick}
      onContextMenu={onContextMenu}
      onFocus={onActive}
      onKeyDown={props.onKeyDown}
    >
      {selection !== null && !narrow && (
        <div role="gridcell" className={styles.select}>
          <Checkbox
            label={text("kit.table.select")}
            labelHidden
            checked={selected}
            onChange={(_checked, shift) => selection.toggle(index, shift)}
          />
        </div>
      )}
      {narrow ? <NarrowCells row={row} columns={columns} /> : columns.map((column) => cellOf(column, row))}
    </div>
  );
}

function cellOf<Row>({ key, align, render }: Column<Row>, row: Row) {
  return (
    <div key={key} role="gridcell" data-column={key} className={classes(styles.cell, align === "end" && styles.end)}>
      {render(row)}
    </div>
  );
}

/** Title and one figure above, the rest below. */
function NarrowCells<Row>({ row, columns }: { readonly row: Row; readonly columns: readonly Column<Row>[] }) {
  const at = (place: Column<Row>["narrow"]) => columns.filter(({ narrow }) => narrow === place);
  return (
    <div role="gridcell" className={styles.lines}>
      <div className={styles.line}>
        <span className={styles.title}>{at("title").map(({ key, render }) => part(key, render(row)))}</span>
        <span className={styles.aside}>{at("aside").map(({ key, render }) => part(key, render(row)))}</span>
      </div>
      <div className={classes(styles.line, styles.second)}>
        {at("line").map(({ key, title, align, render }) => (
          <span key={key} className={classes(styles.fact, align === "end" && styles.number)}>
            {align === "end" && <small>{title} </small>}
            {render(row)}
          </span>
        ))}
      </div>
    </div>
  );
}

function part(key: string, content: ReactNode) {
  return <span key={key}>{content}</span>;
}

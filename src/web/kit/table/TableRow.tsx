// A row of a table: its cells side by side, or in two lines on a phone.
import { ChevronRight } from "lucide-react";
import type { KeyboardEvent, MouseEvent, ReactNode } from "react";
import { text } from "../../texts/texts.ts";
import { classes } from "../classes.ts";
import { Checkbox } from "../Field.tsx";
import type { Column } from "./columns.ts";
import styles from "./DataTable.module.css";
import { isOnRow } from "./VirtualGrid.tsx";

/** What the head and all rows have in common. */
export interface RowLayout {
  readonly height: number;
  /** Two lines instead of columns. */
  readonly narrow: boolean;
  readonly style: { readonly gridTemplateColumns: string | undefined; readonly minWidth: number | undefined };
}

interface TableRowProps<Row> {
  readonly row: Row;
  readonly index: number;
  /** Pixels from the first row. */
  readonly top: number;
  readonly layout: RowLayout;
  /** Those to draw, in their order; all of them where there are two lines. */
  readonly columns: readonly Column<Row>[];
  /** Rows of the table can be selected. */
  readonly selects: boolean;
  readonly selected?: boolean;
  /** With `range`, from the row that was chosen before. Absent for a row that cannot be selected. */
  readonly onSelect?: (range: boolean) => void;
  /** Where rows stand below others: 1 for those that do not. */
  readonly level?: number;
  /** Null for a row with nothing below it. */
  readonly unfolded?: boolean | null;
  readonly onUnfold?: (unfolded: boolean) => void;
  /** It is shown beside or over the table. */
  readonly open: boolean;
  /** Where the Tab key enters the table. */
  readonly tabStop: boolean;
  readonly failed: boolean;
  readonly onActive: () => void;
  readonly onOpen: (() => void) | undefined;
  /** Asked for the menu of a cell; without a cell it is about the whole row. */
  readonly onMenu?: (column: string | undefined, event: MouseEvent<HTMLElement>) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

export function TableRow<Row>(props: TableRowProps<Row>) {
  const {
    row,
    index,
    top,
    layout,
    columns,
    selects,
    selected = false,
    onSelect,
    level,
    open,
    onActive,
    onOpen,
  } = props;
  const { height, narrow, style } = layout;
  const unfolded = props.unfolded ?? null;
  const onClick = (event: MouseEvent<HTMLElement>) => {
    // A menu of a cell lies outside of the row, though its events pass by here.
    if (!event.currentTarget.contains(event.target as Node)) return;
    onActive();
    if (isOnRow(event)) onOpen?.();
  };
  const onContextMenu = (event: MouseEvent<HTMLElement>) => {
    const cell = (event.target as HTMLElement).closest<HTMLElement>("[data-column]");
    props.onMenu?.(cell?.dataset.column, event);
  };
  const lead = level !== undefined && <Lead level={level} unfolded={unfolded} onUnfold={props.onUnfold} />;
  return (
    <div
      role="row"
      data-index={index}
      aria-rowindex={index + 2}
      aria-level={level}
      aria-expanded={unfolded ?? undefined}
      aria-selected={onSelect === undefined || narrow ? open : selected}
      tabIndex={props.tabStop ? 0 : -1}
      className={classes(
        styles.row,
        narrow && styles.narrow,
        level !== undefined && level > 1 && styles.child,
        onOpen !== undefined && styles.opens,
        (open || selected) && styles.on,
        props.failed && styles.failed,
      )}
      style={{ transform: `translateY(${top}px)`, height, ...style }}
      onClick={onClick}
      onContextMenu={onContextMenu}
      onFocus={onActive}
      onKeyDown={props.onKeyDown}
    >
      {selects && !narrow && (
        <div role="gridcell" className={styles.select}>
          {onSelect !== undefined && (
            <Checkbox
              label={text("kit.table.select")}
              labelHidden
              checked={selected}
              onChange={(_checked, shift) => onSelect(shift)}
            />
          )}
        </div>
      )}
      {narrow ? (
        <NarrowCells row={row} columns={columns} lead={lead} />
      ) : (
        columns.map((column, at) => cellOf(column, row, at === 0 && lead))
      )}
    </div>
  );
}

interface LeadProps {
  readonly level: number;
  readonly unfolded: boolean | null;
  readonly onUnfold: ((unfolded: boolean) => void) | undefined;
}

/** Steps of the indent; what is deeper stands below the last one. */
const DEEPEST = 8;

/** Before the title: what unfolds the row, or the space that it would take. The keys have the arrows for it. */
function Lead({ level, unfolded, onUnfold }: LeadProps) {
  const indent = { paddingInlineStart: `calc(var(--step) * ${Math.min(level - 1, DEEPEST)})` };
  if (unfolded === null) return <span className={styles.lead} style={indent} />;
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={text(unfolded ? "kit.table.fold" : "kit.table.unfold")}
      className={styles.lead}
      onClick={() => onUnfold?.(!unfolded)}
    >
      <ChevronRight className={unfolded ? styles.turned : undefined} />
    </button>
  );
}

function cellOf<Row>({ key, align, render }: Column<Row>, row: Row, lead: ReactNode) {
  const content = render(row);
  return (
    <div
      key={key}
      role="gridcell"
      data-column={key}
      data-fits={align === "end" || undefined}
      className={classes(styles.cell, align === "end" && styles.end, lead !== false && styles.leading)}
    >
      {lead === false ? (
        content
      ) : (
        <>
          {lead}
          <span className={styles.content}>{content}</span>
        </>
      )}
    </div>
  );
}

interface NarrowCellsProps<Row> {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly lead: ReactNode;
}

/** Title and one figure above, the rest below. */
function NarrowCells<Row>({ row, columns, lead }: NarrowCellsProps<Row>) {
  const at = (place: Column<Row>["narrow"]) => columns.filter(({ narrow }) => narrow === place);
  return (
    <div role="gridcell" className={classes(styles.lines, lead !== false && styles.leadingLines)}>
      {lead}
      <div className={styles.line}>
        <span className={styles.title}>{at("title").map(({ key, render }) => part(key, render(row)))}</span>
        <span className={styles.aside}>{at("aside").map(({ key, render }) => part(key, render(row)))}</span>
      </div>
      <div className={classes(styles.line, styles.second)}>{at("line").map((column) => factOf(column, row))}</div>
    </div>
  );
}

function factOf<Row>({ key, title, align, render }: Column<Row>, row: Row) {
  const content = render(row);
  if (content === undefined) return null;
  return (
    <span key={key} className={classes(styles.fact, align === "end" && styles.number)}>
      {align === "end" && <small>{title} </small>}
      {content}
    </span>
  );
}

function part(key: string, content: ReactNode) {
  return <span key={key}>{content}</span>;
}

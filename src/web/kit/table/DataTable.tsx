// The one table: virtual rows, sticky head, columns that are sized, hidden and ordered by the reader, sorting, selection, keys
// (`j` `k` arrows Home End, Enter opens, `x` selects), two-line rows on a phone, skeletons while the first page loads.
import { useVirtualizer } from "@tanstack/react-virtual";
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import type { Sort } from "../../lib/address.ts";
import { usePreference } from "../../lib/preferences.ts";
import { text } from "../../texts/texts.ts";
import { classes } from "../classes.ts";
import { Checkbox } from "../Field.tsx";
import { useShortcut } from "../keys.ts";
import { MenuItem, PointMenu } from "../Menu.tsx";
import { useNarrow } from "../media.ts";
import { type Column, densePreference, useArrangedColumns } from "./columns.ts";
import styles from "./DataTable.module.css";
import { useSelection } from "./selection.ts";
import { TableHead } from "./TableHead.tsx";

export type { Column } from "./columns.ts";

export interface DataTableProps<Row> {
  /** Names the remembered layout; the same as that of its ColumnsMenu. */
  readonly name: string;
  /** Read aloud. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined while the first rows load. */
  readonly rows: readonly Row[] | undefined;
  readonly keyOf: (row: Row) => string;
  readonly onOpen?: (row: Row) => void;
  /** The row that is open beside or over the table. */
  readonly openKey?: string | null;
  readonly sort?: Sort;
  readonly onSort?: (sort: Sort) => void;
  readonly selected?: ReadonlySet<string>;
  readonly onSelect?: (selected: ReadonlySet<string>) => void;
  /** Called near the end of the rows, as long as there are more. */
  readonly onEnd?: (() => void) | undefined;
  readonly loadingMore?: boolean;
  /** What the menu of a cell offers, by the key of its column; no menu where there is nothing. */
  readonly cellActions?: (row: Row, column: string) => readonly CellAction[];
  /** A mark for rows that failed, and the like. */
  readonly toneOf?: (row: Row) => "error" | undefined;
  /** Instead of rows when there are none. */
  readonly empty?: ReactNode;
}

export interface CellAction {
  readonly label: string;
  readonly icon: ReactNode;
  readonly run: () => void;
}

interface OpenCell {
  readonly at: { readonly left: number; readonly top: number };
  readonly actions: readonly CellAction[];
}

const ROW = 32;
const DENSE_ROW = 26;
const TWO_LINES = 52;
const SKELETON_ROWS = 14;
/** Rows before the end at which the next page is asked for. */
const AHEAD = 20;
const SELECT_WIDTH = 36;

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { rows, keyOf, onOpen, openKey = null, selected, onSelect, onEnd, empty } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const narrow = useNarrow();
  const [dense] = usePreference(densePreference);
  const arranged = useArrangedColumns(props.name, props.columns);
  const [active, setActive] = useState(-1);
  const count = rows?.length ?? 0;
  const height = narrow ? TWO_LINES : dense ? DENSE_ROW : ROW;
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 12,
  });
  useEffect(() => {
    if (height > 0) virtual.measure();
  }, [virtual, height]);
  const [cell, setCell] = useState<OpenCell | null>(null);
  const selection = useSelection(rows, keyOf, selected, onSelect);

  // The row that is open is where the keys go on.
  useEffect(() => {
    if (openKey === null || rows === undefined) return;
    const at = rows.findIndex((row) => keyOf(row) === openKey);
    if (at >= 0) setActive(at);
  }, [openKey, rows, keyOf]);

  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (onEnd !== undefined && count > 0 && last >= count - AHEAD) onEnd();
  }, [onEnd, last, count]);

  // A row far away is drawn only after the table has scrolled: it gets the focus as soon as it is there.
  const wanted = useRef<number | null>(null);
  const focusWanted = () => {
    if (wanted.current === null) return;
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"]`);
    if (!row) return;
    wanted.current = null;
    row.focus({ preventScroll: true });
  };
  useLayoutEffect(focusWanted);
  const go = (to: number) => {
    if (count === 0) return;
    const index = Math.min(Math.max(to, 0), count - 1);
    wanted.current = index;
    setActive(index);
    virtual.scrollToIndex(index);
    focusWanted();
  };
  const step = (by: number) => {
    const next = active < 0 ? 0 : active + by;
    go(next);
    const row = rows?.[Math.min(Math.max(next, 0), count - 1)];
    // A panel that shows the open row follows.
    if (openKey !== null && row !== undefined) onOpen?.(row);
  };
  const openActive = () => {
    const row = rows?.[active];
    if (row !== undefined) onOpen?.(row);
  };
  const group = "keys.list" as const;
  useShortcut({ keys: "j", label: "keys.next", group, run: () => step(1) });
  useShortcut({ keys: "k", label: "keys.previous", group, run: () => step(-1) });
  useShortcut({ keys: "x", label: "keys.select", group, run: () => selection.toggle(active) }, onSelect !== undefined);

  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.target instanceof HTMLElement) || event.target.dataset.index === undefined) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / height) - 2);
    const moves = new Map([
      ["ArrowDown", () => step(1)],
      ["ArrowUp", () => step(-1)],
      ["PageDown", () => go(active + page)],
      ["PageUp", () => go(active - page)],
      ["Home", () => go(0)],
      ["End", () => go(count - 1)],
      ["Enter", openActive],
      [" ", () => selection.toggle(active)],
    ]);
    const move = moves.get(event.key);
    if (move === undefined || event.metaKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    move();
  };

  const selects = onSelect !== undefined && !narrow;
  const template = selects ? `${SELECT_WIDTH}px ${arranged.template}` : arranged.template;
  const leastWidth = arranged.leastWidth + (selects ? SELECT_WIDTH : 0);
  const shown = narrow
    ? { gridTemplateColumns: undefined, minWidth: undefined }
    : { gridTemplateColumns: template, minWidth: leastWidth };

  const rowOf = (index: number, start: number) => {
    const row = rows?.[index];
    if (row === undefined) return null;
    const key = keyOf(row);
    const onClick = (event: MouseEvent<HTMLElement>) => {
      setActive(index);
      const inside = (event.target as HTMLElement).closest("a, button, input, label");
      if (inside === null && onOpen !== undefined && getSelection()?.isCollapsed !== false) onOpen(row);
    };
    // The menu key of the keyboard asks for the row: then it is about the first column.
    const onContextMenu = (event: MouseEvent<HTMLElement>) => {
      const inCell = (event.target as HTMLElement).closest<HTMLElement>("[data-column]");
      const column = inCell?.dataset.column ?? arranged.visible[0]?.key ?? "";
      const actions = props.cellActions?.(row, column) ?? [];
      if (actions.length === 0) return;
      event.preventDefault();
      setCell({ at: { left: event.clientX, top: event.clientY }, actions });
    };
    return (
      <div
        key={key}
        role="row"
        data-index={index}
        aria-rowindex={index + 2}
        aria-selected={selects ? selection.isSelected(key) : key === openKey}
        tabIndex={index === Math.max(active, 0) ? 0 : -1}
        className={classes(
          styles.row,
          narrow && styles.narrow,
          onOpen !== undefined && styles.opens,
          (key === openKey || selection.isSelected(key)) && styles.on,
          props.toneOf?.(row) === "error" && styles.failed,
        )}
        style={{ transform: `translateY(${start}px)`, height, ...shown }}
        onClick={onClick}
        onContextMenu={onContextMenu}
        onFocus={() => setActive(index)}
        onKeyDown={onKeyDown}
      >
        {selects && (
          <div role="gridcell" className={styles.select}>
            <Checkbox
              label={text("kit.table.select")}
              labelHidden
              checked={selection.isSelected(key)}
              onChange={(_checked, shift) => selection.toggle(index, shift)}
            />
          </div>
        )}
        {narrow ? (
          <NarrowCells row={row} columns={props.columns} />
        ) : (
          arranged.visible.map((column) => cellOf(column, row))
        )}
      </div>
    );
  };

  return (
    <div ref={scroller} className={styles.scroller}>
      <div
        role="grid"
        aria-label={props.label}
        aria-rowcount={rows === undefined ? -1 : count + 1}
        aria-busy={rows === undefined}
        style={{ minWidth: shown.minWidth }}
      >
        <TableHead
          arranged={arranged}
          hidden={narrow}
          style={shown}
          sort={props.sort}
          onSort={props.onSort}
          {...(selects ? { selection } : {})}
        />
        {rows === undefined && (
          <SkeletonRows height={height} style={shown} columns={narrow ? 1 : arranged.visible.length} />
        )}
        {rows !== undefined && count > 0 && (
          <div role="rowgroup" className={styles.body} style={{ height: virtual.getTotalSize() }}>
            {items.map(({ index, start }) => rowOf(index, start))}
          </div>
        )}
      </div>
      {rows !== undefined && count === 0 && empty}
      {cell !== null && (
        <PointMenu at={cell.at} onClose={() => setCell(null)}>
          {cell.actions.map(({ label, icon, run }) => (
            <MenuItem key={label} icon={icon} onSelect={run}>
              {label}
            </MenuItem>
          ))}
        </PointMenu>
      )}
      {props.loadingMore === true && (
        <p role="status" className={styles.more}>
          {text("kit.table.loading.more")}
        </p>
      )}
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

interface SkeletonRowsProps {
  readonly height: number;
  readonly columns: number;
  readonly style: { readonly gridTemplateColumns: string | undefined; readonly minWidth: number | undefined };
}

function SkeletonRows({ height, columns, style }: SkeletonRowsProps) {
  return (
    <div role="rowgroup" className={styles.waiting}>
      {Array.from({ length: SKELETON_ROWS }, (_, row) => (
        <div key={`row ${String(row)}`} role="row" className={styles.skeleton} style={{ height, ...style }}>
          {Array.from({ length: columns }, (_cell, column) => (
            <div key={`cell ${String(column)}`} role="gridcell" className={styles.cell}>
              <span className={styles.bar} style={{ width: `${45 + ((row * 7 + column * 23) % 45)}%` }} />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

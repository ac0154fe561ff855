// The one table: virtual rows, sticky head, columns that are sized, hidden and ordered by the reader, sorting, selection, keys
// (`j` `k` arrows Home End, Enter opens, `x` selects), rows below others that the reader unfolds, two-line rows on a phone, skeletons
// while the first page loads.
import { type MouseEvent, type ReactNode, useMemo, useRef, useState } from "react";
import type { Sort } from "../../lib/address.ts";
import { HoldKeys } from "../../lib/held-keys.ts";
import { usePreference } from "../../lib/preferences.ts";
import { MenuItem, PointMenu } from "../Menu.tsx";
import { useNarrow } from "../media.ts";
import { type Column, densePreference, useArrangedColumns } from "./columns.ts";
import { useAvailableWidth, useFittingWidths } from "./fitting.ts";
import { SkeletonRows } from "./SkeletonRows.tsx";
import { useSelection } from "./selection.ts";
import { TableHead } from "./TableHead.tsx";
import { type RowLayout, TableRow } from "./TableRow.tsx";
import { childColumns, type Entry, entriesOf, type Unfolding } from "./unfolding.ts";
import { useActiveRow } from "./use-active-row.ts";
import { useVirtualRows, VirtualBody, VirtualGrid } from "./VirtualGrid.tsx";

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
  /** Rows below the rows; must stay the same while nothing about them changes. */
  readonly unfolding?: Unfolding<Row> | undefined;
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
const SELECT_WIDTH = 36;
/** Pixels on both sides of a row together. */
const MARGINS = 12;

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { rows, keyOf, onOpen, selected, onSelect, unfolding, empty } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const selects = onSelect !== undefined;
  const available = useAvailableWidth(scroller) - (selects ? SELECT_WIDTH : 0) - MARGINS;
  const arranged = useArrangedColumns(props.name, props.columns, useFittingWidths(scroller), available);
  const narrow = useNarrow();
  const layout = useRowLayout(arranged, narrow, selects);
  const entries = useMemo(() => rows && entriesOf(rows, keyOf, unfolding), [rows, keyOf, unfolding]);
  const count = entries?.length ?? 0;
  const openKey = entries?.find(({ child }) => child?.open)?.key ?? props.openKey ?? null;
  const open = ({ row, child }: Entry<Row>) => (child === null ? onOpen?.(row) : child.onOpen?.());
  const drawn = useVirtualRows(scroller, { count, height: layout.height, onEnd: props.onEnd, ahead: 20, overscan: 12 });
  const selection = useSelection(rows, keyOf, selected, onSelect);
  const active = useActiveRow({
    scroller,
    entries,
    openKey,
    onOpen: open,
    onToggle: selects ? ({ rowIndex, child }) => child === null && selection.toggle(rowIndex) : undefined,
    onUnfold: unfolding?.onUnfold,
    rowHeight: layout.height,
    scrollTo: (index) => drawn.virtual.scrollToIndex(index),
  });
  drawn.kept.current = active.index;
  const [cell, setCell] = useState<OpenCell | null>(null);

  // The menu key of the keyboard asks for the row: then it is about the first column.
  const openMenu = (row: Row, column = arranged.visible[0]?.key ?? "", event: MouseEvent<HTMLElement>) => {
    const actions = props.cellActions?.(row, column) ?? [];
    if (actions.length === 0) return;
    event.preventDefault();
    setCell({ at: { left: event.clientX, top: event.clientY }, actions });
  };
  const grid = {
    role: unfolding === undefined ? "grid" : "treegrid",
    "aria-label": props.label,
    "aria-rowcount": rows === undefined ? -1 : count + 1,
    "aria-busy": rows === undefined,
  };
  const columns: readonly Column<Row>[] = narrow ? props.columns : arranged.visible;
  const rowOf = (index: number, top: number) => {
    const entry = entries?.[index];
    if (entry === undefined) return null;
    const { key, row, rowIndex, child, unfolded } = entry;
    const common = {
      ...{ index, top, layout, selects },
      tabStop: index === Math.max(active.index, 0),
      onActive: () => active.set(index),
      onKeyDown: active.onKeyDown,
    };
    if (child !== null) {
      return (
        <TableRow
          key={key}
          {...common}
          row={child}
          columns={childColumns(columns, narrow)}
          level={child.depth + 1}
          open={key === openKey}
          failed={child.failed === true}
          onOpen={child.onOpen}
        />
      );
    }
    return (
      <TableRow
        key={key}
        {...common}
        row={row}
        columns={columns}
        {...(selects && {
          selected: selection.isSelected(key),
          onSelect: (range) => selection.toggle(rowIndex, range),
        })}
        {...(unfolding && { level: 1, unfolded, onUnfold: (next) => unfolding.onUnfold(row, next) })}
        open={key === openKey}
        failed={props.toneOf?.(row) === "error"}
        onOpen={onOpen && (() => onOpen(row))}
        onMenu={(column, event) => openMenu(row, column, event)}
      />
    );
  };

  return (
    <VirtualGrid scroller={scroller} loadingMore={props.loadingMore}>
      <div {...grid} style={{ minWidth: layout.style.minWidth }}>
        <TableHead
          arranged={arranged}
          hidden={narrow}
          style={layout.style}
          sort={props.sort}
          onSort={props.onSort}
          {...(selects && !narrow ? { selection } : {})}
        />
        {rows === undefined && (
          <>
            <HoldKeys only="j k" />
            <SkeletonRows layout={layout} columns={narrow ? 1 : arranged.visible.length} />
          </>
        )}
        {rows !== undefined && count > 0 && <VirtualBody rows={drawn} rowOf={rowOf} />}
      </div>
      {rows !== undefined && count === 0 && empty}
      {cell !== null && <CellMenu cell={cell} onClose={() => setCell(null)} />}
    </VirtualGrid>
  );
}

/** How high a row is, and how its columns share the width. */
function useRowLayout(
  { template, leastWidth }: { readonly template: string; readonly leastWidth: number },
  narrow: boolean,
  selects: boolean,
): RowLayout {
  const [dense] = usePreference(densePreference);
  if (narrow) return { height: TWO_LINES, narrow, style: { gridTemplateColumns: undefined, minWidth: undefined } };
  const style = selects
    ? { gridTemplateColumns: `${SELECT_WIDTH}px ${template}`, minWidth: leastWidth + SELECT_WIDTH + MARGINS }
    : { gridTemplateColumns: template, minWidth: leastWidth + MARGINS };
  return { height: dense ? DENSE_ROW : ROW, narrow, style };
}

function CellMenu({ cell: { at, actions }, onClose }: { readonly cell: OpenCell; readonly onClose: () => void }) {
  return (
    <PointMenu at={at} onClose={onClose}>
      {actions.map(({ label, icon, run }) => (
        <MenuItem key={label} icon={icon} onSelect={run}>
          {label}
        </MenuItem>
      ))}
    </PointMenu>
  );
}

// Things side by side, row by row: the first column and the head stay in sight while the rest is scrolled both ways, and only what can be
// seen is drawn. Keys as in tables. In a narrow window a row is its first cell above the others: the caller gives one column then.
import { useVirtualizer } from "@tanstack/react-virtual";
import { type MouseEvent, type ReactNode, type RefObject, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { classes } from "../classes.ts";
import { useNarrow } from "../media.ts";
import { Skeleton } from "../States.tsx";
import styles from "./CompareGrid.module.css";
import { useAvailableWidth } from "./fitting.ts";
import { entriesOf } from "./unfolding.ts";
import { useActiveRow } from "./use-active-row.ts";
import { isOnRow, useVirtualRows, VirtualBody, VirtualGrid } from "./VirtualGrid.tsx";

export interface ComparedColumn<Row> {
  readonly key: string;
  readonly head: ReactNode;
  readonly render: (row: Row) => ReactNode;
}

interface CompareGridProps<Row> {
  /** Read aloud. */
  readonly label: string;
  readonly first: ComparedColumn<Row>;
  readonly columns: readonly ComparedColumn<Row>[];
  /** Undefined while the first rows load. */
  readonly rows: readonly Row[] | undefined;
  readonly keyOf: (row: Row) => string;
  readonly onOpen: (row: Row) => void;
  readonly openKey: string | null;
  /** Lines of text that a cell shows; null for all of them. */
  readonly lines: number | null;
  /** Called near the end of the rows, as long as there are more. */
  readonly onEnd: (() => void) | undefined;
  readonly loadingMore: boolean;
  /** Instead of rows when there are none. */
  readonly empty: ReactNode;
}

const FIRST_WIDTH = 240;
const LEAST_WIDTH = 250;
/** Of a line of text, and of what stands around the lines of a cell: its figures and its padding. */
const LINE = 19;
const AROUND = 62;
/** Of a row that shows all lines, until it is measured. */
const GUESSED = 240;
/** Up to so many columns all are drawn, and a row is as high as the highest of its cells. More come and go as they are scrolled to:
 *  then every row has space for all lines that a cell may show. */
const MOST_DRAWN = 8;

export function CompareGrid<Row>(props: CompareGridProps<Row>) {
  const { label, first, columns, rows, keyOf, onOpen, openKey, lines, onEnd, loadingMore, empty } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const narrow = useNarrow();
  const entries = useMemo(() => rows && entriesOf(rows, keyOf, undefined), [rows, keyOf]);
  const measured = lines === null || narrow || columns.length <= MOST_DRAWN;
  const height = lines === null ? GUESSED : AROUND + lines * LINE;
  const drawn = useVirtualRows(scroller, { count: entries?.length ?? 0, height, onEnd, ahead: 10, overscan: 3 });
  const across = useColumns(scroller, columns.length);
  const active = useActiveRow({
    scroller,
    entries,
    openKey,
    onOpen: ({ row }) => onOpen(row),
    onToggle: undefined,
    onUnfold: undefined,
    rowHeight: height,
    scrollTo: (index) => drawn.virtual.scrollToIndex(index),
  });
  drawn.kept.current = active.index;
  const seen = measured ? columns.map((_, index) => index) : across.items.map(({ index }) => index);
  const before = measured ? 0 : (across.items[0]?.start ?? 0);
  const cells = (cell: (column: ComparedColumn<Row>, index: number) => ReactNode) => (
    <>
      {before > 0 && <div role="presentation" style={{ flex: "none", width: before }} />}
      {seen.map((index) => cell(columns[index]!, index))}
    </>
  );
  const width = narrow ? undefined : FIRST_WIDTH + across.width * columns.length;
  const rowOf = (index: number, top: number) => {
    const entry = entries?.[index];
    if (entry === undefined) return null;
    const { key, row } = entry;
    const onClick = (event: MouseEvent<HTMLElement>) => {
      active.set(index);
      if (isOnRow(event)) onOpen(row);
    };
    return (
      <div
        key={key}
        ref={measured ? drawn.virtual.measureElement : undefined}
        role="row"
        data-index={index}
        aria-rowindex={index + 2}
        aria-selected={key === openKey}
        tabIndex={index === Math.max(active.index, 0) ? 0 : -1}
        className={classes(styles.row, key === openKey && styles.on)}
        style={{ top, height: measured ? undefined : height }}
        onClick={onClick}
        onFocus={() => active.set(index)}
        onKeyDown={active.onKeyDown}
      >
        <div role="rowheader" aria-colindex={1} className={classes(styles.cell, styles.first)}>
          <div className={styles.stays}>{first.render(row)}</div>
        </div>
        {cells((column, at) => (
          <div
            key={column.key}
            role="gridcell"
            aria-colindex={at + 2}
            className={styles.cell}
            style={{ width: narrow ? undefined : across.width }}
          >
            {column.render(row)}
          </div>
        ))}
      </div>
    );
  };

  // Below it the first cell of a row that is higher than the window stays in sight.
  useLayoutEffect(() => scroller.current?.style.setProperty("--head", `${head.current?.offsetHeight ?? 0}px`));

  return (
    <VirtualGrid scroller={scroller} className={narrow && styles.narrow} loadingMore={loadingMore}>
      <div
        role="grid"
        aria-label={label}
        aria-rowcount={rows === undefined ? -1 : rows.length + 1}
        aria-colcount={columns.length + 1}
        aria-busy={rows === undefined}
        style={{ width, "--lines": lines ?? "none", "--first": `${FIRST_WIDTH}px` }}
      >
        <div ref={head} role="rowgroup" className={narrow ? "visually-hidden" : styles.head}>
          <div role="row" aria-rowindex={1} className={styles.headRow}>
            <div role="columnheader" aria-colindex={1} className={classes(styles.headCell, styles.first)}>
              {first.head}
            </div>
            {cells((column, at) => (
              <div
                key={column.key}
                role="columnheader"
                aria-colindex={at + 2}
                className={styles.headCell}
                style={{ width: narrow ? undefined : across.width }}
              >
                {column.head}
              </div>
            ))}
          </div>
        </div>
        {rows !== undefined && rows.length > 0 && <VirtualBody rows={drawn} rowOf={rowOf} />}
      </div>
      {rows?.length === 0 && empty}
      {rows === undefined && <Skeleton lines={8} />}
    </VirtualGrid>
  );
}

/** They share the space, down to the width in which text can be read. */
function useColumns(scroller: RefObject<HTMLDivElement | null>, count: number) {
  const width = useRef(LEAST_WIDTH);
  const virtual = useVirtualizer({
    horizontal: true,
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => width.current,
    overscan: 1,
    // What stands before them covers them.
    scrollPaddingStart: FIRST_WIDTH,
  });
  // The virtualizer tells of a new width only when other columns come into sight.
  const available = useAvailableWidth(scroller) - FIRST_WIDTH;
  const wanted = Math.max(LEAST_WIDTH, count === 0 || !Number.isFinite(available) ? 0 : Math.floor(available / count));
  useEffect(() => {
    width.current = wanted;
    virtual.measure();
  }, [virtual, wanted]);
  return { items: virtual.getVirtualItems(), width: wanted };
}

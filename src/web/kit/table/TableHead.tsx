// The head of a table: titles, sorting, and edges to drag (or to move with the arrow keys).
import { ArrowDown, ArrowUp } from "lucide-react";
import type { CSSProperties, KeyboardEvent, PointerEvent } from "react";
import type { Sort } from "../../lib/address.ts";
import { text } from "../../texts/texts.ts";
import { classes } from "../classes.ts";
import { Checkbox } from "../Field.tsx";
import type { ArrangedColumns, Column } from "./columns.ts";
import styles from "./DataTable.module.css";
import type { Selection } from "./selection.ts";

interface TableHeadProps<Row> {
  readonly arranged: ArrangedColumns<Row>;
  /** Read aloud only. */
  readonly hidden: boolean;
  readonly style:
    | CSSProperties
    | { readonly gridTemplateColumns: string | undefined; readonly minWidth: number | undefined };
  readonly sort: Sort | undefined;
  readonly onSort: ((sort: Sort) => void) | undefined;
  readonly selection?: Selection;
}

const KEY_STEP = 16;

export function TableHead<Row>({ arranged, hidden, style, sort, onSort, selection }: TableHeadProps<Row>) {
  return (
    <div role="rowgroup" className={hidden ? "visually-hidden" : styles.head}>
      <div role="row" aria-rowindex={1} className={styles.headRow} style={style}>
        {selection !== undefined && (
          <div role="columnheader" className={styles.select}>
            <Checkbox
              label={text("kit.table.select.all")}
              labelHidden
              checked={selection.all}
              partly={selection.some}
              onChange={selection.selectAll}
            />
          </div>
        )}
        {arranged.visible.map((column) => (
          <HeadCell
            key={column.key}
            column={column}
            sorted={sort?.key === column.key ? sort.direction : null}
            onSort={column.sortable === true ? onSort : undefined}
            onResize={(pixels) => arranged.resize(column.key, pixels)}
          />
        ))}
      </div>
    </div>
  );
}

interface HeadCellProps<Row> {
  readonly column: Column<Row>;
  readonly sorted: "asc" | "desc" | null;
  readonly onSort: ((sort: Sort) => void) | undefined;
  readonly onResize: (pixels: number) => void;
}

function HeadCell<Row>({ column, sorted, onSort, onResize }: HeadCellProps<Row>) {
  const { key, title, align } = column;
  // Figures are looked at from the largest, names from the first.
  const first = align === "end" ? "desc" : "asc";
  const other = sorted === "asc" ? "desc" : "asc";
  return (
    <div
      role="columnheader"
      className={classes(styles.headCell, align === "end" && styles.end)}
      {...(onSort === undefined
        ? {}
        : { "aria-sort": sorted === null ? "none" : sorted === "asc" ? "ascending" : "descending" })}
    >
      {onSort === undefined ? (
        <span className={styles.headTitle} title={title}>
          {title}
        </span>
      ) : (
        <button
          type="button"
          className={styles.sort}
          title={text("kit.table.sort", { name: title })}
          onClick={() => onSort({ key, direction: sorted === null ? first : other })}
        >
          <span className={styles.headTitle}>{title}</span>
          {sorted === "asc" && <ArrowUp />}
          {sorted === "desc" && <ArrowDown />}
        </button>
      )}
      <Edge title={title} onResize={onResize} />
    </div>
  );
}

function Edge({ title, onResize }: { readonly title: string; readonly onResize: (pixels: number) => void }) {
  const widthOf = (edge: HTMLElement) => edge.parentElement?.getBoundingClientRect().width ?? 0;
  const onPointerDown = (event: PointerEvent<HTMLButtonElement>) => {
    const edge = event.currentTarget;
    const [startX, startWidth] = [event.clientX, widthOf(edge)];
    edge.setPointerCapture(event.pointerId);
    const onMove = (move: globalThis.PointerEvent) => onResize(startWidth + move.clientX - startX);
    edge.addEventListener("pointermove", onMove);
    edge.addEventListener("lostpointercapture", () => edge.removeEventListener("pointermove", onMove), { once: true });
    event.preventDefault();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    const step = { ArrowLeft: -KEY_STEP, ArrowRight: KEY_STEP }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    onResize(widthOf(event.currentTarget) + step);
  };
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={text("kit.columns.resize", { name: title })}
      className={styles.edge}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
    />
  );
}

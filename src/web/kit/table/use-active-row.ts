// Where the keys are in a table: `j` `k`, arrows, Home and End move, Enter opens, `x` and Space select. The row that is open beside
// the table is where they go on.
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useShortcut } from "../keys.ts";

interface ActiveRowOptions<Row> {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly rows: readonly Row[] | undefined;
  readonly keyOf: (row: Row) => string;
  readonly openKey: string | null;
  readonly onOpen: ((row: Row) => void) | undefined;
  /** Absent where nothing can be selected. */
  readonly onToggle: ((index: number) => void) | undefined;
  /** Pixels. */
  readonly rowHeight: number;
  readonly scrollTo: (index: number) => void;
}

interface ActiveRow {
  /** -1 before anybody was there. */
  readonly index: number;
  readonly set: (index: number) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

const group = "keys.list" as const;

export function useActiveRow<Row>(options: ActiveRowOptions<Row>): ActiveRow {
  const { scroller, rows, keyOf, openKey, onOpen, onToggle } = options;
  const [active, setActive] = useState(-1);
  const count = rows?.length ?? 0;
  useEffect(() => {
    if (openKey === null || rows === undefined) return;
    const at = rows.findIndex((row) => keyOf(row) === openKey);
    if (at >= 0) setActive(at);
  }, [openKey, rows, keyOf]);

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
  const within = (index: number) => Math.min(Math.max(index, 0), count - 1);
  const go = (to: number) => {
    if (count === 0) return;
    const index = within(to);
    wanted.current = index;
    setActive(index);
    options.scrollTo(index);
    focusWanted();
  };
  const step = (by: number) => {
    const next = active < 0 ? 0 : active + by;
    go(next);
    const row = rows?.[within(next)];
    // A panel that shows the open row follows.
    if (openKey !== null && row !== undefined) onOpen?.(row);
  };
  const open = () => {
    const row = rows?.[active];
    if (row !== undefined) onOpen?.(row);
  };
  useShortcut({ keys: "j", label: "keys.next", group, run: () => step(1) });
  useShortcut({ keys: "k", label: "keys.previous", group, run: () => step(-1) });
  useShortcut({ keys: "x", label: "keys.select", group, run: () => onToggle?.(active) }, onToggle !== undefined);

  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.target instanceof HTMLElement) || event.target.dataset.index === undefined) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / options.rowHeight) - 2);
    const moves = new Map([
      ["ArrowDown", () => step(1)],
      ["ArrowUp", () => step(-1)],
      ["PageDown", () => go(active + page)],
      ["PageUp", () => go(active - page)],
      ["Home", () => go(0)],
      ["End", () => go(count - 1)],
      ["Enter", open],
      [" ", () => onToggle?.(active)],
    ]);
    const move = moves.get(event.key);
    if (move === undefined || event.metaKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    move();
  };
  return { index: active, set: setActive, onKeyDown };
}

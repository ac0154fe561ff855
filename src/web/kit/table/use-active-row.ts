// Where the keys are in a table: `j` `k`, arrows, Home and End move, Enter opens, `x` and Space select, right and left
// unfold and fold. The row that is open beside the table is where they go on.
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useShortcut } from "../keys.ts";
import type { Entry } from "./unfolding.ts";

interface ActiveRowOptions<Row> {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly entries: readonly Entry<Row>[] | undefined;
  readonly openKey: string | null;
  readonly onOpen: (entry: Entry<Row>) => void;
  /** Absent where nothing can be selected. */
  readonly onToggle: ((entry: Entry<Row>) => void) | undefined;
  /** Absent where nothing can be unfolded. */
  readonly onUnfold: ((row: Row, unfolded: boolean) => void) | undefined;
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

/** A row, by its key where it was last. */
interface Place {
  readonly index: number;
  readonly key: string | null;
}

const nowhere: Place = { index: -1, key: null };

/** Rows that come in before it move it along. One that is gone leaves its place to what follows. */
function placeIn<Row>(entries: readonly Entry<Row>[] | undefined, { index, key }: Place): number {
  if (key === null || entries === undefined || entries[index]?.key === key) return index;
  const moved = entries.findIndex((entry) => entry.key === key);
  return moved < 0 ? Math.min(index, entries.length - 1) : moved;
}

const group = "keys.list" as const;

export function useActiveRow<Row>(options: ActiveRowOptions<Row>): ActiveRow {
  const { scroller, entries, openKey, onOpen, onToggle, onUnfold } = options;
  const [place, setPlace] = useState<Place>(nowhere);
  const count = entries?.length ?? 0;
  const active = placeIn(entries, place);
  const setActive = (index: number) => setPlace({ index, key: entries?.[index]?.key ?? null });
  useEffect(() => {
    if (openKey === null || entries === undefined) return;
    const at = entries.findIndex(({ key }) => key === openKey);
    if (at >= 0) setPlace({ index: at, key: openKey });
  }, [openKey, entries]);

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
    const entry = entries?.[within(next)];
    // A panel that shows the open row follows.
    if (openKey !== null && entry !== undefined) onOpen(entry);
  };
  const withActive = (run: ((entry: Entry<Row>) => void) | undefined) => {
    const entry = entries?.[active];
    if (entry !== undefined) run?.(entry);
  };
  const open = () => withActive(onOpen);
  const toggle = () => withActive(onToggle);
  /** Unfolds, or goes on to the first row below. */
  const right = ({ row, unfolded }: Entry<Row>) => {
    if (unfolded === false) onUnfold?.(row, true);
    if (unfolded === true) go(active + 1);
  };
  /** Folds, or goes back to the row that this one is below. */
  const left = ({ row, rowIndex, child, unfolded }: Entry<Row>) => {
    if (unfolded === true) onUnfold?.(row, false);
    if (child !== null) go(entries?.findIndex((each) => each.rowIndex === rowIndex) ?? active);
  };
  useShortcut({ keys: "j", label: "keys.next", group, run: () => step(1) });
  useShortcut({ keys: "k", label: "keys.previous", group, run: () => step(-1) });
  useShortcut({ keys: "x", label: "keys.select", group, run: toggle }, onToggle !== undefined);

  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.target instanceof HTMLElement) || event.target.dataset.index === undefined) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / options.rowHeight) - 2);
    const moves = new Map<string, () => void>([
      ["ArrowDown", () => step(1)],
      ["ArrowUp", () => step(-1)],
      ["PageDown", () => go(active + page)],
      ["PageUp", () => go(active - page)],
      ["Home", () => go(0)],
      ["End", () => go(count - 1)],
      ["Enter", open],
      [" ", toggle],
      ...(onUnfold === undefined
        ? []
        : ([
            ["ArrowRight", () => withActive(right)],
            ["ArrowLeft", () => withActive(left)],
          ] as const)),
    ]);
    const move = moves.get(event.key);
    if (move === undefined || event.metaKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    move();
  };
  return { index: active, set: setActive, onKeyDown };
}

// What is open over a list: beside the names of its rows, or on the whole page, as chosen last. Its neighbours are those of
// the list.
import { type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { classes } from "../kit/classes.ts";
import { createPreference, usePreference } from "../lib/preferences.ts";
import { ListEnd } from "./list-end.ts";
import { neighbour } from "./neighbours.ts";
import styles from "./OverList.module.css";
import type { PanelNavigation } from "./panel-navigation.tsx";

interface OverListProps<Row> {
  readonly rows: readonly Row[];
  readonly isOpen: (row: Row) => boolean;
  readonly onOpen: (row: Row) => void;
  readonly onClose: () => void;
  /** As wide as reading takes, not as wide as there is space. */
  readonly reading?: boolean;
  readonly children: (navigation: PanelNavigation) => ReactNode;
}

/** Times that one page of the list is asked for. */
const MOST_ASKED = 3;
const fullPreference = createPreference("trace.full", false);

export function OverList<Row>({ rows, isOpen, onOpen, onClose, reading = false, children }: OverListProps<Row>) {
  const [full, setFull] = usePreference(fullPreference);
  const at = rows.findIndex(isOpen);
  // One that was judged may leave a filtered list: the next one moves into its place.
  const place = useRef(0);
  if (at >= 0) place.current = at;
  const to = (step: 1 | -1) => {
    const row = neighbour(rows, isOpen, place.current, step);
    return row === null ? null : () => onOpen(row);
  };
  const next = to(1);
  const { loadMore, loadingMore } = useContext(ListEnd);
  const [waits, setWaits] = useState(false);
  const opensNext = useRef(next);
  opensNext.current = next;
  // Behind the last row that was loaded: as soon as more are there, the first of them.
  const isThere = next !== null;
  useEffect(() => {
    if (!waits || !isThere) return;
    setWaits(false);
    opensNext.current?.();
  }, [waits, isThere]);
  // What a change refreshes meanwhile stops the page that was asked for: it is asked for again, a few times.
  const asked = useRef(0);
  useEffect(() => {
    if (!waits || isThere || loadMore === undefined || loadingMore || asked.current === MOST_ASKED) return;
    asked.current++;
    loadMore();
  }, [waits, isThere, loadMore, loadingMore]);
  const loadNext = () => {
    asked.current = 0;
    setWaits(true);
  };
  return (
    <div className={classes(styles.over, full ? styles.full : styles.beside, reading && !full && styles.reading)}>
      {children({
        full,
        onFull: setFull,
        onClose,
        onPrevious: to(-1),
        onNext: next ?? (loadMore !== undefined || loadingMore ? loadNext : null),
        hasList: rows.length > 0,
      })}
    </div>
  );
}

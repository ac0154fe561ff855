// How far a search has come. It goes on by itself until a page is full or the range is done, and stops at a click.
import { useEffect, useState } from "react";
import { Button } from "../kit/Button.tsx";
import { formatShare, formatTime } from "../lib/format.ts";
import { useTimeZone } from "../lib/time-zone.ts";
import { text } from "../texts/texts.ts";
import styles from "./SearchLine.module.css";
import type { List } from "./use-list.ts";

/** Rows that one look brings together before it waits to be asked for more. */
const ROWS_A_LOOK = 100;

export function SearchLine<Row>({ list }: { readonly list: List<Row> }) {
  const zone = useTimeZone();
  const found = list.rows?.length ?? 0;
  const [goal, setGoal] = useState(ROWS_A_LOOK);
  const { progress, loadMore } = list;
  const searching = progress !== undefined && !progress.complete && found < goal;
  useEffect(() => {
    if (searching && !list.stale) loadMore?.();
  }, [searching, list.stale, loadMore]);
  if (progress === undefined) return null;

  const until = progress.scannedUntil === null ? "" : formatTime(progress.scannedUntil, zone, Date.now());
  return (
    <div role="status" className={styles.line}>
      {!progress.complete && (
        <progress className={styles.progress} value={progress.fraction} aria-label={text("explorer.search.label")} />
      )}
      <span>
        {progress.complete
          ? text("explorer.search.done", { count: found })
          : text("explorer.search.sofar", { count: found, share: formatShare(progress.fraction), until })}
      </span>
      {searching && (
        <Button look="quiet" onClick={() => setGoal(found)}>
          {text("explorer.search.stop")}
        </Button>
      )}
      {!searching && !progress.complete && (
        <Button look="quiet" onClick={() => setGoal(found + ROWS_A_LOOK)}>
          {text("explorer.search.more")}
        </Button>
      )}
    </div>
  );
}

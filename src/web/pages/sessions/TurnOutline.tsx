// The turns of a session beside its conversation: what was asked, when, and which of them failed or hold what is searched for.
import { useVirtualizer } from "@tanstack/react-virtual";
import { CircleAlert } from "lucide-react";
import { useEffect, useRef } from "react";
import { readablePreview } from "../../domain/trace/payload/preview.ts";
import { classes } from "../../kit/classes.ts";
import { Time } from "../../kit/Time.tsx";
import { text } from "../../texts/texts.ts";
import styles from "./TurnOutline.module.css";
import type { Turn } from "./use-turns.ts";

const ROW_PX = 44;

interface TurnOutlineProps {
  readonly turns: readonly Turn[];
  readonly selected: number;
  /** Positions of turns in which something was found. */
  readonly found: readonly number[];
  readonly onSelect: (position: number) => void;
}

export function TurnOutline({ turns, selected, found, onSelect }: TurnOutlineProps) {
  const scroller = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: turns.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
    getItemKey: (index) => turns[index]!.id,
  });
  const { scrollToIndex } = virtual;
  useEffect(() => {
    if (selected >= 0) scrollToIndex(selected, { align: "auto" });
  }, [selected, scrollToIndex]);
  return (
    // A region that scrolls must be reachable by keys.
    <nav ref={scroller} className={styles.outline} aria-label={text("sessions.turns")} tabIndex={0}>
      <ol style={{ height: virtual.getTotalSize() }} className={styles.turns}>
        {virtual.getVirtualItems().map(({ index, start, key }) => (
          <li key={key} className={styles.place} style={{ transform: `translateY(${start}px)` }}>
            <OutlineRow
              turn={turns[index]!}
              number={index + 1}
              selected={index === selected}
              isFound={found.includes(index)}
              onSelect={() => onSelect(index)}
            />
          </li>
        ))}
      </ol>
    </nav>
  );
}

interface OutlineRowProps {
  readonly turn: Turn;
  readonly number: number;
  readonly selected: boolean;
  readonly isFound: boolean;
  readonly onSelect: () => void;
}

function OutlineRow({ turn, number, selected, isFound, onSelect }: OutlineRowProps) {
  const asked = readablePreview(turn.rootSpan?.input?.truncatedValue ?? "");
  return (
    <button
      type="button"
      className={classes(styles.row, selected && styles.selected)}
      aria-current={selected}
      onClick={onSelect}
    >
      <span className={styles.number}>{number}</span>
      <span className={styles.words}>
        <bdi className={classes(styles.asked, isFound && styles.found)}>
          {asked.trim() === "" ? text("sessions.turn", { number }) : asked}
        </bdi>
        <small>
          <Time at={turn.startTime} />
          {turn.errorCount > 0 && (
            <span className={styles.failed}>
              <CircleAlert aria-hidden="true" />
              {text("trace.errors", { count: turn.errorCount })}
            </span>
          )}
        </small>
      </span>
    </button>
  );
}

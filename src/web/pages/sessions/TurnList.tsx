// The conversation: only turns that can be seen are drawn, as high as what they say. `j` and `k` walk from turn to turn.
import { useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useMemo, useRef } from "react";
import { useLocation } from "wouter";
import { CHOSEN_TURN } from "../../domain/trace/selected.ts";
import { useShortcut } from "../../kit/keys.ts";
import { useAddress } from "../../lib/address.ts";
import { linkTo } from "../../lib/links.ts";
import { text } from "../../texts/texts.ts";
import styles from "./TurnList.module.css";
import { TurnRow } from "./TurnRow.tsx";
import { BATCH, batchOf, type TurnBatch } from "./turn-content.ts";
import type { Turn } from "./use-turns.ts";

/** Of a turn whose contents are not known yet. */
const ESTIMATED_PX = 168;

interface TurnListProps {
  readonly sessionId: string;
  readonly turns: readonly Turn[];
  /** All of the session, also those that are on their way. */
  readonly count: number;
  readonly selected: number;
  readonly onSelect: (position: number) => void;
}

/** The chosen turn stands in the address. */
export function useSelectedTurn(turns: readonly Turn[] | undefined) {
  const { get, set } = useAddress();
  const chosen = get(CHOSEN_TURN);
  const selected = useMemo(() => turns?.findIndex(({ traceId }) => traceId === chosen) ?? -1, [turns, chosen]);
  const select = useCallback(
    (position: number) => {
      const turn = turns?.[position];
      if (turn !== undefined) set({ [CHOSEN_TURN]: turn.traceId }, "replace");
    },
    [turns, set],
  );
  return { selected, select };
}

export function TurnList({ sessionId, turns, count, selected, onSelect }: TurnListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [, navigate] = useLocation();
  const virtual = useVirtualizer({
    count: turns.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ESTIMATED_PX,
    overscan: 3,
    getItemKey: (index) => turns[index]!.id,
  });
  // One object for all turns of a question, so that rows which only move are not drawn again.
  const batchAt = useMemo(() => {
    const batches = new Map<number, TurnBatch>();
    return (position: number) => {
      const key = Math.floor(position / BATCH);
      const batch = batches.get(key) ?? batchOf(sessionId, turns, position);
      batches.set(key, batch);
      return batch;
    };
  }, [sessionId, turns]);
  const openTrace = useCallback(
    ({ projectId, traceId }: Turn) => navigate(linkTo("trace", { projectId, traceId })),
    [navigate],
  );

  const { scrollToIndex } = virtual;
  const shown = useRef(-1);
  useEffect(() => {
    if (selected < 0 || shown.current === selected) return;
    shown.current = selected;
    scrollToIndex(selected, { align: "start" });
    // Who types goes on typing.
    if (document.activeElement?.matches("input") === true) return;
    // The row may come with the scrolling; then it takes the keys.
    const frame = requestAnimationFrame(() => {
      scroller.current
        ?.querySelector<HTMLElement>(`[data-index="${selected}"] article`)
        ?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [selected, scrollToIndex]);

  const pick = useCallback(
    (position: number) => {
      // It is in sight already.
      shown.current = position;
      onSelect(position);
    },
    [onSelect],
  );
  const walk = (step: 1 | -1) => {
    const seen = virtual.getVirtualItems();
    const top = scroller.current?.scrollTop ?? 0;
    const first = seen.find(({ end }) => end > top + 1)?.index ?? 0;
    const isNear = seen.some(({ index }) => index === selected);
    const next = selected >= 0 && isNear ? selected + step : first;
    onSelect(Math.max(0, Math.min(turns.length - 1, next)));
  };
  useShortcut({ keys: "j", label: "sessions.keys.down", group: "sessions.keys", run: () => walk(1) });
  useShortcut({ keys: "k", label: "sessions.keys.up", group: "sessions.keys", run: () => walk(-1) });

  return (
    <div ref={scroller} className={styles.scroller} role="feed" aria-label={text("sessions.turn.list")} tabIndex={0}>
      <div className={styles.rows} style={{ height: virtual.getTotalSize() }} role="presentation">
        {virtual.getVirtualItems().map(({ index, start, key }) => (
          <div
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            role="presentation"
            className={styles.row}
            style={{ transform: `translateY(${start}px)` }}
          >
            <TurnRow
              turn={turns[index]!}
              position={index}
              count={count}
              selected={index === selected}
              batch={batchAt(index)}
              before={turns[index - 1]?.cursor ?? null}
              calm={!virtual.isScrolling}
              onSelect={pick}
              onOpen={openTrace}
            />
          </div>
        ))}
      </div>
    </div>
  );
}

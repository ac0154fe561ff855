// The frame of tables: it scrolls, draws the rows that can be seen and the one that the keys are at, and asks for more near the end.
import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { type MouseEvent, type ReactNode, type RefObject, useEffect, useRef } from "react";
import { text } from "../../texts/texts.ts";
import { classes } from "../classes.ts";
import styles from "./VirtualGrid.module.css";

interface VirtualGridProps {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly className?: string | false | undefined;
  readonly loadingMore: boolean | undefined;
  readonly children: ReactNode;
}

export function VirtualGrid({ scroller, className, loadingMore = false, children }: VirtualGridProps) {
  return (
    <div ref={scroller} className={classes(styles.scroller, className)}>
      {children}
      {loadingMore && (
        <p role="status" className={styles.more}>
          {text("kit.table.loading.more")}
        </p>
      )}
    </div>
  );
}

interface VirtualRowsOptions {
  readonly count: number;
  /** Pixels; of rows that are measured, a guess. */
  readonly height: number;
  /** Called so many rows before the end, as long as there are more. */
  readonly onEnd: (() => void) | undefined;
  readonly ahead: number;
  /** Rows that are drawn beyond those that can be seen. */
  readonly overscan: number;
}

/** `kept` is set to the row that the keys are at: scrolled away, it must not lose the focus. */
export function useVirtualRows(scroller: RefObject<HTMLDivElement | null>, options: VirtualRowsOptions) {
  const { count, height, onEnd, ahead, overscan } = options;
  const kept = useRef(-1);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan,
    rangeExtractor(range) {
      const seen = defaultRangeExtractor(range);
      const at = kept.current;
      return at < 0 || at >= count || seen.includes(at) ? seen : [at, ...seen].sort((one, other) => one - other);
    },
  });
  useEffect(() => {
    if (height > 0) virtual.measure();
  }, [virtual, height]);
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (onEnd !== undefined && count > 0 && last >= count - ahead) onEnd();
  }, [onEnd, last, count, ahead]);
  return { virtual, items, kept };
}

interface VirtualBodyProps {
  readonly rows: ReturnType<typeof useVirtualRows>;
  readonly rowOf: (index: number, top: number) => ReactNode;
}

export function VirtualBody({ rows: { virtual, items }, rowOf }: VirtualBodyProps) {
  return (
    <div role="rowgroup" className={styles.body} style={{ height: virtual.getTotalSize() }}>
      {items.map(({ index, start }) => rowOf(index, start))}
    </div>
  );
}

/** The click is one on the row itself: on no control in it, and no end of a selection of its text. */
export function isOnRow({ target }: MouseEvent<HTMLElement>): boolean {
  const control = (target as HTMLElement).closest("a, button, input, label, summary");
  return control === null && getSelection()?.isCollapsed !== false;
}

// The spans of a trace: the strip of the whole, the search, and the rows with their bars.
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import type { Overlay } from "../../../domain/trace/overlays.ts";
import type { Repeats } from "../../../domain/trace/shown-span.ts";
import type { SpanCost } from "../../../domain/trace/span-costs.ts";
import type { TraceTree } from "../../../domain/trace/tree.ts";
import type { WasteMarks } from "../../../domain/trace/waste-marks.ts";
import { Button } from "../../../kit/Button.tsx";
import { useFoundMarks } from "../../../kit/found.ts";
import { useNarrow } from "../../../kit/media.ts";
import { EmptyState, Skeleton } from "../../../kit/States.tsx";
import { Late, late } from "../../../lib/late.tsx";
import { createPreference, usePreference } from "../../../lib/preferences.ts";
import { text } from "../../../texts/texts.ts";
import type { VerdictsOfSpans } from "./AnnotationMarks.tsx";
import type { GraphView } from "./analysis/use-graph-view.ts";
import type { OverlayChoice } from "./analysis/use-overlay.ts";
import { Caption } from "./Notices.tsx";
import { Overview } from "./Overview.tsx";
import { SpanBar } from "./SpanBar.tsx";
import { SpanGrid } from "./SpanGrid.tsx";
import { Splitter } from "./Splitter.tsx";
import styles from "./TracePanel.module.css";
import type { SpanList } from "./use-spans.ts";
import type { TimeView } from "./use-time-window.ts";
import { useWidth } from "./use-width.ts";

const { Part: OverlaySummary } = late(() => import("./analysis/OverlaySummary.tsx"));
const { Part: TraceGraph } = late(() => import("./analysis/TraceGraph.tsx"));

/** Width of the names in pixels, as the reader dragged it. */
const namesPreference = createPreference("trace.names", 280);
const NARROW_NAMES = 176;
/** Behind the names, where the trace costs anything. */
const COST_PX = 64;
/** Pixels of names beside costs: with fewer they would be cut for them. */
const LEAST_NAMES = 220;
/** Share of the width that names may take, so that the waterfall stays one. */
const MOST_NAMES = 0.55;

interface SpanSideProps {
  /** Global id. */
  readonly traceId: string;
  readonly tree: TraceTree;
  readonly spans: SpanList;
  readonly verdicts: VerdictsOfSpans;
  readonly waste: WasteMarks;
  readonly overlay: OverlayChoice;
  readonly graph: GraphView;
  /** By key of the span, with what is below it. */
  readonly costs: ReadonlyMap<string, SpanCost>;
  readonly time: TimeView;
  readonly field: RefObject<HTMLDivElement | null>;
  /** Above all, where it scrolls with the rows. */
  readonly head: ReactNode;
  /** All of it scrolls, not the rows alone. */
  readonly scrolls: boolean;
  readonly onPick: (key: string) => void;
  /** The spans of the step of the graph that is chosen. */
  readonly onStep: (spans: Repeats | null) => void;
  /** On to the details. */
  readonly onEnter: () => void;
}

export function SpanSide(props: SpanSideProps) {
  const { traceId, tree, spans, verdicts, waste, overlay, graph, costs, time, field, head, scrolls } = props;
  const { onPick, onEnter, onStep } = props;
  const [shownOverlay, setShownOverlay] = useState<Overlay | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const narrow = useNarrow();
  const [names, setNames] = usePreference(namesPreference);
  // A phone has no space for them, nor has a panel that is shared with a review: names come first.
  const available = Math.max(NARROW_NAMES, width * MOST_NAMES);
  const costWidth = narrow || costs.size === 0 || available < LEAST_NAMES + COST_PX ? 0 : COST_PX;
  const wide = names + costWidth;
  const nameWidth = narrow ? NARROW_NAMES : Math.min(wide, available);
  const leaveSearch = useTreeFocus(box, spans);
  const marked = useFoundMarks(spans.words, null);
  if (graph.shown)
    return (
      <div ref={box} className={styles.left}>
        {head}
        <div className={styles.graph}>
          <Late fallback={<Skeleton lines={8} />}>
            <TraceGraph
              traceId={traceId}
              tree={tree}
              selected={spans.selected?.span?.id ?? null}
              view={graph}
              onFound={onStep}
              onSelect={onPick}
            />
          </Late>
        </div>
      </div>
    );
  return (
    <div ref={box} className={styles.left}>
      {head}
      <Overview tree={tree} time={time} onSelect={onPick} />
      <SpanBar
        tree={tree}
        spans={spans}
        time={time}
        field={field}
        nameWidth={nameWidth - 16}
        overlay={overlay}
        graph={graph}
        onHit={spans.select}
        onLeave={leaveSearch}
      />
      {overlay.mode !== null && (
        <Late>
          <OverlaySummary
            traceId={traceId}
            tree={tree}
            mode={overlay.mode}
            onFound={setShownOverlay}
            onSelect={onPick}
          />
        </Late>
      )}
      {spans.rows.length === 0 && spans.search.running ? (
        <Skeleton lines={4} label={text("trace.find.running")} />
      ) : spans.rows.length === 0 ? (
        <EmptyState
          title={text("trace.spans.none")}
          action={<Button onClick={spans.showAll}>{text("trace.spans.none.action")}</Button>}
        />
      ) : (
        <div ref={marked} className={styles.spans} style={{ "--names-edge": `${nameWidth}px` }}>
          <SpanGrid
            spans={spans}
            verdicts={verdicts}
            waste={waste}
            overlay={shownOverlay}
            costs={costs}
            costWidth={costWidth}
            time={time}
            nameWidth={nameWidth}
            caption={<Caption spans={spans} tree={tree} />}
            page={scrolls ? box : null}
            onSelect={onPick}
            onEnter={onEnter}
          />
          {!narrow && (
            <Splitter
              label={text("trace.split")}
              value={nameWidth}
              least={NARROW_NAMES + costWidth}
              most={720 + costWidth}
              onChange={(px) => setNames(px - costWidth)}
              unitPx={1}
              className={styles.nameSplit}
            />
          )}
        </div>
      )}
    </div>
  );
}

/** Back from the search: the tree takes the keys again, on the row that has them, as soon as it is there. */
function useTreeFocus(box: RefObject<HTMLElement | null>, { words, rows }: SpanList): () => void {
  const waits = useRef(false);
  useEffect(() => {
    const tree = box.current?.querySelector<HTMLElement>("[role=tree]");
    // Without rows there is no tree.
    if (!waits.current || words !== "" || rows.length === 0 || !tree) return;
    waits.current = false;
    tree.focus({ preventScroll: true });
  }, [box, words, rows]);
  return () => {
    waits.current = true;
    box.current?.querySelector<HTMLElement>("[role=tree]")?.focus({ preventScroll: true });
  };
}

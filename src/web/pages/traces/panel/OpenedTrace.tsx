// A trace that is there: its head and its spans on the left, the details of the selected span on the right; where there is no space
// for both, the details lie in a sheet over the spans.
import { ChevronDown, ChevronUp } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import type { ReviewTarget } from "../../../domain/annotations/send-review.ts";
import { walk } from "../../../domain/trace/rows.ts";
import type { Repeats } from "../../../domain/trace/shown-span.ts";
import { spanCostsOf } from "../../../domain/trace/span-costs.ts";
import type { TraceTree } from "../../../domain/trace/tree.ts";
import { noWaste } from "../../../domain/trace/waste-marks.ts";
import type { PanelNavigation } from "../../../explorer/panel-navigation.tsx";
import { IconButton } from "../../../kit/Button.tsx";
import { classes } from "../../../kit/classes.ts";
import { FoundWords, useFoundMarks } from "../../../kit/found.ts";
import { useShortcut } from "../../../kit/keys.ts";
import { Sheet } from "../../../kit/Sheet.tsx";
import { Skeleton } from "../../../kit/States.tsx";
import { Late, late } from "../../../lib/late.tsx";
import { createPreference, usePreference } from "../../../lib/preferences.ts";
import { text } from "../../../texts/texts.ts";
import { noVerdicts } from "./AnnotationMarks.tsx";
import { type GraphView, useGraphView } from "./analysis/use-graph-view.ts";
import { type OverlayChoice, useOverlay } from "./analysis/use-overlay.ts";
import { RepeatsDetail } from "./detail/RepeatsDetail.tsx";
import { SpanDetail } from "./detail/SpanDetail.tsx";
import { Notices } from "./Notices.tsx";
import { SpanSide } from "./SpanSide.tsx";
import { Splitter } from "./Splitter.tsx";
import { TraceHeader } from "./TraceHeader.tsx";
import styles from "./TracePanel.module.css";
import { MOST_SPANS, type TraceFigures } from "./trace-state.ts";
import { usePicked } from "./use-picked.ts";
import { type SpanList, useSpans } from "./use-spans.ts";
import { type TimeView, useTimeWindow } from "./use-time-window.ts";
import type { OpenTrace } from "./use-trace.ts";
import { useWidth } from "./use-width.ts";

const { Part: WasteLine } = late(() => import("./analysis/WasteLine.tsx"));
const { Part: ReviewSide } = late(() => import("./review/ReviewSide.tsx"));
const { Part: SpanVerdicts } = late(() => import("./review/SpanVerdicts.tsx"));

/** Share of the left side in percent, as the reader dragged it. */
const sidePreference = createPreference("trace.left", 55);
/** In a panel that is narrower the details lie in a sheet. */
const STACKED_PX = 860;
/** In a panel that is narrower the review lies over the details. */
const CROWDED_PX = 920;
/** Whether the review stands beside the details or is folded. */
const reviewPreference = createPreference("review.open", false);

interface OpenedTraceProps {
  readonly projectId: string;
  readonly open: OpenTrace;
  readonly navigation: PanelNavigation;
}

export default function OpenedTrace({ projectId, open: { view, tree, unfinished }, navigation }: OpenedTraceProps) {
  const trace = view.trace!;
  const spans = useSpans(tree, trace, view.complete || tree.spanCount >= MOST_SPANS);
  const time = useTimeWindow(tree);
  const costs = useMemo(() => spanCostsOf(tree.roots), [tree]);
  const [share, setShare] = usePreference(sidePreference);
  const field = useRef<HTMLDivElement>(null);
  const detail = useRef<HTMLElement>(null);
  const sides = useRef<HTMLDivElement>(null);
  const width = useWidth(sides);
  const stacked = width > 0 && width <= STACKED_PX;
  const picked = usePicked(spans, tree, stacked);
  const [beside, setBeside] = usePreference(reviewPreference);
  const [sheet, setSheet] = useState(false);
  const [verdicts, setVerdicts] = useState(noVerdicts);
  const [waste, setWaste] = useState(noWaste);
  const overlay = useOverlay();
  const graph = useGraphView();
  const step = useChosenStep(graph, picked.pick);
  const repeats = step.spans ?? spans.repeats;
  const targets = useTargets(trace, repeats === null ? (spans.selected?.span?.id ?? null) : null);
  useSpanKeys(spans, () => field.current?.querySelector("input")?.focus(), picked.nextError);
  useOverlayKeys(overlay);
  const read = useFoundMarks(spans.words, spans.selected?.key ?? null);

  const shown = <ShownDetail {...{ projectId, tree, spans, repeats, time }} onSelect={step.select} />;
  const head = (
    <>
      <TraceHeader
        projectId={projectId}
        trace={trace}
        tree={tree}
        unknownCost={tree.roots.some(({ key }) => costs.get(key)?.unknown)}
        navigation={navigation}
        onNextError={picked.nextError}
        onReview={stacked ? () => setSheet(true) : null}
      />
      <Notices view={view} tree={tree} unfinished={unfinished} />
      {view.complete && (
        <Late>
          <WasteLine traceId={trace.id} tree={tree} onFound={setWaste} onSelect={picked.pick} />
        </Late>
      )}
    </>
  );
  const label = text("span.detail", { name: repeats?.name ?? spans.selected?.span?.shownName ?? "" });
  return (
    <FoundWords value={spans.words}>
      {!stacked && head}
      <div
        ref={sides}
        className={classes(styles.sides, stacked ? styles.stacked : beside && width > CROWDED_PX && styles.reviewed)}
        style={{ "--share": share / 100 }}
      >
        <SpanSide
          traceId={trace.id}
          tree={tree}
          spans={spans}
          verdicts={verdicts}
          waste={waste}
          overlay={overlay}
          graph={graph}
          costs={costs}
          time={time}
          field={field}
          head={stacked && head}
          scrolls={stacked}
          onPick={picked.pick}
          onStep={step.setSpans}
          onEnter={() => (stacked ? picked.openSheet() : detail.current?.focus())}
        />
        {stacked ? (
          <Sheet
            open={picked.sheet}
            onClose={picked.closeSheet}
            title={text("trace.sheet")}
            actions={<Neighbours spans={spans} onSelect={picked.show} />}
          >
            <div ref={read} className={styles.sheetDetail}>
              {shown}
            </div>
          </Sheet>
        ) : (
          <>
            <Splitter
              label={text("trace.split.detail")}
              value={share}
              least={25}
              most={75}
              onChange={setShare}
              unitPx={null}
              className={styles.sideSplit}
            />
            <section ref={detail} tabIndex={-1} className={styles.right} aria-label={label}>
              <div ref={read} className={styles.read}>
                {shown}
              </div>
            </section>
          </>
        )}
        {width > 0 && (
          <Late keys="page">
            <SpanVerdicts projectId={projectId} traceId={trace.id} onFound={setVerdicts} />
            <ReviewSide
              projectId={projectId}
              targets={targets}
              name={tree.representative?.span?.shownName || trace.traceId}
              navigation={navigation}
              open={stacked ? sheet : beside}
              onOpen={stacked ? setSheet : setBeside}
              place={stacked ? "sheet" : width > CROWDED_PX ? "beside" : "over"}
            />
          </Late>
        )}
      </div>
    </FoundWords>
  );
}

interface ShownDetailProps {
  readonly projectId: string;
  readonly tree: TraceTree;
  readonly spans: SpanList;
  /** Spans that are chosen together. */
  readonly repeats: Repeats | null;
  readonly time: TimeView;
  readonly onSelect: (key: string) => void;
}

function ShownDetail({ projectId, tree, spans, repeats, time, onSelect }: ShownDetailProps) {
  if (spans.pending) return <Skeleton lines={8} />;
  if (repeats !== null) return <RepeatsDetail repeats={repeats} traceStartUs={time.startUs} onSelect={onSelect} />;
  return <SpanDetail projectId={projectId} node={spans.selected} tree={tree} time={time} />;
}

/** What can be judged: the selected span, the trace, its session. */
function useTargets(trace: TraceFigures, spanId: string | null): readonly ReviewTarget[] {
  const sessionId = trace.session?.id ?? null;
  return useMemo(() => {
    const targets: ReviewTarget[] = [{ kind: "trace", id: trace.id }];
    if (spanId !== null) targets.unshift({ kind: "span", id: spanId });
    if (sessionId !== null) targets.push({ kind: "session", id: sessionId });
    return targets;
  }, [trace.id, spanId, sessionId]);
}

interface NeighboursProps {
  readonly spans: SpanList;
  readonly onSelect: (key: string) => void;
}

/** In the sheet: the rows above and below, which it covers. */
function Neighbours({ spans, onSelect }: NeighboursProps) {
  const to = (way: "up" | "down") => walk(spans.rows, spans.active, way).select;
  const [above, below] = [to("up"), to("down")];
  return (
    <>
      <IconButton
        label={text("trace.keys.up")}
        icon={<ChevronUp />}
        disabled={above === undefined}
        onClick={() => above !== undefined && onSelect(above)}
      />
      <IconButton
        label={text("trace.keys.down")}
        icon={<ChevronDown />}
        disabled={below === undefined}
        onClick={() => below !== undefined && onSelect(below)}
      />
    </>
  );
}

/** The spans of the step of the graph that is chosen; to choose one of them leaves it. */
function useChosenStep({ shown, show, setStep }: GraphView, pick: (key: string) => void) {
  const [spans, setSpans] = useState<Repeats | null>(null);
  useShortcut({ keys: "g", label: "trace.graph", group: "trace.keys", run: () => show(!shown) });
  const select = (key: string) => {
    pick(key);
    if (spans !== null) setStep(null);
  };
  return { spans, setSpans, select };
}

function useOverlayKeys({ toggle }: OverlayChoice): void {
  const group = "trace.keys";
  useShortcut({ keys: "p", label: "trace.overlay.path", group, run: () => toggle("path") });
  useShortcut({ keys: "m", label: "trace.overlay.money", group, run: () => toggle("money") });
}

function useSpanKeys(spans: SpanList, focusSearch: () => void, nextError: () => void): void {
  const go = (way: "up" | "down") => {
    const { select } = walk(spans.rows, spans.active, way);
    if (select !== undefined) spans.select(select);
  };
  const group = "trace.keys";
  useShortcut({ keys: "j", label: "trace.keys.down", group, run: () => go("down") });
  useShortcut({ keys: "k", label: "trace.keys.up", group, run: () => go("up") });
  useShortcut({ keys: "/", label: "trace.keys.find", group, run: focusSearch });
  useShortcut({ keys: "!", label: "trace.keys.error", group, run: nextError });
  useShortcut({ keys: "w", label: "trace.keys.wrappers", group, run: () => spans.setKeyOnly(!spans.keyOnly) });
}

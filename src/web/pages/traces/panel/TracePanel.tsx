// One trace: its head and its spans on the left, the details of the selected span on the right; on a phone one below the other.
// It stands over a list or fills the page, and knows nothing of what is beneath it.
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import { walk } from "../../../domain/trace/rows.ts";
import type { TraceTree } from "../../../domain/trace/tree.ts";
import { type PanelNavigation, usePanelKeys } from "../../../explorer/panel-navigation.tsx";
import { Button } from "../../../kit/Button.tsx";
import { classes } from "../../../kit/classes.ts";
import { useShortcut } from "../../../kit/keys.ts";
import { useNarrow } from "../../../kit/media.ts";
import { EmptyState, FailedState, Notice, Skeleton } from "../../../kit/States.tsx";
import { createPreference, usePreference } from "../../../lib/preferences.ts";
import { text } from "../../../texts/texts.ts";
import { SpanDetail } from "./detail/SpanDetail.tsx";
import { SpanBar } from "./SpanBar.tsx";
import { SpanGrid } from "./SpanGrid.tsx";
import { Splitter } from "./Splitter.tsx";
import { TraceHeader, traceWords } from "./TraceHeader.tsx";
import styles from "./TracePanel.module.css";
import { MOST_SPANS, type TraceView } from "./trace-state.ts";
import { type SpanList, useSpans } from "./use-spans.ts";
import { useTimeWindow } from "./use-time-window.ts";
import { type OpenTrace, useTrace } from "./use-trace.ts";

/** Pixels of the names, and the share of the left side in percent: both as somebody dragged them. */
const namesPreference = createPreference("trace.names", 280);
const sidePreference = createPreference("trace.left", 55);
const NARROW_NAMES = 176;
/** Share of the left side that names may take, so that the waterfall stays one. */
const MOST_NAMES = 0.55;

interface TracePanelProps {
  readonly projectId: string;
  /** Of the exporter, or global. */
  readonly traceId: string;
  readonly navigation: PanelNavigation;
}

export function TracePanel({ projectId, traceId, navigation }: TracePanelProps) {
  const open = useTrace(projectId, traceId);
  const { view } = open;
  usePanelKeys(navigation, traceWords);
  return (
    <section className={styles.panel} aria-label={text("trace.title")} aria-busy={view.status === "loading"}>
      {view.status === "loading" && <LoadingTrace />}
      {view.status === "failed" && view.failure !== null && (
        <FailedState failure={view.failure} onRetry={open.reload} />
      )}
      {view.status === "not_found" && <NoTrace onClose={navigation.onClose} />}
      {view.trace !== null && <Opened key={view.trace.id} projectId={projectId} open={open} navigation={navigation} />}
    </section>
  );
}

function NoTrace({ onClose }: { readonly onClose: (() => void) | null }) {
  return (
    <EmptyState
      title={text("trace.not.found")}
      action={onClose === null ? undefined : <Button onClick={onClose}>{text("trace.not.found.action")}</Button>}
    >
      {text("trace.not.found.text")}
    </EmptyState>
  );
}

/** In the layout of what comes. */
function LoadingTrace() {
  return (
    <div className={classes(styles.sides, styles.loading)}>
      <div className={styles.left}>
        <Skeleton lines={12} />
      </div>
      <div className={styles.right}>
        <Skeleton lines={6} />
      </div>
    </div>
  );
}

interface OpenedProps {
  readonly projectId: string;
  readonly open: OpenTrace;
  readonly navigation: PanelNavigation;
}

function Opened({ projectId, open: { view, tree, unfinished }, navigation }: OpenedProps) {
  const trace = view.trace!;
  const spans = useSpans(tree, trace.id, view.complete);
  const time = useTimeWindow(tree);
  const narrow = useNarrow();
  const [names, setNames] = usePreference(namesPreference);
  const [share, setShare] = usePreference(sidePreference);
  const field = useRef<HTMLDivElement>(null);
  const detail = useRef<HTMLElement>(null);
  const left = useRef<HTMLDivElement>(null);
  const leftWidth = useWidth(left);
  const nameWidth = narrow ? NARROW_NAMES : Math.min(names, Math.max(NARROW_NAMES, leftWidth * MOST_NAMES));

  const failed = useMemo(() => failedKeys(tree), [tree]);
  const nextError = useCallback(() => {
    if (failed.length === 0) return;
    const at = failed.indexOf(spans.selected?.key ?? "");
    spans.showAll();
    spans.select(failed[(at + 1) % failed.length]!);
  }, [failed, spans]);
  useSpanKeys(spans, () => field.current?.querySelector("input")?.focus(), nextError);

  return (
    <div className={styles.sides} style={{ "--left": `${share}%` } as never}>
      <div ref={left} className={styles.left}>
        <TraceHeader
          projectId={projectId}
          trace={trace}
          tree={tree}
          complete={view.complete}
          navigation={navigation}
          onNextError={nextError}
        />
        <Notices view={view} tree={tree} unfinished={unfinished} />
        <SpanBar tree={tree} spans={spans} time={time} field={field} nameWidth={nameWidth - 16} />
        {spans.rows.length === 0 && spans.search.running ? (
          <Skeleton lines={4} label={text("trace.find.running")} />
        ) : spans.rows.length === 0 ? (
          <EmptyState
            title={text("trace.spans.none")}
            action={<Button onClick={spans.showAll}>{text("trace.spans.none.action")}</Button>}
          />
        ) : (
          <div
            className={styles.spans}
            style={{ "--rows": spans.rows.length, "--names-edge": `${nameWidth}px` } as never}
          >
            <SpanGrid
              spans={spans}
              time={time}
              nameWidth={nameWidth}
              caption={<Caption spans={spans} tree={tree} />}
              onEnter={() => detail.current?.focus()}
            />
            {!narrow && (
              <Splitter
                label={text("trace.split")}
                value={nameWidth}
                least={NARROW_NAMES}
                most={720}
                onChange={setNames}
                unitPx={1}
                className={styles.nameSplit}
              />
            )}
          </div>
        )}
      </div>
      <Splitter
        label={text("trace.split.detail")}
        value={share}
        least={25}
        most={75}
        onChange={setShare}
        unitPx={null}
        className={styles.sideSplit}
      />
      <section
        ref={detail}
        tabIndex={-1}
        className={styles.right}
        aria-label={text("span.detail", { name: spans.selected?.span?.name ?? "" })}
      >
        {spans.pending ? <Skeleton lines={8} /> : <SpanDetail node={spans.selected} tree={tree} time={time} />}
      </section>
    </div>
  );
}

function useWidth(box: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    setWidth(element.clientWidth);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return width;
}

function Caption({ spans, tree }: { readonly spans: SpanList; readonly tree: TraceTree }) {
  const { shown, wrappers, keyOnly, setKeyOnly } = spans;
  const count = tree.spanCount;
  return (
    <>
      {shown === count ? text("trace.spans.all", { count }) : text("trace.spans.count", { shown, count })}
      {wrappers > 0 && (
        <>
          {" · "}
          <button type="button" className={styles.link} onClick={() => setKeyOnly(!keyOnly)}>
            {text(keyOnly ? "trace.spans.wrappers.show" : "trace.spans.wrappers.hide")}
          </button>
        </>
      )}
    </>
  );
}

function Notices({
  view,
  tree,
  unfinished,
}: {
  readonly view: TraceView;
  readonly tree: TraceTree;
  readonly unfinished: boolean;
}) {
  const { trace, complete, stale } = view;
  if (stale) return <Notice tone="warn">{text("trace.failed.refresh")}</Notice>;
  if (!complete && tree.spanCount >= MOST_SPANS)
    return <Notice tone="warn">{text("trace.too.many", { count: MOST_SPANS })}</Notice>;
  if (!complete) {
    return <Notice>{text("trace.loading.more", { loaded: tree.spanCount, count: trace?.spanCount ?? 0 })}</Notice>;
  }
  return unfinished ? <Notice>{text("trace.unfinished")}</Notice> : null;
}

/** In the order of time. */
function failedKeys(tree: TraceTree): string[] {
  return [...tree.byKey.values()]
    .filter(({ span }) => span?.status === "ERROR")
    .sort((one, other) => one.startUs - other.startUs)
    .map(({ key }) => key);
}

function useSpanKeys(spans: SpanList, focusSearch: () => void, nextError: () => void): void {
  const go = (way: "up" | "down") => {
    const { select } = walk(spans.rows, spans.selected?.key ?? null, way);
    if (select !== undefined) spans.select(select);
  };
  const group = "trace.keys";
  useShortcut({ keys: "j", label: "trace.keys.down", group, run: () => go("down") });
  useShortcut({ keys: "k", label: "trace.keys.up", group, run: () => go("up") });
  useShortcut({ keys: "/", label: "trace.keys.find", group, run: focusSearch });
  useShortcut({ keys: "!", label: "trace.keys.error", group, run: nextError });
  useShortcut({ keys: "w", label: "trace.keys.wrappers", group, run: () => spans.setKeyOnly(!spans.keyOnly) });
}

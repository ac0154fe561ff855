// Beside the spans: how many of them are shown, and what is to know of a trace that is not whole.

import type { TraceTree } from "../../../domain/trace/tree.ts";
import { Notice } from "../../../kit/States.tsx";
import { text } from "../../../texts/texts.ts";
import styles from "./TracePanel.module.css";
import { MOST_SPANS, type TraceView } from "./trace-state.ts";
import type { SpanList } from "./use-spans.ts";

export function Caption({ spans, tree }: { readonly spans: SpanList; readonly tree: TraceTree }) {
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

export function Notices({
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

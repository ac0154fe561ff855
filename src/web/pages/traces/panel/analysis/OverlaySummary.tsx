// The overlay of the waterfall in a line: what the whole takes, and the steps that matter most, each of which leads to its span.
import { useEffect, useMemo } from "react";
import { KindGlyph } from "../../../../domain/trace/KindGlyph.tsx";
import { type Overlay, type OverlayMode, overlayOf } from "../../../../domain/trace/overlays.ts";
import type { TraceTree } from "../../../../domain/trace/tree.ts";
import { Notice } from "../../../../kit/States.tsx";
import { formatCost, formatDuration, formatShare } from "../../../../lib/format.ts";
import { useGraphql } from "../../../../lib/queries.ts";
import { text } from "../../../../texts/texts.ts";
import { traceTiming } from "./analysis.queries.ts";
import styles from "./OverlaySummary.module.css";

interface OverlaySummaryProps {
  /** Global id. */
  readonly traceId: string;
  readonly tree: TraceTree;
  readonly mode: OverlayMode;
  readonly onFound: (overlay: Overlay | null) => void;
  readonly onSelect: (key: string) => void;
}

export default function OverlaySummary({ traceId, tree, mode, onFound, onSelect }: OverlaySummaryProps) {
  const { data, error } = useGraphql(traceTiming, { id: traceId });
  const timing = data?.node?.__typename === "Trace" ? data.node.criticalPath : null;
  const overlay = useMemo(() => (timing == null ? null : overlayOf(mode, tree, timing)), [mode, tree, timing]);
  useEffect(() => {
    onFound(overlay);
    return () => onFound(null);
  }, [overlay, onFound]);
  if (error !== null) return <Notice tone="warn">{text("trace.overlay.failed", { message: error.message })}</Notice>;
  if (overlay === null) return null;
  const isPath = mode === "path";
  return (
    <div role="status" className={styles.summary}>
      <b>
        {isPath
          ? text("trace.overlay.path.total", { time: formatDuration(overlay.total) })
          : text("trace.overlay.money.total", { cost: formatCost(overlay.total) })}
      </b>
      {overlay.most.map(({ kind, name, key, value }) => (
        <button key={key} type="button" className={styles.step} onClick={() => onSelect(key)}>
          <KindGlyph kind={kind} />
          <bdi>{name}</bdi>
          <span>
            {isPath
              ? text("trace.overlay.saves", { time: formatDuration(value) })
              : text("trace.overlay.costs", { cost: formatCost(value), share: formatShare(value / overlay.total) })}
          </span>
        </button>
      ))}
      {overlay.unpriced > 0 && <span>{text("trace.overlay.unpriced", { count: overlay.unpriced })}</span>}
    </div>
  );
}

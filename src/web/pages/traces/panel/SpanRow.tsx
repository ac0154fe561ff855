// One span: its name below its parents, its bar in the true time, its duration at the bar's end.
import { ChevronDown, ChevronRight, CircleAlert, Repeat } from "lucide-react";
import { memo, useMemo } from "react";
import type { AnnotationMark } from "../../../domain/annotations/annotation-marks.ts";
import { costText } from "../../../domain/costs/cost-text.ts";
import { KindGlyph } from "../../../domain/trace/KindGlyph.tsx";
import { kindLooks } from "../../../domain/trace/kinds.ts";
import type { RowOverlay } from "../../../domain/trace/overlays.ts";
import { firstTokenUs } from "../../../domain/trace/payload/events.ts";
import type { Row } from "../../../domain/trace/rows.ts";
import type { Repeats } from "../../../domain/trace/shown-span.ts";
import type { SpanCost } from "../../../domain/trace/span-costs.ts";
import { errorType } from "../../../domain/trace/strip.ts";
import type { TraceSpan } from "../../../domain/trace/trace-span.ts";
import type { TreeNode } from "../../../domain/trace/tree.ts";
import type { FoundWaste } from "../../../domain/trace/waste-marks.ts";
import { barOf } from "../../../domain/trace/waterfall.ts";
import { classes } from "../../../kit/classes.ts";
import { formatDuration, formatShare } from "../../../lib/format.ts";
import { text } from "../../../texts/texts.ts";
import { AnnotationMarks } from "./AnnotationMarks.tsx";
import styles from "./SpanRow.module.css";
import { useShownSpan } from "./use-shown-span.ts";
import type { TimeView } from "./use-time-window.ts";

/** Levels that are indented; deeper ones would leave no space for the name. */
const MOST_INDENTED = 14;

/** For `aria-activedescendant`. */
export function rowId(key: string): string {
  return `span-${encodeURIComponent(key)}`;
}

interface SpanRowProps {
  readonly row: Row;
  readonly top: number;
  readonly selected: boolean;
  readonly time: TimeView;
  readonly narrow: boolean;
  /** With all below it; null where it calls no model, or none are shown. */
  readonly cost: SpanCost | null;
  /** What an overlay says of it; null of what is not on the path, undefined without one. */
  readonly overlaid: RowOverlay | null | undefined;
  /** It repeats what was done before, or is repeated. */
  readonly waste: FoundWaste | null;
  /** Its annotations; null for none. */
  readonly marks: readonly AnnotationMark[] | null;
  readonly onSelect: (key: string) => void;
  readonly onToggle: (key: string) => void;
}

export const SpanRow = memo(function SpanRow(props: SpanRowProps) {
  const { row, top, selected, time, narrow, cost, overlaid, waste, marks, onSelect, onToggle } = props;
  const { node, depth, open, folded, context, repeats } = row;
  const { span, key } = node;
  const name = repeats?.name ?? (span === null ? key : span.shownName || key);
  const failed = span?.status === "ERROR";
  const isFaint = overlaid === null || overlaid?.costShare === 0;
  return (
    // The tree is one stop of the tab order and handles its keys.
    <div
      id={rowId(key)}
      role="treeitem"
      tabIndex={-1}
      aria-level={depth + 1}
      aria-selected={selected}
      {...(open === null ? {} : { "aria-expanded": open })}
      className={classes(styles.row, selected && styles.selected, (context || isFaint) && styles.faint)}
      data-faint={isFaint || undefined}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => {
        onSelect(key);
        if (repeats !== null) onToggle(key);
      }}
      onDoubleClick={() => open !== null && repeats === null && onToggle(key)}
    >
      <div className={styles.name} style={{ "--depth": Math.min(depth, MOST_INDENTED) }}>
        {open !== null && (
          <button
            type="button"
            tabIndex={-1}
            className={styles.fold}
            aria-label={text(open ? "trace.spans.close" : "trace.spans.open", { name })}
            onClick={(event) => {
              event.stopPropagation();
              onToggle(key);
            }}
            onDoubleClick={(event) => event.stopPropagation()}
          >
            {open ? <ChevronDown /> : <ChevronRight />}
          </button>
        )}
        <Glyph row={row} />
        <bdi
          className={classes(
            styles.label,
            failed && styles.failed,
            span === null && repeats === null && styles.missing,
          )}
          title={name}
        >
          {name}
        </bdi>
        {repeats !== null && <RepeatsNote repeats={repeats} onSelect={onSelect} />}
        {depth > MOST_INDENTED && <small>{`+${depth - MOST_INDENTED}`}</small>}
        {waste !== null && <WasteMark waste={waste} />}
        {overlaid?.savedMs != null && !narrow && (
          <small
            className={styles.saved}
            title={text("trace.overlay.saves", { time: formatDuration(overlaid.savedMs) })}
          >
            {formatDuration(-overlaid.savedMs)}
          </small>
        )}
        {failed && <ErrorMark error={span.error} narrow={narrow} />}
        {span === null && repeats === null && (
          <small title={text("trace.spans.missing.hint")}>{text("trace.spans.missing")}</small>
        )}
        {node.cyclic && <small title={text("trace.spans.cyclic.hint")}>{text("trace.spans.cyclic")}</small>}
        {marks !== null && repeats === null && <AnnotationMarks marks={marks} narrow={narrow} />}
        {!narrow && !failed && span?.model != null && <small className={styles.model}>{span.model}</small>}
        {folded > 0 && (
          <small className={styles.folded} title={text("trace.spans.folded", { count: folded })}>{`+${folded}`}</small>
        )}
        {open === false && repeats === null && row.below > 0 && <small>{row.below}</small>}
        {cost !== null && <Cost {...cost} />}
      </div>
      <Timeline row={row} time={time} selected={selected} overlaid={overlaid ?? null} />
    </div>
  );
});

function Cost(cost: SpanCost) {
  const words = costText(cost);
  const hint = cost.unknown ? text("costs.cumulative.unknown") : text("costs.cumulative", { cost: words });
  return (
    <span className={styles.cost} title={hint}>
      {words}
    </span>
  );
}

function Glyph({ row: { node, repeats } }: { readonly row: Row }) {
  const kind = repeats?.kind ?? node.span?.kind;
  return kind === undefined ? <span className={styles.absent} aria-hidden="true" /> : <KindGlyph kind={kind} filled />;
}

interface RepeatsNoteProps {
  readonly repeats: Repeats;
  readonly onSelect: (key: string) => void;
}

/** How many there are; the failed ones lead to the first of them. */
function RepeatsNote({ repeats: { times, failed }, onSelect }: RepeatsNoteProps) {
  const errors = text("trace.errors", { count: failed.length });
  return (
    <>
      <small className={styles.count}>{text("trace.repeats", { count: times })}</small>
      {failed.length > 0 && (
        <button
          type="button"
          tabIndex={-1}
          className={classes(styles.error, styles.errors)}
          title={text("trace.repeats.error")}
          aria-label={errors}
          onClick={(event) => {
            event.stopPropagation();
            onSelect(failed[0]!.key);
          }}
        >
          <CircleAlert aria-hidden="true" />
          {failed.length}
        </button>
      )}
    </>
  );
}

function WasteMark({ waste: { kind, times, newAnswers } }: { readonly waste: FoundWaste }) {
  const hint = text(`trace.waste.${kind}.hint`, { count: times });
  const answers = kind === "LOOP" && newAnswers === 0 ? ` ${text("trace.waste.same.answers")}` : "";
  return (
    <span className={styles.waste} title={hint + answers}>
      <Repeat aria-hidden="true" />
      {text("trace.repeats", { count: times })}
    </span>
  );
}

function ErrorMark({ error, narrow }: { readonly error: string | null; readonly narrow: boolean }) {
  return (
    <span className={styles.error} title={error ?? text("trace.status.error")}>
      <CircleAlert aria-label={text("trace.status.error")} />
      {!narrow && errorType(error)}
    </span>
  );
}

interface TimelineProps {
  readonly row: Row;
  readonly time: TimeView;
  readonly selected: boolean;
  readonly overlaid: RowOverlay | null;
}

/** More could not be distinguished. */
const MOST_STRETCHES = 200;

function Timeline({ row: { node, repeats }, time, selected, overlaid }: TimelineProps) {
  const bar = barOf(node.startUs - time.startUs, node.endUs - time.startUs, time.window);
  const { span } = node;
  if (bar === null) return <div className={styles.timeline} />;
  const kind = repeats?.kind ?? span?.kind;
  const hue = kind === undefined ? undefined : kindLooks[kind].hue;
  return (
    <div className={styles.timeline}>
      <i
        className={classes(
          styles.bar,
          span === null && repeats === null && styles.dashed,
          repeats !== null && styles.many,
          span?.status === "ERROR" && styles.broken,
          bar.cutLeft && styles.cutLeft,
          bar.cutRight && styles.cutRight,
        )}
        style={{ left: `${bar.left}%`, width: `${bar.width}%`, ...(hue === undefined ? {} : { background: hue }) }}
      />
      {overlaid?.stretches.slice(0, MOST_STRETCHES).map(({ fromUs, toUs }) => {
        const place = barOf(fromUs, toUs, time.window);
        return (
          place !== null && (
            <i key={fromUs} className={styles.path} style={{ left: `${place.left}%`, width: `${place.width}%` }} />
          )
        );
      })}
      {selected && span?.kind === "LLM" && <FirstTokenMark span={span} time={time} />}
      {repeats?.failed.map((each) => (
        <FailureTick key={each.key} node={each} time={time} />
      ))}
      {kind !== undefined && (
        <b className={styles.duration} style={{ left: `${bar.left + bar.width}%` }}>
          {overlaid?.costShare != null
            ? overlaid.costShare === 0
              ? ""
              : formatShare(overlaid.costShare)
            : repeats === null
              ? formatDuration((node.endUs - node.startUs) / 1000)
              : text("trace.repeats.p50", { time: formatDuration(repeats.p50Us / 1000) })}
        </b>
      )}
    </div>
  );
}

/** Where one of many equal spans failed. */
function FailureTick({ node, time }: { readonly node: TreeNode; readonly time: TimeView }) {
  const place = barOf(node.endUs - time.startUs, node.endUs - time.startUs, time.window);
  return place === null ? null : <i className={styles.failure} style={{ left: `${place.left}%` }} />;
}

/** When the first token came, if the sender recorded it: known once the details of the span are loaded. */
function FirstTokenMark({ span, time }: { readonly span: TraceSpan; readonly time: TimeView }) {
  const { payload } = useShownSpan(span.id, true);
  const us = useMemo(() => (payload === null ? null : firstTokenUs(payload, span.startUs)), [payload, span.startUs]);
  if (us === null) return null;
  const at = span.startUs - time.startUs + us;
  const place = barOf(at, at, time.window);
  if (place === null) return null;
  const label = `${text("span.fact.first")} ${formatDuration(us / 1000)}`;
  return <i role="img" aria-label={label} title={label} className={styles.mark} style={{ left: `${place.left}%` }} />;
}

// What was done between question and answer, in its order: each span leads to its place in the trace. What failed is red and says
// with what.
import { CircleAlert } from "lucide-react";
import { Link } from "wouter";
import { KindGlyph } from "../../domain/trace/KindGlyph.tsx";
import { SELECTED_SPAN } from "../../domain/trace/selected.ts";
import { type CountedSpan, errorType } from "../../domain/trace/strip.ts";
import { classes } from "../../kit/classes.ts";
import { formatDuration } from "../../lib/format.ts";
import { linkTo } from "../../lib/links.ts";
import { text } from "../../texts/texts.ts";
import styles from "./SpanStrip.module.css";
import type { TurnContent } from "./turn-content.ts";
import type { Turn } from "./use-turns.ts";

interface SpanStripProps {
  readonly turn: Turn;
  readonly number: number;
  readonly content: TurnContent;
}

export function SpanStrip({ turn, number, content: { spans, moreSpans, wrappers } }: SpanStripProps) {
  const trace = linkTo("trace", { projectId: turn.projectId, traceId: turn.traceId });
  if (spans.length === 0 && wrappers === 0) return null;
  return (
    <ul className={styles.strip} aria-label={text("sessions.spans", { number })}>
      {spans.map((span) => (
        <li key={span.id} className={styles.item}>
          <Link
            href={`${trace}?${new URLSearchParams({ [SELECTED_SPAN]: span.id })}`}
            className={classes(styles.span, span.failed && styles.failed)}
            title={titleOf(span)}
          >
            <KindGlyph kind={span.kind} />
            <bdi className={styles.name}>{span.name}</bdi>
            {span.count > 1 && <span className={styles.count}>×{span.count}</span>}
            {span.failed && (
              <span className={styles.error}>
                <CircleAlert aria-label={text("trace.status.error")} />
                {errorType(span.error)}
              </span>
            )}
            <span className={styles.duration}>{formatDuration(span.latencyMs)}</span>
          </Link>
        </li>
      ))}
      {moreSpans > 0 && (
        <li className={styles.item}>
          <Link href={trace} className={styles.rest}>
            {text("sessions.spans.more", { count: moreSpans })}
          </Link>
        </li>
      )}
      {wrappers > 0 && <li className={styles.rest}>{text("sessions.spans.wrappers", { count: wrappers })}</li>}
    </ul>
  );
}

function titleOf({ name, model, error }: CountedSpan): string {
  return [name, model, error].filter((each) => each !== null && each !== "").join("\n");
}

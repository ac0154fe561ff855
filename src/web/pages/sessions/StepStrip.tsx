// What was done between question and answer, in its order: each step leads to its place in the trace. What failed is red and says
// with what.
import { CircleAlert } from "lucide-react";
import { Link } from "wouter";
import { classes } from "../../kit/classes.ts";
import { formatDuration } from "../../lib/format.ts";
import { linkTo } from "../../lib/links.ts";
import { text } from "../../texts/texts.ts";
import { KindGlyph } from "../../trace/KindGlyph.tsx";
import { SELECTED_SPAN } from "../../trace/selected.ts";
import { errorType, type StripStep } from "../../trace/strip.ts";
import styles from "./StepStrip.module.css";
import type { TurnContent } from "./turn-content.ts";
import type { Turn } from "./use-turns.ts";

interface StepStripProps {
  readonly turn: Turn;
  readonly number: number;
  readonly content: TurnContent;
}

export function StepStrip({ turn, number, content: { steps, moreSteps, wrappers } }: StepStripProps) {
  const trace = linkTo("trace", { projectId: turn.projectId, traceId: turn.traceId });
  if (steps.length === 0 && wrappers === 0) return null;
  return (
    <ul className={styles.strip} aria-label={text("sessions.steps", { number })}>
      {steps.map((step) => (
        <li key={step.id} className={styles.item}>
          <Link
            href={`${trace}?${new URLSearchParams({ [SELECTED_SPAN]: step.id })}`}
            className={classes(styles.step, step.failed && styles.failed)}
            title={titleOf(step)}
          >
            <KindGlyph kind={step.kind} />
            <bdi className={styles.name}>{step.name}</bdi>
            {step.count > 1 && <span className={styles.count}>×{step.count}</span>}
            {step.failed && (
              <span className={styles.error}>
                <CircleAlert aria-label={text("trace.status.error")} />
                {errorType(step.error)}
              </span>
            )}
            <span className={styles.duration}>{formatDuration(step.latencyMs)}</span>
          </Link>
        </li>
      ))}
      {moreSteps > 0 && (
        <li className={styles.item}>
          <Link href={trace} className={styles.rest}>
            {text("sessions.steps.more", { count: moreSteps })}
          </Link>
        </li>
      )}
      {wrappers > 0 && <li className={styles.rest}>{text("sessions.steps.wrappers", { count: wrappers })}</li>}
    </ul>
  );
}

function titleOf({ name, model, error }: StripStep): string {
  return [name, model, error].filter((each) => each !== null && each !== "").join("\n");
}

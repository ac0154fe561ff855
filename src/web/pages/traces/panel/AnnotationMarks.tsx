// Annotations of a span, on its row: a dot and a word for each name. What they are comes later than the row.
import type { AnnotationMark } from "../../../domain/annotations/annotation-marks.ts";
import { ScoreDot } from "../../../kit/ScoreDot.tsx";
import styles from "./AnnotationMarks.module.css";

/** By global id of the span. */
export type VerdictsOfSpans = ReadonlyMap<string, readonly AnnotationMark[]>;

export const noVerdicts: VerdictsOfSpans = new Map();
/** Names that have a dot of their own; the others are counted. */
const MOST = 3;

interface AnnotationMarksProps {
  readonly marks: readonly AnnotationMark[];
  readonly narrow: boolean;
}

export function AnnotationMarks({ marks, narrow }: AnnotationMarksProps) {
  const shown = marks.slice(0, MOST);
  return (
    <span className={styles.marks} title={marks.map(({ hint }) => hint).join("\n")}>
      {shown.map(({ name, goodness, value, hint }) => (
        <span key={name} className={styles.mark}>
          <ScoreDot goodness={goodness} label={hint} />
          {!narrow && marks.length === 1 && value !== "" && <bdi>{value}</bdi>}
        </span>
      ))}
      {marks.length > MOST && `+${marks.length - MOST}`}
    </span>
  );
}

// What is said about a span, on its row: a dot and a word for each name. What they are comes later than the row.
import type { SaidMark } from "../../../domain/annotations/said-marks.ts";
import { ScoreDot } from "../../../kit/ScoreDot.tsx";
import styles from "./SaidMarks.module.css";

/** By global id of the span. */
export type VerdictsOfSpans = ReadonlyMap<string, readonly SaidMark[]>;

export const noVerdicts: VerdictsOfSpans = new Map();
/** Names that have a dot of their own; the others are counted. */
const MOST = 3;

interface SaidMarksProps {
  readonly marks: readonly SaidMark[];
  readonly narrow: boolean;
}

export function SaidMarks({ marks, narrow }: SaidMarksProps) {
  const shown = marks.slice(0, MOST);
  return (
    <span className={styles.marks} title={marks.map(({ hint }) => hint).join("\n")}>
      {shown.map(({ name, goodness, said, hint }) => (
        <span key={name} className={styles.mark}>
          <ScoreDot goodness={goodness} label={hint} />
          {!narrow && marks.length === 1 && said !== "" && <bdi>{said}</bdi>}
        </span>
      ))}
      {marks.length > MOST && `+${marks.length - MOST}`}
    </span>
  );
}

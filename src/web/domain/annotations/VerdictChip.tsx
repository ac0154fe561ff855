// One annotation in a line: how good it is, its name and its value. A tooltip has its author and explanation.
import { ScoreDot } from "../../kit/ScoreDot.tsx";
import { text } from "../../texts/texts.ts";
import styles from "./VerdictChip.module.css";
import { type Annotation, goodness, type Question, verdictText } from "./verdicts.ts";

interface VerdictChipProps {
  readonly annotation: Annotation;
  readonly question: Question | undefined;
}

export function VerdictChip({ annotation, question }: VerdictChipProps) {
  const { name, user, annotatorKind, explanation } = annotation;
  const value = verdictText(annotation);
  const who = user?.username ?? text(`review.program.${annotatorKind}`);
  return (
    <span className={styles.chip} title={[who, explanation].filter(Boolean).join(": ")}>
      <ScoreDot goodness={goodness(question, annotation)} label={who} />
      <bdi className={styles.name}>{name}</bdi>
      <bdi className={styles.value}>{value || explanation}</bdi>
    </span>
  );
}

// A score as a dot that is as full as the score is good; half full and grey where the better direction is unknown.
import styles from "./ScoreDot.module.css";

interface ScoreDotProps {
  /** From 0 to 1; null where it is not known. */
  readonly goodness: number | null;
  /** Read aloud, and shown by the pointer. */
  readonly label: string;
}

export function ScoreDot({ goodness, label }: ScoreDotProps) {
  const look =
    goodness === null ? "" : goodness >= 2 / 3 ? styles.good : goodness <= 1 / 3 ? styles.bad : styles.middling;
  return (
    <i
      role="img"
      aria-label={label}
      title={label}
      className={`${styles.dot} ${look}`}
      style={{ "--full": `${Math.round((goodness ?? 0.5) * 100)}%` }}
    />
  );
}

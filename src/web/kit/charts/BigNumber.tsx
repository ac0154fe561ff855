// A large figure with its course over the range and its change against the period before.
import { text } from "../../texts/texts.ts";
import { classes } from "../classes.ts";
import styles from "./BigNumber.module.css";
import { changeOf } from "./change.ts";
import { FigureValue } from "./FigureValue.tsx";
import { Sparkline } from "./Sparkline.tsx";

interface BigNumberProps {
  readonly label: string;
  /** As it is written; undefined while it is counted. */
  readonly value: string | undefined;
  /** The same figure now and in the period before; null where there is none. */
  readonly now: number | null | undefined;
  readonly before: number | null | undefined;
  /** The former figure in words. */
  readonly format: (value: number) => string;
  /** More of it is worse, or less of it. */
  readonly worse?: "up" | "down";
  readonly failed?: boolean;
  readonly hint?: string;
  readonly onClick?: () => void;
  readonly course: readonly (number | null)[] | undefined;
  /** Name of a colour token of the course. */
  readonly color: string;
}

export function BigNumber(props: BigNumberProps) {
  const { label, value, now, before, format, worse, failed = false, hint, onClick, course, color } = props;
  const change = changeOf(now, before);
  const changed = change !== null && change.direction !== "same" && worse !== undefined;
  const tone = changed ? (change.direction === worse ? "worse" : "better") : undefined;
  return (
    <div className={styles.figure} role="group" aria-label={label}>
      <div className={styles.label}>{label}</div>
      <div className={styles.line}>
        <span className={classes(styles.value, failed && styles.failed)} title={hint}>
          <FigureValue value={value} onClick={onClick} />
        </span>
        {change !== null && (
          <span
            className={styles.change}
            data-tone={tone}
            title={text("charts.change.before", { before: format(before ?? 0) })}
          >
            <span aria-hidden="true">{{ up: "▲", down: "▼", same: "=" }[change.direction]}</span>
            <span className="visually-hidden">{text(`charts.change.${change.direction}`)}</span>
            {change.direction !== "same" && ` ${change.words}`}
          </span>
        )}
      </div>
      <Sparkline values={course} color={color} />
    </div>
  );
}

// How a value differs from another one: an arrow for where it went, a colour for whether that is better, and how much in words.
import { text } from "../texts/texts.ts";
import { classes } from "./classes.ts";
import styles from "./DeltaBadge.module.css";

interface DeltaBadgeProps {
  readonly outcome: "improved" | "regressed" | "equal";
  /** The sign says where it went; whether that is better says the outcome. */
  readonly value: number;
  /** Without a sign; empty where the arrow says all. */
  readonly words: string;
}

export function DeltaBadge({ outcome, value, words }: DeltaBadgeProps) {
  const label = text(`kit.delta.${outcome}`);
  return (
    <span className={classes(styles.delta, styles[outcome])} title={label}>
      <span aria-hidden="true">{value > 0 ? "▲" : value < 0 ? "▼" : "="}</span>
      <span className="visually-hidden">{label}</span>
      {words !== "" && ` ${words}`}
    </span>
  );
}

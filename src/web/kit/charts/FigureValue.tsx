// The value of a figure: a mark while it is counted, a button where something lies behind it.
import type { ReactNode } from "react";
import styles from "./FigureValue.module.css";

interface FigureValueProps {
  /** Undefined while it is counted. */
  readonly value: ReactNode | undefined;
  readonly onClick: (() => void) | undefined;
}

export function FigureValue({ value, onClick }: FigureValueProps) {
  if (value === undefined) return <span className={styles.pending} />;
  if (onClick === undefined) return value;
  return (
    <button type="button" onClick={onClick}>
      {value}
    </button>
  );
}

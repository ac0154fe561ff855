// The values at the place that is pointed at, in a box over a chart. The text for screen readers is part of the chart itself.
import type { CSSProperties, ReactNode } from "react";
import styles from "./ChartTip.module.css";

interface ChartTipProps {
  readonly title: string;
  /** Where it stands, and how wide it is. */
  readonly style: CSSProperties;
  readonly children: ReactNode;
}

/** Pixels. */
export const TIP_WIDTH = 190;

export function ChartTip({ title, style, children }: ChartTipProps) {
  return (
    <div className={styles.tip} style={{ width: TIP_WIDTH, ...style }} aria-hidden="true">
      <div className={styles.title}>{title}</div>
      {children}
    </div>
  );
}

interface TipLineProps {
  /** Name of a colour token. */
  readonly color: string;
  readonly label: string;
  readonly value: string;
}

export function TipLine({ color, label, value }: TipLineProps) {
  return (
    <div className={styles.line}>
      <span className={styles.mark} style={{ background: `var(${color})` }} />
      {label}
      <b>{value}</b>
    </div>
  );
}

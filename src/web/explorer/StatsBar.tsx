// The figures of what is listed, each a label above its value. Figures with a filter or a sort behind them can be clicked.
import type { ReactNode } from "react";
import { FigureValue } from "../kit/charts/FigureValue.tsx";
import { classes } from "../kit/classes.ts";
import { formatCost, formatShare } from "../lib/format.ts";
import { text } from "../texts/texts.ts";
import styles from "./StatsBar.module.css";

export interface Stat {
  readonly label: string;
  /** Undefined while it is counted. */
  readonly value: ReactNode | undefined;
  readonly failed?: boolean;
  readonly hint?: string;
  readonly onClick?: () => void;
}

/** The share of what failed, which is shown alone by a click; undefined figures are being counted. */
export function errorStat(
  figures: { readonly count: number; readonly errorCount: number } | undefined,
  label: string,
  hint: string,
  onClick: () => void,
): Stat {
  const { count, errorCount } = figures ?? { count: 0, errorCount: 0 };
  const value = figures && formatShare(count === 0 ? 0 : errorCount / count);
  return { label, value, failed: errorCount > 0, hint, onClick };
}

/** What the calls of models cost, which may come later than the other figures. */
export function costStat(spent: { readonly cost: number | null } | undefined, hint: string, onClick: () => void): Stat {
  return { label: text("costs.cost"), value: spent && formatCost(spent.cost), hint, onClick };
}

interface StatsBarProps {
  readonly stats: readonly Stat[];
  /** What the figures are of, where they are not of all that is listed. */
  readonly note: string | null;
  /** The figures shown are those of what was listed before. */
  readonly counting: boolean;
  /** Figures that come later, behind the others. */
  readonly children?: ReactNode;
}

export function StatsBar({ stats, note, counting, children }: StatsBarProps) {
  return (
    <div className={classes(styles.frame, counting && styles.counting)} aria-busy={counting}>
      {counting && <p className={styles.progress}>{text("explorer.stat.counting")}</p>}
      {!counting && note !== null && <p className={styles.note}>{note}</p>}
      <dl className={styles.stats}>
        <StatItems stats={stats} />
        {children}
      </dl>
    </div>
  );
}

export function StatItems({ stats }: Pick<StatsBarProps, "stats">) {
  return stats.map(({ label, value, failed = false, hint, onClick }) => (
    <div key={label} className={styles.stat} title={hint}>
      <dt>{label}</dt>
      <dd className={classes(failed && styles.failed)}>
        <FigureValue value={value} onClick={onClick} />
      </dd>
    </div>
  ));
}

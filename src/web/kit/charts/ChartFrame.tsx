// The place of a chart on a page: its head, then what is drawn, or the same as a table, or why there is neither.
import { ChartColumn, Table2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { PageFailure } from "../../lib/failure.ts";
import { text } from "../../texts/texts.ts";
import { Button, IconButton } from "../Button.tsx";
import { classes } from "../classes.ts";
import styles from "./ChartFrame.module.css";

interface ChartFrameProps {
  readonly title: string;
  /** Undefined while it is asked for. */
  readonly filled: boolean | undefined;
  readonly error: PageFailure | null;
  readonly onRetry: () => void;
  /** What is shown belongs to another range than that of now. */
  readonly stale: boolean;
  /** Beside the title: what the chart is split by, and the like. */
  readonly controls?: ReactNode;
  readonly legend?: ReactNode;
  readonly table: () => ReactNode;
  readonly drawing: () => ReactNode;
  /** Below the chart. */
  readonly children?: ReactNode;
}

/** Pixels. */
export const CHART_HEIGHT = 168;

export function ChartFrame(props: ChartFrameProps) {
  const { title, filled, error, onRetry, stale, controls, legend, table, drawing, children } = props;
  const [asTable, setAsTable] = useState(false);
  return (
    <section className={styles.chart} aria-label={title}>
      <ChartHead title={title} asTable={filled === true ? asTable : null} onTable={setAsTable}>
        {controls !== undefined && <div className={styles.controls}>{controls}</div>}
        {legend ?? <span className={styles.gap} />}
      </ChartHead>
      <div className={classes(styles.body, stale && styles.stale)} style={{ height: CHART_HEIGHT }}>
        {filled === undefined ? (
          error ? (
            <div className={styles.state} role="alert">
              <p>{error.message}</p>
              {error.kind !== "forbidden" && <Button onClick={onRetry}>{text("kit.retry")}</Button>}
            </div>
          ) : (
            <ChartWaiting title={title} />
          )
        ) : !filled ? (
          <div className={styles.state}>
            <p>{text("charts.empty")}</p>
          </div>
        ) : asTable ? (
          table()
        ) : (
          drawing()
        )}
      </div>
      {error && filled !== undefined && (
        <p role="status" className={styles.problem}>
          {text("charts.old", { reason: error.message })}
        </p>
      )}
      {children}
    </section>
  );
}

interface ChartHeadProps {
  readonly title: string;
  /** Null while there is nothing to be shown as a table. */
  readonly asTable: boolean | null;
  readonly onTable: (asTable: boolean) => void;
  /** Behind the title. */
  readonly children?: ReactNode;
}

export function ChartHead({ title, asTable, onTable, children }: ChartHeadProps) {
  return (
    <header className={styles.head}>
      <h2 className={styles.title} title={title}>
        {title}
      </h2>
      {children ?? <span className={styles.gap} />}
      {asTable !== null && (
        <IconButton
          small
          pressed={asTable}
          label={text(asTable ? "charts.table.hide" : "charts.table.show")}
          icon={asTable ? <ChartColumn /> : <Table2 />}
          onClick={() => onTable(!asTable)}
        />
      )}
    </header>
  );
}

export function ChartWaiting({ title }: { readonly title: string }) {
  return <div className={styles.waiting} role="status" aria-label={text("charts.waiting", { title })} />;
}

// A plot of a comparison in its place: a head, and what is drawn, or the same as a table.
import { type ComponentProps, type ReactNode, useState } from "react";
import { ChartHead } from "../../../../kit/charts/ChartFrame.tsx";
import { ChartTable } from "../../../../kit/charts/ChartTable.tsx";
import { text } from "../../../../texts/texts.ts";
import styles from "./Plots.module.css";

interface PlotFrameProps extends ComponentProps<typeof ChartTable> {
  readonly empty: boolean;
  readonly children: ReactNode;
}

export function PlotFrame({ empty, children, ...table }: PlotFrameProps) {
  const [asTable, setAsTable] = useState(false);
  return (
    <section className={styles.plot} aria-label={table.title}>
      <ChartHead title={table.title} asTable={empty ? null : asTable} onTable={setAsTable} />
      {empty ? (
        <p className={styles.quiet}>{text("experiments.plots.empty")}</p>
      ) : asTable ? (
        <div className={styles.table}>
          <ChartTable {...table} />
        </div>
      ) : (
        children
      )}
    </section>
  );
}

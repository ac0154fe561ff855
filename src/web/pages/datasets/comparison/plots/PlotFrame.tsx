// A plot of a comparison in its place: a head, and what is drawn, or the same as a table.
import { ChartColumn, Table2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { IconButton } from "../../../../kit/Button.tsx";
import { text } from "../../../../texts/texts.ts";
import styles from "./Plots.module.css";

interface PlotFrameProps {
  readonly title: string;
  readonly empty: boolean;
  readonly heads: readonly string[];
  readonly rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[];
  readonly children: ReactNode;
}

/** Rows of the table: it is beside the plot, not an export. */
const MOST_ROWS = 1000;

export function PlotFrame({ title, empty, heads, rows, children }: PlotFrameProps) {
  const [asTable, setAsTable] = useState(false);
  return (
    <section className={styles.plot} aria-label={title}>
      <header className={styles.head}>
        <h2 className={styles.title}>{title}</h2>
        {!empty && (
          <IconButton
            small
            pressed={asTable}
            label={text(asTable ? "charts.table.hide" : "charts.table.show")}
            icon={asTable ? <ChartColumn /> : <Table2 />}
            onClick={() => setAsTable(!asTable)}
          />
        )}
      </header>
      {empty ? (
        <p className={styles.quiet}>{text("experiments.plots.empty")}</p>
      ) : asTable ? (
        // A region that scrolls must be reachable by keys.
        <section className={styles.scroll} aria-label={text("charts.table.label", { title })} tabIndex={0}>
          <table className={styles.table}>
            <thead>
              <tr>
                {heads.map((head) => (
                  <th key={head} scope="col">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, MOST_ROWS).map(({ key, cells }) => (
                <tr key={key}>
                  {cells.map((cell, at) => (
                    <td key={heads[at]}>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ) : (
        children
      )}
    </section>
  );
}

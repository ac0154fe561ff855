// What a chart shows, as rows.
import type { ReactNode } from "react";
import { text } from "../../texts/texts.ts";
import styles from "./ChartTable.module.css";

interface ChartTableProps {
  /** Of the chart. */
  readonly title: string;
  readonly heads: readonly string[];
  /** The first cell names the row. */
  readonly rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[];
}

/** Rows that are shown: the table stands in the place of a chart, it is no export. */
const MOST_ROWS = 1000;

export function ChartTable({ title, heads, rows }: ChartTableProps) {
  return (
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
          {rows.slice(0, MOST_ROWS).map(({ key, cells: [name, ...others] }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              {others.map((cell, at) => (
                <td key={heads[at + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

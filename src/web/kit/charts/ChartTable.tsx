// What a chart shows, as rows; the newest first. Bins without anything are left out.
import { text } from "../../texts/texts.ts";
import styles from "./ChartTable.module.css";
import { type ChartData, endOf } from "./series.ts";
import { binText } from "./ticks.ts";

interface ChartTableProps {
  readonly title: string;
  readonly data: ChartData;
  readonly zone: string;
  readonly format: (value: number | null) => string;
}

export function ChartTable({ title, data, zone, format }: ChartTableProps) {
  const rows = data.begins
    .map((begin, index) => ({ begin, index, values: data.series.map(({ values }) => values[index] ?? null) }))
    .filter(({ values }) => values.some((value) => value !== null && value !== 0))
    .reverse();
  return (
    <section className={styles.scroll} aria-label={text("charts.table.label", { title })} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{text("charts.time")}</th>
            {data.series.map(({ key, label }) => (
              <th key={key} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ begin, index, values }) => (
            <tr key={begin}>
              <th scope="row">{binText({ fromMs: begin, toMs: endOf(data, index) }, zone)}</th>
              {values.map((value, at) => (
                <td key={data.series[at]?.key}>{format(value)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

// A chart in one or two sentences, for those who do not see it.
import { text } from "../../texts/texts.ts";
import { type ChartData, endOf, highestOf, sumOf } from "./series.ts";
import { binText } from "./ticks.ts";

export function summaryOf(
  data: ChartData,
  kind: "bars" | "lines",
  zone: string,
  format: (value: number | null) => string,
): string {
  const sentences = data.series.map((series) => {
    const highest = highestOf(series);
    if (highest === null) return text("charts.summary.none", { series: series.label });
    const at = series.values.indexOf(highest);
    const given = {
      series: series.label,
      highest: format(highest),
      at: binText({ fromMs: data.begins[at] ?? 0, toMs: endOf(data, at) }, zone),
    };
    return kind === "bars"
      ? text("charts.summary.bars", { ...given, sum: format(sumOf(series)) })
      : text("charts.summary.lines", given);
  });
  return sentences.join(" ");
}

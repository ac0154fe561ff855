// From bins of the server to what histograms show.
import type { HistogramData } from "../../kit/charts/histogram-data.ts";
import { text } from "../../texts/texts.ts";
import { raterColors } from "./annotation-series.ts";

interface CountedBin {
  readonly min: number;
  readonly max: number;
  readonly count: number;
}

/** Traces. */
export function spreadOf(bins: readonly CountedBin[], color: string): HistogramData {
  const counts = bins.map(({ count }) => count);
  return { bins, series: [{ key: "traces", label: text("metrics.traces"), color, counts }] };
}

/** Scores of people below those of programs; who gave none is left out. */
export function scoreSpread({
  bins,
  humanCounts,
}: {
  readonly bins: readonly CountedBin[];
  readonly humanCounts: readonly number[];
}): HistogramData {
  const series = [
    { key: "people", label: text("metrics.scores.people"), color: raterColors.people, counts: humanCounts },
    {
      ...{ key: "programs", label: text("metrics.scores.programs"), color: raterColors.programs },
      counts: bins.map(({ count }, at) => count - (humanCounts[at] ?? 0)),
    },
  ];
  return { bins, series: series.filter(({ counts }) => counts.some((count) => count > 0)) };
}

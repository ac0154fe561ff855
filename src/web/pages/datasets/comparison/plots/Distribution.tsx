// How the examples of each experiment spread over the values of a measure.
import { text } from "../../../../texts/texts.ts";
import type { ComparedExperiment } from "../compared.ts";
import { measureName, measureText } from "../measure-words.ts";
import type { Measure, MeasuredExample } from "../measures.ts";
import { PlotFrame } from "./PlotFrame.tsx";
import styles from "./Plots.module.css";
import { distributionOf } from "./plot-data.ts";
import { area, colorOf } from "./scale.ts";

interface DistributionProps {
  readonly measure: Measure;
  readonly examples: readonly MeasuredExample[];
  readonly experiments: readonly ComparedExperiment[];
}

export function Distribution({ measure, examples, experiments }: DistributionProps) {
  const bins = distributionOf(measure, examples, experiments.length);
  const most = Math.max(1, ...bins.flatMap(({ counts }) => counts));
  const step = (area.right - area.left) / Math.max(1, bins.length);
  const bar = (step - 3) / experiments.length;
  const title = text("experiments.plots.distribution", { name: measureName(measure) });
  const range = (from: number, to: number) =>
    text("experiments.plots.range", { from: measureText(measure, from), to: measureText(measure, to) });
  return (
    <PlotFrame
      title={title}
      empty={bins.length === 0}
      heads={[measureName(measure), ...experiments.map(({ listed }) => `${listed.name} #${listed.sequenceNumber}`)]}
      rows={bins.map(({ from, to, counts }) => ({ key: String(from), cells: [range(from, to), ...counts] }))}
    >
      <svg className={styles.drawing} viewBox={area.viewBox} role="img" aria-label={title}>
        <line className={styles.axis} x1={area.left} x2={area.right} y1={area.bottom} y2={area.bottom} />
        {bins.map(({ from, to, counts }, at) =>
          counts.map((count, experiment) => {
            const height = (count / most) * (area.bottom - area.top);
            return (
              <rect
                key={experiments[experiment]?.id}
                x={area.left + at * step + experiment * bar + 1}
                y={area.bottom - height}
                width={bar}
                height={height}
                fill={colorOf(experiment)}
              >
                <title>{`${range(from, to)}: ${count}`}</title>
              </rect>
            );
          }),
        )}
        <text className={styles.tick} x={area.left - 4} y={area.top + 8} textAnchor="end">
          {most}
        </text>
        <text className={styles.tick} x={area.left} y={area.bottom + 14}>
          {measureText(measure, bins[0]?.from ?? null)}
        </text>
        <text className={styles.tick} x={area.right} y={area.bottom + 14} textAnchor="end">
          {measureText(measure, bins.at(-1)?.to ?? null)}
        </text>
      </svg>
    </PlotFrame>
  );
}

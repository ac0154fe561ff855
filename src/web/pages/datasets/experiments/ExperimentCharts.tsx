// How the last experiments of a dataset did, one figure each: its scores, its latency and its failures, with their course over the
// experiments.
import { useMemo } from "react";
import { BigNumber } from "../../../kit/charts/BigNumber.tsx";
import { formatDuration, formatShare } from "../../../lib/format.ts";
import { text } from "../../../texts/texts.ts";
import { scoreText } from "../comparison/measure-words.ts";
import styles from "./Experiments.module.css";
import type { ListedExperiment, MeasureDirections } from "./experiments.queries.ts";

/** Experiments that a chart shows. */
const LAST = 20;
/** Evaluations that have a chart: the table has them all. */
const MOST_EVALUATIONS = 4;

interface Figure {
  readonly key: string;
  readonly label: string;
  readonly figure: (experiment: ListedExperiment) => number | null;
  readonly format: (value: number | null) => string;
  readonly worse: "up" | "down";
}

interface ExperimentChartsProps {
  readonly experiments: readonly ListedExperiment[];
  /** Which values are the better ones, of what is no evaluation. */
  readonly directions: MeasureDirections;
}

export function ExperimentCharts({ experiments, directions }: ExperimentChartsProps) {
  const last = useMemo(
    () => [...experiments].sort((one, other) => one.sequenceNumber - other.sequenceNumber).slice(-LAST),
    [experiments],
  );
  const figures = useMemo(() => figuresOf(last, directions), [last, directions]);
  return (
    // A region that scrolls must be reachable by keys.
    <section className={styles.charts} aria-label={text("experiments.charts", { count: last.length })} tabIndex={0}>
      {figures.map(({ key, label, figure, format, worse }) => {
        const course = last.map(figure);
        const known = course.filter((each) => each !== null);
        return (
          <BigNumber
            key={key}
            label={label}
            value={format(known.at(-1) ?? null)}
            now={known.at(-1)}
            before={known.at(-2)}
            format={format}
            worse={worse}
            course={course}
            color="--series-3"
          />
        );
      })}
    </section>
  );
}

function figuresOf(last: readonly ListedExperiment[], directions: MeasureDirections): readonly Figure[] {
  const worseOf = (of: MeasureDirections[number]["measure"]) =>
    directions.find(({ measure }) => measure === of)?.optimizationDirection === "MAXIMIZE" ? "down" : "up";
  // Those of the newest experiment: what is no longer evaluated is left out.
  const names = new Set(
    [...last].reverse().flatMap(({ annotationSummaries }) => annotationSummaries.map((each) => each.annotationName)),
  );
  return [
    ...[...names].slice(0, MOST_EVALUATIONS).map(
      (name): Figure => ({
        key: `score ${name}`,
        label: name,
        figure: ({ annotationSummaries }) =>
          annotationSummaries.find(({ annotationName }) => annotationName === name)?.meanScore ?? null,
        format: scoreText,
        worse: last.some(({ annotationSummaries }) =>
          annotationSummaries.some((each) => each.annotationName === name && each.optimizationDirection === "MINIMIZE"),
        )
          ? "up"
          : "down",
      }),
    ),
    {
      key: "latency",
      label: text("experiments.measure.latency"),
      figure: ({ averageRunLatencyMs }) => averageRunLatencyMs,
      format: formatDuration,
      worse: worseOf("LATENCY"),
    },
    {
      key: "errors",
      label: text("experiments.errors"),
      figure: ({ errorRate }) => errorRate,
      format: formatShare,
      worse: worseOf("ERRORS"),
    },
  ];
}

// Examples as points: a click, or Enter on the one that arrow keys have walked to, opens the example.
import { type KeyboardEvent, type MouseEvent, useState } from "react";
import { text } from "../../../../texts/texts.ts";
import type { ComparedExperiment } from "../compared.ts";
import { measureText } from "../measure-words.ts";
import type { Measure } from "../measures.ts";
import { PlotFrame } from "./PlotFrame.tsx";
import styles from "./Plots.module.css";
import { type Point, rangeOf } from "./plot-data.ts";
import { area, colorOf } from "./scale.ts";

interface ScatterProps {
  readonly title: string;
  readonly points: readonly Point[];
  readonly experiments: readonly ComparedExperiment[];
  readonly across: { readonly name: string; readonly measure: Measure };
  readonly upwards: { readonly name: string; readonly measure: Measure };
  /** Both axes have the same measure: above or below the line tells which is higher. */
  readonly diagonal: boolean;
  readonly onOpen: (exampleId: string) => void;
}

/** Points that are drawn: every so many of more. */
const MOST_POINTS = 2000;
const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };

export function Scatter({ title, points, experiments, across, upwards, diagonal, onOpen }: ScatterProps) {
  const [walked, setWalked] = useState<number | null>(null);
  const every = Math.ceil(points.length / MOST_POINTS);
  const drawn = every > 1 ? points.filter((_, at) => at % every === 0) : points;
  const xs = rangeOf(points.flatMap(({ x, y }) => (diagonal ? [x, y] : [x])));
  const ys = diagonal ? xs : rangeOf(points.map(({ y }) => y));
  const at = walked === null ? null : Math.min(walked, drawn.length - 1);
  const inWords = ({ number, experiment, x, y }: Point) =>
    text("experiments.plots.point", {
      number: String(number),
      experiment: experiments[experiment]?.listed.name ?? "",
      across: `${across.name} ${measureText(across.measure, x)}`,
      upwards: `${upwards.name} ${measureText(upwards.measure, y)}`,
    });
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setWalked(at === null ? 0 : Math.min(drawn.length - 1, Math.max(0, at + step)));
    } else if (event.key === "Home" || event.key === "End") {
      event.preventDefault();
      setWalked(event.key === "Home" ? 0 : drawn.length - 1);
    } else if (event.key === "Enter" && at !== null) {
      event.preventDefault();
      onOpen(drawn[at]!.exampleId);
    }
  };
  const onClick = ({ target }: MouseEvent<HTMLElement>) => {
    const place = (target as Element).closest("circle")?.dataset.place;
    if (place !== undefined) onOpen(drawn[Number(place)]!.exampleId);
  };
  const placeX = (x: number) => (xs === null ? 0 : scaled(x, xs, area.left + 4, area.right - 4));
  const placeY = (y: number) => (ys === null ? 0 : scaled(y, ys, area.bottom - 4, area.top + 4));
  const current = drawn[at ?? 0];
  return (
    <PlotFrame
      title={title}
      empty={points.length === 0}
      heads={[text("experiments.example"), text("experiments.title"), across.name, upwards.name]}
      rows={points.map((point) => ({
        key: `${point.exampleId} ${point.experiment}`,
        cells: [
          <button key="open" type="button" className={styles.open} onClick={() => onOpen(point.exampleId)}>
            {text("experiments.plots.example", { number: String(point.number) })}
          </button>,
          experiments[point.experiment]?.listed.name ?? "",
          measureText(across.measure, point.x),
          measureText(upwards.measure, point.y),
        ],
      }))}
    >
      <div
        role="slider"
        tabIndex={0}
        aria-label={title}
        aria-valuemin={1}
        aria-valuemax={drawn.length}
        aria-valuenow={(at ?? 0) + 1}
        aria-valuetext={current === undefined ? "" : inWords(current)}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onBlur={() => setWalked(null)}
      >
        <svg className={styles.drawing} viewBox={area.viewBox} aria-hidden="true">
          <path className={styles.axis} d={`M${area.left} ${area.top}V${area.bottom}H${area.right}`} />
          {diagonal && xs !== null && (
            <line
              className={styles.diagonal}
              x1={placeX(xs.low)}
              y1={placeY(xs.low)}
              x2={placeX(xs.high)}
              y2={placeY(xs.high)}
            />
          )}
          {drawn.map((point, place) => (
            <circle
              key={`${point.exampleId} ${point.experiment}`}
              className={styles.point}
              data-walked={place === at}
              data-place={place}
              cx={placeX(point.x)}
              cy={placeY(point.y)}
              r={place === at ? 6 : 3.5}
              fill={colorOf(point.experiment)}
            >
              <title>{inWords(point)}</title>
            </circle>
          ))}
          <text className={styles.tick} x={area.left - 4} y={area.top + 8} textAnchor="end">
            {measureText(upwards.measure, ys?.high ?? null)}
          </text>
          <text className={styles.tick} x={area.left - 4} y={area.bottom} textAnchor="end">
            {measureText(upwards.measure, ys?.low ?? null)}
          </text>
          <text className={styles.tick} x={area.left} y={area.bottom + 14}>
            {measureText(across.measure, xs?.low ?? null)}
          </text>
          <text className={styles.tick} x={area.right} y={area.bottom + 14} textAnchor="end">
            {measureText(across.measure, xs?.high ?? null)}
          </text>
        </svg>
        <p className={styles.quiet}>
          {at !== null && current !== undefined
            ? inWords(current)
            : text("experiments.plots.axes", { across: across.name, upwards: upwards.name })}
          {drawn.length < points.length &&
            ` ${text("experiments.plots.some", { drawn: String(drawn.length), count: String(points.length) })}`}
        </p>
      </div>
    </PlotFrame>
  );
}

function scaled(value: number, { low, high }: { low: number; high: number }, from: number, to: number): number {
  return from + ((value - low) / (high - low)) * (to - from);
}

// A chart in the terms of the drawing library. Loaded with it, on demand.
import uPlot from "uplot";
import {
  apart,
  binAt,
  bottomOf,
  type ChartData,
  type ChartSeries,
  endOf,
  fittingText,
  gapsOf,
  lonely,
  type Span,
  stacked,
  topOf,
} from "./series.ts";
import { timeTicks } from "./ticks.ts";

export type ChartKind = "bars" | "lines";

interface Drawing {
  readonly data: ChartData;
  readonly kind: ChartKind;
  readonly width: number;
  readonly height: number;
  readonly zone: string;
  /** Of the axis of values. */
  readonly axisFormat: (value: number) => string;
  /** The colour of a token in the theme of now. */
  readonly colorOf: (token: string) => string;
  readonly onPoint: (index: number | null) => void;
  /** Indexes of bins. */
  readonly onSelect: (first: number, last: number) => void;
}

const VALUES_WIDTH = 56;
/** Of one sign of its labels, of 11 px. */
const SIGN_WIDTH = 6.5;
const TICK_SPACE = 76;
/** Right of lines, for their names: what the longest needs, within these bounds and this part of the chart. */
const LABEL_SPACE = { least: 40, most: 120, part: 0.24 };
/** Between a line and its name. */
const LABEL_GAP = 6;
const LABEL_HEIGHT = 12;
/** Right of bars, for the rest of a label at the end of the axis. */
const TICK_LABEL_REST = 18;
const WIDEST_BAR = 28;
const BAR_GAP = 1;
const wholeSteps = Array.from({ length: 15 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

const SECOND = 1000;
const HOUR = 3600 * SECOND;
/** Milliseconds: steps whose multiples are round on a clock. */
const durationSteps = [
  ...Array.from({ length: 6 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** (power - 3))).flat(),
  ...[1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800].map((seconds) => seconds * SECOND),
  ...[1, 2, 3, 6, 12, 24].map((hours) => hours * HOUR),
  ...Array.from({ length: 5 }, (_, power) => [2, 5, 10].map((step) => step * 10 ** power * 24 * HOUR)).flat(),
];

function wholeSpan(data: ChartData): Span {
  return { fromMs: data.begins[0] ?? 0, toMs: endOf(data, data.begins.length - 1) };
}

/** Columns as the library wants them: middles of bins, then the series from back to front. */
export function columnsOf(data: ChartData, kind: ChartKind): uPlot.AlignedData {
  const middles = data.begins.map((begin, index) => (begin + endOf(data, index)) / 2);
  const values = kind === "bars" ? stacked(data.series).reverse() : data.series.map((each) => [...each.values]);
  return [middles, ...values];
}

/** Of columns: bars are drawn from the highest to the lowest, each over the one behind it. */
function drawnSeries(data: ChartData, kind: ChartKind): readonly ChartSeries[] {
  return kind === "bars" ? data.series.toReversed() : data.series;
}

/** No label of the axis of values is cut. */
function valuesWidth(labels: readonly string[]): number {
  const longest = Math.max(0, ...labels.map((label) => label?.length ?? 0));
  return Math.max(VALUES_WIDTH, Math.ceil(longest * SIGN_WIDTH) + 10);
}

/** Space for the names of lines; longer ones are cut. */
function labelSpace(labels: readonly string[], width: number): number {
  const wanted = Math.max(0, ...labels.map((label) => label.length)) * SIGN_WIDTH + 2 * LABEL_GAP;
  return Math.max(
    LABEL_SPACE.least,
    Math.min(Math.ceil(wanted), LABEL_SPACE.most, Math.floor(width * LABEL_SPACE.part)),
  );
}

export function optionsOf(drawing: Drawing): uPlot.Options {
  const { data, kind, width, height, zone, axisFormat, colorOf } = drawing;
  const { fromMs, toMs } = wholeSpan(data);
  const labels = data.series.map(({ label }) => label);
  const font = `11px ${getComputedStyle(document.body).fontFamily}`;
  const ticksOf = (plot: uPlot) =>
    timeTicks({ fromMs, toMs }, Math.max(1, Math.floor((plot.width - VALUES_WIDTH) / TICK_SPACE)), zone);
  const axis = { font, stroke: colorOf("--ink-3"), gap: 6 };
  return {
    width,
    height,
    ms: 1,
    legend: { show: false },
    padding: [8, kind === "lines" ? labelSpace(labels, width) : TICK_LABEL_REST, 0, 0],
    cursor: {
      y: false,
      points: { show: kind === "lines", size: 7 },
      drag: { x: true, y: false, setScale: false },
    },
    scales: {
      x: { time: true, range: [fromMs, toMs] },
      y: { range: (_plot, low, high) => [bottomOf(low), topOf(high, data.limit?.value)] },
    },
    axes: [
      {
        ...axis,
        size: 26,
        border: { show: true, stroke: colorOf("--edge-strong"), width: 1 },
        grid: { show: false },
        ticks: { stroke: colorOf("--edge-strong"), size: 4, width: 1 },
        splits: (plot) => ticksOf(plot).map(({ ms }) => ms),
        values: (plot) => ticksOf(plot).map(({ label }) => label),
      },
      {
        ...axis,
        size: (_plot, values) => valuesWidth(values ?? []),
        // Nothing that is counted has a half.
        ...(kind === "bars" && data.divisible !== true ? { incrs: wholeSteps } : {}),
        ...(data.durations === true ? { incrs: durationSteps } : {}),
        space: 36,
        grid: { stroke: colorOf("--edge"), width: 1 },
        ticks: { show: false },
        values: (_plot, splits) => splits.map((value) => (value === 0 ? "0" : axisFormat(value))),
      },
    ],
    bands: kind === "lines" ? bandsOf(data, colorOf) : [],
    series: [{}, ...drawnSeries(data, kind).map((each) => seriesOptions(each, kind, colorOf))],
    hooks: {
      setCursor: [
        (plot) => {
          // Without an event it was set by us, for another chart or for a key.
          if (plot.cursor.event !== undefined) drawing.onPoint(plot.cursor.idx ?? null);
        },
      ],
      setSelect: [
        (plot) => {
          const { left, width: chosen } = plot.select;
          if (chosen <= 0) return;
          const at = (place: number) => binAt(data, plot.posToVal(place, "x"));
          drawing.onSelect(at(left), at(left + chosen - 1));
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        },
      ],
      draw: [
        ...(kind === "lines"
          ? [(plot: uPlot) => bridgeGaps(plot, drawing), (plot: uPlot) => nameLines(plot, drawing, font)]
          : []),
        (plot) => drawLimit(plot, drawing, font),
      ],
    },
  };
}

function seriesOptions(series: ChartSeries, kind: ChartKind, colorOf: Drawing["colorOf"]): uPlot.Series {
  const stroke = colorOf(series.color);
  if (kind === "bars") {
    return {
      fill: stroke,
      paths: uPlot.paths.bars!({ size: [1, WIDEST_BAR], gap: BAR_GAP }),
      points: { show: false },
    };
  }
  if (series.look === "dots") return { stroke, paths: () => null, points: { show: true, size: 5, fill: stroke } };
  if (series.look === "band") return { stroke: faint(stroke), width: 1, points: { show: false } };
  return {
    stroke,
    width: 1.75,
    ...(series.dash ? { dash: [...series.dash] } : {}),
    points: { show: true, size: 4, fill: stroke, filter: (plot, at) => lonely(plot.data[at] as (number | null)[]) },
  };
}

/** A colour of a token, `#rrggbb`, through which one sees. */
function faint(color: string): string {
  return `color-mix(in srgb, ${color} 22%, transparent)`;
}

/** Columns of the library begin with that of time. */
function bandsOf({ series }: ChartData, colorOf: Drawing["colorOf"]): uPlot.Band[] {
  return series.flatMap(({ look, color }, at) =>
    look === "band" && series[at + 1] !== undefined
      ? [{ series: [at + 1, at + 2] as [number, number], fill: faint(colorOf(color)) }]
      : [],
  );
}

/** A faint stroke over each gap of a line: the course is seen, and that nothing was measured. */
function bridgeGaps(plot: uPlot, { data, colorOf }: Drawing): void {
  const { ctx } = plot;
  ctx.save();
  ctx.globalAlpha = 0.3;
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
  for (const { color, values, look } of data.series) {
    if (look !== undefined) continue;
    ctx.strokeStyle = colorOf(color);
    for (const ends of gapsOf(values)) {
      ctx.beginPath();
      for (const at of ends) {
        const middle = ((data.begins[at] ?? 0) + endOf(data, at)) / 2;
        ctx.lineTo(plot.valToPos(middle, "x", true), plot.valToPos(values[at] ?? 0, "y", true));
      }
      ctx.stroke();
    }
  }
  ctx.restore();
}

/** A line across with its name; where it lies above the axis the name alone, at the top. */
function drawLimit(plot: uPlot, { data: { limit }, colorOf }: Drawing, font: string): void {
  if (limit === undefined) return;
  const scale = devicePixelRatio;
  const { left, width, top } = plot.bbox;
  const y = Math.round(plot.valToPos(limit.value, "y", true));
  const isAbove = y < top;
  const { ctx } = plot;
  ctx.save();
  ctx.strokeStyle = colorOf("--error");
  ctx.fillStyle = colorOf("--error");
  if (!isAbove) {
    ctx.lineWidth = scale;
    ctx.setLineDash([5 * scale, 4 * scale]);
    ctx.beginPath();
    ctx.moveTo(left, y);
    ctx.lineTo(left + width, y);
    ctx.stroke();
  }
  ctx.font = font.replace(/^\d+px/, `${11 * scale}px`);
  ctx.textAlign = "left";
  // Near the top there is no space above the line.
  const below = isAbove || y - top < 14 * scale;
  ctx.textBaseline = below ? "top" : "bottom";
  const place = isAbove ? top : y;
  ctx.fillText(`${isAbove ? "↑ " : ""}${limit.label}`, left + 6 * scale, place + (below ? 3 : -3) * scale);
  ctx.restore();
}

/** The name of each line at its last point, moved apart where they would touch. */
function nameLines(plot: uPlot, { data, colorOf }: Drawing, font: string): void {
  const scale = devicePixelRatio;
  const { left, width, top, height } = plot.bbox;
  const labels = data.series
    .flatMap(({ label, color, values }) => {
      const last = values.findLast((value) => value !== null);
      return last == null ? [] : [{ label, color, y: plot.valToPos(last, "y", true) - top }];
    })
    .sort((a, b) => a.y - b.y);
  const places = apart(
    labels.map(({ y }) => y),
    LABEL_HEIGHT * scale,
    height,
  );
  const { ctx } = plot;
  ctx.save();
  ctx.font = font.replace(/^\d+px/, `${11 * scale}px`);
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  const begin = left + width + LABEL_GAP * scale;
  labels.forEach(({ label, color }, at) => {
    ctx.fillStyle = colorOf(color);
    const shown = fittingText(label, ctx.canvas.width - begin, (text) => ctx.measureText(text).width);
    ctx.fillText(shown, begin, top + places[at]!);
  });
  ctx.restore();
}

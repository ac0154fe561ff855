// Annotations over time as charts show them.
import { expect, test } from "bun:test";
import { raterScoresOf, scoresOf, sharesOf } from "../../src/web/pages/metrics/annotation-series.ts";

type Summary = Parameters<typeof scoresOf>[0][number]["annotationSummaries"][number];
const point = (
  hour: number,
  ...summaries: (Pick<Summary, "name" | "meanScore" | "labelFractions"> & Partial<Summary>)[]
) => ({
  timestamp: `2026-11-01T0${hour}:00:00Z`,
  annotationSummaries: summaries.map((each) => ({ humanMeanScore: null, programMeanScore: null, ...each })),
});
const points = [
  point(0, {
    name: "helpful",
    meanScore: 0.5,
    labelFractions: [
      { label: "yes", fraction: 0.5 },
      { label: "no", fraction: 0.5 },
    ],
  }),
  point(1),
  point(2, { name: "helpful", meanScore: null, labelFractions: [{ label: "yes", fraction: 1 }] }),
];

test("a line a name, with gaps where there are no annotations", () => {
  expect(scoresOf(points, ["helpful", "other"], 3_600_000)).toMatchObject({
    begins: [0, 1, 2].map((hour) => Date.UTC(2026, 10, 1, hour)),
    series: [{ key: "helpful", values: [0.5, null, null] }],
  });
  expect(scoresOf(points, ["other"], 1)).toBeNull();
});

test("a line for people and one for programs, distinguished by more than colour", () => {
  const said = { name: "helpful", meanScore: 0.5, labelFractions: [] };
  const judged = [
    point(0, { ...said, humanMeanScore: 1, programMeanScore: 0.5 }),
    point(1),
    point(2, { ...said, humanMeanScore: 0 }),
  ];
  const series = raterScoresOf(judged, "helpful", 1)!.series;
  expect(series).toMatchObject([
    { label: "People", values: [1, null, 0] },
    { label: "Programs", values: [0.5, null, null] },
  ]);
  expect(series.map(({ dash }) => dash)).toEqual([undefined, [6, 3]]);
  expect(raterScoresOf(judged.slice(2), "helpful", 1)?.series.map(({ label }) => label)).toEqual(["People"]);
  expect(raterScoresOf(points, "helpful", 1)).toBeNull();
});

test("a line a label: what does not occur beside others has no share", () => {
  expect(sharesOf(points, "helpful", 1)?.series).toMatchObject([
    { key: "no", values: [0.5, null, 0] },
    { key: "yes", values: [0.5, null, 1] },
  ]);
  expect(sharesOf(points, "other", 1)).toBeNull();
});

test("colours come again with other strokes", () => {
  const names = Array.from({ length: 12 }, (_, at) => `n${at}`);
  const all = [point(0, ...names.map((name) => ({ name, meanScore: 1, labelFractions: [] })))];
  const series = scoresOf(all, names, 1)!.series;
  expect(series[10]!.color).toBe(series[0]!.color);
  expect([series[0]!.dash, series[10]!.dash]).toEqual([undefined, [6, 3]]);
});

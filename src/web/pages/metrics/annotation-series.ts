// Annotations over time, as charts show them: mean scores of all names, and of one name those of people and of programs, and the
// shares of its labels.
import type { ChartData } from "../../kit/charts/series.ts";
import { text } from "../../texts/texts.ts";

interface AnnotationPoint {
  readonly timestamp: string;
  readonly annotationSummaries: readonly {
    readonly name: string;
    readonly meanScore: number | null;
    readonly humanMeanScore: number | null;
    readonly programMeanScore: number | null;
    readonly labelFractions: readonly { readonly label: string; readonly fraction: number }[];
  }[];
}

const colors = [
  // Those that follow each other are not alike.
  ...["--kind-llm", "--kind-tool", "--kind-guardrail", "--kind-embedding", "--kind-retriever", "--kind-evaluator"],
  ...["--kind-reranker", "--kind-prompt", "--kind-agent", "--kind-unknown"],
];
const dashes = [undefined, [6, 3], [2, 3]];

/** Colours come again with other strokes. */
function lookOf(at: number): { readonly color: string; readonly dash?: readonly number[] } {
  const dash = dashes[Math.floor(at / colors.length) % dashes.length];
  return { color: colors[at % colors.length]!, ...(dash === undefined ? {} : { dash }) };
}

const summaryOf = ({ annotationSummaries }: AnnotationPoint, name: string) =>
  annotationSummaries.find((summary) => summary.name === name);

/** A line for each name with a score; null where none has one. */
export function scoresOf(
  points: readonly AnnotationPoint[],
  names: readonly string[],
  lengthMs: number,
): ChartData | null {
  const series = names
    .map((name) => ({ name, values: points.map((point) => summaryOf(point, name)?.meanScore ?? null) }))
    .filter(({ values }) => values.some((value) => value !== null))
    .map(({ name, values }, at) => ({ key: name, label: name, ...lookOf(at), values }));
  return series.length === 0 ? null : { begins: beginsOf(points), lengthMs, series };
}

export function formatScore(value: number | null): string {
  return value === null ? "–" : String(Number(value.toPrecision(3)));
}

export const raterColors = { people: "--kind-llm", programs: "--kind-tool" } as const;

/** A line for people and one for programs, of those that scored; null without a score of the name. */
export function raterScoresOf(points: readonly AnnotationPoint[], name: string, lengthMs: number): ChartData | null {
  const found = points.map((point) => summaryOf(point, name));
  const series = [
    {
      ...{ key: "people", label: text("metrics.scores.people"), color: raterColors.people },
      values: found.map((summary) => summary?.humanMeanScore ?? null),
    },
    {
      ...{ key: "programs", label: text("metrics.scores.programs"), color: raterColors.programs, dash: dashes[1]! },
      values: found.map((summary) => summary?.programMeanScore ?? null),
    },
  ].filter(({ values }) => values.some((value) => value !== null));
  return series.length === 0 ? null : { begins: beginsOf(points), lengthMs, series };
}

/** A line for each label of the name; null where it has none. In a bin without the name no share is known. */
export function sharesOf(points: readonly AnnotationPoint[], name: string, lengthMs: number): ChartData | null {
  const fractions = points.map((point) => {
    const shares = summaryOf(point, name)?.labelFractions ?? [];
    return shares.length === 0 ? null : new Map(shares.map(({ label, fraction }) => [label, fraction]));
  });
  const labels = [...new Set(fractions.flatMap((shares) => [...(shares?.keys() ?? [])]))].sort();
  const series = labels.map((label, at) => ({
    ...{ key: label, label, ...lookOf(at) },
    values: fractions.map((shares) => shares && (shares.get(label) ?? 0)),
  }));
  return series.length === 0 ? null : { begins: beginsOf(points), lengthMs, series };
}

function beginsOf(points: readonly AnnotationPoint[]): number[] {
  return points.map(({ timestamp }) => Date.parse(timestamp));
}

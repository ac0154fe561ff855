// The repetitions of an example: the figures of each, and which of them is read first.
import type { ComparedRun } from "./comparison.queries.ts";
import { type Figures, type Measure, measuredValue, type Order, type OutcomeFilter } from "./measures.ts";

type MeasuredRun = Pick<ComparedRun, "latencyMs" | "error" | "costSummary"> & {
  readonly annotations: {
    readonly edges: readonly { readonly node: { readonly name: string; readonly score: number | null } }[];
  };
};

/** Of one repetition. A name that was given twice has the mean of its scores, as in the figures of the example. */
export function figuresOfRun({ latencyMs, error, costSummary, annotations }: MeasuredRun): Figures {
  const scores = Map.groupBy(
    annotations.edges.flatMap(({ node: { name, score } }) => (score === null ? [] : [{ name, score }])),
    ({ name }) => name,
  );
  return {
    errors: error === null ? 0 : 1,
    latency: latencyMs,
    tokens: costSummary.total.tokens,
    cost: costSummary.total.cost,
    scores: Object.fromEntries(
      [...scores].map(([name, found]) => [name, found.reduce((sum, { score }) => sum + score, 0) / found.length]),
    ),
  };
}

interface LeadingRun {
  readonly measure: Measure;
  readonly show: OutcomeFilter;
  readonly order: Order;
}

/** The place of the repetition that is read first: the worst where regressed examples are asked for, the best for improved ones, the
 *  first that failed for failed ones, and the first otherwise. */
export function leadingRun(runs: readonly MeasuredRun[], { measure, show, order }: LeadingRun): number {
  if (show === "failed")
    return Math.max(
      0,
      runs.findIndex(({ error }) => error !== null),
    );
  const wanted =
    show === "regressed" || show === "improved" ? show : { worst: "regressed", best: "improved" }[order as string];
  if (wanted === undefined) return 0;
  const sign = (measure.better === "higher") === (wanted === "regressed") ? 1 : -1;
  const values = runs.map((run) => measuredValue(measure, figuresOfRun(run)));
  let leading = 0;
  for (const [at, value] of values.entries()) {
    const before = values[leading];
    if (value !== null && (before == null || value * sign < before * sign)) leading = at;
  }
  return leading;
}

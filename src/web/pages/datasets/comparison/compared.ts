// The experiments and rows of a comparison as its views know them: in the order of the address, the base first.
import type { Json } from "../../../../kernel/json.ts";
import { nodesOf, type ResultOf } from "../../../lib/graphql.ts";
import type {
  ComparedGroup,
  ComparedRun,
  comparedDataset,
  comparedFigures,
  ListedCompared,
} from "./comparison.queries.ts";
import { type Better, type Figures, type MeasuredExample, nothingMeasured, scoreKey } from "./measures.ts";

export interface ComparedExperiment {
  readonly id: string;
  /** Its place: the base has 0. */
  readonly index: number;
  readonly listed: ListedCompared;
  readonly figures: Figures;
}

export interface ComparedRow {
  readonly id: string;
  readonly externalId: string | null;
  readonly input: Json;
  readonly expected: Json;
  readonly metadata: Json;
  /** One for each experiment; undefined for one that has nothing for the example. */
  readonly groups: readonly (ComparedGroup | undefined)[];
}

interface Summed {
  readonly averageLatencyMs: number | null;
  readonly annotationSummaries: readonly { readonly annotationName: string; readonly meanScore: number | null }[];
  readonly costSummary: { readonly total: { readonly tokens: number | null; readonly cost: number | null } };
}

interface SummedRuns extends Summed {
  readonly runs: readonly { readonly error: string | null }[];
}

export function figuresOf(group: SummedRuns | undefined): Figures {
  if (group === undefined) return nothingMeasured;
  const { runs } = group;
  const failed = runs.filter(({ error }) => error !== null).length;
  return figures(group, runs.length === 0 ? null : failed / runs.length);
}

function figures({ averageLatencyMs, annotationSummaries, costSummary }: Summed, errors: number | null): Figures {
  return {
    errors,
    latency: averageLatencyMs,
    tokens: costSummary.total.tokens,
    cost: costSummary.total.cost,
    scores: Object.fromEntries(
      annotationSummaries.flatMap(({ annotationName, meanScore }) =>
        meanScore === null ? [] : [[annotationName, meanScore]],
      ),
    ),
  };
}

export function experimentOf(listed: ListedCompared, index: number): ComparedExperiment {
  const { averageRunLatencyMs: averageLatencyMs, errorRate } = listed;
  return { id: listed.id, index, listed, figures: figures({ ...listed, averageLatencyMs }, errorRate) };
}

/** Which values are the better ones, by the key of the measure, as the server knows it. */
export function knownDirections(
  experiments: readonly ComparedExperiment[],
  plain: ResultOf<typeof comparedDataset>["experimentMeasureDirections"],
): ReadonlyMap<string, Better> {
  const betterOf = (direction: string): Better => (direction === "MINIMIZE" ? "lower" : "higher");
  return new Map([
    ...experiments.flatMap(({ listed }) =>
      listed.annotationSummaries.map(
        (summary) => [scoreKey(summary.annotationName), betterOf(summary.optimizationDirection)] as const,
      ),
    ),
    ...plain.map(
      ({ measure, optimizationDirection }) => [measure.toLowerCase(), betterOf(optimizationDirection)] as const,
    ),
  ]);
}

interface AnsweredExample {
  readonly id: string;
  readonly externalId: string | null;
  readonly revision: { readonly input: unknown; readonly output: unknown; readonly metadata: unknown };
}

export function rowOf(
  { id, externalId, revision }: AnsweredExample,
  groups: readonly ComparedGroup[],
  experimentIds: readonly string[],
): ComparedRow {
  return {
    id,
    externalId,
    input: revision.input as Json,
    expected: revision.output as Json,
    metadata: revision.metadata as Json,
    groups: experimentIds.map((experimentId) => groups.find((group) => group.experimentId === experimentId)),
  };
}

type Measured = ResultOf<typeof comparedFigures>["compareExperiments"]["edges"][number]["node"];

export function measuredExample({ example, repeatedRunGroups }: Measured): MeasuredExample {
  return {
    id: example.id,
    figures: repeatedRunGroups.map(figuresOf),
    failed: repeatedRunGroups.map(({ runs }) => runs.some(({ error }) => error !== null)),
  };
}

/** The evaluations of a run. Empty ones were withdrawn. */
export function annotationsOf(run: Pick<ComparedRun, "annotations">) {
  return nodesOf(run.annotations.edges).filter(
    ({ label, score, explanation, error }) =>
      label !== null || score !== null || explanation !== null || error !== null,
  );
}

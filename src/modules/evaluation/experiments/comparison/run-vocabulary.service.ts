// Words for completing a condition on runs while it is written: those of the language, the evaluations that the experiments have, and
// members of what their first runs were asked and gave. A hint, not a limit: it reads a sample of bounded size.
import { evaluationTerms, memberName, type VocabularyTerm, vocabularyOf } from "../../../../filter/vocabulary.ts";
import { parseJson } from "../../../../kernel/json.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { observePaths } from "../../../tracing/spans/vocabulary/observed.rules.ts";
import type { EvaluatedRunsStore } from "../evaluations/evaluated-runs.store.ts";
import { unknownExperiment } from "../experiments.errors.ts";
import type { ExperimentsStore } from "../experiments.store.ts";
import type { ExperimentFiguresStore } from "../figures/experiment-figures.store.ts";

interface RunVocabularyDependencies {
  readonly experiments: ExperimentsStore;
  readonly figures: ExperimentFiguresStore;
  readonly evaluations: EvaluatedRunsStore;
}

export interface RunVocabularyService {
  /** Throws kind `not_found` for an experiment that is not there. */
  listTerms(context: CallContext, experimentIds: readonly number[]): Promise<VocabularyTerm[]>;
}

/** Experiments whose runs are looked at, runs of each, and characters of what one of them was asked or gave. */
const MOST_SAMPLED = 10;
const SAMPLE = { runs: 20, characters: 16_384 };
/** Evaluations that are offered. */
const MOST_NAMES = 50;

export function createRunVocabularyService(dependencies: RunVocabularyDependencies): RunVocabularyService {
  const { experiments, figures, evaluations } = dependencies;

  async function listEvaluations(context: CallContext, ids: readonly number[]): Promise<VocabularyTerm[]> {
    const [summaries, shares] = await Promise.all([
      figures.findSummaries(context, ids),
      figures.findLabels(context, ids),
    ]);
    const names = new Set([...summaries.values()].flat().map(({ name }) => name));
    const labels = [...shares.values()].flat();
    const labelsOf = (name: string) => [
      ...new Set(labels.filter((share) => share.name === name).map(({ label }) => label)),
    ];
    return [...names]
      .sort()
      .slice(0, MOST_NAMES)
      .flatMap((name) => evaluationTerms(name, labelsOf(name)));
  }

  async function listMembers(context: CallContext, ids: readonly number[]): Promise<VocabularyTerm[]> {
    const sampled = ids.slice(0, MOST_SAMPLED).map((id) => evaluations.listSample(context, id, SAMPLE));
    const sample = (await Promise.all(sampled)).flat().map(({ run, example }) => ({
      output: parseJson(run.output),
      input: parseJson(example.input),
      reference_output: parseJson(example.output),
      metadata: parseJson(example.metadata),
    }));
    const members = observePaths(sample).filter(({ path }) => path.length > 1);
    return members.map(({ path, type, values }) => ({
      name: memberName(path),
      type,
      description: "",
      category: "attribute",
      iterableName: null,
      values,
    }));
  }

  return {
    async listTerms(context, experimentIds) {
      const known = new Set((await experiments.findAll(context, experimentIds)).map(({ id }) => id));
      const missing = experimentIds.find((id) => !known.has(id));
      if (missing !== undefined) throw unknownExperiment(missing);
      if (experimentIds.length === 0) return vocabularyOf("run");
      const [evaluated, members] = await Promise.all([
        listEvaluations(context, experimentIds),
        listMembers(context, experimentIds),
      ]);
      return [...vocabularyOf("run"), ...evaluated, ...members];
    },
  };
}

// Reads runs with their evaluations. The policy has checked the caller's rights before.
import { arrivalCursors, type PlacedPage, type RestRequest, requestedPage } from "../../../../kernel/list.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { requireCursorOf, requireExperimentId, requireExperimentIdAlone } from "../experiment-ids.rules.ts";
import { noEvaluationNames, noRunsToExport } from "../experiments.errors.ts";
import type { Experiment } from "../experiments.schema.ts";
import type { ExperimentsService } from "../experiments.service.ts";
import type { ExperimentFiguresStore } from "../figures/experiment-figures.store.ts";
import { RUN } from "../runs/experiment-runs.schema.ts";
import type { EvaluatedRunsStore } from "./evaluated-runs.store.ts";
import type { IncompleteEvaluation } from "./experiment-evaluations.schema.ts";
import { exportedCsv, exportedText } from "./experiment-export.rules.ts";

interface EvaluatedRunsDependencies {
  readonly store: EvaluatedRunsStore;
  readonly experiments: ExperimentsService;
  readonly figures: ExperimentFiguresStore;
}

export interface EvaluatedRunsService {
  /** Successful runs that lack one of these evaluations, or have it with an error, oldest first. Throws kind `invalid` for what is
   *  no id and for the cursor, `malformed` without names, `not_found`. */
  listIncomplete(
    context: CallContext,
    experimentId: string,
    names: readonly string[],
    page: RestRequest,
  ): Promise<PlacedPage<IncompleteEvaluation>>;
  /** All runs as the parts of one JSON text, or of a CSV file. Throws kind `not_found` also for an experiment without runs, and what
   *  `listIncomplete` throws for the id. */
  exportRuns(
    context: CallContext,
    experimentId: string,
    format: "json" | "csv",
  ): Promise<{ readonly experiment: Experiment; readonly parts: AsyncGenerator<string> }>;
}

/** Runs of one part of an export. */
const EXPORTED_AT_ONCE = 500;

export function createEvaluatedRunsService(dependencies: EvaluatedRunsDependencies): EvaluatedRunsService {
  const { store, experiments, figures } = dependencies;

  async function* partsOf(context: CallContext, experimentId: number) {
    let behind: { readonly exampleId: number; readonly repetition: number } | null = null;
    for (;;) {
      const found = await store.listForExport(context, experimentId, behind, EXPORTED_AT_ONCE);
      if (found.length === 0) return;
      const evaluations = await store.findEvaluations(
        context,
        found.map(({ run }) => run.id),
      );
      const keys = [...new Set(found.flatMap(({ run }) => run.traceKey ?? []))];
      yield { found, evaluations, tokens: keys.length === 0 ? new Map() : await figures.findTraced(context, keys) };
      if (found.length < EXPORTED_AT_ONCE) return;
      behind = found.at(-1)!.run;
    }
  }

  return {
    async listIncomplete(context, experimentText, sent, page) {
      requireExperimentId(experimentText);
      requireCursorOf(RUN, "a run", page.cursor);
      const names = [...new Set(sent.map((name) => name.trim()).filter((name) => name !== ""))].sort();
      if (names.length === 0) throw noEvaluationNames();
      const { id } = await experiments.getExperiment(context, experimentText);
      const request = requestedPage(arrivalCursors(RUN), page);
      const found = await store.listIncomplete(context, id, names, request);
      const evaluations = await store.findEvaluations(
        context,
        found.items.map(({ run }) => run.id),
      );
      return {
        ...found,
        items: found.items.map((item) => {
          const complete = evaluations.get(item.run.id)?.filter(({ error }) => error === null) ?? [];
          const done = new Set(complete.map(({ name }) => name));
          return { ...item, names: names.filter((name) => !done.has(name)) };
        }),
      };
    },

    async exportRuns(context, experimentText, format) {
      requireExperimentIdAlone(experimentText);
      const experiment = await experiments.getExperiment(context, experimentText);
      const parts = partsOf(context, experiment.id);
      const first = await parts.next();
      if (first.done) throw noRunsToExport(experimentText);
      if (format === "json") return { experiment, parts: exportedText(first.value, parts) };
      const names = await store.listEvaluationNames(context, experiment.id);
      return { experiment, parts: exportedCsv(names, first.value, parts) };
    },
  };
}

// The use cases of runs. Who may call them is decided by the policy before.
import { globalId } from "../../../../kernel/ids.ts";
import {
  arrivalCursors,
  MAX_PAGE_ROWS,
  type Page,
  type PageRequest,
  type PlacedPage,
  type RestRequest,
  requestedPage,
  wholeList,
} from "../../../../kernel/list.ts";
import { createGatheredWrites, type WriteOutcome } from "../../../../storage/gathered-writes.ts";
import type { CallContext, Storage } from "../../../../storage/storage.ts";
import { EXAMPLE } from "../../datasets/datasets.schema.ts";
import type { DatasetsService } from "../../datasets/datasets.service.ts";
import { requireCursorOf, requireExperimentId, requireIdInPath } from "../experiment-ids.rules.ts";
import { experimentNotFound, runExampleNotFound, runIsThere } from "../experiments.errors.ts";
import type { ExperimentsService } from "../experiments.service.ts";
import {
  type ExperimentRun,
  type IncompleteExample,
  type NewRunRow,
  type PutRun,
  RUN,
  type SentRun,
} from "./experiment-runs.schema.ts";
import type { ExperimentRunsStore } from "./experiment-runs.store.ts";

interface RunsDependencies {
  readonly store: ExperimentRunsStore;
  readonly storage: Pick<Storage, "transaction">;
  readonly experiments: ExperimentsService;
  readonly datasets: DatasetsService;
  readonly ownContext: () => CallContext;
}

/** A run whose ids are read. */
interface PlacedRun {
  readonly experimentId: number;
  /** As it was sent. */
  readonly experimentText: string;
  readonly exampleId: number;
  readonly run: SentRun;
}

export interface ExperimentRunsService {
  /** Its row id. Takes the place of a failed one. Throws kind `conflict` where a successful one is there, `invalid` for what is no
   *  id, `not_found`. */
  putRun(context: CallContext, experimentId: string, run: SentRun): Promise<number>;
  /** Stores runs as `putRun` does, in the transaction of the caller: one an item, in order; null where the experiment is gone. */
  putRows(context: CallContext, runs: readonly NewRunRow[]): Promise<(PutRun | null)[]>;
  /** Newest first; all of them without a limit, none for an unknown experiment. Throws kind `invalid` for what is no id and for the
   *  cursor, `not_found` for the id of something else. */
  listRuns(
    context: CallContext,
    experimentId: string,
    page: { readonly cursor?: string | undefined; readonly limit?: number | undefined },
  ): Promise<Page<ExperimentRun>>;
  /** Examples that lack successful runs, in the order of their ids. Throws kind `invalid` for what is no id and for the cursor,
   *  `not_found`. */
  listIncomplete(context: CallContext, experimentId: string, page: RestRequest): Promise<PlacedPage<IncompleteExample>>;
}

/** Numbers of repetitions in one page at most. */
const MOST_NUMBERS = 1_000_000;

export function createExperimentRunsService({
  store,
  storage,
  experiments,
  datasets,
  ownContext,
}: RunsDependencies): ExperimentRunsService {
  const put = createGatheredWrites<PlacedRun, number>({
    storage,
    ownContext,
    bytesOf: ({ run }) => 2 * run.output.length,
    work: (context, runs) => putTogether(context, runs),
  });

  async function putTogether(context: CallContext, runs: readonly PlacedRun[]): Promise<WriteOutcome<number>[]> {
    const found = await experiments.findExperiments(context, [
      ...new Set(runs.map(({ experimentId }) => experimentId)),
    ]);
    const held = await store.hold(context, [...found.keys()]);
    const examples = await datasets.findExamples(context, [...new Set(runs.map(({ exampleId }) => exampleId))]);
    const outcomes = new Array<WriteOutcome<number>>(runs.length);
    const good = runs.flatMap(({ experimentId, experimentText, exampleId, run }, position) => {
      if (held.has(experimentId) && examples.has(exampleId)) return [{ position, run, experimentId, exampleId }];
      const refusal = held.has(experimentId)
        ? runExampleNotFound(run.dataset_example_id)
        : experimentNotFound(experimentText);
      outcomes[position] = { refusal };
      return [];
    });
    const rows = good.map(({ experimentId, exampleId, run }) => ({
      experimentId,
      exampleId,
      repetition: run.repetition_number,
      output: run.output,
      error: run.error,
      traceKey: run.trace_id,
      startUs: run.start_time,
      endUs: run.end_time,
    }));
    const put = rows.length === 0 ? [] : await store.putAll(context, rows);
    put.forEach(({ id, isTaken }, at) => {
      outcomes[good[at]!.position] = isTaken ? { refusal: runIsThere(globalId(RUN, id)) } : { result: id };
    });
    return outcomes;
  }

  return {
    async putRun(_context, experimentText, run) {
      const exampleId = requireIdInPath(EXAMPLE, "an example", run.dataset_example_id, runExampleNotFound);
      return put({ experimentId: requireExperimentId(experimentText), experimentText, exampleId, run });
    },

    async putRows(context, runs) {
      const held = await store.hold(context, [...new Set(runs.map(({ experimentId }) => experimentId))]);
      const good = runs.filter(({ experimentId }) => held.has(experimentId));
      const rows = good.length === 0 ? [] : await store.putAll(context, good);
      const put = new Map(good.map((run, at) => [run, rows[at]!]));
      return runs.map((run) => put.get(run) ?? null);
    },

    async listRuns(context, experimentText, { cursor, limit }) {
      const experimentId = requireExperimentId(experimentText);
      const request = requestedPage(arrivalCursors(RUN), { cursor, limit: limit ?? MAX_PAGE_ROWS });
      const list = (page: PageRequest) => store.list(context, experimentId, page);
      return limit === undefined ? { items: await wholeList(list, request.start), next: null } : list(request);
    },

    async listIncomplete(context, experimentText, page) {
      requireExperimentId(experimentText);
      requireCursorOf(EXAMPLE, "an example", page.cursor);
      const experiment = await experiments.getExperiment(context, experimentText);
      const most = Math.min(MAX_PAGE_ROWS, Math.max(1, Math.floor(MOST_NUMBERS / experiment.repetitions)));
      const found = await store.listIncomplete(context, experiment, requestedPage(arrivalCursors(EXAMPLE), page, most));
      const done = await store.findSuccessful(
        context,
        experiment.id,
        found.items.map(({ id }) => id),
      );
      const all = Array.from({ length: experiment.repetitions }, (_none, position) => position + 1);
      return {
        ...found,
        items: found.items.map((example) => ({
          example,
          repetitions: all.filter((repetition) => done.get(example.id)?.has(repetition) !== true),
        })),
      };
    },
  };
}

// Names that move between the experiments of a dataset; `baseline` is the one that others are compared with.
import { authorIdOf } from "../../../../access/principal.ts";
import type { CallContext, Storage } from "../../../../storage/storage.ts";
import { dismissedBaseline } from "../experiments.errors.ts";
import type { Experiment } from "../experiments.schema.ts";
import { BASELINE, type ExperimentTag } from "./experiment-tags.schema.ts";
import type { ExperimentTagsStore } from "./experiment-tags.store.ts";

interface ExperimentTagsDependencies {
  readonly store: ExperimentTagsStore;
  readonly storage: Pick<Storage, "transaction">;
}

export interface ExperimentTagsService {
  findTags(context: CallContext, ids: readonly number[]): Promise<Map<number, ExperimentTag>>;
  /** By experiment, each by name. */
  findOfExperiments(context: CallContext, ids: readonly number[]): Promise<Map<number, ExperimentTag[]>>;
  /** Ids of the experiments that others are compared with, by dataset; one without is left out. */
  findBaselines(context: CallContext, datasetIds: readonly number[]): Promise<Map<number, number>>;
  /** Points the name at the experiment, wherever in the dataset it pointed. Throws kind `invalid` for the baseline that is dismissed. */
  setTag(
    context: CallContext,
    experiment: Experiment,
    tag: { readonly name: string; readonly description: string | null },
  ): Promise<ExperimentTag>;
  /** Takes the tag from the experiment; without one nothing happens. */
  removeTag(
    context: CallContext,
    experiment: Experiment,
    tag: { readonly id: number } | { readonly name: string },
  ): Promise<void>;
  /** Returns the id of the baseline before; null without one. Throws as `setTag`. */
  setBaseline(context: CallContext, experiment: Experiment, isBaseline: boolean): Promise<number | null>;
}

export function createExperimentTagsService({ store, storage }: ExperimentTagsDependencies): ExperimentTagsService {
  const findBaselines = (context: CallContext, ids: readonly number[]) =>
    store.findTagged(context, ids, { name: BASELINE });

  async function setTag(
    context: CallContext,
    { id, datasetId, dismissedUs }: Experiment,
    { name, description }: { readonly name: string; readonly description: string | null },
  ): Promise<ExperimentTag> {
    if (name === BASELINE && dismissedUs !== null) throw dismissedBaseline();
    return store.put(context, { datasetId, name, experimentId: id, description }, authorIdOf(context.principal));
  }

  return {
    findTags: store.findTags,
    findOfExperiments: store.findOfExperiments,
    findBaselines,
    setTag,
    removeTag: (context, experiment, tag) => store.remove(context, experiment.id, tag),

    setBaseline: (context, experiment, isBaseline) =>
      storage.transaction(context, async (inner) => {
        const before = (await findBaselines(inner, [experiment.datasetId])).get(experiment.datasetId) ?? null;
        if (isBaseline) await setTag(inner, experiment, { name: BASELINE, description: null });
        else await store.remove(inner, experiment.id, { name: BASELINE });
        return before;
      }),
  };
}

// What the rows of an upload make of a dataset: which example each is for, and the version that comes of it.
import { authorIdOf } from "../../../../access/principal.ts";
import { fail } from "../../../../kernel/failure.ts";
import { globalId } from "../../../../kernel/ids.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { datasetNameTaken, exampleNamedTwice, foreignExamples } from "../datasets.errors.ts";
import { type Dataset, type DatasetChange, type DatasetVersion, EXAMPLE, noWords } from "../datasets.schema.ts";
import type { DatasetsStore } from "../datasets.store.ts";
import type { UploadFacts } from "./upload-parts.rules.ts";
import type { UploadSplitsStore } from "./upload-splits.store.ts";
import type { UploadRange, UploadsStore } from "./uploads.store.ts";

interface UploadVersionDependencies {
  readonly store: UploadsStore;
  readonly splits: UploadSplitsStore;
  readonly datasets: DatasetsStore;
}

/** Ids that are looked for to be named in a refusal. */
export const MOST_FOUND = 100;

/** Applies the `count` rows of a range, inside the caller's transaction. Throws kind `conflict` for a name that is taken, `invalid` for
 *  rows that do not go together. */
export type ApplyUpload = (
  inner: CallContext,
  range: UploadRange,
  facts: UploadFacts,
  count: number,
  nowUs: number,
) => Promise<DatasetChange>;

export function createUploadVersion({ store, splits, datasets }: UploadVersionDependencies): ApplyUpload {
  /** The dataset of the name, locked; created if it does not exist. */
  async function holdDataset(inner: CallContext, facts: UploadFacts, nowUs: number): Promise<Dataset> {
    const { name, description } = facts;
    const userId = authorIdOf(inner.principal);
    // Looked for first: an insert that inserts nothing spends a row id.
    const known = await datasets.lock(inner, { name });
    const made = known ?? (await datasets.insert(inner, { name, description, metadata: "{}", userId, nowUs }));
    const isNew = known === null && made !== null;
    if (!isNew && facts.action === "create") throw datasetNameTaken(name);
    const dataset = made ?? (await datasets.lock(inner, { name }));
    // Deleted between the two: a retry of the upload creates it.
    if (dataset === null) throw fail("datasets.gone", "unavailable", `The dataset ${name} was deleted just now`);
    return dataset;
  }

  async function requireMatching(inner: CallContext, range: UploadRange): Promise<void> {
    const foreign = await store.listForeign(inner, range, MOST_FOUND);
    if (foreign.length > 0) throw foreignExamples(foreign.map((id) => globalId(EXAMPLE, id)));
    const repeated = await store.listRepeated(inner, range, MOST_FOUND);
    if (repeated.length > 0) throw exampleNamedTwice(repeated.map((id) => globalId(EXAMPLE, id)));
  }

  /** How many examples stay as they are but in other splits. */
  async function applySplits(
    inner: CallContext,
    range: UploadRange,
    { action, splitsGiven }: UploadFacts,
    datasetId: number,
    nowUs: number,
  ): Promise<number> {
    let changed = 0;
    if (splitsGiven) {
      await splits.ensureSplits(inner, range, authorIdOf(inner.principal), nowUs);
      changed = await splits.countChanged(inner, range);
      await splits.replace(inner, range);
    }
    if (action !== "append") await splits.removeOthers(inner, range, datasetId);
    return changed;
  }

  return async (inner, range, facts, count, nowUs) => {
    const twice = await store.listRepeatedIds(inner, range, MOST_FOUND);
    if (twice.length > 0) throw exampleNamedTwice(twice);
    const dataset = await holdDataset(inner, facts, nowUs);
    const newest = (await datasets.findNewestVersions(inner, [dataset.id])).get(dataset.id) ?? null;
    // All but an append go through all examples.
    await store.expect(inner, Math.max(count, facts.action === "append" ? 0 : (newest?.exampleCount ?? 0)));
    if (newest !== null) await store.match(inner, range, dataset.id);
    await requireMatching(inner, range);
    const matched = newest === null ? { created: count, changed: 0, same: 0 } : await store.countMatched(inner, range);
    const { created, changed, same } = matched;
    const living = newest?.exampleCount ?? 0;
    const deleted = facts.action === "append" ? 0 : living - changed - same;
    let version: DatasetVersion | null = newest;
    if (version === null || created + changed + deleted > 0) {
      version = await datasets.insertVersion(inner, {
        datasetId: dataset.id,
        ...noWords,
        userId: authorIdOf(inner.principal),
        createdUs: nowUs,
        exampleCount: living + created - deleted,
        createdCount: created,
        updatedCount: changed,
        deletedCount: deleted,
      });
      if (newest !== null) await store.revive(inner, range, dataset.id);
      await store.addExamples(inner, range, dataset.id, nowUs);
      await store.addRevisions(inner, range, dataset.id, version.id);
      if (deleted > 0) await store.addDeletions(inner, range, dataset.id, version.id);
      if (newest !== null) await store.endReplaced(inner, dataset.id, version.id);
    }
    const resplit = await applySplits(inner, range, facts, dataset.id, nowUs);
    return {
      datasetId: dataset.id,
      versionId: version.id,
      createdCount: created,
      updatedCount: changed + resplit,
      deletedCount: deleted,
    };
  };
}

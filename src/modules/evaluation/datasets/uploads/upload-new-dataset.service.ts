// The dataset of a large upload, made a slice at a time, so that ingestion has its turn between them: hidden until its last row is in.
// What a kill leaves of it is removed with the upload.
import { authorIdOf } from "../../../../access/principal.ts";
import { fail } from "../../../../kernel/failure.ts";
import { globalId } from "../../../../kernel/ids.ts";
import { isDuplicate } from "../../../../storage/duplicate.ts";
import type { CallContext, Storage } from "../../../../storage/storage.ts";
import { datasetNameTaken, exampleNamedTwice, foreignExamples, uploadGivenUp } from "../datasets.errors.ts";
import { type DatasetChange, EXAMPLE, noWords } from "../datasets.schema.ts";
import type { DatasetsStore } from "../datasets.store.ts";
import type { UploadFacts } from "./upload-parts.rules.ts";
import type { UploadSplitsStore } from "./upload-splits.store.ts";
import { MOST_FOUND } from "./upload-version.service.ts";
import type { UploadRange, UploadsStore } from "./uploads.store.ts";

interface NewDatasetDependencies {
  readonly storage: Pick<Storage, "transaction">;
  readonly store: UploadsStore;
  readonly splits: UploadSplitsStore;
  readonly datasets: DatasetsStore;
}

/** Rows of one slice. Uploads of as many are applied in one transaction. */
export const SLICE_ROWS = 2000;

export interface UploadedDatasets {
  /** Whether the upload makes a dataset, of more rows than one slice has. */
  isLargeAndNew(context: CallContext, facts: UploadFacts, count: number): Promise<boolean>;
  /** Makes it of the `count` rows of a range. Throws kind `conflict` for a name that was taken meanwhile, `invalid` for rows that do not go
   *  together, `unavailable` for an upload that was given up. */
  make(
    context: CallContext,
    range: UploadRange,
    facts: UploadFacts,
    count: number,
    now: () => number,
  ): Promise<DatasetChange>;
}

export function createUploadedDatasets({ storage, store, splits, datasets }: NewDatasetDependencies): UploadedDatasets {
  async function requireMatching(context: CallContext, range: UploadRange): Promise<void> {
    const twice = await store.listRepeatedIds(context, range, MOST_FOUND);
    if (twice.length > 0) throw exampleNamedTwice(twice);
    const foreign = await store.listForeign(context, range, MOST_FOUND);
    if (foreign.length > 0) throw foreignExamples(foreign.map((id) => globalId(EXAMPLE, id)));
  }

  return {
    isLargeAndNew: async (context, { name }, count) =>
      count > SLICE_ROWS && (await datasets.find(context, { name })) === null,

    async make(context, range, { name, description, action, splitsGiven }, count, now) {
      await requireMatching(context, range);
      const userId = authorIdOf(context.principal);
      const createdUs = now();
      let made: { readonly datasetId: number; readonly versionId: number } | null = null;

      /** The first slice makes the dataset, too: by its examples a later one finds what to go on with, and a sweep what to remove. */
      const begin = async (inner: CallContext) => {
        const datasetId = await datasets.insertHidden(inner, {
          ...{ name, description, metadata: "{}", userId, nowUs: createdUs },
        });
        const counts = { exampleCount: count, createdCount: count, updatedCount: 0, deletedCount: 0 };
        const version = await datasets.insertVersion(inner, { datasetId, ...noWords, userId, createdUs, ...counts });
        if (splitsGiven) await splits.ensureSplits(inner, range, userId, createdUs);
        return { datasetId, versionId: version.id };
      };

      for (let first = 0; first < count; first += SLICE_ROWS) {
        const slice = { ...range, first: range.first + first, last: range.first + first + SLICE_ROWS - 1 };
        made = await storage.transaction(context, async (inner) => {
          if (!(await store.touch(inner, range, now()))) throw uploadGivenUp();
          const target = made ?? (await begin(inner));
          await store.addExamples(inner, slice, target.datasetId, createdUs);
          await store.addRevisions(inner, slice, target.datasetId, target.versionId);
          if (splitsGiven) await splits.replace(inner, slice);
          return target;
        });
      }

      const { datasetId, versionId } = made!;
      await storage.transaction(context, async (inner) => {
        try {
          if (!(await datasets.publish(inner, datasetId))) throw uploadGivenUp();
        } catch (error) {
          if (!isDuplicate(error)) throw error;
          if (action === "create") throw datasetNameTaken(name);
          throw fail(
            "datasets.made_meanwhile",
            "unavailable",
            `The dataset ${name} was made just now: send the upload again`,
          );
        }
        await store.commit(inner, range);
      });
      return { datasetId, versionId, createdCount: count, updatedCount: 0, deletedCount: 0 };
    },
  };
}

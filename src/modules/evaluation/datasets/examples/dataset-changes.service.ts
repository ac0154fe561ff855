// Changes of examples one by one: what is added, replaced and removed makes one version, or nothing.
import { authorIdOf } from "../../../../access/principal.ts";
import type { Clock } from "../../../../kernel/clock.ts";
import { type JsonObject, parseJson } from "../../../../kernel/json.ts";
import { MAX_KEY_BYTES } from "../../../../model/span.ts";
import { isDuplicate } from "../../../../storage/duplicate.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { hashedContent } from "../dataset-content.rules.ts";
import type { DatasetExamplesStore } from "../dataset-examples.store.ts";
import {
  datasetNameTaken,
  datasetNotFound,
  examplesDeleted,
  examplesMissing,
  longNameRefused,
  ownIdRepeated,
  ownIdsTaken,
} from "../datasets.errors.ts";
import type { Dataset, DatasetChange, VersionWords } from "../datasets.schema.ts";
import type { DatasetsStore } from "../datasets.store.ts";
import type { DatasetUploadsService } from "../uploads/dataset-uploads.service.ts";
import { type UploadPart, type UploadRow, uploadPart } from "../uploads/upload-parts.rules.ts";
import type { UploadSplitsStore } from "../uploads/upload-splits.store.ts";
import type { UploadRange, UploadsStore } from "../uploads/uploads.store.ts";
import {
  type ExampleOperation,
  type NamedExample,
  type NewExample,
  type ReplacedFields,
  sumOperations,
} from "./dataset-operations.rules.ts";

interface ChangesDependencies {
  readonly datasets: DatasetsStore;
  readonly examples: DatasetExamplesStore;
  readonly rows: UploadsStore;
  readonly splits: UploadSplitsStore;
  readonly uploads: DatasetUploadsService;
  readonly clock: Clock;
}

export interface DatasetChangesService {
  /** One new version, also where no content differs. Throws kind `not_found` for the dataset and for examples that do not live in
   *  it, `conflict` for own ids that are taken, `invalid` for operations that do not go together. */
  applyOperations(
    context: CallContext,
    dataset: Pick<Dataset, "id" | "name">,
    operations: readonly ExampleOperation[],
    words: VersionWords,
  ): Promise<DatasetChange>;
  /** Examples that come in parts, all in one new version and in the splits that their rows name. Throws kind `not_found` for the
   *  dataset, `conflict` for the name of a new one that is taken. */
  addParts(
    context: CallContext,
    target: DatasetTarget,
    next: () => Promise<UploadPart | null>,
    words: VersionWords,
  ): Promise<DatasetChange>;
}

/** A dataset that is there, or one that is made together with its first examples. */
export type DatasetTarget = Pick<Dataset, "id" | "name"> | { readonly newName: string };

interface Counted {
  readonly created: number;
  readonly changed: number;
  readonly removed: readonly number[];
}

export function createDatasetChangesService(dependencies: ChangesDependencies): DatasetChangesService {
  const { datasets, rows, splits, uploads, clock } = dependencies;

  async function hold(inner: CallContext, { id, name }: Pick<Dataset, "id" | "name">): Promise<void> {
    if ((await datasets.lock(inner, { id })) === null) throw datasetNotFound(name);
  }

  /** The row id of the dataset, held; a new one is made. */
  async function holdTarget(inner: CallContext, target: DatasetTarget): Promise<number> {
    if (!("newName" in target)) {
      await hold(inner, target);
      return target.id;
    }
    const words = { name: target.newName, description: null, metadata: "{}" };
    const made = await datasets.insert(inner, { ...words, userId: authorIdOf(inner.principal), nowUs: clock.now() });
    if (made === null) throw datasetNameTaken(target.newName);
    return made.id;
  }

  /** The version that the rows of the range make, inside the caller's transaction. */
  async function makeVersion(
    inner: CallContext,
    range: UploadRange,
    datasetId: number,
    { created, changed, removed }: Counted,
    words: VersionWords,
  ): Promise<DatasetChange> {
    const newest = (await datasets.findNewestVersions(inner, [datasetId])).get(datasetId) ?? null;
    await rows.expect(inner, created + changed + removed.length);
    const nowUs = clock.now();
    const version = await datasets.insertVersion(inner, {
      datasetId,
      ...words,
      userId: authorIdOf(inner.principal),
      createdUs: nowUs,
      exampleCount: (newest?.exampleCount ?? 0) + created - removed.length,
      createdCount: created,
      updatedCount: changed,
      deletedCount: removed.length,
    });
    await rows.addExamples(inner, range, datasetId, nowUs);
    await rows.addRevisions(inner, range, datasetId, version.id);
    if (removed.length > 0) await rows.addDeletionsOf(inner, datasetId, version.id, removed);
    if (changed + removed.length > 0) await rows.endReplaced(inner, datasetId, version.id);
    return {
      datasetId,
      versionId: version.id,
      createdCount: created,
      updatedCount: changed,
      deletedCount: removed.length,
    };
  }

  return {
    applyOperations: (context, dataset, operations, words) =>
      uploads.staged(
        context,
        async () => null,
        async (inner, range) => {
          await hold(inner, dataset);
          const rowIds = await resolveLiving(dependencies, inner, dataset.id, operations);
          const { added, replaced, removed } = sumOperations(operations, rowIds);
          await requireFreeIds(dependencies, inner, dataset.id, added);
          const changed = await changedRows(dependencies, inner, replaced);
          const staged = [...added.map(rowOf), ...changed.map(({ row }) => row)];
          await rows.stage(inner, range, uploadPart(0, staged), clock.now());
          await rows.address(
            inner,
            range,
            changed.map(({ exampleId }, at) => [added.length + at, exampleId] as const),
          );
          await rows.link(
            inner,
            range,
            added.flatMap(({ spanId }, at) => (spanId === null ? [] : [[at, spanId] as const])),
          );
          try {
            const counted = { created: added.length, changed: changed.length, removed };
            return await makeVersion(inner, range, dataset.id, counted, words);
          } catch (error) {
            throw isDuplicate(error) ? ownIdsTaken(added.flatMap(({ externalId }) => externalId ?? [])) : error;
          }
        },
      ),

    addParts: (context, target, next, words) =>
      uploads.staged(context, next, async (inner, range, count) => {
        const id = await holdTarget(inner, target);
        const change = await makeVersion(inner, range, id, { created: count, changed: 0, removed: [] }, words);
        if (await splits.hasSplits(inner, range)) {
          await splits.ensureSplits(inner, range, authorIdOf(inner.principal), clock.now());
          await splits.replace(inner, range);
        }
        return change;
      }),
  };
}

/** Row ids of the examples that operations name; null for those that name none. Throws kind `not_found` for examples that do not
 *  live in the dataset. */
async function resolveLiving(
  { examples }: ChangesDependencies,
  inner: CallContext,
  datasetId: number,
  operations: readonly ExampleOperation[],
): Promise<(number | null)[]> {
  const named = operations.flatMap((operation): NamedExample[] => (operation.kind === "add" ? [] : [operation.named]));
  if (named.length === 0) return operations.map(() => null);
  const byId = await examples.find(
    inner,
    named.flatMap(({ namedExample }) => namedExample ?? []),
  );
  const byOwn = await examples.findByExternalIds(
    inner,
    datasetId,
    named.flatMap(({ externalId }) => externalId ?? []),
  );
  const find = ({ externalId, namedExample }: NamedExample) => {
    const found = externalId === null ? byId.get(namedExample!) : byOwn.get(externalId);
    return found?.datasetId === datasetId ? found.id : null;
  };
  const missing = named.filter((each) => find(each) === null);
  if (missing.length > 0) throw examplesMissing([...new Set(missing.map(({ text }) => text))]);
  const revisions = await examples.findRevisions(inner, [...new Set(named.map((each) => find(each)!))], null);
  const deleted = named.filter((each) => revisions.get(find(each)!)?.kind === "DELETE");
  if (deleted.length > 0) throw examplesDeleted([...new Set(deleted.map(({ text }) => text))]);
  return operations.map((operation) => (operation.kind === "add" ? null : find(operation.named)));
}

/** Throws for own ids that are given twice (kind `invalid`), or that the dataset has or had (`conflict`). */
async function requireFreeIds(
  { examples }: ChangesDependencies,
  inner: CallContext,
  datasetId: number,
  added: readonly NewExample[],
): Promise<void> {
  const ids = added.flatMap(({ externalId }) => externalId ?? []);
  const repeated = ids.find((id, position) => ids.indexOf(id) !== position);
  if (repeated !== undefined) throw ownIdRepeated(repeated);
  const long = ids.find((id) => Buffer.byteLength(id) > MAX_KEY_BYTES);
  if (long !== undefined) throw longNameRefused("externalId", MAX_KEY_BYTES);
  if (ids.length === 0) return;
  const taken = await examples.findByExternalIds(inner, datasetId, ids);
  if (taken.size > 0) throw ownIdsTaken([...taken.keys()]);
}

interface ChangedRow {
  readonly exampleId: number;
  readonly row: UploadRow;
}

/** What the examples are now, with what is replaced. */
async function changedRows(
  { examples }: ChangesDependencies,
  inner: CallContext,
  replaced: ReadonlyMap<number, ReplacedFields>,
): Promise<ChangedRow[]> {
  if (replaced.size === 0) return [];
  const now = await examples.findRevisions(inner, [...replaced.keys()], null);
  const objectOf = (text: string) => parseJson(text) as JsonObject;
  return [...replaced].map(([exampleId, fields]) => {
    const { input, output, metadata } = now.get(exampleId)!;
    const content = hashedContent(
      fields.input ?? objectOf(input),
      fields.output ?? objectOf(output),
      fields.metadata ?? objectOf(metadata),
    );
    return { exampleId, row: { ...content, externalId: null, namedExample: null, spanKey: null, splits: [] } };
  });
}

function rowOf({ input, output, metadata, externalId }: NewExample): UploadRow {
  return { ...hashedContent(input, output, metadata), externalId, namedExample: null, spanKey: null, splits: [] };
}

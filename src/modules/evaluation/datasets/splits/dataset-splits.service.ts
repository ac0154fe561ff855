// The use cases of splits. They are shared by all datasets; a dataset in a request only says whose examples are meant.
import { authorIdOf } from "../../../../access/principal.ts";
import type { Clock } from "../../../../kernel/clock.ts";
import { findRowId, globalId } from "../../../../kernel/ids.ts";
import { type JsonObject, stringifyJson } from "../../../../kernel/json.ts";
import type { PlacedPage, SortedRequest } from "../../../../kernel/list.ts";
import { isHexColor } from "../../../../kernel/validation-scalars.ts";
import { MAX_KEY_BYTES } from "../../../../model/span.ts";
import { duplicateAs } from "../../../../storage/duplicate.ts";
import type { NameSort } from "../../../../storage/list.ts";
import type { CallContext, Storage } from "../../../../storage/storage.ts";
import { exampleNameOf } from "../dataset-content.rules.ts";
import type { DatasetExamplesStore } from "../dataset-examples.store.ts";
import {
  blankRefused,
  colorRefused,
  examplesNotFound,
  longNameRefused,
  notAnIdOf,
  splitNameTaken,
  splitNotFound,
} from "../datasets.errors.ts";
import type { Dataset } from "../datasets.schema.ts";
import { type CountedSplit, type DatasetSplit, DEFAULT_SPLIT_COLOR, SPLIT } from "./dataset-splits.schema.ts";
import type { DatasetSplitsStore } from "./dataset-splits.store.ts";

interface SplitsDependencies {
  readonly store: DatasetSplitsStore;
  readonly examples: DatasetExamplesStore;
  readonly storage: Pick<Storage, "transaction">;
  readonly clock: Clock;
}

interface NewSplitWords {
  readonly name: string;
  readonly description: string | null;
  readonly color: string | null;
  readonly metadata: JsonObject;
}

/** What is left out stays. */
interface SplitWords {
  readonly name?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly color?: string | null | undefined;
  readonly metadata?: JsonObject | null | undefined;
}

type FindDataset = (context: CallContext) => Promise<Dataset>;

export interface DatasetSplitsService {
  /** Those that examples of the dataset are in. */
  listOfDataset(
    context: CallContext,
    dataset: Dataset,
    request: SortedRequest<NameSort>,
  ): Promise<PlacedPage<CountedSplit>>;
  /** `names` null is all. */
  listSplits(
    context: CallContext,
    names: readonly string[] | null,
    request: SortedRequest<NameSort>,
  ): Promise<PlacedPage<DatasetSplit>>;
  findSplits(context: CallContext, ids: readonly number[]): Promise<Map<number, DatasetSplit>>;
  listOfDatasets(context: CallContext, datasetIds: readonly number[]): Promise<Map<number, DatasetSplit[]>>;
  listOfExamples(context: CallContext, exampleIds: readonly number[]): Promise<Map<number, DatasetSplit[]>>;
  /** By id or exact name, each once. Throws kind `invalid` for a blank one, `not_found`. */
  resolveSplits(context: CallContext, identifiers: readonly string[]): Promise<DatasetSplit[]>;
  /** Without any example. Throws kind `invalid` for name and color, `conflict` for a name that is taken. */
  createSplit(context: CallContext, words: NewSplitWords): Promise<DatasetSplit>;
  /** With examples of a dataset. Throws also kind `not_found` for examples that are not in it. */
  createWithExamples(
    context: CallContext,
    words: NewSplitWords,
    findDataset: FindDataset,
    exampleIds: readonly string[],
  ): Promise<CountedSplit>;
  /** Throws as `createSplit`, and kind `not_found`. */
  updateSplit(context: CallContext, id: string, words: SplitWords): Promise<DatasetSplit>;
  /** With examples of a dataset that are added and removed, removed last. Throws also kind `not_found`. */
  updateWithExamples(
    context: CallContext,
    id: string,
    words: SplitWords,
    findDataset: FindDataset,
    examples: { readonly add: readonly string[]; readonly remove: readonly string[] },
  ): Promise<CountedSplit>;
  /** All or none, in the order of the ids; examples stay. Throws kind `invalid` for what is no id, `not_found`. */
  deleteSplits(context: CallContext, ids: readonly string[]): Promise<DatasetSplit[]>;
  /** Each of the examples, by row id, is then in exactly these splits, by row id. */
  setSplits(context: CallContext, exampleIds: readonly number[], splitIds: readonly number[]): Promise<void>;
  /** Adds examples, by row id, to a new split. Throws as `createSplit`. */
  createOfExamples(context: CallContext, words: NewSplitWords, exampleIds: readonly number[]): Promise<DatasetSplit>;
}

function requireName(name: string | null): string {
  const trimmed = (name ?? "").trim();
  if (trimmed === "") throw blankRefused("name");
  if (Buffer.byteLength(trimmed) > MAX_KEY_BYTES) throw longNameRefused("name", MAX_KEY_BYTES);
  return trimmed;
}

function requireColor(color: string | null): string {
  if (color === null || color.trim() === "") throw blankRefused("color");
  if (!isHexColor(color)) throw colorRefused(color);
  return color;
}

/** The row id in an id of a split. Throws kind `invalid` for any other text. */
export function requireSplitId(id: string): number {
  const rowId = findRowId(SPLIT, id);
  if (rowId === null) throw notAnIdOf("split", id);
  return rowId;
}

const described = (description: string | null) => (description === "" ? null : description);

type Reads = Pick<
  DatasetSplitsService,
  "listOfDataset" | "listSplits" | "findSplits" | "listOfDatasets" | "listOfExamples" | "resolveSplits"
>;

export function createDatasetSplitsService(dependencies: SplitsDependencies): DatasetSplitsService {
  return { ...splitReads(dependencies), ...splitChanges(dependencies) };
}

function splitReads({ store }: SplitsDependencies): Reads {
  return {
    async listOfDataset(context, { id }, request) {
      const page = await store.list(context, { datasetId: id, names: null }, request);
      return { ...page, items: await store.counted(context, id, page.items) };
    },

    listSplits: (context, names, request) => store.list(context, { datasetId: null, names }, request),
    findSplits: (context, ids) => store.find(context, ids),
    listOfDatasets: (context, ids) => store.listOfDatasets(context, ids),
    listOfExamples: (context, ids) => store.listOfExamples(context, ids),

    async resolveSplits(context, identifiers) {
      const texts = identifiers.map((text) => text.trim());
      if (texts.includes("")) throw blankRefused("split");
      const rowIds = texts.map((text) => findRowId(SPLIT, text));
      const byId = await store.find(
        context,
        rowIds.flatMap((id) => id ?? []),
      );
      const byName = await store.findByNames(
        context,
        texts.filter((_text, position) => rowIds[position] === null),
      );
      const found = texts.map((text, position) => {
        const rowId = rowIds[position] ?? null;
        const split = rowId === null ? byName.get(text) : byId.get(rowId);
        if (split === undefined) throw splitNotFound(text);
        return split;
      });
      return [...new Map(found.map((split) => [split.id, split])).values()];
    },
  };
}

/** Writes of single splits. */
function splitRows({ store, clock }: SplitsDependencies) {
  async function insert(context: CallContext, words: NewSplitWords): Promise<DatasetSplit> {
    const name = requireName(words.name);
    const split = await store.insert(context, {
      name,
      description: described(words.description),
      color: requireColor(words.color ?? DEFAULT_SPLIT_COLOR),
      metadata: stringifyJson(words.metadata),
      userId: authorIdOf(context.principal),
      nowUs: clock.now(),
    });
    if (split === null) throw splitNameTaken(name);
    return split;
  }

  async function update(context: CallContext, id: string, words: SplitWords): Promise<DatasetSplit> {
    const { name, color, description, metadata } = words;
    const changes = {
      ...(name === undefined ? {} : { name: requireName(name) }),
      ...(color === undefined ? {} : { color: requireColor(color) }),
      ...(description === undefined ? {} : { description: described(description) }),
      ...(metadata === undefined || metadata === null ? {} : { metadata: stringifyJson(metadata) }),
    };
    const rowId = requireSplitId(id);
    const split =
      Object.keys(changes).length === 0
        ? ((await store.find(context, [rowId])).get(rowId) ?? null)
        : await store
            .update(context, rowId, changes, clock.now())
            .catch(duplicateAs(() => splitNameTaken(`${changes.name}`)));
    if (split === null) throw splitNotFound(id);
    return split;
  }

  return { insert, update };
}

/** Row ids of examples of a dataset. Throws kind `not_found` that names those that are not in it. */
async function resolveExamples(
  { examples }: SplitsDependencies,
  context: CallContext,
  dataset: Dataset,
  ids: readonly string[],
): Promise<number[]> {
  const named = ids.map(exampleNameOf);
  const byId = await examples.find(
    context,
    named.flatMap(({ namedExample }) => namedExample ?? []),
  );
  const byOwn = await examples.findByExternalIds(
    context,
    dataset.id,
    named.flatMap(({ externalId }) => externalId ?? []),
  );
  const found = named.map(({ externalId, namedExample }) => {
    const example = externalId === null ? byId.get(namedExample!) : byOwn.get(externalId);
    return example?.datasetId === dataset.id ? example.id : null;
  });
  const missing = ids.filter((_id, position) => found[position] === null);
  if (missing.length > 0) throw examplesNotFound([...new Set(missing)]);
  return found.flatMap((id) => id ?? []);
}

function splitChanges(dependencies: SplitsDependencies): Omit<DatasetSplitsService, keyof Reads> {
  const { store, storage } = dependencies;
  const { insert, update } = splitRows(dependencies);

  const withCount = async (context: CallContext, dataset: Dataset, split: DatasetSplit): Promise<CountedSplit> =>
    (await store.counted(context, dataset.id, [split]))[0]!;

  return {
    createSplit: insert,

    createWithExamples: (context, words, findDataset, exampleIds) =>
      storage.transaction(context, async (inner) => {
        requireName(words.name);
        requireColor(words.color ?? DEFAULT_SPLIT_COLOR);
        const dataset = await findDataset(inner);
        const ids = await resolveExamples(dependencies, inner, dataset, exampleIds);
        const split = await insert(inner, words);
        await store.addMembers(
          inner,
          ids.map((id) => [split.id, id] as const),
        );
        return withCount(inner, dataset, split);
      }),

    updateSplit: update,

    updateWithExamples: (context, id, words, findDataset, { add, remove }) =>
      storage.transaction(context, async (inner) => {
        const rowId = requireSplitId(id);
        if (words.name !== undefined) requireName(words.name);
        if (words.color !== undefined) requireColor(words.color);
        const dataset = await findDataset(inner);
        if (!(await store.find(inner, [rowId])).has(rowId)) throw splitNotFound(id);
        const removed = await resolveExamples(dependencies, inner, dataset, remove);
        const added = await resolveExamples(dependencies, inner, dataset, add);
        const split = await update(inner, id, words);
        await store.addMembers(
          inner,
          added.map((exampleId) => [split.id, exampleId] as const),
        );
        await store.removeMembers(inner, split.id, removed);
        return withCount(inner, dataset, split);
      }),

    async deleteSplits(context, ids) {
      const rowIds = ids.map(requireSplitId);
      return storage.transaction(context, async (inner) => {
        const removed = new Map((await store.remove(inner, rowIds)).map((split) => [split.id, split]));
        return ids.map((id, position) => {
          const split = removed.get(rowIds[position]!);
          if (split === undefined) throw splitNotFound(id);
          return split;
        });
      });
    },

    setSplits: (context, exampleIds, splitIds) =>
      storage.transaction(context, async (inner) => {
        const found = await store.find(inner, splitIds);
        for (const id of splitIds) if (!found.has(id)) throw splitNotFound(globalId(SPLIT, id));
        await store.clearMembers(inner, exampleIds);
        await store.addMembers(
          inner,
          splitIds.flatMap((splitId) => exampleIds.map((exampleId) => [splitId, exampleId] as const)),
        );
      }),

    createOfExamples: (context, words, exampleIds) =>
      storage.transaction(context, async (inner) => {
        const split = await insert(inner, words);
        await store.addMembers(
          inner,
          exampleIds.map((id) => [split.id, id] as const),
        );
        return split;
      }),
  };
}

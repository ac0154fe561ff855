// The use cases of labels of any kind.
import { authorIdOf } from "../../../access/principal.ts";
import type { Failure } from "../../../kernel/failure.ts";
import { duplicateAs } from "../../../storage/duplicate.ts";
import type { CallContext, Storage } from "../../../storage/storage.ts";
import type { Label, LabelKind, LabelWords } from "./labels.schema.ts";
import type { LabelsStore } from "./labels.store.ts";

interface LabelsDependencies<Row extends Label, Key> {
  readonly kind: LabelKind<Key>;
  readonly store: LabelsStore<Row>;
  readonly storage: Pick<Storage, "transaction">;
  /** The things that have the labels. */
  readonly owners: {
    /** The row id. Throws kind `not_found`. */
    readonly idOf: (context: CallContext, owner: Key) => Promise<number>;
    /** Lets deletion and other changes of its labels wait for the end of the transaction. False when it is gone. */
    readonly lock: (inner: CallContext, id: number) => Promise<boolean>;
  };
}

/** Whatever takes a key throws kind `invalid` for one that names no row; for a thing that is not there, `not_found`. */
export interface LabelsService<Row extends Label, Key> {
  /** `names` null is all. */
  listLabels: LabelsStore<Row>["list"];
  findLabels: LabelsStore<Row>["find"];
  listOf: LabelsStore<Row>["listOf"];
  countUses: LabelsStore<Row>["countUses"];
  /** Throws kind `not_found`. */
  getLabel(context: CallContext, label: Key): Promise<Row>;
  /** With things that have it at once. Throws kind `conflict` for a name that is taken. */
  createLabel(context: CallContext, words: LabelWords, owners?: readonly Key[]): Promise<Row>;
  /** What is absent stays. Null when it is gone. Throws as `createLabel`. */
  updateLabel(context: CallContext, label: Key, changes: Partial<LabelWords>): Promise<Row | null>;
  /** All or none, in the order of the keys. Throws kind `not_found`, where the kind has it so. */
  deleteLabels(context: CallContext, labels: readonly Key[]): Promise<Row[]>;
  /** Also when the thing has it already. Throws kind `not_found`. */
  addLabel(context: CallContext, owner: Key, label: Key): Promise<Row>;
  /** The thing then has this one, too, which is made where there is none of its name. In the transaction of the caller. */
  ensureLabel(inner: CallContext, ownerId: number, words: LabelWords): Promise<void>;
  /** All or none. Throws kind `not_found` for one that the thing does not have, where the kind has it so. */
  removeLabels(context: CallContext, owner: Key, labels: readonly Key[]): Promise<void>;
  /** The thing then has exactly these, in the order of the kind. Throws kind `not_found`. */
  setLabels(context: CallContext, owner: Key, labels: readonly Key[]): Promise<Row[]>;
}

export function createLabelsService<Row extends Label, Key>(
  dependencies: LabelsDependencies<Row, Key>,
): LabelsService<Row, Key> {
  const { kind, store, storage, owners } = dependencies;

  /** Runs `work` with the thing held. */
  const holding = <Result>(
    context: CallContext,
    owner: Key,
    work: (inner: CallContext, ownerId: number) => Promise<Result>,
  ): Promise<Result> =>
    storage.transaction(context, async (inner) => {
      const id = await owners.idOf(inner, owner);
      if (!(await owners.lock(inner, id))) throw kind.ownerNotFound(owner);
      return work(inner, id);
    });

  const rowIdsOf = (labels: readonly Key[]) => labels.map((label) => kind.rowIdOf(label));

  function requireAll(
    labels: readonly Key[],
    found: { has(id: number): boolean },
    missing: ((label: Key) => Failure) | null,
  ): void {
    const unknown = labels.find((label) => !found.has(kind.rowIdOf(label)));
    if (unknown !== undefined && missing !== null) throw missing(unknown);
  }

  async function requireLabels(context: CallContext, labels: readonly Key[]): Promise<Row[]> {
    const ids = rowIdsOf(labels);
    const found = await store.find(context, ids);
    requireAll(labels, found, kind.notFound);
    return ids.map((id) => found.get(id)!);
  }

  return {
    listLabels: store.list,
    findLabels: store.find,
    listOf: store.listOf,
    countUses: store.countUses,

    getLabel: async (context, label) => (await requireLabels(context, [label]))[0]!,

    createLabel: (context, words, named = []) =>
      storage.transaction(context, async (inner) => {
        const created = await store.insert(inner, words, authorIdOf(inner.principal));
        if (created === null) throw kind.nameTaken(words.name);
        const found = new Map<number, Key>();
        for (const owner of named) found.set(await owners.idOf(inner, owner), owner);
        // In the order of their ids: two callers who name the same ones never wait for each other.
        for (const [id, owner] of [...found].sort(([one], [other]) => one - other)) {
          if (!(await owners.lock(inner, id))) throw kind.ownerNotFound(owner);
          await store.add(inner, id, [created.id]);
        }
        return created;
      }),

    updateLabel: async (context, label, changes) =>
      store.update(context, kind.rowIdOf(label), changes).catch(duplicateAs(() => kind.nameTaken(changes.name ?? ""))),

    async deleteLabels(context, labels) {
      const ids = rowIdsOf(labels);
      return storage.transaction(context, async (inner) => {
        const removed = await store.remove(inner, ids);
        requireAll(labels, removed, kind.gone);
        return ids.flatMap((id) => removed.get(id) ?? []);
      });
    },

    async addLabel(context, owner, label) {
      kind.rowIdOf(label);
      return holding(context, owner, async (inner, ownerId) => {
        const [found] = await requireLabels(inner, [label]);
        await store.add(inner, ownerId, [found!.id]);
        return found!;
      });
    },

    async ensureLabel(inner, ownerId, words) {
      const created = await store.insert(inner, words, authorIdOf(inner.principal));
      const { id } = created ?? (await store.getByName(inner, words.name));
      await store.add(inner, ownerId, [id]);
    },

    async removeLabels(context, owner, labels) {
      const ids = rowIdsOf(labels);
      await holding(context, owner, async (inner, ownerId) =>
        requireAll(labels, await store.take(inner, ownerId, ids), kind.notCarried),
      );
    },

    async setLabels(context, owner, labels) {
      const ids = rowIdsOf(labels);
      return holding(context, owner, async (inner, ownerId) => {
        await requireLabels(inner, labels);
        await store.take(inner, ownerId, null);
        await store.add(inner, ownerId, ids);
        return (await store.listOf(inner, [ownerId])).get(ownerId) ?? [];
      });
    },
  };
}

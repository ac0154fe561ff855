// Annotations on their way to their rows: targets are found by their external ids and held while the rows are written.
import type { Clock } from "../../../../kernel/clock.ts";
import type { CallContext, Storage } from "../../../../storage/storage.ts";
import type { TargetKind } from "../annotation-targets.rules.ts";
import { positionOutOfRange, targetsNotFound } from "../annotations.errors.ts";
import type { NewAnnotation } from "../annotations.schema.ts";
import type { AnnotatedRow, AnnotationOwnersStore } from "./annotation-owners.store.ts";
import {
  type AuthoredAnnotation,
  type Authorship,
  createAnnotationPlaces,
  type PlacedAnnotation,
  rowOf,
} from "./annotation-places.service.ts";
import { type AnnotationRowsStore, identityOf, type StandingAnnotation } from "./annotation-rows.store.ts";

interface AnnotationWritingDependencies {
  readonly storage: Storage;
  readonly owners: AnnotationOwnersStore;
  readonly rows: AnnotationRowsStore;
  readonly clock: Clock;
}

export interface AnnotationWriting {
  /** Now. */
  withAuthor(annotations: readonly NewAnnotation[], by: Authorship): readonly AuthoredAnnotation[];
  /** Throws kind `forbidden` for the place of what another user wrote, wherever the target is there. */
  requireReplaceable(context: CallContext, kind: TargetKind, annotations: readonly AuthoredAnnotation[]): Promise<void>;
  /** Throws kind `not_found` unless all targets are there, `invalid` for a document that is not. */
  requireTargets(context: CallContext, kind: TargetKind, annotations: readonly AuthoredAnnotation[]): Promise<void>;
  /** All or none, in one transaction; answers with the ids in the order of the annotations. Throws as `requireTargets`, and kind
   *  `forbidden` for the place of what another user wrote. */
  writeAll(
    context: CallContext,
    kind: TargetKind,
    annotations: readonly AuthoredAnnotation[],
  ): Promise<readonly number[]>;
  /** The same for targets that were found already. `onReplaced` is called, before anything is written, with what stands in the place of one
   *  of them, and throws where it must stay. */
  writePlaced(
    context: CallContext,
    kind: TargetKind,
    placed: readonly PlacedAnnotation[],
    onReplaced?: (standing: StandingAnnotation) => void,
  ): Promise<readonly number[]>;
  /** Those whose target is still there, in one transaction; answers with how many. Not for documents. Throws kind `forbidden`. */
  writeThere(context: CallContext, kind: TargetKind, placed: readonly PlacedAnnotation[]): Promise<number>;
  /** Runs `work` in a transaction in which the traces or sessions of the targets are held, so that none of them goes, or is judged
   *  by another writer, meanwhile. */
  holding<Result>(
    context: CallContext,
    kind: TargetKind,
    targets: readonly AnnotatedRow[],
    work: (inner: CallContext) => Promise<Result>,
  ): Promise<Result>;
  /** Those whose target is there, in one transaction; answers with the others. Throws kind `forbidden`. `isLate` passes over those in
   *  whose place something newer, or of another user, stands. Documents that are not there are passed over. */
  writePresent(
    context: CallContext,
    kind: TargetKind,
    annotations: readonly AuthoredAnnotation[],
    options: { readonly isLate: boolean },
  ): Promise<readonly AuthoredAnnotation[]>;
}

export function createAnnotationWriting({
  storage,
  owners,
  rows,
  clock,
}: AnnotationWritingDependencies): AnnotationWriting {
  const holding = holdingWith(storage);
  const places = createAnnotationPlaces(rows);

  async function place(context: CallContext, kind: TargetKind, annotations: readonly AuthoredAnnotation[]) {
    const found = await owners.find(context, kind, keysOf(annotations));
    const placed: PlacedAnnotation[] = [];
    const missing: AuthoredAnnotation[] = [];
    for (const annotation of annotations) {
      const owner = found.get(annotation.targetKey);
      if (owner === undefined) missing.push(annotation);
      else placed.push({ annotation, owner });
    }
    return { placed, missing };
  }

  /** Those whose document is there; all of other targets. Calls `onMissing` for each of the others. */
  async function withDocuments(
    context: CallContext,
    kind: TargetKind,
    placed: readonly PlacedAnnotation[],
    onMissing: (annotation: AuthoredAnnotation) => void,
  ): Promise<readonly PlacedAnnotation[]> {
    if (kind.target !== "document" || placed.length === 0) return placed;
    const counts = await owners.countDocuments(context, ownerIdsOf(placed));
    return placed.filter(({ annotation, owner }) => {
      const isThere = annotation.position >= 0 && annotation.position < (counts.get(owner.id) ?? 0);
      if (!isThere) onMissing(annotation);
      return isThere;
    });
  }

  async function placeAll(context: CallContext, kind: TargetKind, annotations: readonly AuthoredAnnotation[]) {
    const { placed, missing } = await place(context, kind, annotations);
    if (missing.length > 0) throw targetsNotFound(kind, keysOf(missing));
    return placed;
  }

  const requireDocuments = (context: CallContext, kind: TargetKind, placed: readonly PlacedAnnotation[]) =>
    withDocuments(context, kind, placed, ({ targetKey, position }) => {
      throw positionOutOfRange(targetKey, position);
    });

  const writePlaced: AnnotationWriting["writePlaced"] = async (context, kind, placed, onReplaced) => {
    if (placed.length === 0) return [];
    await requireDocuments(context, kind, placed);
    return holding(context, kind, targetsOf(placed), async (inner) => {
      const { gone } = await split(inner, kind, placed);
      if (gone.length > 0) throw targetsNotFound(kind, keysOf(gone));
      if (onReplaced !== undefined) (await places.listStanding(inner, kind, placed)).forEach(onReplaced);
      await places.requireReplaceable(inner, kind, placed);
      const ids = await upsert(inner, kind, placed, false);
      return placed.map((one) => ids.get(identityOf(rowOf(one)))!);
    });
  };

  /** Inside the transaction that holds the targets; of those with the same identity the last one stays. */
  async function upsert(
    inner: CallContext,
    kind: TargetKind,
    placed: readonly PlacedAnnotation[],
    isLate: boolean,
  ): Promise<ReadonlyMap<string, number>> {
    if (placed.length === 0) return new Map();
    const byIdentity = new Map(placed.map((one) => [identityOf(rowOf(one)), rowOf(one)]));
    return rows.upsert(inner, kind, [...byIdentity.values()], { isLate });
  }

  /** Of the placed ones those whose target is still there, and the others. */
  async function split(inner: CallContext, kind: TargetKind, placed: readonly PlacedAnnotation[]) {
    const present = await owners.listPresent(inner, kind, ownerIdsOf(placed));
    return {
      there: placed.filter(({ owner }) => present.has(owner.id)),
      gone: placed.filter(({ owner }) => !present.has(owner.id)).map(({ annotation }) => annotation),
    };
  }

  return {
    withAuthor(annotations, by) {
      const saidUs = clock.now();
      return annotations.map((annotation) => ({ ...annotation, ...by, saidUs }));
    },

    async requireReplaceable(context, kind, annotations) {
      await places.requireReplaceable(context, kind, (await place(context, kind, annotations)).placed);
    },

    async requireTargets(context, kind, annotations) {
      await requireDocuments(context, kind, await placeAll(context, kind, annotations));
    },

    writeAll: async (context, kind, annotations) =>
      writePlaced(context, kind, await placeAll(context, kind, annotations)),

    writePlaced,
    holding,

    async writeThere(context, kind, placed) {
      if (placed.length === 0) return 0;
      return holding(context, kind, targetsOf(placed), async (inner) => {
        const { there } = await split(inner, kind, placed);
        await places.requireReplaceable(inner, kind, there);
        await upsert(inner, kind, there, false);
        return there.length;
      });
    },

    async writePresent(context, kind, annotations, { isLate }) {
      const { placed, missing } = await place(context, kind, annotations);
      const wanted = await withDocuments(context, kind, placed, () => {});
      if (wanted.length === 0) return missing;
      return holding(context, kind, targetsOf(wanted), async (inner) => {
        const { there, gone } = await split(inner, kind, wanted);
        const written = await (isLate ? places.listReplaceable : places.requireReplaceable)(inner, kind, there);
        await upsert(inner, kind, written, isLate);
        return [...missing, ...gone];
      });
    },
  };
}

function holdingWith(storage: Storage): AnnotationWriting["holding"] {
  return (context, kind, targets, work) => {
    if (kind.owners === "sessions") {
      return storage.transaction(context, async (inner) => {
        await storage.lockSessions(inner, [...new Set(targets.map(({ id }) => id))]);
        return work(inner);
      });
    }
    return storage.withTraces(context, [...new Set(targets.map(({ traceKey }) => traceKey!))], work);
  };
}

/** Different external ids of targets. */
export function keysOf(annotations: readonly { readonly targetKey: string }[]): string[] {
  return [...new Set(annotations.map(({ targetKey }) => targetKey))];
}

const targetsOf = (placed: readonly PlacedAnnotation[]) => placed.map(({ owner }) => owner);

function ownerIdsOf(placed: readonly PlacedAnnotation[]): number[] {
  return [...new Set(placed.map(({ owner }) => owner.id))];
}

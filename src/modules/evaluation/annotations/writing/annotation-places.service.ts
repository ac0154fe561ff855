// Annotations with their targets, and the places where they go: one for each target, name and identifier. What another user wrote there
// is replaced by administrators alone.
import { refusalOf } from "../../../../access/policy.ts";
import { authorIdOf, type Principal } from "../../../../access/principal.ts";
import type { AnnotationSource } from "../../../../model/annotation.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { TargetKind } from "../annotation-targets.rules.ts";
import { replacesAnothersAt } from "../annotations.errors.ts";
import type { NewAnnotation } from "../annotations.schema.ts";
import type { AnnotatedRow } from "./annotation-owners.store.ts";
import {
  type AnnotationRowsStore,
  identityOf,
  type StandingAnnotation,
  type WrittenAnnotation,
} from "./annotation-rows.store.ts";

export interface Authorship {
  readonly source: AnnotationSource;
  readonly userId: number | null;
  /** May stand in the place of what another user wrote. Those pending from before this was kept may not. */
  readonly replacesOthers?: boolean;
}

/** An annotation with its author and its time (microseconds UTC). */
export interface AuthoredAnnotation extends NewAnnotation, Authorship {
  /** Part of the stored JSON of pending annotations: its name must not change. */
  readonly saidUs: number;
}

/** One of them with its target. */
export interface PlacedAnnotation {
  readonly annotation: AuthoredAnnotation;
  readonly owner: AnnotatedRow;
}

/** Asked inside the transaction that holds the targets. */
interface AnnotationPlaces {
  /** What stands in the places now. */
  listStanding(
    inner: CallContext,
    kind: TargetKind,
    placed: readonly PlacedAnnotation[],
  ): Promise<StandingAnnotation[]>;
  /** Those that may be written, in their order. What has no author may be replaced. */
  listReplaceable(
    inner: CallContext,
    kind: TargetKind,
    placed: readonly PlacedAnnotation[],
  ): Promise<readonly PlacedAnnotation[]>;
  /** All of them. Throws kind `forbidden` where another user's stands in the way. */
  requireReplaceable(
    inner: CallContext,
    kind: TargetKind,
    placed: readonly PlacedAnnotation[],
  ): Promise<readonly PlacedAnnotation[]>;
}

export function createAnnotationPlaces(rows: AnnotationRowsStore): AnnotationPlaces {
  const listStanding: AnnotationPlaces["listStanding"] = (inner, kind, placed) =>
    rows.listStanding(inner, kind, placed.map(rowOf));

  async function divide(inner: CallContext, kind: TargetKind, placed: readonly PlacedAnnotation[]) {
    if (placed.every(({ annotation }) => annotation.replacesOthers)) return { replaceable: placed, others: [] };
    const authors = new Map((await listStanding(inner, kind, placed)).map((one) => [identityOf(one), one.userId]));
    const replaceable: PlacedAnnotation[] = [];
    const others: PlacedAnnotation[] = [];
    for (const one of placed) {
      const place = identityOf(rowOf(one));
      if (mayReplace(authors.get(place) ?? null, one.annotation)) {
        replaceable.push(one);
        authors.set(place, one.annotation.userId);
      } else others.push(one);
    }
    return { replaceable, others };
  }

  return {
    listStanding,
    listReplaceable: async (inner, kind, placed) => (await divide(inner, kind, placed)).replaceable,

    async requireReplaceable(inner, kind, placed) {
      const { replaceable, others } = await divide(inner, kind, placed);
      if (others[0] !== undefined) throw replacesAnothersAt(kind, others[0].annotation);
      return replaceable;
    },
  };
}

/** Whose the caller's annotations are, and what they may replace. */
export function authorshipOf(principal: Principal): Required<Pick<Authorship, "userId" | "replacesOthers">> {
  return {
    userId: authorIdOf(principal),
    replacesOthers: refusalOf(principal, "annotations.replace_others") === null,
  };
}

/** Whether it may stand in the place of what `author` wrote; null where nothing stands there, or no user wrote it. */
export function mayReplace(author: number | null, { userId, replacesOthers }: Authorship): boolean {
  return author === null || author === userId || replacesOthers === true;
}

export function rowOf({ annotation, owner }: PlacedAnnotation): WrittenAnnotation {
  const { targetKey: _targetKey, replacesOthers: _replacesOthers, saidUs, ...content } = annotation;
  return { ...content, ownerId: owner.id, createdUs: saidUs, updatedUs: saidUs };
}

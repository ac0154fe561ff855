// What the pages and programs change by row id, one batch all or none: annotations and notes of rows, changes and deletions of single
// annotations. Only its author may change an annotation; administrators may also delete it.
import { isAdministrator } from "../../../../access/policy.ts";
import { authorIdOf, type Principal } from "../../../../access/principal.ts";
import type { Clock } from "../../../../kernel/clock.ts";
import { findRowId, globalId } from "../../../../kernel/ids.ts";
import { storableText } from "../../../../kernel/validation-scalars.ts";
import { type AnnotationSource, NOTE } from "../../../../model/annotation.ts";
import type { CallContext, Storage } from "../../../../storage/storage.ts";
import { USER } from "../../../accounts/users/users.schema.ts";
import type { TargetKind } from "../annotation-targets.rules.ts";
import {
  annotationsNotFound,
  noteExpected,
  notOwn,
  placeTaken,
  replacesAnothers,
  reservedForNotes,
  targetsNotFound,
  wrongAnnotationId,
  wrongTargetId,
} from "../annotations.errors.ts";
import type { AnnotationRecord, NewAnnotation } from "../annotations.schema.ts";
import type { AnnotationsStore } from "../annotations.store.ts";
import type { AnnotatedRow, AnnotationOwnersStore } from "../writing/annotation-owners.store.ts";
import { authorshipOf } from "../writing/annotation-places.service.ts";
import { type AnnotationRowsStore, identityOf, type StandingAnnotation } from "../writing/annotation-rows.store.ts";
import type { AnnotationWriting } from "../writing/annotation-writing.service.ts";
import { noteContent } from "../writing/notes.rules.ts";

/** A target by its global id or by the sender's id. */
export type NamedTarget = { readonly id: string } | { readonly key: string };

/** An annotation of a target, with its source. */
export interface GivenAnnotation extends Omit<NewAnnotation, "targetKey" | "identifier"> {
  readonly target: NamedTarget;
  /** Null where none is given: then what a person says on the pages is that person's one annotation of the name. */
  readonly identifier: string | null;
  readonly source: AnnotationSource;
}

export interface GivenNote extends Pick<GivenAnnotation, "target" | "annotatorKind" | "source"> {
  readonly text: string;
  /** Empty makes a note of its own. */
  readonly identifier: string;
}

/** What a change replaces; what is absent stays. */
type AnnotationChanges = Partial<
  Pick<
    AnnotationRecord,
    "name" | "identifier" | "annotatorKind" | "label" | "score" | "explanation" | "metadata" | "source"
  >
>;

export interface AnnotationChange {
  /** Global id of the annotation. */
  readonly id: string;
  readonly changes: AnnotationChanges;
}

interface AnnotationChangesDependencies {
  readonly storage: Storage;
  readonly store: AnnotationsStore;
  readonly owners: AnnotationOwnersStore;
  readonly rows: AnnotationRowsStore;
  readonly writing: AnnotationWriting;
  readonly clock: Clock;
  /** A unique text. */
  readonly uniqueText: () => string;
}

/** Every method answers in the order of what was given. Throws kind `not_found` for targets and annotations that are not there, `invalid`
 *  for ids of something else, `forbidden` for what another wrote. */
export interface AnnotationChangesService {
  /** Each in the place of the one with its target, name and identifier, which must be the caller's own unless an administrator asks:
   *  of a session that is a conflict, of a document administrators are refused, too. Throws kind `malformed` for the name of notes. */
  create(
    context: CallContext,
    kind: TargetKind,
    annotations: readonly GivenAnnotation[],
  ): Promise<readonly AnnotationRecord[]>;
  addNotes(context: CallContext, kind: TargetKind, notes: readonly GivenNote[]): Promise<readonly AnnotationRecord[]>;
  /** Throws kind `conflict` where another annotation has the name and identifier. */
  change(
    context: CallContext,
    kind: TargetKind,
    changes: readonly AnnotationChange[],
  ): Promise<readonly AnnotationRecord[]>;
  /** Answers with what was deleted. Notes and other annotations each have a call of their own. */
  remove(
    context: CallContext,
    kind: TargetKind,
    ids: readonly string[],
    options: { readonly notes: boolean },
  ): Promise<readonly AnnotationRecord[]>;
}

/** With authentication off everything is everybody's own. */
function isOwn(principal: Principal, { userId }: Pick<AnnotationRecord, "userId">): boolean {
  return principal.kind === "open" || (userId !== null && userId === authorIdOf(principal));
}

export function createAnnotationChangesService(dependencies: AnnotationChangesDependencies): AnnotationChangesService {
  const { storage, store, owners, rows, writing, clock } = dependencies;

  async function write(
    context: CallContext,
    kind: TargetKind,
    annotations: readonly (Omit<GivenAnnotation, "identifier"> & { readonly identifier: string })[],
    onReplaced?: (standing: StandingAnnotation) => void,
  ): Promise<readonly AnnotationRecord[]> {
    const targets = await getTargets(
      owners,
      context,
      kind,
      annotations.map(({ target }) => target),
    );
    const by = { ...authorshipOf(context.principal), saidUs: clock.now() };
    const placed = annotations.map(({ target: _target, ...given }, at) => {
      const owner = targets[at]!;
      return { owner, annotation: { ...storable(given), targetKey: owner.key, ...by } };
    });
    return getAnnotations(store, context, kind, await writing.writePlaced(context, kind, placed, onReplaced));
  }

  return {
    async create(context, kind, annotations) {
      const { principal } = context;
      const userId = authorIdOf(principal);
      if (kind.target !== "document" && annotations.some(({ name }) => name === NOTE)) {
        throw reservedForNotes(kind, "create");
      }
      const onReplaced = {
        span: undefined,
        trace: undefined,
        session: (standing: StandingAnnotation) => {
          throw placeTaken(kind, standing);
        },
        document: (standing: StandingAnnotation) => {
          if (standing.userId !== null && !isOwn(principal, standing)) throw replacesAnothers();
        },
      }[kind.target];
      const own = userId === null ? "" : `px-app:${globalId(USER, userId)}`;
      const given = annotations.map(({ identifier, ...annotation }) => {
        return { ...annotation, identifier: identifier ?? (annotation.source === "APP" ? own : "") };
      });
      return write(context, kind, given, onReplaced);
    },

    addNotes(context, kind, notes) {
      const annotations = notes.map(({ text, identifier, ...note }) => ({
        ...note,
        ...noteContent(kind, { text, identifier }, dependencies.uniqueText),
      }));
      return write(context, kind, annotations);
    },

    async change(context, kind, changes) {
      const ids = changes.map(({ id }) => requireAnnotationId(kind, id));
      const found = await getAnnotations(store, context, kind, ids);
      const ownerIds = [...new Set(found.map(({ ownerId }) => ownerId))];
      const targets = [...(await owners.findRows(context, kind, ownerIds)).values()];
      return writing.holding(context, kind, targets, async (inner) => {
        const before = await getAnnotations(store, inner, kind, ids);
        const isOrdinary = (record: AnnotationRecord) => kind.target === "document" || record.name !== NOTE;
        const updatedUs = clock.now();
        const after = before.map((record, at) => ({ ...record, ...storable(changes[at]!.changes), updatedUs }));
        if (![...before, ...after].every(isOrdinary)) throw reservedForNotes(kind, "create");
        if (!before.every((record) => isOwn(context.principal, record))) throw notOwn(kind);
        requireFreePlaces(kind, after, await store.listOf(inner, kind, ownerIds));
        await rows.update(inner, kind, after);
        return after;
      });
    },

    async remove(context, kind, ids, { notes }) {
      const rowIds = ids.map((id) => requireAnnotationId(kind, id));
      return storage.transaction(context, async (inner) => {
        const found = await getAnnotations(store, inner, kind, rowIds);
        if (kind.target !== "document" && found.some(({ name }) => (name === NOTE) !== notes)) {
          throw notes ? noteExpected(kind) : reservedForNotes(kind, "delete");
        }
        const { principal } = context;
        if (!isAdministrator(principal) && !found.every((record) => isOwn(principal, record))) throw notOwn(kind);
        await store.remove(inner, kind, rowIds);
        return found;
      });
    },
  };
}

/** In the order of the names. */
async function getTargets(
  owners: AnnotationOwnersStore,
  context: CallContext,
  kind: TargetKind,
  named: readonly NamedTarget[],
) {
  const rowIds = named.map((one) => ("id" in one ? requireId(kind, one.id) : null));
  const [byId, byKey] = await Promise.all([
    owners.findRows(context, kind, [...new Set(rowIds.filter((id) => id !== null))]),
    owners.find(context, kind, [...new Set(named.flatMap((one) => ("key" in one ? [one.key] : [])))]),
  ]);
  const missing: string[] = [];
  const found: AnnotatedRow[] = [];
  named.forEach((one, at) => {
    const owner = "id" in one ? byId.get(rowIds[at]!) : byKey.get(one.key);
    if (owner === undefined) missing.push("id" in one ? one.id : one.key);
    else found.push(owner);
  });
  if (missing.length > 0) throw targetsNotFound(kind, missing);
  return found;
}

/** In the order of the ids. */
async function getAnnotations(store: AnnotationsStore, context: CallContext, kind: TargetKind, ids: readonly number[]) {
  const found = new Map((await store.findAll(context, kind, ids)).map((record) => [record.id, record]));
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length > 0)
    throw annotationsNotFound(
      kind,
      missing.map((id) => globalId(kind.type, id)),
    );
  return ids.map((id) => found.get(id)!);
}

/** Of several annotations that are changed together, none may come to stand where another stands, or stood before. */
function requireFreePlaces(kind: TargetKind, changed: readonly AnnotationRecord[], all: readonly AnnotationRecord[]) {
  const taken = new Map(all.map((record) => [identityOf(record), record.id]));
  for (const record of changed) {
    const place = identityOf(record);
    const there = taken.get(place);
    if (there !== undefined && there !== record.id) throw placeTaken(kind, record);
    taken.set(place, record.id);
  }
}

/** With its texts as both databases take them. */
function storable<Given extends object>(given: Given): Given {
  const entries = Object.entries(given).map(([name, value]) => [
    name,
    typeof value === "string" ? storableText(value) : value,
  ]);
  return Object.fromEntries(entries) as Given;
}

function requireId(kind: TargetKind, id: string): number {
  const rowId = findRowId(kind.ownerType, id);
  if (rowId === null) throw wrongTargetId(kind, id);
  return rowId;
}

function requireAnnotationId(kind: TargetKind, id: string): number {
  const rowId = findRowId(kind.type, id);
  if (rowId === null) throw wrongAnnotationId(kind, id);
  return rowId;
}

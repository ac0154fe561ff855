// The use cases of annotations over every kind of target: written, listed, deleted, and pending for targets that have not arrived.
import {
  arrivalCursors,
  emptyPage,
  type Page,
  type RestRequest,
  readRestCursor,
  startAt,
} from "../../../kernel/list.ts";
import type { AnnotationSource } from "../../../model/annotation.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { ProjectsService } from "../../tracing/projects/projects.service.ts";
import type { TargetKind } from "./annotation-targets.rules.ts";
import {
  documentIdentifier,
  nothingWanted,
  reservedName,
  targetsNotFound,
  tooManyWanted,
} from "./annotations.errors.ts";
import { type AnnotationRecord, MOST_WANTED, type NewAnnotation } from "./annotations.schema.ts";
import type { AnnotationsStore, ListedAnnotation } from "./annotations.store.ts";
import type { PendingAnnotations } from "./pending/pending-annotations.service.ts";
import { type AnnotationRequests, MOST_GATHERED } from "./requests/annotation-requests.service.ts";
import type { AnnotationBatch } from "./writing/annotation-bodies.rules.ts";
import {
  type AnnotationDeletions,
  createAnnotationDeletions,
  everyAnnotation,
} from "./writing/annotation-deletions.service.ts";
import type { AnnotationOwnersStore } from "./writing/annotation-owners.store.ts";
import { authorshipOf } from "./writing/annotation-places.service.ts";
import { type AnnotationWriting, keysOf } from "./writing/annotation-writing.service.ts";
import { noteContent } from "./writing/notes.rules.ts";

interface AnnotationsDependencies {
  readonly store: AnnotationsStore;
  readonly owners: AnnotationOwnersStore;
  readonly writing: AnnotationWriting;
  readonly requests: AnnotationRequests;
  readonly pending: PendingAnnotations;
  readonly projects: ProjectsService;
  /** A unique text. */
  readonly uniqueText: () => string;
}

/** What REST asks for. */
interface AnnotationListRequest extends RestRequest {
  /** External ids of targets. */
  readonly keys?: readonly string[] | undefined;
  readonly identifiers?: readonly string[] | undefined;
  readonly names?: readonly string[] | undefined;
  readonly otherNames?: readonly string[] | undefined;
  /** What the parameter of the keys is called. */
  readonly keysParameter: string;
}

interface NewNote {
  readonly targetKey: string;
  readonly text: string;
  /** Empty makes a note of its own. */
  readonly identifier: string;
}

export interface AnnotationsService extends AnnotationDeletions {
  /** Stores a batch, each annotation in the place of the one with its target, name and identifier. With `sync` it answers with the
   *  ids in the order of the batch and throws kind `not_found` for unknown targets, when nothing is stored; without, it answers with
   *  none, and what has no target yet waits for it. Throws kind `malformed` for the name of notes, `invalid` for documents that
   *  are not there, `forbidden` for the place of another user's annotation. */
  annotate(
    context: CallContext,
    kind: TargetKind,
    batch: AnnotationBatch,
    options: { readonly sync: boolean },
  ): Promise<readonly number[]>;
  /** Answers with its id. Throws kind `not_found` for an unknown target. */
  addNote(context: CallContext, kind: TargetKind, note: NewNote, source: AnnotationSource): Promise<number>;
  /** Newest first. Throws kind `invalid` for too many or no ids, `not_found` for the project and when none of the targets is in
   *  it. */
  listAnnotations(
    context: CallContext,
    kind: TargetKind,
    projectIdentifier: string,
    request: AnnotationListRequest,
  ): Promise<Page<ListedAnnotation>>;
  /** By row id; those that are gone are left out. */
  findAnnotations(
    context: CallContext,
    kind: TargetKind,
    ids: readonly number[],
  ): Promise<Map<number, AnnotationRecord>>;
  /** Of each owner its annotations, oldest first. */
  listOf(context: CallContext, kind: TargetKind, ownerIds: readonly number[]): Promise<Map<number, AnnotationRecord[]>>;
  /** Of the spans of each trace, without notes: the newest `most`, newest first. */
  listOfTraces(
    context: CallContext,
    traceIds: readonly number[],
    most: number,
  ): Promise<Map<number, readonly AnnotationRecord[]>>;
}

export function createAnnotationsService(dependencies: AnnotationsDependencies): AnnotationsService {
  const { store, owners, writing, requests, pending, projects } = dependencies;

  async function requireWritable(kind: TargetKind, batch: AnnotationBatch): Promise<number> {
    const { count, hasReservedName, hasIdentifier } = await batch.facts();
    const isDocument = kind.target === "document";
    if (hasReservedName && !isDocument) throw reservedName(kind);
    if (hasIdentifier && isDocument) throw documentIdentifier();
    return count;
  }

  /** Calls `work` with one part of the batch after the other. */
  async function inParts(
    batch: AnnotationBatch,
    count: number,
    work: (part: readonly NewAnnotation[]) => Promise<unknown>,
  ): Promise<void> {
    for (let position = 0; position < count; ) {
      const part = await batch.part(position);
      await work(part);
      position += part.length;
    }
  }

  const by = (context: CallContext, source: AnnotationSource) => ({ source, ...authorshipOf(context.principal) });

  return {
    async annotate(context, kind, batch, { sync }) {
      const count = await requireWritable(kind, batch);
      const authored = (part: readonly NewAnnotation[]) => writing.withAuthor(part, by(context, "API"));
      const ids: number[] = [];
      const few = count <= MOST_GATHERED ? await batch.part(0) : [];
      if (few.length === count) {
        if (count === 0) return ids;
        const whereMissing = sync ? "refuse" : "wait";
        const written = await requests.write(kind, { annotations: authored(few), whereMissing });
        if (written.pending.length > 0) await pending.applyTo(context, keysOf(written.pending));
        return sync ? written.ids : ids;
      }
      // Before anything is written: one place of another user refuses them all.
      if (!authorshipOf(context.principal).replacesOthers) {
        await inParts(batch, count, (part) => writing.requireReplaceable(context, kind, authored(part)));
      }
      if (!sync) {
        await inParts(batch, count, (part) => pending.writeOrKeep(context, kind, authored(part)));
        return ids;
      }
      // Before anything is written: one unknown target refuses them all.
      await inParts(batch, count, (part) => writing.requireTargets(context, kind, authored(part)));
      await inParts(batch, count, async (part) => ids.push(...(await writing.writeAll(context, kind, authored(part)))));
      return ids;
    },

    async addNote(context, kind, { targetKey, ...written }, source) {
      const content = noteContent(kind, written, dependencies.uniqueText);
      const note: NewAnnotation = { ...content, targetKey, annotatorKind: "HUMAN" };
      const annotations = writing.withAuthor([note], by(context, source));
      const { ids } = await requests.write(kind, { annotations, whereMissing: "refuse" });
      return ids[0]!;
    },

    async listAnnotations(context, kind, projectIdentifier, request) {
      const keys = distinct(request.keys);
      const identifiers = distinct(request.identifiers);
      if (keys !== null && keys.length > MOST_WANTED) throw tooManyWanted(request.keysParameter);
      if (identifiers !== null && identifiers.length > MOST_WANTED) throw tooManyWanted("identifier");
      if (keys === null && identifiers === null) throw nothingWanted(request.keysParameter);
      const { id: projectId } = await projects.getProject(context, projectIdentifier);
      const start = startAt(readRestCursor(arrivalCursors(kind.type), request.cursor));
      const ownerIds = keys === null ? null : await owners.listIn(context, kind, projectId, keys);
      if (ownerIds?.length === 0) {
        if (identifiers === null) throw targetsNotFound(kind, keys!);
        return emptyPage;
      }
      const filter = {
        ...everyAnnotation(projectId),
        ownerIds,
        identifiers,
        names: distinct(request.names),
        otherNames: distinct(request.otherNames),
      };
      return store.list(context, kind, filter, { start, limit: request.limit });
    },

    ...createAnnotationDeletions({ store, projects }),

    async findAnnotations(context, kind, ids) {
      const found = await store.findAll(context, kind, ids);
      return new Map(found.map((annotation) => [annotation.id, annotation]));
    },

    async listOf(context, kind, ownerIds) {
      const lists = new Map<number, AnnotationRecord[]>(ownerIds.map((id) => [id, []]));
      for (const annotation of await store.listOf(context, kind, ownerIds)) {
        lists.get(annotation.ownerId)?.push(annotation);
      }
      return lists;
    },

    async listOfTraces(context, traceIds, most) {
      return Map.groupBy(await store.listOfTraces(context, traceIds, most), ({ traceId }) => traceId);
    },
  };
}

/** Null where nothing was sent: then it does not matter. */
function distinct(texts: readonly string[] | undefined): readonly string[] | null {
  return texts === undefined || texts.length === 0 ? null : [...new Set(texts)];
}

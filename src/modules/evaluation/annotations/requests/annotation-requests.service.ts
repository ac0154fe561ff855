// Requests of few annotations each, many of them in one transaction: a commit costs more than the rows of one request. Each request is
// accepted or refused by itself, in the order of arrival, as if it were alone.
import { createGatheredWrites, type WriteOutcome } from "../../../../storage/gathered-writes.ts";
import type { CallContext, Storage } from "../../../../storage/storage.ts";
import { type TargetKind, targetKinds } from "../annotation-targets.rules.ts";
import { positionOutOfRange, replacesAnothersAt, targetsNotFound } from "../annotations.errors.ts";
import { pendingRowOf } from "../pending/pending-annotations.service.ts";
import type { PendingAnnotationsStore } from "../pending/pending-annotations.store.ts";
import type { AnnotatedRow, AnnotationOwnersStore } from "../writing/annotation-owners.store.ts";
import {
  type AuthoredAnnotation,
  mayReplace,
  type PlacedAnnotation,
  rowOf,
} from "../writing/annotation-places.service.ts";
import { type AnnotationRowsStore, identityOf, type WrittenAnnotation } from "../writing/annotation-rows.store.ts";
import { type AnnotationWriting, keysOf } from "../writing/annotation-writing.service.ts";

/** Larger requests have transactions of their own. */
export const MOST_GATHERED = 50;

interface AnnotationRequest {
  readonly annotations: readonly AuthoredAnnotation[];
  /** What happens where a target is not there: the request is refused, or its annotation is stored as pending. */
  readonly whereMissing: "refuse" | "wait";
}

interface WrittenRequest {
  /** In the order of the annotations, without those that are pending. */
  readonly ids: readonly number[];
  readonly pending: readonly AuthoredAnnotation[];
}

export interface AnnotationRequests {
  /** All annotations of the request or none. Throws kind `not_found` for unknown targets and `invalid` for documents that are not there,
   *  both only with `refuse`, and `forbidden` for the place of another user's annotation. */
  write(kind: TargetKind, request: AnnotationRequest): Promise<WrittenRequest>;
}

interface AnnotationRequestsDependencies {
  readonly storage: Pick<Storage, "transaction">;
  readonly ownContext: () => CallContext;
  readonly owners: AnnotationOwnersStore;
  readonly rows: AnnotationRowsStore;
  readonly pending: PendingAnnotationsStore;
  readonly writing: Pick<AnnotationWriting, "holding">;
}

/** What the requests of one transaction are judged by; `authors` and `written` grow with each request that is accepted. */
interface Judged {
  readonly kind: TargetKind;
  readonly targets: ReadonlyMap<string, AnnotatedRow>;
  /** Documents of spans by row id; null for other targets. */
  readonly documents: ReadonlyMap<number, number> | null;
  /** Of what stands in a place, by identity. */
  readonly authors: Map<string, number | null>;
  /** By identity: of several requests for one place the last one stays. */
  readonly written: Map<string, WrittenAnnotation>;
}

interface AcceptedRequest {
  readonly identities: readonly string[];
  readonly pending: readonly AuthoredAnnotation[];
}

export function createAnnotationRequests(dependencies: AnnotationRequestsDependencies): AnnotationRequests {
  const { storage, ownContext, owners, rows, pending, writing } = dependencies;

  async function authorsOf(
    inner: CallContext,
    kind: TargetKind,
    requests: readonly AnnotationRequest[],
    targets: ReadonlyMap<string, AnnotatedRow>,
  ): Promise<Map<string, number | null>> {
    const annotations = requests.flatMap((request) => request.annotations);
    if (annotations.every(({ replacesOthers }) => replacesOthers)) return new Map();
    const placed = annotations.flatMap((annotation) => placedAt(targets, annotation) ?? []);
    const standing = await rows.listStanding(inner, kind, placed.map(rowOf));
    return new Map(standing.map((one) => [identityOf(one), one.userId]));
  }

  async function writeHeld(
    inner: CallContext,
    kind: TargetKind,
    requests: readonly AnnotationRequest[],
    found: ReadonlyMap<string, AnnotatedRow>,
  ): Promise<WriteOutcome<WrittenRequest>[]> {
    const present = await owners.listPresent(inner, kind, idsOf(found));
    const targets = new Map([...found].filter(([, { id }]) => present.has(id)));
    const judged: Judged = {
      ...{ kind, targets, written: new Map() },
      documents: kind.target === "document" ? await owners.countDocuments(inner, idsOf(targets)) : null,
      authors: await authorsOf(inner, kind, requests, targets),
    };
    const outcomes = requests.map((request) => judge(judged, request));
    const waiting = outcomes.flatMap((outcome) => ("result" in outcome ? outcome.result.pending : []));
    if (waiting.length > 0) {
      await pending.add(
        inner,
        waiting.map((annotation) => pendingRowOf(kind, annotation)),
      );
    }
    const written = [...judged.written.values()];
    const ids = written.length === 0 ? null : await rows.upsert(inner, kind, written, { isLate: false });
    return outcomes.map((outcome) => {
      if ("refusal" in outcome) return outcome;
      const { identities, pending } = outcome.result;
      return { result: { ids: identities.map((identity) => ids!.get(identity)!), pending } };
    });
  }

  const gatheredOf = (kind: TargetKind) =>
    createGatheredWrites<AnnotationRequest, WrittenRequest>({
      storage,
      ownContext,
      rowsOf: ({ annotations }) => annotations.length,
      bytesOf: ({ annotations }) => annotations.reduce((sum, annotation) => sum + bytesOf(annotation), 0),
      async work(context, requests) {
        const found = await owners.find(context, kind, keysOf(requests.flatMap(({ annotations }) => annotations)));
        if (found.size === 0) return writeHeld(context, kind, requests, found);
        return writing.holding(context, kind, [...found.values()], (inner) => writeHeld(inner, kind, requests, found));
      },
    });
  // A transaction holds the targets of one kind: traces are locked before sessions.
  const gathered = {
    span: gatheredOf(targetKinds.span),
    trace: gatheredOf(targetKinds.trace),
    session: gatheredOf(targetKinds.session),
    document: gatheredOf(targetKinds.document),
  };

  return { write: ({ target }, request) => gathered[target](request) };
}

/** Accepts the request, or refuses it without a trace in what the next ones are judged by. */
function judge(
  { kind, targets, documents, authors, written }: Judged,
  { annotations, whereMissing }: AnnotationRequest,
): WriteOutcome<AcceptedRequest> {
  const missing = annotations.filter(({ targetKey }) => !targets.has(targetKey));
  const found = annotations.flatMap((annotation) => placedAt(targets, annotation) ?? []);
  const ofAnother = found.find((one) => !mayReplace(authors.get(identityOf(rowOf(one))) ?? null, one.annotation));
  if (ofAnother !== undefined) return { refusal: replacesAnothersAt(kind, ofAnother.annotation) };
  const mayMiss = whereMissing === "wait";
  if (missing.length > 0 && !mayMiss) return { refusal: targetsNotFound(kind, keysOf(missing)) };
  const isThere = ({ annotation: { position }, owner }: PlacedAnnotation) =>
    documents === null || (position >= 0 && position < (documents.get(owner.id) ?? 0));
  const withoutDocument = found.find((one) => !isThere(one));
  if (withoutDocument !== undefined && !mayMiss) {
    const { targetKey, position } = withoutDocument.annotation;
    return { refusal: positionOutOfRange(targetKey, position) };
  }
  const identities = found.filter(isThere).map((one) => {
    const row = rowOf(one);
    const identity = identityOf(row);
    // As one after the other: what is replaced was made before.
    written.set(identity, { ...row, createdUs: written.get(identity)?.createdUs ?? row.createdUs });
    authors.set(identity, row.userId);
    return identity;
  });
  return { result: { identities, pending: missing } };
}

function placedAt(targets: ReadonlyMap<string, AnnotatedRow>, annotation: AuthoredAnnotation): PlacedAnnotation | null {
  const owner = targets.get(annotation.targetKey);
  return owner === undefined ? null : { annotation, owner };
}

function idsOf(targets: ReadonlyMap<string, AnnotatedRow>): number[] {
  return [...new Set([...targets.values()].map(({ id }) => id))];
}

/** Of UTF-16: what is waiting in memory. */
function bytesOf({ label, explanation, metadata, name, identifier }: AuthoredAnnotation): number {
  return 2 * (name.length + identifier.length + metadata.length + (label?.length ?? 0) + (explanation?.length ?? 0));
}

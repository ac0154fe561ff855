// Pending annotations: stored as rows until their target arrives. A span that is stored and an annotation that is pending each look for
// the other after their own commit, so that none of them is missed, whichever servers they came to.
import type { Clock } from "../../../../kernel/clock.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { type TargetKind, targetKinds } from "../annotation-targets.rules.ts";
import type { AuthoredAnnotation } from "../writing/annotation-places.service.ts";
import { type AnnotationWriting, keysOf } from "../writing/annotation-writing.service.ts";
import type {
  PendingAnnotation,
  PendingAnnotationsStore,
  StoredPendingAnnotation,
} from "./pending-annotations.store.ts";

/** Rows handled at once. */
const AT_ONCE = 500;
/** How long an annotation waits for its target. */
const LONGEST_WAIT_US = 24 * 3600 * 1_000_000;

interface PendingAnnotationsDependencies {
  readonly store: PendingAnnotationsStore;
  readonly writing: AnnotationWriting;
  readonly clock: Clock;
}

export interface PendingAnnotations {
  /** Writes those whose target is there and stores the others as pending. */
  writeOrKeep(context: CallContext, kind: TargetKind, annotations: readonly AuthoredAnnotation[]): Promise<void>;
  /** Writes what is pending for targets of these external ids and has arrived since; answers with the number. To be called after
   *  annotations were stored as pending, because the target may have been stored between the look and the commit. */
  applyTo(context: CallContext, keys: readonly string[]): Promise<number>;
  /** Writes what is pending and whose target has arrived since; answers with the number. */
  apply(context: CallContext): Promise<number>;
  /** Drops what has waited for a day; answers with the number. */
  dropOld(context: CallContext): Promise<number>;
}

export function pendingRowOf({ target }: TargetKind, annotation: AuthoredAnnotation): PendingAnnotation {
  const { targetKey, saidUs: receivedUs } = annotation;
  return { target, targetKey, body: JSON.stringify(annotation), receivedUs };
}

export function createPendingAnnotations({
  store,
  writing,
  clock,
}: PendingAnnotationsDependencies): PendingAnnotations {
  /** Answers with how many of them found their target. */
  async function applySome(context: CallContext, some: readonly StoredPendingAnnotation[]): Promise<number> {
    let applied = 0;
    for (const kind of Object.values(targetKinds)) {
      const rows = some.filter(({ target }) => target === kind.target);
      if (rows.length === 0) continue;
      const annotations = rows.map(({ body }) => JSON.parse(body) as AuthoredAnnotation);
      const waiting = new Set(keysOf(await writing.writePresent(context, kind, annotations, { isLate: true })));
      const done = rows.filter(({ targetKey }) => !waiting.has(targetKey)).map(({ id }) => id);
      if (done.length > 0) await store.remove(context, done);
      applied += done.length;
    }
    return applied;
  }

  async function applyOf(context: CallContext, keys: readonly string[] | null): Promise<number> {
    let applied = 0;
    for (let after = 0; ; ) {
      const some = await store.list(context, { after, keys, limit: AT_ONCE });
      applied += await applySome(context, some);
      if (some.length < AT_ONCE) return applied;
      after = some.at(-1)!.id;
    }
  }

  return {
    async writeOrKeep(context, kind, annotations) {
      const waiting = await writing.writePresent(context, kind, annotations, { isLate: false });
      if (waiting.length === 0) return;
      await store.add(
        context,
        waiting.map((annotation) => pendingRowOf(kind, annotation)),
      );
      // The target may have been stored between the look and the commit.
      await applyOf(context, keysOf(waiting));
    },

    applyTo: applyOf,

    apply: async (context) => ((await store.hasAny(context)) ? applyOf(context, null) : 0),

    dropOld: (context) => store.removeOlder(context, clock.now() - LONGEST_WAIT_US),
  };
}

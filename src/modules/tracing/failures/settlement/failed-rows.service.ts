// Writes which spans failed, with their fingerprints and groups, and opens resolved groups again.
import { stateAfterFailure } from "../../../../analysis/failures/group-rules.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { FailedSpan } from "./failed-span.rules.ts";
import type { GroupCountsStore } from "./group-counts.store.ts";
import type { KnownFingerprint, SettlementStore, StoredFailure } from "./settlement.store.ts";

/** Makes the rows of the spans that were examined those of the ones that failed. Returns the groups whose counts this changes; those
 *  that a failure leaves count themselves again. */
type FailedRows = (
  context: CallContext,
  examined: readonly number[],
  failed: readonly FailedSpan[],
) => Promise<readonly number[]>;

export function createFailedRows(store: SettlementStore, counts: GroupCountsStore): FailedRows {
  /** Rows that are as they should be stay. Returns the groups of the others. */
  async function writeFailed(
    context: CallContext,
    examined: readonly number[],
    failed: readonly FailedSpan[],
  ): Promise<readonly number[]> {
    const stored = new Map((await store.readFailures(context, examined)).map((row) => [row.spanId, row]));
    const fingerprints = await ensureFingerprints(context, failed);
    const rows = failed.map((span) => {
      const { id: fingerprintId, groupId } = fingerprints.get(placeOf(span))!;
      return { ...span, spanId: span.id, fingerprintId, groupId };
    });
    const changed = rows.filter((row) => !isSame(row, stored.get(row.spanId)));
    const right = new Set(rows.filter((row) => !changed.includes(row)).map(({ spanId }) => spanId));
    await store.removeFailures(
      context,
      [...stored.keys()].filter((id) => !right.has(id)),
    );
    await store.addFailures(context, changed);
    await reopenGroups(context, changed);
    return changed.map(({ groupId }) => groupId);
  }

  async function ensureFingerprints(context: CallContext, failed: readonly FailedSpan[]) {
    const known = new Map<string, KnownFingerprint>();
    if (failed.length === 0) return known;
    const projects = [...new Set(failed.map(({ projectId }) => projectId))];
    const wanted = [...new Set(failed.map(({ failure }) => failure.fingerprint))];
    for (const found of await store.findFingerprints(context, projects, wanted))
      known.set(`${found.projectId} ${found.fingerprint}`, found);
    for (const span of failed)
      if (!known.has(placeOf(span))) known.set(placeOf(span), await store.createGroup(context, span));
    return known;
  }

  async function reopenGroups(
    context: CallContext,
    added: readonly (FailedSpan & { readonly groupId: number })[],
  ): Promise<void> {
    if (added.length === 0) return;
    const byGroup = Map.groupBy(added, ({ groupId }) => groupId);
    for (const { id, state } of await counts.listResolved(context, [...byGroup.keys()])) {
      const reopened = byGroup
        .get(id)!
        .toSorted((one, other) => one.startUs - other.startUs)
        .map((failure) => stateAfterFailure(state, failure))
        .find((after) => after.state === "reopened");
      if (reopened !== undefined) await counts.reopen(context, id, reopened.version, reopened.atUs);
    }
  }

  return writeFailed;
}

function placeOf({ projectId, failure }: FailedSpan): string {
  return `${projectId} ${failure.fingerprint}`;
}

function isSame(row: StoredFailure, stored: StoredFailure | undefined): boolean {
  return (
    stored !== undefined &&
    stored.fingerprintId === row.fingerprintId &&
    stored.exceptionKey === row.exceptionKey &&
    stored.version === row.version &&
    stored.environment === row.environment
  );
}

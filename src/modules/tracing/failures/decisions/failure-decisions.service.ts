// States, merges and splits of groups by hand. They hold for failures that come later, too.
import type { Clock } from "../../../../kernel/clock.ts";
import type { CallContext, Storage } from "../../../../storage/storage.ts";
import type { FailureGroupsStore } from "../failure-groups.store.ts";
import {
  alreadySplit,
  failureGroupGone,
  noSuchFingerprint,
  notToBeMerged,
  splitOfName,
  versionWithoutResolution,
} from "../failures.errors.ts";
import type { FailureGroup } from "../failures.schema.ts";
import type { PendingFailuresStore } from "../settlement/pending-failures.store.ts";
import type { SettlementService } from "../settlement/settlement.service.ts";
import type { SettlementStore } from "../settlement/settlement.store.ts";
import type { FailureDecisionsStore } from "./failure-decisions.store.ts";
import type { GivenSplit } from "./given-split.rules.ts";

interface GivenState {
  readonly state: "open" | "resolved" | "ignored";
  /** The version that resolves it; null for any but those that had failed. */
  readonly resolvedVersion: string | null;
}

/** Groups by row id. Throws kind `not_found` for one that is gone. */
export interface FailureDecisionsService {
  /** Throws kind `invalid` for a version of a group that is not resolved. */
  changeState(context: CallContext, id: number, given: GivenState): Promise<FailureGroup>;
  /** The others become part of the group, which keeps its key and its state. Throws kind `invalid` for groups of another project. */
  mergeGroups(context: CallContext, id: number, otherIds: readonly number[]): Promise<FailureGroup>;
  /** The new group. Throws kind `invalid` for what cannot be split off, `conflict` for what was. */
  splitGroup(context: CallContext, id: number, split: GivenSplit): Promise<FailureGroup>;
}

interface FailureDecisionsDependencies {
  readonly storage: Pick<Storage, "transaction">;
  readonly store: FailureDecisionsStore;
  readonly groups: FailureGroupsStore;
  readonly pending: Pick<PendingFailuresStore, "lock">;
  readonly recounts: Pick<SettlementStore, "markRecounts">;
  readonly settlement: Pick<SettlementService, "settle">;
  readonly clock: Clock;
}

export function createFailureDecisionsService(dependencies: FailureDecisionsDependencies): FailureDecisionsService {
  const { storage, store, groups, pending, recounts, settlement, clock } = dependencies;

  async function getGroup(context: CallContext, id: number): Promise<FailureGroup> {
    const [group] = await groups.findGroups(context, [id]);
    if (group === undefined) throw failureGroupGone(id);
    return group;
  }

  /** Settled before, so that what is decided is decided about every span that was stored, and afterwards. */
  async function decide(
    context: CallContext,
    id: number,
    work: (context: CallContext, group: FailureGroup) => Promise<number>,
  ): Promise<FailureGroup> {
    await settlement.settle(context);
    const decided = await storage.transaction(context, async (inner) => {
      await pending.lock(inner);
      return work(inner, await getGroup(inner, id));
    });
    await settlement.settle(context);
    return getGroup(context, decided);
  }

  return {
    async changeState(context, id, { state, resolvedVersion }) {
      if (resolvedVersion !== null && state !== "resolved") throw versionWithoutResolution();
      return decide(context, id, async (inner) => {
        const seenVersions = state === "resolved" ? await store.listSeenVersions(inner, id) : null;
        await store.changeState(inner, id, { state, atUs: clock.now(), resolvedVersion, seenVersions });
        return id;
      });
    },

    mergeGroups: (context, id, otherIds) =>
      decide(context, id, async (inner, group) => {
        const others = [...new Set(otherIds)];
        const found = new Map((await groups.findGroups(inner, others)).map((other) => [other.id, other]));
        for (const otherId of others) {
          const other = found.get(otherId);
          if (other === undefined) throw failureGroupGone(otherId);
          if (other.projectId !== group.projectId || otherId === id) throw notToBeMerged(otherId);
        }
        await store.mergeInto(inner, id, others);
        await recounts.markRecounts(inner, [id]);
        return id;
      }),

    splitGroup: (context, id, split) =>
      decide(context, id, async (inner, group) => {
        if ("fingerprint" in split) {
          if (split.fingerprint === group.key) throw splitOfName(group.key);
          const created = await store.splitFingerprint(inner, group, split.fingerprint);
          if (created === null) throw noSuchFingerprint(split.fingerprint);
          await recounts.markRecounts(inner, [id, created]);
          return created;
        }
        const created = await store.splitValue(inner, group, split);
        if (created === null) throw alreadySplit(split.attribute, split.value);
        return created;
      }),
  };
}

// Reserving and settling, many calls in one transaction: while one commits, others gather.
import { randomUUID } from "node:crypto";
import type { PriceList } from "../../../costs/price-list.ts";
import { createBatcher, gatherWhileBusy } from "../../../kernel/batcher.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { Failure, messageOf } from "../../../kernel/failure.ts";
import type { Logger } from "../../../kernel/logger.ts";
import type { ModelAttempt } from "../../../providers/model-event.ts";
import type { CallContext, Storage } from "../../../storage/storage.ts";
import { dayStart } from "./budget-period.rules.ts";
import type { BudgetTargetsStore } from "./budget-targets.store.ts";
import type { BudgetsStore } from "./budgets.store.ts";
import { spentOn } from "./call-cost.rules.ts";
import type { LedgerStore, NewReservation, SpendingAddition } from "./ledger.store.ts";
import { type BudgetedCall, budgetedCall, refusedCalls } from "./reservations.rules.ts";
import type { PlannedSpending, SpendingReservation, SpendingService, SpentCall } from "./spending.schema.ts";

interface LedgerDependencies {
  readonly budgets: Pick<BudgetsStore, "list" | "lock" | "listUse">;
  readonly targets: Pick<BudgetTargetsStore, "findSystemUserId">;
  readonly store: Pick<LedgerStore, "reserve" | "free" | "add" | "renew" | "hasExpired" | "expire">;
  readonly storage: Pick<Storage, "transaction">;
  readonly models: { currentPrices(context: CallContext): Promise<PriceList> };
  readonly ownContext: () => CallContext;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface LedgerService extends SpendingService {
  /** Renews the reservations of this server, and voids those of servers that are lost. To be called every `RENEWAL_MILLISECONDS`. */
  renew(context: CallContext): Promise<void>;
  /** Looks for budgets again, before the next call. */
  forgetBudgets(): void;
  /** Resolves when nothing waits to be written. */
  close(): Promise<void>;
}

type Entry =
  | { readonly type: "reserve"; readonly planned: PlannedSpending }
  | { readonly type: "settle"; readonly reservation: SpendingReservation; readonly attempts: readonly ModelAttempt[] };
type Outcome = SpendingReservation | SpentCall | Failure;

export const RENEWAL_MILLISECONDS = 20_000;
/** A server that is stopped for as long as this loses what it has reserved. */
const VALID_US = 90_000_000;
/** A first budget that was set at another server counts within this time. */
const FREE_US = 1_000_000;
const MOST_AT_ONCE = 500;
const GATHERING_MILLISECONDS = 10;
/** Of names that callers choose. */
const LONGEST_NAME = 200;
const RETRY_MILLISECONDS = 1000;
const RETRIES = 300;

export function createLedgerService(dependencies: LedgerDependencies): LedgerService {
  const { budgets, targets, store, storage, models, ownContext, clock, log } = dependencies;
  const holder = randomUUID();
  /** Keys of reservations of this server that are not settled. */
  const open = new Set<string>();
  let systemUserId: number | null = null;
  /** Until then budgets are not looked up: there was none shortly before. */
  let freeUntilUs = 0;
  const batcher = createBatcher<Entry, Outcome>({
    maximumItems: MOST_AT_ONCE,
    maximumBytes: MOST_AT_ONCE,
    gather: gatherWhileBusy(GATHERING_MILLISECONDS),
    commit,
  });

  async function commit(entries: readonly Entry[]): Promise<readonly Outcome[]> {
    const context = ownContext();
    const nowUs = clock.now();
    const known = entries.some(({ type }) => type === "reserve") ? await budgets.list(context) : [];
    const settled = entries.filter((entry) => entry.type === "settle");
    const prices = known.length > 0 || settled.length > 0 ? await models.currentPrices(context) : null;
    if (entries.some(({ type }) => type === "reserve")) freeUntilUs = known.length > 0 ? 0 : nowUs + FREE_US;
    if (known.length > 0) systemUserId ??= await targets.findSystemUserId(context);
    const planned = new Map<Entry, BudgetedCall | Failure>();
    for (const entry of known.length === 0 ? [] : entries) {
      if (entry.type !== "reserve") continue;
      const call = budgetedCall(entry.planned, { budgets: known, prices: prices!, systemUserId, nowUs });
      if (call !== null) planned.set(entry, call);
    }
    const spent = new Map<Entry, SpentCall>();
    for (const entry of settled) spent.set(entry, spentOn(entry.reservation.call, entry.attempts, prices!));
    const calls = [...planned.values()].flatMap((call) => (call instanceof Failure ? [] : [call]));
    const additions = settled.flatMap((entry) => additionOf(entry.reservation, entry.attempts, spent.get(entry)!));
    const refusals = await write(context, calls, keysOf(settled), additions);
    for (const key of keysOf(settled)) open.delete(key);
    return entries.map((entry) => {
      if (entry.type === "settle") return spent.get(entry)!;
      const call = planned.get(entry);
      const refusal = call instanceof Failure ? call : call && refusals.get(call);
      if (refusal !== undefined) return refusal;
      const key = call instanceof Failure || call === undefined ? null : call.key;
      if (key !== null) open.add(key);
      return { ...entry.planned, key, dayUs: dayStart(nowUs) };
    });
  }

  /** Frees, adds and reserves together; returns the refusals of calls that do not fit. */
  async function write(
    context: CallContext,
    calls: readonly BudgetedCall[],
    freed: readonly string[],
    additions: readonly SpendingAddition[],
  ): Promise<ReadonlyMap<BudgetedCall, Failure>> {
    if (calls.length + freed.length + additions.length === 0) return new Map();
    const applied = calls.flatMap((call) => call.applied);
    const ids = [...new Set(applied.map(({ budget }) => budget.id))].sort((one, other) => one - other);
    return storage.transaction(context, async (inner) => {
      if (ids.length > 0) await budgets.lock(inner, ids);
      await store.free(inner, freed);
      await store.add(inner, additions);
      const refusals = refusedCalls(calls, await budgets.listUse(inner, applied, clock.now()));
      const fitting = calls.filter((call) => !refusals.has(call));
      await store.reserve(
        inner,
        fitting.map((call) => reservationRow(call, holder)),
      );
      return refusals;
    });
  }

  async function settle(reservation: SpendingReservation, attempts: readonly ModelAttempt[]): Promise<SpentCall> {
    const entry: Entry = { type: "settle", reservation, attempts };
    try {
      return (await batcher.submit(entry, 1, 1)) as SpentCall;
    } catch (error) {
      void settleLater(entry, RETRIES);
      throw error;
    }
  }

  async function settleLater(entry: Entry & { readonly type: "settle" }, retries: number): Promise<void> {
    for (let left = retries; left > 0; left--) {
      await Bun.sleep(RETRY_MILLISECONDS);
      try {
        await batcher.submit(entry, 1, 1);
        return;
      } catch (error) {
        const { provider } = entry.reservation.call.endpoint;
        if (left === 1) log.error("what a call cost could not be recorded", { provider, reason: messageOf(error) });
      }
    }
  }

  return {
    async reserve(planned) {
      const nowUs = clock.now();
      if (nowUs < freeUntilUs) return { ...planned, key: null, dayUs: dayStart(nowUs) };
      const outcome = await batcher.submit({ type: "reserve", planned }, 1, 1);
      if (outcome instanceof Failure) throw outcome;
      return outcome as SpendingReservation;
    },

    settle,

    async renew(context) {
      if (open.size > 0) await store.renew(context, holder, clock.now() + VALID_US);
      if (!(await store.hasExpired(context, clock.now()))) return;
      const lost = await storage.transaction(context, (inner) => store.expire(inner, clock.now()));
      if (lost > 0) log.warning("calls of a server that was lost are not accounted for", { calls: lost });
    },

    forgetBudgets() {
      freeUntilUs = 0;
    },

    close: () => batcher.close(),
  };
}

function commonOf({ call, spender, purpose, projectId }: PlannedSpending, dayUs: number) {
  return {
    day_us: dayUs,
    user_id: spender.userId ?? 0,
    api_key_id: spender.apiKeyId ?? 0,
    project_id: projectId ?? 0,
    purpose,
    provider: call.endpoint.llmProvider.slice(0, LONGEST_NAME),
    model: call.model.slice(0, LONGEST_NAME),
  };
}

/** Nothing for a call that was cancelled before it began. */
function additionOf(
  reservation: SpendingReservation,
  attempts: readonly ModelAttempt[],
  { promptTokens, completionTokens, cost, isEstimated, hasFailed }: SpentCall,
): SpendingAddition[] {
  if (attempts.length === 0) return [];
  return [
    {
      ...commonOf(reservation, reservation.dayUs),
      calls: 1,
      failed_calls: Number(hasFailed),
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      cost: cost ?? 0,
      unpriced_calls: Number(cost === null),
      estimated_calls: Number(isEstimated),
      lost_calls: 0,
      lost_cost: 0,
    },
  ];
}

function reservationRow({ key, planned, worst, nowUs }: BudgetedCall, holder: string): NewReservation {
  return {
    key,
    holder,
    expires_us: nowUs + VALID_US,
    ...commonOf(planned, dayStart(nowUs)),
    cost: worst.cost ?? 0,
    tokens: worst.promptTokens + worst.completionTokens,
  };
}

function keysOf(settled: readonly { readonly reservation: SpendingReservation }[]): string[] {
  return settled.flatMap(({ reservation: { key } }) => (key === null ? [] : [key]));
}

// Computes the costs of stored calls again, by the prices of now: in the order of the ids of spans, in slices. What calls report is read and
// priced before the transaction of a slice, which is short. How far it is, is written with what a slice changes, so that it goes on after a
// kill where it was. One runs on a database, whatever server is at it. A slice that fails is halved down to the span that is the reason.
import { authorIdOf } from "../../../../access/principal.ts";
import type { PriceList } from "../../../../costs/price-list.ts";
import type { SpanCost } from "../../../../costs/span-cost.ts";
import type { JobContext } from "../../../../jobs/job.ts";
import type { Clock } from "../../../../kernel/clock.ts";
import { messageOf } from "../../../../kernel/failure.ts";
import { countFitting } from "../../../../kernel/list.ts";
import { duplicateAs } from "../../../../storage/duplicate.ts";
import type { CallContext, Storage } from "../../../../storage/storage.ts";
import { recomputationRuns } from "../models.errors.ts";
import type { CostRecomputation, RecomputationScope, RecomputedSlice, ReportedCall } from "../models.schema.ts";
import type { ModelsService } from "../models.service.ts";
import type { CostChangesStore, SpanCostChange } from "./cost-changes.store.ts";
import type { RecomputationStore } from "./recomputation.store.ts";
import type { RecomputationRowsStore } from "./recomputation-rows.store.ts";
import { isSameCost, recomputedCost } from "./recomputed-costs.rules.ts";

/** Ids of spans that one slice goes through. */
const SLICE = 500;
/** Of the attributes that one slice reads; a single span may have more. */
const SLICE_BYTES = 8 * 1024 * 1024;
/** Failures in a row, and spans that cannot be recomputed, with which a recomputation ends. */
const MAX_FAILURES = 20;
const MAX_FAILED_SPANS = 100;
/** Microseconds after the first failure. Doubled by each further one in a row, up to the longest. */
const FIRST_WAIT_US = 1_000_000;
const LONGEST_WAIT_US = 60_000_000;
/** Milliseconds between two slices, in which ingestion has its turn. */
const REST = 5;
/** Characters of a recorded reason. */
const MAX_REASON = 500;
/** Milliseconds of pricing after which requests have their turn. */
const PRICING_TURN = 10;

interface RecomputationDependencies {
  readonly store: RecomputationStore;
  readonly rows: RecomputationRowsStore;
  readonly changes: CostChangesStore;
  readonly storage: Pick<Storage, "transaction" | "withTraces">;
  readonly models: ModelsService;
  readonly clock: Clock;
  /** Called when there is something to do. */
  readonly wake: () => void;
}

export interface RecomputationService {
  /** The newest, done or not; null before the first. */
  findNewest(context: CallContext): Promise<CostRecomputation | null>;
  /** Of calls that are stored now: later ones cost the prices of now already. Throws kind `conflict` while another one runs. */
  start(context: CallContext, scope: RecomputationScope): Promise<CostRecomputation>;
  /** What is computed stays. Null before the first. */
  cancel(context: CallContext): Promise<CostRecomputation | null>;
  /** The next slice of the one that runs; false when none is pending, or another server runs it. Throws what has failed, when it is recorded:
   *  the next slice is smaller then. */
  runSlice(context: CallContext): Promise<boolean>;
  /** Slices until there is no next one, or the run is to end: false then. */
  run(job: Pick<JobContext, "context" | "goOn" | "pause">): Promise<boolean>;
}

/** What one slice goes through: spans with ids above `after`, up to `last`. */
interface SliceIds {
  readonly after: number;
  readonly last: number;
}

interface PricedCall extends Pick<ReportedCall, "id" | "messages"> {
  /** Undefined where it is unknown: the cost stays. */
  readonly cost: SpanCost | null | undefined;
}

export function createRecomputationService(dependencies: RecomputationDependencies): RecomputationService {
  const { store, rows, changes, storage, models, clock, wake } = dependencies;

  /** Inside the transaction that has locked the traces. Messages may have changed what a call reports since it was priced. */
  async function changeCosts(
    context: CallContext,
    calls: readonly PricedCall[],
    prices: PriceList,
  ): Promise<RecomputedSlice> {
    const ids = calls.map(({ id }) => id);
    const places = await store.readPlaces(context, ids);
    const pricedById = new Map(calls.map((call) => [call.id, call]));
    const late = places.filter(({ id, messages }) => pricedById.get(id)!.messages !== messages).map(({ id }) => id);
    if (late.length > 0) {
      for (const call of await priced(await store.readCalls(context, late), prices)) pricedById.set(call.id, call);
    }
    const costs = await store.readCosts(context, ids);
    const changed = places.flatMap((place): SpanCostChange[] => {
      const before = costs.get(place.id) ?? null;
      const after = pricedById.get(place.id)!.cost;
      if (after === undefined || isSameCost(before, after)) return [];
      return [{ ...place, spanId: place.id, before: before?.total ?? null, after }];
    });
    await changes.changeSpanCosts(context, changed);
    return {
      examined: places.length,
      changed: changed.length,
      oldCost: changed.reduce((sum, { before }) => sum + BigInt(before ?? 0), 0n),
      newCost: changed.reduce((sum, { after }) => sum + BigInt(after?.total ?? 0), 0n),
    };
  }

  async function recomputeSlice(
    context: CallContext,
    { id, doneSpanId, lastSpanId, ...running }: CostRecomputation,
    ids: SliceIds,
  ): Promise<boolean> {
    const listed = await store.listCalls(context, running, ids);
    const fitting = listed.slice(
      0,
      countFitting(listed, SLICE_BYTES, ({ bytes }) => bytes),
    );
    const last = fitting.length < listed.length ? fitting.at(-1)!.id : ids.last;
    const prices = await models.currentPrices(context);
    const wanted = fitting.map((call) => call.id);
    const calls = await priced(wanted.length === 0 ? [] : await store.readCalls(context, wanted), prices);
    const keys = [...new Set(fitting.map(({ traceKey }) => traceKey))];
    return storage.transaction(context, async (inner) => {
      // Another server may have done it meanwhile, or a person cancelled it.
      const locked = await rows.lockRunning(inner);
      if (locked?.id !== id || locked.doneSpanId !== doneSpanId) return false;
      const slice =
        calls.length === 0
          ? { examined: 0, changed: 0, oldCost: 0n, newCost: 0n }
          : await storage.withTraces(inner, keys, (innermost) => changeCosts(innermost, calls, prices));
      const status = last < lastSpanId ? "RUNNING" : "DONE";
      const sliceSpans = Math.min(SLICE, 2 * (ids.last - ids.after));
      await rows.addSlice(inner, id, { ...slice, doneSpanId: last, status, sliceSpans }, clock.now());
      return status === "RUNNING";
    });
  }

  async function recordFailure(context: CallContext, running: CostRecomputation, ids: SliceIds, error: unknown) {
    await storage.transaction(context, async (inner) => {
      const locked = await rows.lockRunning(inner);
      if (locked?.id !== running.id || locked.doneSpanId !== ids.after) return;
      const failure = messageOf(error).slice(0, MAX_REASON);
      await rows.addFailure(inner, running.id, { ...afterFailure(locked, ids), failure }, clock.now());
    });
  }

  async function runSlice(context: CallContext): Promise<boolean> {
    const running = await rows.findRunning(context);
    if (running === null || clock.now() < running.updatedUs + waitAfter(running.failures)) return false;
    const { doneSpanId: after, lastSpanId, sliceSpans } = running;
    const ids = { after, last: Math.min(lastSpanId, after + (sliceSpans ?? SLICE)) };
    try {
      return await recomputeSlice(context, running, ids);
    } catch (error) {
      await recordFailure(context, running, ids, error);
      throw error;
    }
  }

  return {
    findNewest: rows.findNewest,

    async start(context, scope) {
      const by = { userId: authorIdOf(context.principal), nowUs: clock.now() };
      const lastSpanId = await store.newestSpan(context);
      await rows.insert(context, scope, { ...by, lastSpanId }).catch(duplicateAs(recomputationRuns));
      wake();
      return (await rows.findNewest(context))!;
    },

    async cancel(context) {
      await rows.cancelRunning(context, clock.now());
      return rows.findNewest(context);
    },

    runSlice,

    async run({ context, goOn, pause }) {
      while (goOn()) {
        if (!(await runSlice(context()))) return true;
        await pause(REST);
      }
      return false;
    },
  };
}

async function priced(calls: readonly ReportedCall[], prices: PriceList): Promise<PricedCall[]> {
  const found: PricedCall[] = [];
  let began = performance.now();
  for (const call of calls) {
    found.push({ id: call.id, messages: call.messages, cost: recomputedCost(call, prices) });
    if (performance.now() - began < PRICING_TURN) continue;
    await new Promise((resolve) => setImmediate(resolve));
    began = performance.now();
  }
  return found;
}

function waitAfter(failures: number): number {
  return failures === 0 ? 0 : Math.min(LONGEST_WAIT_US, FIRST_WAIT_US * 2 ** (failures - 1));
}

/** What is tried next is half as much. A single span that fails is passed over. */
function afterFailure({ failures, failedSpans: before, lastSpanId }: CostRecomputation, { after, last }: SliceIds) {
  const failedSpans = last - after > 1 ? 0 : 1;
  const doneSpanId = after + failedSpans;
  const isOver = failures + 1 >= MAX_FAILURES || before + failedSpans >= MAX_FAILED_SPANS;
  const status = isOver ? "FAILED" : doneSpanId < lastSpanId ? "RUNNING" : "DONE";
  return { status, doneSpanId, failedSpans, sliceSpans: Math.max(1, Math.floor((last - after) / 2)) } as const;
}

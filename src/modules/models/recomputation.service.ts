// Computes the costs of stored calls anew, by the prices of now: in the order of the ids of spans, in slices, each a short transaction
// after which ingestion has its turn. How far it is, is written with what a slice changes, so that it goes on after a kill where it was.
// One runs on a database, whatever server is at it.
import { authorIdOf } from "../../access/principal.ts";
import type { Clock } from "../../kernel/clock.ts";
import { isJsonObject, parseJson } from "../../kernel/json.ts";
import { callOf, priceCall } from "../../model/costs/price-call.ts";
import type { PriceList } from "../../model/costs/price-list.ts";
import { attributesOfCall, callOfAttributes, isPricedKind } from "../../model/costs/reported-call.ts";
import type { SpanCost } from "../../model/costs/span-cost.ts";
import { isDuplicate } from "../../storage/duplicate.ts";
import type { CallContext, Storage } from "../../storage/storage.ts";
import type { CostChangesStore, SpanCostChange } from "./cost-changes.store.ts";
import { recomputationRuns } from "./models.errors.ts";
import type { CostRecomputation, RecomputationScope, RecomputedSlice } from "./models.schema.ts";
import type { ModelsService } from "./models.service.ts";
import type { RecomputationStore, StoredCall } from "./recomputation.store.ts";
import type { RecomputationRowsStore } from "./recomputation-rows.store.ts";

/** Ids of spans that one slice goes through. */
const SLICE = 500;

interface RecomputationDependencies {
  readonly store: RecomputationStore;
  readonly rows: RecomputationRowsStore;
  readonly changes: CostChangesStore;
  readonly storage: Pick<Storage, "transaction" | "withTraces">;
  readonly models: Pick<ModelsService, "currentPrices">;
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
  /** The next slice of the one that runs; false when there is none, or another server is at it. */
  runSlice(context: CallContext): Promise<boolean>;
}

const NOTHING: RecomputedSlice = { examined: 0, changed: 0, oldCost: 0n, newCost: 0n };

export function createRecomputationService(dependencies: RecomputationDependencies): RecomputationService {
  const { store, rows, changes, storage, models, clock, wake } = dependencies;

  async function recomputeSlice(
    context: CallContext,
    scope: RecomputationScope,
    ids: { readonly after: number; readonly last: number },
  ): Promise<RecomputedSlice> {
    const listed = await store.listCalls(context, scope, ids);
    if (listed.length === 0) return NOTHING;
    const prices = await models.currentPrices(context);
    const keys = [...new Set(listed.map(({ traceKey }) => traceKey))];
    return storage.withTraces(context, keys, async (inner) => {
      const wanted = listed.map(({ id }) => id);
      const calls = await store.readCalls(inner, wanted);
      const costs = await store.readCosts(inner, wanted);
      const changed = calls.flatMap((call): SpanCostChange[] => {
        const before = costs.get(call.id) ?? null;
        const after = costOf(call, prices);
        if (isSame(before, after)) return [];
        return [{ ...call, spanId: call.id, before: before?.total ?? null, after }];
      });
      await changes.changeSpanCosts(inner, changed);
      return {
        examined: calls.length,
        changed: changed.length,
        oldCost: changed.reduce((sum, { before }) => sum + BigInt(before ?? 0), 0n),
        newCost: changed.reduce((sum, { after }) => sum + BigInt(after?.total ?? 0), 0n),
      };
    });
  }

  return {
    findNewest: rows.findNewest,

    async start(context, scope) {
      const by = { userId: authorIdOf(context.principal), nowUs: clock.now() };
      const lastSpanId = await store.newestSpan(context);
      try {
        await rows.insert(context, scope, { ...by, lastSpanId });
      } catch (error) {
        throw isDuplicate(error) ? recomputationRuns() : error;
      }
      wake();
      return (await rows.findNewest(context))!;
    },

    async cancel(context) {
      await rows.cancelRunning(context, clock.now());
      return rows.findNewest(context);
    },

    runSlice: (context) =>
      storage.transaction(context, async (inner) => {
        const running = await rows.lockRunning(inner);
        if (running === null) return false;
        const { id, doneSpanId: after, lastSpanId } = running;
        const last = Math.min(lastSpanId, after + SLICE);
        const slice = await recomputeSlice(inner, running, { after, last });
        const status = last < lastSpanId ? "RUNNING" : "DONE";
        await rows.addSlice(inner, id, { ...slice, doneSpanId: last, status }, clock.now());
        return status === "RUNNING";
      }),
  };
}

/** As it would be if the span arrived now. */
function costOf({ attributes: text, startUs }: StoredCall, prices: PriceList): SpanCost | null {
  const attributes = parseJson(text);
  if (!isJsonObject(attributes)) return null;
  const { openinference } = attributes;
  const span = isJsonObject(openinference) ? openinference.span : undefined;
  const kind = isJsonObject(span) ? span.kind : undefined;
  const call = kind === undefined || isPricedKind(kind) ? callOfAttributes(attributes) : null;
  return call === null ? null : priceCall(prices, callOf(attributesOfCall(call), startUs));
}

/** Kinds of tokens in any order. */
function isSame(one: SpanCost | null, other: SpanCost | null): boolean {
  return textOf(one) === textOf(other);
}

function textOf(cost: SpanCost | null): string {
  if (cost === null) return "";
  const { source, modelId, total, prompt, completion, promptTokens, completionTokens, given } = cost;
  const details = cost.details.map(({ tokenType, isPrompt, tokens, cost: own }) =>
    JSON.stringify([tokenType, isPrompt, tokens, own]),
  );
  return JSON.stringify([
    source,
    modelId,
    total,
    prompt,
    completion,
    promptTokens,
    completionTokens,
    given,
    details.sort(),
  ]);
}

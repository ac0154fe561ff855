// Computes the costs of stored calls anew, by the prices of now: in the order of the ids of spans, in slices, each a short transaction
// after which ingestion has its turn. A slice that was cut off has changed nothing; computing again what was computed changes nothing.
import { isJsonObject, parseJson } from "../../kernel/json.ts";
import { callOf, priceCall } from "../../model/costs/price-call.ts";
import type { PriceList } from "../../model/costs/price-list.ts";
import { attributesOfCall, isPricedKind, reportedCall } from "../../model/costs/reported-call.ts";
import type { SpanCost } from "../../model/costs/span-cost.ts";
import type { CallContext, Storage } from "../../storage/storage.ts";
import type { CostChangesStore, SpanCostChange } from "./cost-changes.store.ts";
import type { RecomputationResult, RecomputationScope } from "./models.schema.ts";
import type { ModelsService } from "./models.service.ts";
import type { RecomputationStore, StoredCall } from "./recomputation.store.ts";

/** Ids of spans that one slice goes through. */
const SLICE = 500;

interface RecomputationDependencies {
  readonly store: RecomputationStore;
  readonly changes: CostChangesStore;
  readonly storage: Pick<Storage, "withTraces">;
  readonly models: Pick<ModelsService, "currentPrices">;
}

interface RecomputationService {
  /** Answers when all calls are done that were stored when it began. `onSlice` hears of each slice what is done so far. */
  recompute(
    context: CallContext,
    scope: RecomputationScope,
    onSlice?: (soFar: RecomputationResult) => void,
  ): Promise<RecomputationResult>;
}

const NOTHING: RecomputationResult = { examined: 0, changed: 0, oldCost: 0n, newCost: 0n };

export function createRecomputationService(dependencies: RecomputationDependencies): RecomputationService {
  const { store, changes, storage, models } = dependencies;

  async function recomputeSlice(
    context: CallContext,
    scope: RecomputationScope,
    ids: { readonly after: number; readonly last: number },
  ): Promise<RecomputationResult> {
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
    async recompute(context, scope, onSlice) {
      const last = await store.newestSpan(context);
      let soFar = NOTHING;
      for (let after = 0; after < last; after += SLICE) {
        const slice = await recomputeSlice(context, scope, { after, last: Math.min(last, after + SLICE) });
        soFar = {
          examined: soFar.examined + slice.examined,
          changed: soFar.changed + slice.changed,
          oldCost: soFar.oldCost + slice.oldCost,
          newCost: soFar.newCost + slice.newCost,
        };
        onSlice?.(soFar);
      }
      return soFar;
    },
  };
}

/** As it would be if the span arrived now. */
function costOf({ attributes: text, startUs }: StoredCall, prices: PriceList): SpanCost | null {
  const attributes = parseJson(text);
  if (!isJsonObject(attributes)) return null;
  const { openinference, llm } = attributes;
  const span = isJsonObject(openinference) ? openinference.span : undefined;
  const kind = isJsonObject(span) ? span.kind : undefined;
  const call = kind === undefined || isPricedKind(kind) ? reportedCall(llm) : null;
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

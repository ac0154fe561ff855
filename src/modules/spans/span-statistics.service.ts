// Statistics over the spans of projects.
import { readsRollups, type Scope } from "../../filter/scope.ts";
import type { CallContext } from "../../storage/storage.ts";
import { beginOfBin, binsBetween, type TimeBins } from "../../storage/time-bins.ts";
import type { RollupsService } from "../traces/rollups/rollups.service.ts";
import type { SpanStatisticsStore } from "./span-statistics.store.ts";

/** Null counts: nothing in the bin. */
export interface SpanCountBin {
  readonly beginUs: number;
  readonly ok: number | null;
  readonly error: number | null;
  readonly unset: number | null;
  readonly total: number | null;
}

export interface SpanStatisticsService extends Pick<SpanStatisticsStore, "count" | "tokens" | "latencyQuantile"> {
  /** Every bin of the period. Throws kind `invalid` for too many bins. */
  countSeries(
    context: CallContext,
    projectId: number,
    period: { readonly startUs: number; readonly endUs: number },
    condition: string | null,
    bins: TimeBins,
  ): Promise<SpanCountBin[]>;
}

export function createSpanStatisticsService(
  store: SpanStatisticsStore,
  rollups: RollupsService,
): SpanStatisticsService {
  const settled =
    <Given extends Scope, Value>(
      read: (context: CallContext, projectIds: readonly number[], scope: Given) => Promise<Value>,
    ) =>
    async (context: CallContext, projectIds: readonly number[], scope: Given): Promise<Value> => {
      if (readsRollups(scope)) for (const id of projectIds) await rollups.settleProject(context, id);
      return read(context, projectIds, scope);
    };
  return {
    count: settled(store.count),
    tokens: settled(store.tokens),
    latencyQuantile: settled(store.latencyQuantile),

    async countSeries(context, projectId, period, condition, bins) {
      const numbers = binsBetween(period.startUs, period.endUs, bins);
      const scope = { ...period, spanCondition: condition, sessionCondition: null };
      if (readsRollups(scope)) await rollups.settleProject(context, projectId);
      const found = Map.groupBy(await store.countByBin(context, projectId, scope, bins), (row) => row.bin);
      return numbers.map((bin) => {
        const rows = found.get(bin);
        const beginUs = beginOfBin(bin, bins);
        if (rows === undefined) return { beginUs, ok: null, error: null, unset: null, total: null };
        const of = (status: string) => rows.find((row) => row.status === status)?.count ?? 0;
        const total = rows.reduce((sum, row) => sum + row.count, 0);
        return { beginUs, ok: of("OK"), error: of("ERROR"), unset: of("UNSET"), total };
      });
    },
  };
}

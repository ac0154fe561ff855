// Statistics over the spans of projects.
import type { StatisticScope } from "../../../../filter/scope.ts";
import { intersectionOf } from "../../../../storage/period.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { beginOfBin, binsBetween, type TimeBins } from "../../../../storage/time-bins.ts";
import type { RollupsService, ScopeStatistic } from "../../../../summaries/rollups/rollups.service.ts";
import type { TokenSums } from "./hour-statistics.store.ts";
import type { QuantileScope, SpanStatisticsStore } from "./span-statistics.store.ts";

/** Null counts: nothing in the bin. */
export interface SpanCountBin {
  readonly beginUs: number;
  readonly ok: number | null;
  readonly error: number | null;
  readonly unset: number | null;
  readonly total: number | null;
}

export interface SpanStatisticsService {
  readonly count: ScopeStatistic<StatisticScope, Map<number, number>>;
  readonly tokens: ScopeStatistic<StatisticScope, Map<number, TokenSums>>;
  /** Microseconds. */
  readonly latencyQuantile: ScopeStatistic<QuantileScope, Map<number, number>>;
  /** The spans of the scope that start in the period, in every bin of it. Throws kind `invalid` for too many bins. */
  countSeries(
    context: CallContext,
    projectId: number,
    period: { readonly startUs: number; readonly endUs: number },
    scope: StatisticScope,
    bins: TimeBins,
  ): Promise<SpanCountBin[]>;
}

export function createSpanStatisticsService(
  store: SpanStatisticsStore,
  rollups: RollupsService,
): SpanStatisticsService {
  return {
    count: rollups.settling(store.count),
    tokens: rollups.settling(store.tokens),
    latencyQuantile: rollups.settling(store.latencyQuantile),

    async countSeries(context, projectId, period, given, bins) {
      const numbers = binsBetween(period.startUs, period.endUs, bins);
      const within = { ...given, ...intersectionOf(given, period) };
      const scope = await rollups.settledScope(context, [projectId], within);
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

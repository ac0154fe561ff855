// What calls of models cost, for the fields of spans, traces, sessions and projects.
import type { StatisticScope } from "../../../filter/scope.ts";
import type { CallContext } from "../../../storage/storage.ts";
import { beginOfBin, binsBetween, type TimeBins } from "../../../storage/time-bins.ts";
import type { RollupsService, ScopeStatistic } from "../../../summaries/rollups/rollups.service.ts";
import type { CostSums } from "./costs.schema.ts";
import type { CostsStore } from "./costs.store.ts";
import type { ShownCostsStore } from "./shown-costs.store.ts";

/** A bin of a series; null where nothing is in it. */
export interface CostBin {
  readonly beginUs: number;
  readonly sums: CostSums | null;
}

export interface CostsService extends Omit<CostsStore, "projectSums" | "sumsByBin">, ShownCostsStore {
  readonly projectSums: ScopeStatistic<StatisticScope, Map<number, CostSums>>;
  /** Every bin of the period. Throws kind `invalid` for too many bins. */
  listSeries(
    context: CallContext,
    projectId: number,
    period: { readonly startUs: number; readonly endUs: number },
    bins: TimeBins,
  ): Promise<CostBin[]>;
}

export function createCostsService(store: CostsStore, shown: ShownCostsStore, rollups: RollupsService): CostsService {
  return {
    ...store,
    ...shown,
    projectSums: rollups.settling(store.projectSums),
    async listSeries(context, projectId, period, bins) {
      const numbers = binsBetween(period.startUs, period.endUs, bins);
      const given = { ...period, spanCondition: null, sessionCondition: null };
      const scope = await rollups.settledScope(context, [projectId], given);
      const found = await store.sumsByBin(context, projectId, scope, bins);
      return numbers.map((bin) => ({ beginUs: beginOfBin(bin, bins), sums: found.get(bin) ?? null }));
    },
  };
}

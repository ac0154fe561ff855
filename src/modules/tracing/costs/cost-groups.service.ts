// The groups of a project that cost most, over time.

import type { CallContext } from "../../../storage/storage.ts";
import { beginOfBin, binsBetween, type TimeBins } from "../../../storage/time-bins.ts";
import type { RollupsService } from "../../../summaries/rollups/rollups.service.ts";
import type { CostGroupsStore } from "./cost-groups.store.ts";
import type { CostDimension, CostGroups } from "./costs.schema.ts";

interface CostGroupsRequest {
  readonly projectId: number;
  readonly period: { readonly startUs: number; readonly endUs: number };
  readonly bins: TimeBins;
  readonly dimension: CostDimension;
  readonly limit: number;
}

export interface CostGroupsService {
  /** Throws kind `invalid` for too many bins. */
  listGroups(context: CallContext, request: CostGroupsRequest): Promise<CostGroups>;
}

export function createCostGroupsService(store: CostGroupsStore, rollups: RollupsService): CostGroupsService {
  return {
    async listGroups(context, { projectId, period, bins, dimension, limit }) {
      const numbers = binsBetween(period.startUs, period.endUs, bins);
      const given = { ...period, spanCondition: null, sessionCondition: null };
      const scope = await rollups.settledScope(context, [projectId], given);
      const top = await store.topGroups(context, projectId, scope, dimension, limit);
      const keys = top.map(({ key }) => key);
      // A list of what costs most asks for no series.
      let reading: ReturnType<typeof readSeries> | null = null;
      async function readSeries() {
        const cells = await store.groupsByBin(context, projectId, scope, dimension, keys, bins);
        const groups = Map.groupBy(
          cells.filter(({ isOthers }) => !isOthers),
          ({ key }) => key,
        );
        const all = new Map<number, number>();
        // Of what came without kinds, kinds do not say all.
        const costs = dimension === "kind" ? await store.allByBin(context, projectId, scope, bins) : cells;
        for (const { bin, cost } of costs) if (cost !== null) all.set(bin, (all.get(bin) ?? 0) + cost);
        return { groups, all };
      }
      const series = () => (reading ??= readSeries());
      return {
        beginsUs: numbers.map((bin) => beginOfBin(bin, bins)),
        groups: top.map((sums) => ({
          ...sums,
          async costs() {
            const cells = (await series()).groups.get(sums.key);
            const costs = new Map(cells?.map(({ bin, cost }) => [bin, cost]));
            return numbers.map((bin) => costs.get(bin) ?? null);
          },
        })),
        async all() {
          const { all } = await series();
          return numbers.map((bin) => all.get(bin) ?? null);
        },
      };
    },
  };
}

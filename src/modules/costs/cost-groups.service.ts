// The groups of a project that cost most, over time.
import type { RollupsService } from "../../ingest/rollups/rollups.service.ts";
import type { CallContext } from "../../storage/storage.ts";
import { beginOfBin, binsBetween, type TimeBins } from "../../storage/time-bins.ts";
import type { CostGroupsStore } from "./cost-groups.store.ts";
import type { CostDimension, CostGroups } from "./costs.schema.ts";
import type { CostsStore } from "./costs.store.ts";

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

export function createCostGroupsService(
  store: CostGroupsStore,
  { sumsByBin }: Pick<CostsStore, "sumsByBin">,
  rollups: RollupsService,
): CostGroupsService {
  return {
    async listGroups(context, { projectId, period, bins, dimension, limit }) {
      const numbers = binsBetween(period.startUs, period.endUs, bins);
      const given = { ...period, spanCondition: null, sessionCondition: null };
      const scope = await rollups.settledScope(context, [projectId], given);
      const top = await store.topGroups(context, projectId, scope, dimension, limit);
      const keys = top.map(({ key }) => key);
      // A list of what costs most asks for no series.
      let reading: Promise<Map<string | null, Map<number, number | null>>> | null = null;
      const cellsByKey = async () => {
        const cells = await store.groupsByBin(context, projectId, scope, dimension, keys, bins);
        const byKey = Map.groupBy(cells, ({ key }) => key);
        return new Map([...byKey].map(([key, found]) => [key, new Map(found.map(({ bin, cost }) => [bin, cost]))]));
      };
      return {
        beginsUs: numbers.map((bin) => beginOfBin(bin, bins)),
        groups: top.map((sums) => ({
          ...sums,
          async costs() {
            reading ??= cellsByKey();
            const costs = (await reading).get(sums.key);
            return numbers.map((bin) => costs?.get(bin) ?? null);
          },
        })),
        async all() {
          const sums = await sumsByBin(context, projectId, scope, bins);
          return numbers.map((bin) => sums.get(bin)?.total ?? null);
        },
      };
    },
  };
}

// What the counts of hours and blocks tell of the spans of a range without reading them.

import { type SpanStatus, spanStatuses } from "../../../../model/span.ts";
import { HOUR_US } from "../../../../model/summaries/blocks/facets.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import type { Range } from "../../../../storage/period.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { binOf, type TimeBins } from "../../../../storage/time-bins.ts";
import { createFacetCountsStore } from "../../../../summaries/blocks/facet-counts.store.ts";

export interface TokenSums {
  readonly prompt: number;
  readonly completion: number;
}

interface BinCount {
  readonly bin: number;
  readonly status: SpanStatus;
  readonly count: number;
}

/** Maps are by row id of the project. */
export function createHourStatisticsStore(dialect: Dialect) {
  const counts = createFacetCountsStore(dialect);
  return {
    async count(context: CallContext, projectIds: readonly number[], range: Range): Promise<Map<number, number>> {
      const byProject = new Map<number, number>();
      for (const { projectId, amount } of await counts.count(context, projectIds, "status", range, false)) {
        byProject.set(projectId, (byProject.get(projectId) ?? 0) + amount);
      }
      return byProject;
    },

    async tokens(context: CallContext, projectIds: readonly number[], range: Range): Promise<Map<number, TokenSums>> {
      const [prompt, completion] = await Promise.all(
        (["promptTokens", "completionTokens"] as const).map(async (facet) => {
          const found = await counts.count(context, projectIds, facet, range, false);
          return new Map(found.map(({ projectId, amount }) => [projectId, amount]));
        }),
      );
      return new Map(
        projectIds.map((id) => [id, { prompt: prompt!.get(id) ?? 0, completion: completion!.get(id) ?? 0 }]),
      );
    },

    /** Of one project by bin and status. The bins begin on hours. */
    async countByBin(context: CallContext, projectId: number, range: Range, bins: TimeBins): Promise<BinCount[]> {
      const byBin = new Map<string, BinCount>();
      for (const { hour, value, amount } of await counts.count(context, [projectId], "status", range, true)) {
        const [bin, status] = [binOf(hour * HOUR_US, bins), spanStatuses[Number(value)]!];
        const key = `${bin} ${status}`;
        byBin.set(key, { bin, status, count: (byBin.get(key)?.count ?? 0) + amount });
      }
      return [...byBin.values()];
    },
  };
}

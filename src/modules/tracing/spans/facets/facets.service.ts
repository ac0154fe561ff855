// Facets of the spans of a project: counted values of kind, status, model, name, user, error type and latency. Without
// conditions the counts of blocks answer; with them the spans that match are read once, until the deadline.

import { isPlain, type StatisticScope } from "../../../../filter/scope.ts";
import { spanKinds, spanStatuses } from "../../../../model/span.ts";
import { type Facet, facetBands } from "../../../../model/summaries/blocks/facets.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { FacetCountsStore } from "../../../../summaries/blocks/facet-counts.store.ts";
import type { RollupsService } from "../../../../summaries/rollups/rollups.service.ts";
import type { FacetScanStore, ScannedFacet } from "./facet-scan.store.ts";

/** Spans whose latency is at least `lowUs` and below `highUs`, which is null in the last band. */
export interface LatencyBand {
  readonly lowUs: number;
  readonly highUs: number | null;
  readonly count: number;
}

export interface FacetValue {
  /** As conditions of filters compare it; of long texts the first 200 characters. */
  readonly value: string;
  readonly count: number;
}

/** Facets whose values are listed. */
export const listedFacets = ["kind", "status", "model", "name", "user", "errorType"] as const;
export type ListedFacet = (typeof listedFacets)[number];

/** The facets of one scope, each counted when it is first asked for. */
export interface SpanFacets {
  /** Most frequent first, then in the order of the text; at most `first`. */
  values(facet: ListedFacet, first: number): Promise<FacetValue[]>;
  /** Bands with spans, in their order. */
  latencies(): Promise<LatencyBand[]>;
}

export interface FacetsService {
  /** Throws `filter.invalid`. Of a scope with conditions, the facets that are asked for at once are counted together: no other,
   *  because some read payloads. */
  facetsOf(context: CallContext, projectId: number, scope: StatisticScope): SpanFacets;
}

interface FacetsDependencies {
  readonly counts: FacetCountsStore;
  readonly scan: FacetScanStore;
  readonly rollups: RollupsService;
}

type Counted = ReadonlyMap<string, number>;

export function createFacetsService({ counts, scan, rollups }: FacetsDependencies): FacetsService {
  /** One reading of the spans for all facets that are asked for before it begins. */
  function countTogether(context: CallContext, projectId: number, scope: StatisticScope) {
    let waiting: { readonly facets: Set<ScannedFacet>; readonly counted: Promise<Map<ScannedFacet, Counted>> } | null =
      null;
    async function readOnce(facets: ReadonlySet<ScannedFacet>): Promise<Map<ScannedFacet, Counted>> {
      const settled = await rollups.settledScope(context, [projectId], scope);
      waiting = null;
      return scan.count(context, projectId, settled, [...facets]);
    }
    return async (facet: ScannedFacet): Promise<Counted> => {
      if (waiting === null) {
        const facets = new Set<ScannedFacet>();
        waiting = { facets, counted: readOnce(facets) };
      }
      waiting.facets.add(facet);
      return (await waiting.counted).get(facet) ?? new Map();
    };
  }

  async function countOne(
    context: CallContext,
    projectId: number,
    scope: StatisticScope,
    facet: Facet,
  ): Promise<Counted> {
    const found = await counts.count(context, [projectId], facet, scope, false);
    return new Map(found.map(({ value, amount }) => [value, amount]));
  }

  return {
    facetsOf(context, projectId, scope) {
      const counted = isPlain(scope)
        ? (facet: ScannedFacet) => countOne(context, projectId, scope, facet)
        : countTogether(context, projectId, scope);
      return {
        async values(facet, first) {
          const values = [...(await counted(facet))].map(([value, count]) => ({ value: worded(facet, value), count }));
          values.sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1));
          return values.slice(0, first);
        },
        async latencies() {
          const fine = await counted("latency");
          const bands = facetBands.map((lowUs, position) => ({
            lowUs,
            highUs: facetBands[position + 1] ?? null,
            count: 0,
          }));
          for (const [low, count] of fine) bands.findLast(({ lowUs }) => lowUs <= Number(low))!.count += count;
          return bands.filter(({ count }) => count > 0);
        },
      };
    },
  };
}

/** Codes become the words of conditions. */
function worded(facet: ListedFacet, value: string): string {
  if (facet === "kind") return spanKinds[Number(value)] ?? value;
  return facet === "status" ? (spanStatuses[Number(value)] ?? value) : value;
}

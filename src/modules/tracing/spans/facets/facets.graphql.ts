// Facets of the spans of a project, in GraphQL: counted values for the filters of a page.
import { argumentRefused } from "../../../../graphql/connection.ts";
import { scopeOf } from "../../../../graphql/statistics.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import { PROJECT } from "../../projects/projects.schema.ts";
import type { FacetsService, FacetValue, LatencyBand, ListedFacet, SpanFacets } from "./facets.service.ts";

const MICROSECONDS = 1000;
const MOST_VALUES = 1000;

export function spanFacetsType(types: GraphqlTypes) {
  return types.once("SpanFacets", () => createSpanFacetsType(types));
}

/** How many values of a facet are asked for. */
export function requireValues(first: number): number {
  if (first < 1 || first > MOST_VALUES) throw argumentRefused("first", `must be from 1 to ${MOST_VALUES}`);
  return first;
}

export function addSpanFacets(types: GraphqlTypes, facets: FacetsService): void {
  const { builder, TimeRange, ref } = types;
  builder.objectField(ref(PROJECT), "spanFacets", (t) =>
    t.field({
      type: spanFacetsType(types),
      description: "Of the spans that start in the range and match the condition.",
      args: {
        timeRange: t.arg({ type: TimeRange }),
        filterCondition: t.arg.string(),
        sessionFilterCondition: t.arg.string(),
      },
      resolve: ({ id }, given, { context }) => facets.facetsOf(context, id, scopeOf(given)),
    }),
  );
}

function createSpanFacetsType({ builder }: GraphqlTypes) {
  const Value = builder.objectRef<FacetValue>("SpanFacetValue").implement({
    fields: (t) => ({
      value: t.string({
        description: "As conditions compare it; of long texts the first 200 characters.",
        resolve: ({ value }) => value,
      }),
      count: t.int({ description: "Spans.", resolve: ({ count }) => count }),
    }),
  });
  const Band = builder.objectRef<LatencyBand>("SpanLatencyBand").implement({
    fields: (t) => ({
      minMs: t.float({ description: "Included.", resolve: ({ lowUs }) => lowUs / MICROSECONDS }),
      maxMs: t.float({
        nullable: true,
        description: "Excluded; none in the last band.",
        resolve: ({ highUs }) => (highUs === null ? null : highUs / MICROSECONDS),
      }),
      count: t.int({ description: "Spans.", resolve: ({ count }) => count }),
    }),
  });
  return builder.objectRef<SpanFacets>("SpanFacets").implement({
    description: "Counted values, most frequent first. A field costs one question; ask for those that are shown.",
    fields: (t) => {
      const values = (facet: ListedFacet) =>
        t.field({
          type: [Value],
          args: { first: t.arg.int({ required: true, defaultValue: 20 }) },
          resolve: (of, { first }) => {
            return of.values(facet, requireValues(first));
          },
        });
      return {
        kinds: values("kind"),
        statuses: values("status"),
        models: values("model"),
        names: values("name"),
        users: values("user"),
        errorTypes: values("errorType"),
        latencies: t.field({ type: [Band], description: "In their order.", resolve: (of) => of.latencies() }),
      };
    },
  });
}

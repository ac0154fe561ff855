// How many of the traces in a scope have a value, for several facets: a trace counts once for each of its spans' kinds and names, and for
// the user of its root span, as conditions on traces read them.
import { type RawBuilder, sql } from "kysely";
import { rootSpan } from "../../../../filter/place-sql.ts";
import { spanKinds } from "../../../../model/span.ts";
import { VALUE_CHARACTERS } from "../../../../model/summaries/blocks/facets.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { type TraceScope, tracesOf } from "./trace-list.store.ts";

type TraceFacet = "kind" | "name" | "user";

export interface TraceFacetValue {
  /** As conditions compare it; of long texts the first 200 characters. */
  readonly value: string;
  /** Traces. */
  readonly count: number;
}

export interface TraceFacets {
  /** How many traces were looked at: the newest. */
  readonly countedTraces: number;
  /** Those are all. */
  readonly complete: boolean;
  /** Most frequent first, then in the order of the text. */
  readonly values: Readonly<Record<TraceFacet, readonly TraceFacetValue[]>>;
}

export interface TraceFacetLimits {
  /** Traces that are looked at. */
  readonly traces: number;
  /** Their spans, but for those of the last trace. */
  readonly spans: number;
}

export type TraceFacetsStore = ReturnType<typeof createTraceFacetsStore>;

export function createTraceFacetsStore(dialect: Dialect) {
  const short = (column: string) => sql<string>`substr(${sql.ref(column)}, 1, ${sql.lit(VALUE_CHARACTERS)})`;

  return {
    async count(context: CallContext, scope: TraceScope, limits: TraceFacetLimits): Promise<TraceFacets> {
      const newest = tracesOf(dialect, context, scope, "slow")
        .select(["traces.id", "traces.start_us", "traces.span_count"])
        .orderBy("traces.start_us", "desc")
        .orderBy("traces.id", "desc")
        .limit(limits.traces + 1);
      const counted = (facet: TraceFacet, value: RawBuilder<string>) => sql`
        select ${sql.lit(facet)} as facet, cast(${value} as text) as value, count(*) as amount
        from (select distinct trace_id, ${sql.ref(facet)} from alike) as of_traces group by ${sql.ref(facet)}`;
      const user = sql`(select ${short("filter_user.user_key")} from spans as filter_user
        where filter_user.id = ${rootSpan("trace", "looked", "representative")})`;
      const parts = [
        counted("kind", sql.ref("kind")),
        counted("name", sql.ref("name")),
        sql`select 'user' as facet, user_key as value, count(*) as amount
          from (select ${user} as user_key from looked) as of_roots where user_key is not null group by user_key`,
        sql`select 'listed' as facet, null as value, count(*) as amount from summed`,
        sql`select 'looked' as facet, null as value, count(*) as amount from looked`,
      ];
      const { rows } = await sql<{ facet: TraceFacet | "listed" | "looked"; value: string | null; amount: number }>`
        with newest as materialized ${newest},
        summed as materialized (select id, sum(span_count) over up_to_here - span_count as before, count(*) over up_to_here as number
          from newest window up_to_here as (order by start_us desc, id desc rows unbounded preceding)),
        looked as materialized (
          select id from summed where before < ${sql.lit(limits.spans)} and number <= ${sql.lit(limits.traces)}),
        alike as materialized (select distinct spans.trace_id, spans.kind, ${short("spans.name")} as name
          from looked cross join spans where spans.trace_id = looked.id)
        ${sql.join(parts, sql` union all `)}`.execute(context.database.read(context, "slow"));
      const amounts = Map.groupBy(rows, ({ facet }) => facet);
      const single = (facet: "listed" | "looked") => Number(amounts.get(facet)?.[0]?.amount ?? 0);
      const values = (facet: TraceFacet) =>
        (amounts.get(facet) ?? [])
          .map(({ value, amount }) => ({ value: worded(facet, value!), count: Number(amount) }))
          .sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1));
      return {
        countedTraces: single("looked"),
        complete: single("looked") === single("listed"),
        values: { kind: values("kind"), name: values("name"), user: values("user") },
      };
    },
  };
}

/** Codes become the words of conditions. */
function worded(facet: TraceFacet, value: string): string {
  return facet === "kind" ? (spanKinds[Number(value)] ?? value) : value;
}

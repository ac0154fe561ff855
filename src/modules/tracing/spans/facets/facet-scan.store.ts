// Counts of the spans that match conditions, by several facets at once: the spans are read a single time.
import { type RawBuilder, sql } from "kysely";
import { type StatisticScope, spansInScope } from "../../../../filter/scope.ts";
import type { Settled } from "../../../../filter/settled.ts";
import { parseJson } from "../../../../kernel/json.ts";
import {
  exceptionTypeOf,
  type Facet,
  facetCode,
  facets,
  shortened,
} from "../../../../model/summaries/blocks/facets.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { createCandidatesStore } from "../../../../summaries/blocks/candidates.store.ts";
import { facetSql, isError, latencyBand } from "../../../../summaries/blocks/facet-sql.store.ts";

/** Facets that count spans. */
export type ScannedFacet = Exclude<Facet, "promptTokens" | "completionTokens">;

/** What each facet is counted by, with as few values as it needs; of errors the span, because what they are called stands in its
 *  payload. */
const columns: Readonly<Record<ScannedFacet, Readonly<Record<string, RawBuilder<unknown>>>>> = {
  kind: { kind: sql`spans.kind` },
  status: { status: sql`spans.status` },
  model: { model: sql`spans.model` },
  name: { name: sql`spans.name` },
  user: { user_key: sql`spans.user_key` },
  errorType: { status: sql`spans.status`, id: sql`case when ${isError} then spans.id end` },
  latency: { latency_us: latencyBand(sql`spans.latency_us`) },
};

export type FacetScanStore = ReturnType<typeof createFacetScanStore>;

export function createFacetScanStore(dialect: Dialect) {
  const candidates = createCandidatesStore(dialect);

  return {
    /** Amounts by value, of each facet. */
    async count(
      context: CallContext,
      projectId: number,
      scope: Settled<StatisticScope>,
      wanted: readonly ScannedFacet[],
    ): Promise<Map<ScannedFacet, Map<string, number>>> {
      const isCandidate = await candidates.inScope(context, scope);
      const project = sql.ref<number>("spans.project_id");
      const ofProject = isCandidate === null ? project : dialect.withoutIndex(project);
      const grouped = Object.entries(
        Object.assign({}, ...wanted.map((facet) => columns[facet])) as (typeof columns)["kind"],
      );
      const parts = wanted.map((facet) => {
        const { value, where } = facetSql(dialect, facet);
        return sql`select ${sql.lit(facetCode(facet))} as facet, ${value} as value, cast(sum(spans.amount) as bigint) as amount
          from alike as spans where ${where} group by 2`;
      });
      // Spans that are alike in all of it are counted first, as one: a grouping of every span for each facet took three times as long.
      const { rows } = await sql<{ facet: number; value: string | null; amount: number }>`
        with alike as materialized (
          select ${sql.join(grouped.map(([name, value]) => sql`${value} as ${sql.ref(name)}`))}, count(*) as amount
          from spans where ${ofProject} = ${projectId} and ${spansInScope(dialect, scope, isCandidate)}
          group by ${sql.raw(grouped.map((_, position) => position + 1).join(", "))})
        ${sql.join(parts, sql` union all `)}`.execute(context.database.read(context, "slow"));
      const found = new Map(wanted.map((facet) => [facet, new Map<string, number>()]));
      for (const { facet: code, value, amount } of rows) {
        const facet = facets[code] as ScannedFacet;
        const name = facet === "errorType" && value !== null ? exceptionTypeOf(parseJson(value)) : value;
        if (name === null) continue;
        const counts = found.get(facet)!;
        counts.set(shortened(name), (counts.get(shortened(name)) ?? 0) + Number(amount));
      }
      return found;
    },
  };
}

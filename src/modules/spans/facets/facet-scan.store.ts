// Counts of the spans that match conditions, by several facets at once: the spans are read a single time.
import { sql } from "kysely";
import { createCandidatesStore } from "../../../blocks/candidates.store.ts";
import { facetSql } from "../../../blocks/facet-sql.store.ts";
import { type StatisticScope, spansInScope } from "../../../filter/scope.ts";
import type { Settled } from "../../../filter/settled.ts";
import { parseJson } from "../../../kernel/json.ts";
import { exceptionTypeOf, type Facet, facetCode, facets, shortened } from "../../../model/blocks/facets.ts";
import type { Dialect } from "../../../storage/dialect.ts";
import type { CallContext } from "../../../storage/storage.ts";

export type FacetScanStore = ReturnType<typeof createFacetScanStore>;

export function createFacetScanStore(dialect: Dialect) {
  const candidates = createCandidatesStore(dialect);
  return {
    /** Amounts by value, of each facet. */
    async count(
      context: CallContext,
      projectId: number,
      scope: Settled<StatisticScope>,
      wanted: readonly Facet[],
    ): Promise<Map<Facet, Map<string, number>>> {
      const isCandidate = await candidates.inScope(context, scope);
      const project = sql.ref<number>("spans.project_id");
      const ofProject = isCandidate === null ? project : dialect.withoutIndex(project);
      const parts = wanted.map((facet) => {
        const { value, amount, where } = facetSql(dialect, facet);
        return sql`select ${sql.lit(facetCode(facet))} as facet, ${value} as value, cast(sum(${amount}) as bigint) as amount
          from matched as spans where ${where} group by 2`;
      });
      const { rows } = await sql<{ facet: number; value: string | null; amount: number }>`
        with matched as materialized (
          select spans.id, spans.kind, spans.status, spans.model, spans.name, spans.user_key, spans.latency_us,
            spans.prompt_tokens, spans.completion_tokens
          from spans where ${ofProject} = ${projectId} and ${spansInScope(dialect, scope, isCandidate)})
        ${sql.join(parts, sql` union all `)}`.execute(context.database.read(context, "slow"));
      const found = new Map(wanted.map((facet) => [facet, new Map<string, number>()]));
      for (const { facet: code, value, amount } of rows) {
        const facet = facets[code]!;
        const name = facet === "errorType" && value !== null ? exceptionTypeOf(parseJson(value)) : value;
        if (name === null) continue;
        const counts = found.get(facet)!;
        counts.set(shortened(name), (counts.get(shortened(name)) ?? 0) + Number(amount));
      }
      return found;
    },
  };
}

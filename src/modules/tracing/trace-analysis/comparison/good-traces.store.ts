// Traces without a failure, found at the end of the index of their start.
import { sql } from "kysely";
import { MAX_PARTS } from "../../../../storage/dialect.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { TraceRecord } from "../../traces/traces.schema.ts";

/** By row id. */
export interface GoodCandidate {
  readonly id: number;
  readonly spanCount: number;
}

export type GoodTracesStore = ReturnType<typeof createGoodTracesStore>;

export function createGoodTracesStore() {
  return {
    /** Of each trace those of its project that started before it, latest first, by its row id; those without one are left out. */
    async listBefore(
      context: CallContext,
      traces: readonly TraceRecord[],
      most: number,
    ): Promise<Map<number, GoodCandidate[]>> {
      // A query of its own for each, so that each walks the index to its limit only.
      const parts = traces.map(
        ({ id, projectId, startUs }) => sql`
          select * from (
            select cast(${id} as bigint) as "laterId", id, span_count as "spanCount", start_us as "startUs" from traces
            where project_id = ${projectId} and start_us <= ${startUs} and id <> ${id} and error_count = 0 and span_count > 0
            order by start_us desc, id desc limit ${sql.lit(most)}) as before_it`,
      );
      const found: (GoodCandidate & { readonly laterId: number })[] = [];
      for (let first = 0; first < parts.length; first += MAX_PARTS) {
        const some = sql.join(parts.slice(first, first + MAX_PARTS), sql` union all `);
        const { rows } = await sql<GoodCandidate & { readonly laterId: number }>`
          ${some} order by 1, 4 desc, 2 desc`.execute(context.database.read(context, "slow"));
        found.push(...rows);
      }
      return Map.groupBy(found, ({ laterId }) => laterId);
    },
  };
}

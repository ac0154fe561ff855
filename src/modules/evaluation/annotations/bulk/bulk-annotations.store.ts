// The spans, traces and sessions of a project that match a condition, in the order of their rows, some at a time.
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Filter } from "../../../../filter/filter.ts";
import { type StatisticScope, spansInScope } from "../../../../filter/scope.ts";
import type { Settled } from "../../../../filter/settled.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import type { Range } from "../../../../storage/period.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { createCandidatesStore } from "../../../../summaries/blocks/candidates.store.ts";
import type { TargetKind } from "../annotation-targets.rules.ts";

/** What a condition is asked of. Of spans it is one of the language of spans, and so on. */
export type MatchingScope =
  | { readonly owners: "spans"; readonly scope: Settled<StatisticScope> }
  | { readonly owners: "traces" | "sessions"; readonly range: Range; readonly filter: Settled<Filter> | null };

export type BulkAnnotationsStore = ReturnType<typeof createBulkAnnotationsStore>;

export function createBulkAnnotationsStore(dialect: Dialect) {
  const candidates = createCandidatesStore(dialect);

  async function conditionOf(context: CallContext, matching: MatchingScope): Promise<RawBuilder<SqlBool>> {
    if (matching.owners === "spans") {
      const { scope } = matching;
      return sql`${spansInScope(dialect, scope, await candidates.inScope(context, scope))}`;
    }
    const { owners, range, filter } = matching;
    const conditions = [filter === null ? sql<SqlBool>`1 = 1` : sql<SqlBool>`${filter.condition(dialect, owners)}`];
    const { startUs, endUs } = range;
    const start = sql.ref(`${owners}.start_us`);
    // Sessions that were active in the range, as their list has them; of traces those that start in it.
    const begin = owners === "sessions" ? sql.ref("sessions.end_us") : start;
    if (startUs !== null) conditions.push(sql<SqlBool>`${begin} >= ${startUs}`);
    if (endUs !== null) conditions.push(sql<SqlBool>`${start} < ${endUs}`);
    if (owners === "traces") conditions.push(sql<SqlBool>`traces.span_count > 0`);
    return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
  }

  return {
    /** The newest row; 0 without any. */
    async newestId(context: CallContext, { owners }: TargetKind, projectId: number): Promise<number> {
      const { rows } = await sql<{ id: number | null }>`
        select max(id) as id from ${sql.table(owners)} where project_id = ${projectId}`.execute(
        context.database.read(context, "short"),
      );
      return Number(rows[0]?.id ?? 0);
    },

    /** Row ids, beyond `after` and up to `upTo`. */
    async listMatching(
      context: CallContext,
      projectId: number,
      matching: MatchingScope,
      { after, upTo, limit }: { readonly after: number; readonly upTo: number; readonly limit: number },
    ): Promise<number[]> {
      const { owners } = matching;
      const id = sql.ref(`${owners}.id`);
      const matches = await conditionOf(context, matching);
      const { rows } = await sql<{ id: number }>`
        select ${id} as id from ${sql.table(owners)}
        where ${sql.ref(`${owners}.project_id`)} = ${projectId} and ${id} > ${after} and ${id} <= ${upTo} and ${matches}
        order by ${id} limit ${sql.lit(limit)}`.execute(context.database.read(context, "slow"));
      return rows.map((row) => row.id);
    },
  };
}

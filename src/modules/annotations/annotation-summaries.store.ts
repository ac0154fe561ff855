// What is said in a project, in figures: mean scores, shares of labels, names in use. They may read every annotation: slow reads.
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { createCandidatesStore } from "../../blocks/candidates.store.ts";
import { type StatisticScope, sessionsInScope, spansInScope, tracesInScope } from "../../filter/scope.ts";
import type { Settled } from "../../filter/settled.ts";
import type { Dialect } from "../../storage/dialect.ts";
import type { CallContext } from "../../storage/storage.ts";
import type { TargetKind } from "./annotation-targets.rules.ts";
import type { AnnotationSummary } from "./annotations.schema.ts";

interface NamedCount {
  readonly name: string;
  readonly count: number;
}

export type AnnotationSummariesStore = ReturnType<typeof createAnnotationSummariesStore>;

export function createAnnotationSummariesStore(dialect: Dialect) {
  const candidates = createCandidatesStore(dialect);

  /** Spans and traces that start in the range, sessions that were active in it. */
  async function inScope(context: CallContext, kind: TargetKind, scope: Settled<StatisticScope>) {
    if (kind.owners === "spans") return spansInScope(dialect, scope, await candidates.inScope(context, scope));
    if (kind.owners === "traces") {
      return tracesInScope(dialect, scope, await candidates.inScope(context, { ...scope, startUs: null, endUs: null }));
    }
    return sessionsInScope(dialect, scope);
  }

  /** Annotations of a project that say something. Nothing but the annotations may choose the way: they are fewer than the spans. */
  function saidIn(kind: TargetKind, projectId: number, matches: RawBuilder<SqlBool>) {
    const project = dialect.withoutIndex(sql.ref(`${kind.owners}.project_id`));
    return sql`${sql.table(kind.table)} a join ${sql.table(kind.owners)} on ${sql.ref(`${kind.owners}.id`)} = a.${sql.ref(kind.column)}
      where ${project} = ${projectId} and (a.label is not null or a.score is not null) and ${matches}`;
  }

  return {
    /** Means over what carries the annotation, so that what was judged often does not weigh more; null where nothing does. */
    async summary(
      context: CallContext,
      kind: TargetKind,
      projectId: number,
      scope: Settled<StatisticScope> & { readonly name: string },
    ): Promise<AnnotationSummary | null> {
      const said = sql`${saidIn(kind, projectId, await inScope(context, kind, scope))} and a.name = ${scope.name}`;
      const database = context.database.read(context, "slow");
      const owner = sql`a.${sql.ref(kind.column)}`;
      const totals = await sql<{
        carriers: number;
        count: number | null;
        scoreCount: number | null;
        labelCount: number | null;
        meanScore: number | null;
      }>`
        select count(*) as carriers, cast(sum(said) as bigint) as "count", cast(sum(scored) as bigint) as "scoreCount",
          cast(sum(labelled) as bigint) as "labelCount", avg(mean) as "meanScore"
        from (select count(*) as said, count(a.score) as scored, count(a.label) as labelled, avg(a.score) as mean
          from ${said} group by ${owner}) carrier`.execute(database);
      const { carriers, count, scoreCount, labelCount, meanScore } = totals.rows[0]!;
      if (count === null) return null;
      const shares = await sql<{ label: string; share: number }>`
        select label, sum(cast(said as double precision) / labelled) as "share"
        from (select a.label as label, count(*) as said, sum(count(*)) over (partition by ${owner}) as labelled
          from ${said} and a.label is not null group by ${owner}, a.label) labelled
        group by label order by label`.execute(database);
      return {
        name: scope.name,
        count: Number(count),
        scoreCount: Number(scoreCount),
        labelCount: Number(labelCount),
        meanScore,
        labels: shares.rows.map(({ label, share }) => ({ label, fraction: share / Number(carriers) })),
      };
    },

    /** Every name in use and how many annotations have it, by name. */
    async countNames(context: CallContext, kind: TargetKind, projectId: number): Promise<NamedCount[]> {
      const project = dialect.withoutIndex(sql.ref("owner.project_id"));
      const { rows } = await sql<NamedCount>`
        select a.name as name, count(*) as "count"
        from ${sql.table(kind.table)} a join ${sql.table(kind.owners)} owner on owner.id = a.${sql.ref(kind.column)}
        where ${project} = ${projectId} group by a.name order by a.name`.execute(
        context.database.read(context, "slow"),
      );
      return rows.map(({ name, count }) => ({ name, count: Number(count) }));
    },

    /** The names that somebody gave a label or a score in the range, by name. */
    async listMetricNames(
      context: CallContext,
      kind: TargetKind,
      projectId: number,
      scope: Settled<StatisticScope>,
    ): Promise<string[]> {
      const said = saidIn(kind, projectId, await inScope(context, kind, scope));
      const { rows } = await sql<{ name: string }>`select distinct a.name as name from ${said} order by a.name`.execute(
        context.database.read(context, "slow"),
      );
      return rows.map(({ name }) => name);
    },
  };
}

// The scores of retrieved documents in a project. They may read every annotation of documents: slow reads.
import { sql } from "kysely";
import { type StatisticScope, spansInScope } from "../../../../filter/scope.ts";
import type { Settled } from "../../../../filter/settled.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { createCandidatesStore } from "../../../../summaries/blocks/candidates.store.ts";

interface DocumentScore {
  readonly spanId: number;
  readonly position: number;
  readonly score: number;
}

export type RetrievalMetricsStore = ReturnType<typeof createRetrievalMetricsStore>;

export function createRetrievalMetricsStore(dialect: Dialect) {
  const candidates = createCandidatesStore(dialect);
  /** Nothing but the annotations may choose the way: they are fewer than the spans. */
  const inProject = (projectId: number) => sql`document_annotations a join spans on spans.id = a.span_id
    where ${dialect.withoutIndex(sql.ref("spans.project_id"))} = ${projectId}`;

  return {
    /** In use on the documents of a project, or of one span in it. */
    async listNames(context: CallContext, projectId: number, spanId: number | null): Promise<string[]> {
      const ofSpan = spanId === null ? sql`` : sql` and a.span_id = ${spanId}`;
      const { rows } = await sql<{ name: string }>`
        select distinct a.name as name from ${inProject(projectId)}${ofSpan} order by a.name`.execute(
        context.database.read(context, "slow"),
      );
      return rows.map(({ name }) => name);
    },

    /** The first `limit` spans beyond a row id with documents that have a score of the name. */
    async listScoredSpans(
      context: CallContext,
      projectId: number,
      scope: Settled<StatisticScope> & { readonly name: string },
      { after, limit }: { readonly after: number; readonly limit: number },
    ): Promise<number[]> {
      const matches = spansInScope(dialect, scope, await candidates.inScope(context, scope));
      const { rows } = await sql<{ id: number }>`
        select distinct a.span_id as id from ${inProject(projectId)} and a.name = ${scope.name} and a.score is not null
          and a.span_id > ${after} and ${matches} order by a.span_id limit ${sql.lit(limit)}`.execute(
        context.database.read(context, "slow"),
      );
      return rows.map(({ id }) => id);
    },

    /** Of one name, on the documents of these spans. */
    async listScores(context: CallContext, name: string, spanIds: readonly number[]): Promise<DocumentScore[]> {
      const { rows } = await sql<DocumentScore>`
        select span_id as "spanId", position, score from document_annotations
        where ${dialect.inList(sql.ref("span_id"), spanIds)} and name = ${name} and score is not null`.execute(
        context.database.read(context, "slow"),
      );
      return rows;
    },
  };
}

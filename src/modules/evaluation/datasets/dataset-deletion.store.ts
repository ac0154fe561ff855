// Removes datasets: one is marked first, which hides it, and then goes in slices, so that ingestion has its turn between them.
import { type RawBuilder, sql } from "kysely";
import type { Dialect } from "../../../storage/dialect.ts";
import type { CallContext } from "../../../storage/storage.ts";

/** Of one slice. */
const SLICE_EXAMPLES = 2000;
const SLICE_RUNS = 500;

export type DatasetDeletionStore = ReturnType<typeof createDatasetDeletionStore>;

export function createDatasetDeletionStore(dialect: Dialect) {
  const run = async (context: CallContext, statement: RawBuilder<unknown>): Promise<number> =>
    Number((await statement.execute(context.database.write(context))).numAffectedRows ?? 0n);

  /** LLM evaluators go with the last dataset that uses them; the projects of their traces stay. */
  async function removeEvaluators(context: CallContext, datasetId: number): Promise<void> {
    const removed = await sql<{ id: number }>`delete from dataset_evaluators where dataset_id = ${datasetId}
      returning evaluator_id as id`.execute(context.database.write(context));
    const ids = [...new Set(removed.rows.map(({ id }) => Number(id)))];
    if (ids.length === 0) return;
    await run(
      context,
      sql`delete from evaluators where ${dialect.inList(sql.ref("id"), ids)} and kind = 'LLM'
        and not exists (select 1 from dataset_evaluators as links where links.evaluator_id = evaluators.id)`,
    );
  }

  return {
    /** Hides the dataset. False when it is gone already. */
    async mark(context: CallContext, datasetId: number): Promise<boolean> {
      return (await run(context, sql`update datasets set deleting = 1 where id = ${datasetId}`)) > 0;
    },

    async listMarked(context: CallContext): Promise<number[]> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("datasets")
        .select("id")
        .where("deleting", "=", 1)
        .execute();
      return rows.map(({ id }) => id);
    },

    /** False when nothing was left. */
    async removeSlice(context: CallContext, datasetId: number): Promise<boolean> {
      const runs = await run(
        context,
        sql`delete from experiment_runs where id in (select runs.id from experiments
          join experiment_runs as runs on runs.experiment_id = experiments.id
          where experiments.dataset_id = ${datasetId} limit ${SLICE_RUNS})`,
      );
      if (runs > 0) return true;
      const experiments = await run(
        context,
        sql`delete from experiments where id in (select id from experiments where dataset_id = ${datasetId} limit 1)`,
      );
      if (experiments > 0) return true;
      const found = await sql<{ id: number }>`select id from dataset_examples where dataset_id = ${datasetId}
        order by id limit ${SLICE_EXAMPLES}`.execute(context.database.write(context));
      const ids = found.rows.map(({ id }) => Number(id));
      if (ids.length > 0) {
        const ofThese = dialect.inList(sql.ref("example_id"), ids);
        const revisions = sql`dataset_id = ${datasetId} and ${ofThese}`;
        await run(context, sql`delete from dataset_split_examples where ${ofThese}`);
        await run(context, sql`delete from dataset_example_spans where ${ofThese}`);
        await run(
          context,
          sql`delete from dataset_contents where id in (
            select content_id from dataset_revisions where ${revisions} and content_id is not null
          )`,
        );
        await run(context, sql`delete from dataset_revisions where ${revisions}`);
        await run(context, sql`delete from dataset_examples where ${dialect.inList(sql.ref("id"), ids)}`);
        return true;
      }
      await removeEvaluators(context, datasetId);
      await run(context, sql`delete from dataset_label_uses where dataset_id = ${datasetId}`);
      await run(context, sql`delete from dataset_versions where dataset_id = ${datasetId}`);
      await run(context, sql`delete from datasets where id = ${datasetId} and deleting = 1`);
      return false;
    },
  };
}

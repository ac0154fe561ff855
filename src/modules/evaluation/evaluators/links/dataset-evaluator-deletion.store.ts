// Removes links between evaluators and datasets: they are hidden first, and go when the project of their traces is gone.
import { type SqlBool, sql } from "kysely";
import type { Dialect } from "../../../../storage/dialect.ts";
import type { CallContext } from "../../../../storage/storage.ts";

interface LinkToDelete {
  readonly id: number;
  readonly evaluatorId: number;
  readonly projectName: string;
  /** The prompt that was made for the evaluator, if it is to go as well. */
  readonly promptId: number | null;
}

export type DatasetEvaluatorDeletionStore = ReturnType<typeof createDatasetEvaluatorDeletionStore>;

export function createDatasetEvaluatorDeletionStore(dialect: Dialect) {
  const beginning = (context: CallContext) =>
    context.database
      .read(context, "short")
      .selectFrom("dataset_evaluators as links")
      .innerJoin("evaluators", "evaluators.id", "links.evaluator_id")
      .select([
        "links.id",
        "links.evaluator_id as evaluatorId",
        "links.project_name as projectName",
        sql<number | null>`case when links.deletes_prompt = 1 and evaluators.made_prompt = 1
          then evaluators.prompt_id end`.as("promptId"),
      ])
      .where("links.deletion_began_us", "is not", null);

  return {
    /** Hides the links, also those whose deletion has begun; the ids of those that are there. */
    async begin(
      context: CallContext,
      ids: readonly number[],
      { withPrompts, nowUs }: { readonly withPrompts: boolean; readonly nowUs: number },
    ): Promise<number[]> {
      // Every transaction takes the rows in the same order: two of them never wait for each other.
      const sortedIds = [...new Set(ids)].sort((one, other) => one - other);
      const begun: number[] = [];
      for (const id of sortedIds) {
        const row = await context.database
          .write(context)
          .updateTable("dataset_evaluators")
          .set({
            deletion_began_us: sql<number>`coalesce(deletion_began_us, ${nowUs})`,
            deletes_prompt: withPrompts ? 1 : 0,
          })
          .where("id", "=", id)
          .returning("id")
          .executeTakeFirst();
        if (row !== undefined) begun.push(row.id);
      }
      return begun;
    },

    async findBegun(context: CallContext, ids: readonly number[]): Promise<LinkToDelete[]> {
      return beginning(context)
        .where(dialect.inList(sql.ref("links.id"), ids))
        .orderBy("links.id")
        .execute();
    },

    async listBegun(context: CallContext): Promise<LinkToDelete[]> {
      return beginning(context).orderBy("links.id").execute();
    },

    async remove(context: CallContext, id: number): Promise<void> {
      await context.database.write(context).deleteFrom("dataset_evaluators").where("id", "=", id).execute();
    },

    /** Whether an evaluator is made of the prompt. */
    async isPromptUsed(context: CallContext, promptId: number): Promise<boolean> {
      const row = await context.database
        .read(context, "short")
        .selectFrom("evaluators")
        .select(sql<SqlBool>`1`.as("used"))
        .where("prompt_id", "=", promptId)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}

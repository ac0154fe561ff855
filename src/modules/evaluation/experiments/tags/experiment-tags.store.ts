// The rows of tags on experiments: a name points at one experiment of its dataset.
import { sql } from "kysely";
import type { Dialect } from "../../../../storage/dialect.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { ExperimentTag } from "./experiment-tags.schema.ts";

export type ExperimentTagsStore = ReturnType<typeof createExperimentTagsStore>;

const columns = ["id", "dataset_id as datasetId", "name", "experiment_id as experimentId", "description"] as const;

export function createExperimentTagsStore(dialect: Dialect) {
  return {
    /** Those that point at the experiments, by experiment, each by name. */
    async findOfExperiments(context: CallContext, ids: readonly number[]): Promise<Map<number, ExperimentTag[]>> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("experiment_tags")
        .select(columns)
        .where(dialect.inList(sql.ref("experiment_id"), ids))
        .orderBy("name")
        .execute();
      return Map.groupBy(rows, ({ experimentId }) => experimentId);
    },

    async findTags(context: CallContext, ids: readonly number[]): Promise<Map<number, ExperimentTag>> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("experiment_tags")
        .select(columns)
        .where(dialect.inList(sql.ref("id"), ids))
        .execute();
      return new Map(rows.map((tag) => [tag.id, tag]));
    },

    /** The ids of the experiments that a name points at, by dataset. */
    async findTagged(
      context: CallContext,
      datasetIds: readonly number[],
      { name }: { readonly name: string },
    ): Promise<Map<number, number>> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("experiment_tags")
        .select(["dataset_id", "experiment_id"])
        .where("name", "=", name)
        .where(dialect.inList(sql.ref("dataset_id"), datasetIds))
        .execute();
      return new Map(rows.map((row) => [row.dataset_id, row.experiment_id]));
    },

    /** Takes the name from whatever experiment of the dataset has it. */
    async put(context: CallContext, tag: Omit<ExperimentTag, "id">, userId: number | null): Promise<ExperimentTag> {
      const content = { experiment_id: tag.experimentId, user_id: userId, description: tag.description };
      return context.database
        .write(context)
        .insertInto("experiment_tags")
        .values({ dataset_id: tag.datasetId, name: tag.name, ...content })
        .onConflict((conflict) => conflict.columns(["dataset_id", "name"]).doUpdateSet(content))
        .returning(columns)
        .executeTakeFirstOrThrow();
    },

    /** From the experiment, if it is there. */
    async remove(
      context: CallContext,
      experimentId: number,
      tag: { readonly id: number } | { readonly name: string },
    ): Promise<void> {
      const query = context.database
        .write(context)
        .deleteFrom("experiment_tags")
        .where("experiment_id", "=", experimentId);
      await ("id" in tag ? query.where("id", "=", tag.id) : query.where("name", "=", tag.name)).execute();
    },
  };
}

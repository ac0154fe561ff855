// What a job has to run: examples of the snapshot, and which repetitions of them have a run already.
import { sql } from "kysely";
import type { Dialect } from "../../../../storage/dialect.ts";
import type { CallContext } from "../../../../storage/storage.ts";

/** Texts are JSON of objects. */
export interface SnapshotContent {
  readonly id: number;
  readonly input: string;
  readonly output: string;
  readonly metadata: string;
}

interface RunPlace {
  readonly exampleId: number;
  readonly repetition: number;
  readonly hasFailed: boolean;
}

export type JobTasksStore = ReturnType<typeof createJobTasksStore>;

export function createJobTasksStore(dialect: Dialect) {
  return {
    /** Row ids of examples behind one, ascending. */
    async listExampleIds(context: CallContext, experimentId: number, behind: number, limit: number): Promise<number[]> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("experiment_examples")
        .select("example_id")
        .where("experiment_id", "=", experimentId)
        .where("example_id", ">", behind)
        .orderBy("example_id")
        .limit(limit)
        .execute();
      return rows.map(({ example_id }) => example_id);
    },

    async listRuns(context: CallContext, experimentId: number, exampleIds: readonly number[]): Promise<RunPlace[]> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("experiment_runs")
        .select(["example_id", "repetition", sql<number>`case when error is null then 0 else 1 end`.as("failed")])
        .where("experiment_id", "=", experimentId)
        .where(dialect.inList(sql.ref("example_id"), exampleIds))
        .execute();
      return rows.map((row) => ({
        exampleId: row.example_id,
        repetition: row.repetition,
        hasFailed: Number(row.failed) === 1,
      }));
    },

    /** As the examples are in the snapshot, ascending. */
    async listContents(
      context: CallContext,
      { id, datasetId }: { readonly id: number; readonly datasetId: number },
      exampleIds: readonly number[],
    ): Promise<SnapshotContent[]> {
      return context.database
        .read(context, "short")
        .selectFrom("experiment_examples as taken")
        .innerJoin("dataset_revisions as revisions", (join) =>
          join
            .onRef("revisions.example_id", "=", "taken.example_id")
            .onRef("revisions.version_id", "=", "taken.revision_id")
            .on("revisions.dataset_id", "=", datasetId),
        )
        .innerJoin("dataset_contents as contents", "contents.id", "revisions.content_id")
        .where("taken.experiment_id", "=", id)
        .where(dialect.inList(sql.ref("taken.example_id"), exampleIds))
        .select(["taken.example_id as id", "contents.input", "contents.output", "contents.metadata"])
        .orderBy("taken.example_id")
        .execute();
    },
  };
}

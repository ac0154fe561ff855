// Removes experiments in slices, so that ingestion has its turn between them: their runs with what was said of them, then the examples.
import { type RawBuilder, sql } from "kysely";
import type { CallContext } from "../../storage/storage.ts";

/** Of one slice. */
const SLICE_RUNS = 500;
const SLICE_EXAMPLES = 2000;

export type ExperimentDeletionStore = ReturnType<typeof createExperimentDeletionStore>;

export function createExperimentDeletionStore() {
  const run = async (context: CallContext, statement: RawBuilder<unknown>): Promise<number> =>
    Number((await statement.execute(context.database.write(context))).numAffectedRows ?? 0n);

  return {
    /** False when nothing was left but the experiment itself. */
    async removeSlice(context: CallContext, id: number): Promise<boolean> {
      const runs = await run(
        context,
        sql`delete from experiment_runs where id in
          (select id from experiment_runs where experiment_id = ${id} order by id limit ${SLICE_RUNS})`,
      );
      if (runs > 0) return true;
      const examples = await run(
        context,
        sql`delete from experiment_examples where experiment_id = ${id} and example_id in
          (select example_id from experiment_examples where experiment_id = ${id} order by example_id
            limit ${SLICE_EXAMPLES})`,
      );
      return examples > 0;
    },

    /** False when it is gone already. */
    async remove(context: CallContext, id: number): Promise<boolean> {
      return (await run(context, sql`delete from experiments where id = ${id}`)) > 0;
    },
  };
}

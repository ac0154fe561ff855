// Removes experiments in slices, so that ingestion has its turn between them: their runs with their evaluations, then the examples.
import { type RawBuilder, sql } from "kysely";
import type { CallContext } from "../../../storage/storage.ts";
import type { Experiment } from "./experiments.schema.ts";
import { experimentOfRow } from "./experiments.store.ts";

/** Of one slice. */
const SLICE_RUNS = 500;
const SLICE_EXAMPLES = 2000;

interface DeletionBeginning {
  readonly withProject: boolean;
  readonly nowUs: number;
  readonly dismissedBeforeUs?: number;
}

export type ExperimentDeletionStore = ReturnType<typeof createExperimentDeletionStore>;

export function createExperimentDeletionStore() {
  const run = async (context: CallContext, statement: RawBuilder<unknown>): Promise<number> =>
    Number((await statement.execute(context.database.write(context))).numAffectedRows ?? 0n);

  return {
    /** Also one whose deletion has begun. */
    async find(context: CallContext, id: number): Promise<Experiment | null> {
      const query = context.database.read(context, "short").selectFrom("experiments").selectAll();
      const row = await query.where("id", "=", id).executeTakeFirst();
      return row === undefined ? null : experimentOfRow(row);
    },

    /** Those whose deletion has begun, and those that were dismissed before. */
    async list(context: CallContext, dismissedBeforeUs: number): Promise<Experiment[]> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("experiments")
        .selectAll()
        .where((eb) => eb.or([eb("deletion_began_us", "is not", null), eb("dismissed_us", "<", dismissedBeforeUs)]))
        .orderBy("id")
        .execute();
      return rows.map(experimentOfRow);
    },

    /** Hides it. With `dismissedBeforeUs` only if it still is dismissed. False when it is not, or is gone. */
    async begin(
      context: CallContext,
      id: number,
      { withProject, nowUs, dismissedBeforeUs }: DeletionBeginning,
    ): Promise<boolean> {
      const stillDismissed = dismissedBeforeUs === undefined ? sql`` : sql`and dismissed_us < ${dismissedBeforeUs}`;
      const project = withProject ? sql`, deletes_project = 1` : sql``;
      const begin = sql`update experiments set deletion_began_us = coalesce(deletion_began_us, ${nowUs}) ${project}
        where id = ${id} ${stillDismissed}`;
      return (await run(context, begin)) > 0;
    },

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

    async remove(context: CallContext, id: number): Promise<void> {
      await run(context, sql`delete from experiments where id = ${id}`);
    },
  };
}

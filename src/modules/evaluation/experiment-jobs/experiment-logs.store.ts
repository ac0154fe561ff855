// What went wrong in jobs, since their last start.
import { type Selectable, sql } from "kysely";
import type { PageRequest, PlacedPage } from "../../../kernel/list.ts";
import type { Dialect } from "../../../storage/dialect.ts";
import { arrivalOrder, readPages } from "../../../storage/list.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { EntryLevel, ExperimentLog, LogCategory, NewLog, ProblemCode } from "./experiment-jobs.schema.ts";
import type { ExperimentLogsTable } from "./experiment-jobs.tables.ts";

export type ExperimentLogsStore = ReturnType<typeof createExperimentLogsStore>;

export function createExperimentLogsStore(dialect: Dialect) {
  const errors = (context: CallContext, jobIds: readonly number[]) =>
    context.database
      .read(context, "short")
      .selectFrom("experiment_logs")
      .where(dialect.inList(sql.ref("experiment_id"), jobIds))
      .where("level", "=", "ERROR");

  return {
    async insert(context: CallContext, logs: readonly NewLog[]): Promise<void> {
      await context.database.write(context).insertInto("experiment_logs").values(logs.map(rowOf)).execute();
    },

    async removeOfJob(context: CallContext, jobId: number): Promise<void> {
      await context.database.write(context).deleteFrom("experiment_logs").where("experiment_id", "=", jobId).execute();
    },

    /** Those of level ERROR by job, newest first. */
    listErrors(
      context: CallContext,
      jobIds: readonly number[],
      request: PageRequest,
    ): Promise<Map<number, PlacedPage<ExperimentLog>>> {
      return readPages(
        context.database.read(context, "short"),
        jobIds,
        {
          listOf: (id) => errors(context, [id]).selectAll(),
          ownerOf: ({ experiment_id }) => experiment_id,
          itemOf: logOfRow,
        },
        arrivalOrder(sql.ref("id"), "desc"),
        request,
      );
    },

    /** By job; one without errors is left out. */
    async findLastErrors(context: CallContext, jobIds: readonly number[]): Promise<Map<number, ExperimentLog>> {
      const last = errors(context, jobIds)
        .select((of) => of.fn.max("id").as("id"))
        .groupBy("experiment_id");
      const rows = await context.database
        .read(context, "short")
        .selectFrom("experiment_logs")
        .selectAll()
        .where("id", "in", last)
        .execute();
      return new Map(rows.map((row) => [row.experiment_id, logOfRow(row)]));
    },

    async find(context: CallContext, ids: readonly number[]): Promise<Map<number, ExperimentLog>> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("experiment_logs")
        .selectAll()
        .where(dialect.inList(sql.ref("id"), ids))
        .execute();
      return new Map(rows.map((row) => [row.id, logOfRow(row)]));
    },
  };
}

function rowOf({ jobId, occurredUs, category, level, message, detail }: NewLog) {
  return {
    experiment_id: jobId,
    occurred_us: occurredUs,
    category,
    level,
    message,
    code: detail?.code ?? null,
    retries: detail?.retries ?? null,
    example_id: detail?.exampleId ?? null,
    repetition: detail?.repetition ?? null,
    run_id: detail?.runId ?? null,
    dataset_evaluator_id: detail?.datasetEvaluatorId ?? null,
  };
}

function logOfRow(row: Selectable<ExperimentLogsTable>): ExperimentLog {
  return {
    id: row.id,
    jobId: row.experiment_id,
    occurredUs: row.occurred_us,
    category: row.category as LogCategory,
    level: row.level as EntryLevel,
    message: row.message,
    detail:
      row.code === null
        ? null
        : {
            code: row.code as ProblemCode,
            retries: row.retries,
            exampleId: row.example_id,
            repetition: row.repetition,
            runId: row.run_id,
            datasetEvaluatorId: row.dataset_evaluator_id,
          },
  };
}

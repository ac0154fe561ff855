// The rows of jobs, which server may run each, and what went wrong in them.

import { type Selectable, sql, type Updateable } from "kysely";
import type { PageRequest, PlacedPage } from "../../../kernel/list.ts";
import type { Dialect } from "../../../storage/dialect.ts";
import { arrivalOrder, readPages } from "../../../storage/list.ts";
import type { CallContext } from "../../../storage/storage.ts";
import { promptColumns, promptOfRow } from "../prompts/prompt-columns.rules.ts";
import type { ExperimentJob, JobClaim, JobSpending, JobStatus, StopReason } from "./experiment-jobs.schema.ts";
import type { ExperimentJobsTable } from "./experiment-jobs.tables.ts";

type NewJobRow = Pick<
  ExperimentJob,
  "id" | "task" | "limits" | "estimate" | "needsCredentials" | "userId" | "apiKeyId" | "createdUs"
>;

/** Who claims a job, and for how long unless the claim is renewed. */
export interface Claimant {
  readonly server: string;
  readonly validUs: number;
}

export interface ClaimedJob {
  readonly job: ExperimentJob;
  readonly claim: JobClaim;
}

interface JobStart {
  readonly needsCredentials: boolean;
  readonly retriesFailed: boolean;
  readonly limits: ExperimentJob["limits"];
  readonly userId: number | null;
  readonly apiKeyId: number | null;
  readonly nowUs: number;
}

interface JobEnd {
  readonly status: Exclude<JobStatus, "RUNNING">;
  readonly reason: StopReason | null;
  readonly message: string | null;
  readonly nowUs: number;
}

/** A job that a server holds, as others have left it. */
export interface WatchedJob {
  readonly claim: JobClaim;
  readonly status: JobStatus;
  readonly isPausing: boolean;
}

/** Beyond it a sum could not be read any more: about 9,007 USD. */
const MOST_COST = Number.MAX_SAFE_INTEGER;

export type ExperimentJobsStore = ReturnType<typeof createExperimentJobsStore>;

export function createExperimentJobsStore(dialect: Dialect) {
  return { ...jobReads(dialect), ...jobChanges(dialect), ...jobClaims(dialect) };
}

/** Those of experiments and datasets that are being deleted are gone. */
const livingJobs = (context: CallContext) =>
  context.database
    .read(context, "short")
    .selectFrom("experiment_jobs as jobs")
    .innerJoin("experiments", "experiments.id", "jobs.experiment_id")
    .innerJoin("datasets", "datasets.id", "experiments.dataset_id")
    .where("experiments.deletion_began_us", "is", null)
    .where("datasets.deleting", "=", 0);

function jobReads(dialect: Dialect) {
  return {
    async find(context: CallContext, ids: readonly number[]): Promise<Map<number, ExperimentJob>> {
      const rows = await livingJobs(context)
        .where(dialect.inList(sql.ref("jobs.experiment_id"), ids))
        .selectAll("jobs")
        .execute();
      return new Map(rows.map((row) => [row.experiment_id, jobOfRow(row)]));
    },

    /** By dataset, newest first. */
    listOfDatasets(
      context: CallContext,
      datasetIds: readonly number[],
      request: PageRequest,
    ): Promise<Map<number, PlacedPage<ExperimentJob>>> {
      const listOf = (datasetId: number) =>
        livingJobs(context)
          .where("experiments.dataset_id", "=", datasetId)
          .selectAll("jobs")
          .select(["jobs.experiment_id as id", "experiments.dataset_id as datasetId"]);
      return readPages(
        context.database.read(context, "short"),
        datasetIds,
        {
          listOf,
          ownerOf: ({ datasetId }) => datasetId,
          itemOf: (row) => jobOfRow(row),
        },
        arrivalOrder(sql.ref("jobs.experiment_id"), "desc"),
        request,
      );
    },

    /** Row ids of dataset evaluators by job, in the order in which they were named; a job without any is left out. */
    async findEvaluatorIds(context: CallContext, ids: readonly number[]): Promise<Map<number, number[]>> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("experiment_job_evaluators")
        .select(["experiment_id as id", "dataset_evaluator_id as evaluator"])
        .where(dialect.inList(sql.ref("experiment_id"), ids))
        .orderBy("position")
        .execute();
      const groups = Map.groupBy(rows, ({ id }) => id);
      return new Map([...groups].map(([id, found]) => [id, found.map(({ evaluator }) => evaluator)]));
    },
  };
}

function jobChanges(dialect: Dialect) {
  /** Changes a running job; null where it does not run, or is gone. */
  async function changeRunning(
    context: CallContext,
    id: number,
    changes: Updateable<ExperimentJobsTable>,
  ): Promise<ExperimentJob | null> {
    const row = await context.database
      .write(context)
      .updateTable("experiment_jobs")
      .set(changes)
      .where("experiment_id", "=", id)
      .where("status", "=", "RUNNING")
      .returningAll()
      .executeTakeFirst();
    return row === undefined ? null : jobOfRow(row);
  }

  return {
    /** It runs from the beginning, on the server that claims it. */
    async insert(
      context: CallContext,
      { task, limits, ...job }: NewJobRow,
      evaluatorIds: readonly number[],
      claimant: Claimant,
    ): Promise<ClaimedJob> {
      const row = await context.database
        .write(context)
        .insertInto("experiment_jobs")
        .values({
          experiment_id: job.id,
          status: "RUNNING",
          ...taskColumns(task),
          max_cost: limits.maxCost,
          max_tokens: limits.maxTokens,
          estimate: job.estimate,
          user_id: job.userId,
          api_key_id: job.apiKeyId,
          needs_credentials: Number(job.needsCredentials),
          claimed_by: claimant.server,
          claimed_until_us: untilUs(dialect, claimant),
          claims: 1,
          created_us: job.createdUs,
          started_us: job.createdUs,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      if (evaluatorIds.length > 0) {
        const links = evaluatorIds.map((evaluator, position) => ({
          experiment_id: job.id,
          dataset_evaluator_id: evaluator,
          position,
        }));
        await context.database.write(context).insertInto("experiment_job_evaluators").values(links).execute();
      }
      return claimedJob(row);
    },

    /** Runs it again, on the server that claims it: what an earlier claim writes is refused from now on. Null where it runs already, or is
     *  gone. */
    async start(context: CallContext, id: number, start: JobStart, claimant: Claimant): Promise<ClaimedJob | null> {
      const row = await context.database
        .write(context)
        .updateTable("experiment_jobs")
        .set((of) => ({
          status: "RUNNING",
          stop_reason: null,
          stop_message: null,
          needs_credentials: Number(start.needsCredentials),
          retries_failed: Number(start.retriesFailed),
          max_cost: start.limits.maxCost,
          max_tokens: start.limits.maxTokens,
          user_id: start.userId,
          api_key_id: start.apiKeyId,
          pausing: 0,
          claimed_by: claimant.server,
          claimed_until_us: untilUs(dialect, claimant),
          claims: of("claims", "+", 1),
          started_us: start.nowUs,
          toggled_us: start.nowUs,
          ended_us: null,
          done_before: sql<number>`(select count(*) from experiment_runs
            where experiment_runs.experiment_id = experiment_jobs.experiment_id and error is null)`,
        }))
        .where("experiment_id", "=", id)
        .where("status", "!=", "RUNNING")
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : claimedJob(row);
    },

    /** Stops it, or with `isPausing` asks its server to; the claim stays, so that the server stores what has ended. Null where it does not
     *  run. */
    stop(
      context: CallContext,
      id: number,
      {
        reason,
        nowUs,
        isPausing,
      }: { readonly reason: StopReason; readonly nowUs: number; readonly isPausing: boolean },
    ): Promise<ExperimentJob | null> {
      if (isPausing) return changeRunning(context, id, { pausing: 1, toggled_us: nowUs });
      return changeRunning(context, id, {
        status: "STOPPED",
        stop_reason: reason,
        stop_message: null,
        pausing: 0,
        ended_us: nowUs,
        toggled_us: nowUs,
      });
    },
  };
}

function jobClaims(dialect: Dialect) {
  return {
    /** Claims a running job that no server holds. Null where one does, or it does not run. */
    async claim(context: CallContext, id: number, claimant: Claimant): Promise<ClaimedJob | null> {
      const row = await context.database
        .write(context)
        .updateTable("experiment_jobs")
        .set((of) => ({
          claimed_by: claimant.server,
          claimed_until_us: untilUs(dialect, claimant),
          claims: of("claims", "+", 1),
        }))
        .where("experiment_id", "=", id)
        .where("status", "=", "RUNNING")
        .where(sql<boolean>`claimed_until_us <= ${dialect.nowUs}`)
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : claimedJob(row);
    },

    /** Ids of running jobs that no server holds, oldest first. */
    async listUnclaimed(context: CallContext, limit: number): Promise<number[]> {
      const rows = await livingJobs(context)
        .where("jobs.status", "=", "RUNNING")
        .where(sql<boolean>`jobs.claimed_until_us <= ${dialect.nowUs}`)
        .select("jobs.experiment_id as id")
        .orderBy("jobs.experiment_id")
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },

    /** Voids the claims of all other servers: for a database that has one server at a time. */
    async voidOtherClaims(context: CallContext, server: string): Promise<void> {
      await context.database
        .write(context)
        .updateTable("experiment_jobs")
        .set({ claimed_by: null, claimed_until_us: 0 })
        .where("claimed_by", "!=", server)
        .execute();
    },

    async renew(context: CallContext, claimant: Claimant, ids: readonly number[]): Promise<void> {
      await context.database
        .write(context)
        .updateTable("experiment_jobs")
        .set({ claimed_until_us: untilUs(dialect, claimant) })
        .where("claimed_by", "=", claimant.server)
        .where("status", "=", "RUNNING")
        .where(dialect.inList(sql.ref("experiment_id"), ids))
        .execute();
    },

    /** Those that a server holds; one that is deleted or taken over is left out. */
    async listHeld(context: CallContext, server: string): Promise<WatchedJob[]> {
      const rows = await livingJobs(context)
        .where("jobs.claimed_by", "=", server)
        .select(["jobs.experiment_id as id", "jobs.claims", "jobs.status", "jobs.pausing"])
        .execute();
      return rows.map(({ id, claims, status, pausing }) => ({
        claim: { jobId: id, number: claims },
        status: status as JobStatus,
        isPausing: pausing === 1,
      }));
    },

    /** Adds to what the calls took. False where the claim does not hold any more; otherwise no other server takes it over before the end of
     *  the transaction. */
    async addSpending(context: CallContext, { jobId, number }: JobClaim, spent: JobSpending): Promise<boolean> {
      const sum = (column: string, more: number) => sql<number>`${sql.ref(column)} + ${more}`;
      const total = sql<number>`cost + ${spent.cost}`;
      const { numUpdatedRows } = await context.database
        .write(context)
        .updateTable("experiment_jobs")
        .set({
          calls: sum("calls", spent.calls),
          prompt_tokens: sum("prompt_tokens", spent.promptTokens),
          completion_tokens: sum("completion_tokens", spent.completionTokens),
          cost: sql<number>`case when ${total} > ${sql.lit(MOST_COST)} then ${sql.lit(MOST_COST)} else ${total} end`,
          unpriced_calls: sum("unpriced_calls", spent.unpricedCalls),
        })
        .where("experiment_id", "=", jobId)
        .where("claims", "=", number)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** Ends the job and gives up the claim. Where it was stopped meanwhile, only the claim. False where the claim does not hold. */
    async end(context: CallContext, claim: JobClaim, end: JobEnd): Promise<boolean> {
      const ended = await heldRow(context, claim, {
        status: end.status,
        stop_reason: end.reason,
        stop_message: end.message,
        ended_us: end.nowUs,
        pausing: 0,
        claimed_by: null,
        claimed_until_us: 0,
      })
        .where("status", "=", "RUNNING")
        .executeTakeFirst();
      if (ended.numUpdatedRows > 0n) return true;
      const { numUpdatedRows } = await heldRow(context, claim, released).executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** Gives up the claim: any server may go on at once. */
    async release(context: CallContext, claim: JobClaim): Promise<void> {
      await heldRow(context, claim, released).execute();
    },
  };
}

function untilUs(dialect: Dialect, { validUs }: Claimant) {
  return sql<number>`${dialect.nowUs} + ${sql.lit(validUs)}`;
}

function claimedJob(row: Selectable<ExperimentJobsTable>): ClaimedJob {
  return { job: jobOfRow(row), claim: { jobId: row.experiment_id, number: row.claims } };
}

const released: Updateable<ExperimentJobsTable> = { claimed_by: null, claimed_until_us: 0 };

function heldRow(context: CallContext, { jobId, number }: JobClaim, changes: Updateable<ExperimentJobsTable>) {
  return context.database
    .write(context)
    .updateTable("experiment_jobs")
    .set(changes)
    .where("experiment_id", "=", jobId)
    .where("claims", "=", number);
}

function taskColumns({ prompt, connection, ...task }: ExperimentJob["task"]) {
  return {
    ...promptColumns(prompt),
    prompt_version_id: task.promptVersionId,
    custom_provider_id: task.customProviderId,
    uses_custom_provider: Number(task.usesCustomProvider),
    connection: connection === null ? null : JSON.stringify(connection),
    template_variables_path: task.templateVariablesPath,
    appended_messages_path: task.appendedMessagesPath,
    stream_model_output: Number(task.streamModelOutput),
    tracing_enabled: Number(task.tracingEnabled),
    max_concurrency: task.maxConcurrency,
  };
}

function jobOfRow(row: Selectable<ExperimentJobsTable>): ExperimentJob {
  return {
    id: row.experiment_id,
    status: row.status as JobStatus,
    stopReason: row.stop_reason as StopReason | null,
    stopMessage: row.stop_message,
    task: {
      prompt: promptOfRow(row),
      promptVersionId: row.prompt_version_id,
      customProviderId: row.custom_provider_id,
      usesCustomProvider: row.uses_custom_provider === 1,
      connection: row.connection === null ? null : JSON.parse(row.connection),
      templateVariablesPath: row.template_variables_path,
      appendedMessagesPath: row.appended_messages_path,
      streamModelOutput: row.stream_model_output === 1,
      tracingEnabled: row.tracing_enabled === 1,
      maxConcurrency: row.max_concurrency,
    },
    limits: { maxCost: row.max_cost, maxTokens: row.max_tokens },
    spent: {
      calls: row.calls,
      promptTokens: row.prompt_tokens,
      completionTokens: row.completion_tokens,
      cost: row.cost,
      unpricedCalls: row.unpriced_calls,
    },
    estimate: row.estimate,
    needsCredentials: row.needs_credentials === 1,
    isPausing: row.pausing === 1,
    retriesFailed: row.retries_failed === 1,
    userId: row.user_id,
    apiKeyId: row.api_key_id,
    createdUs: row.created_us,
    startedUs: row.started_us,
    doneBefore: row.done_before,
    endedUs: row.ended_us,
    toggledUs: row.toggled_us,
  };
}

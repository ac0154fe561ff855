// Items of jobs that failed: why, how often, and when they are tried again. A row goes when its item succeeds or is gone.
import { sql } from "kysely";
import type { Dialect } from "../storage/dialect.ts";
import type { CallContext } from "../storage/storage.ts";

export interface JobFailure {
  readonly job: string;
  /** What could not be done; empty for the whole run. */
  readonly item: string;
  readonly reason: string;
  /** In a row. */
  readonly attempts: number;
  readonly firstUs: number;
  readonly lastUs: number;
  /** Not tried again before this time. */
  readonly retryUs: number;
}

export type JobFailuresStore = ReturnType<typeof createJobFailuresStore>;

export function createJobFailuresStore(dialect: Dialect) {
  const selected = (context: CallContext) =>
    context.database
      .read(context, "short")
      .selectFrom("job_failures")
      .select(["job", "item", "reason", "attempts"])
      .select(["first_us as firstUs", "last_us as lastUs", "retry_us as retryUs"]);

  return {
    /** Of one job. */
    list: (context: CallContext, job: string): Promise<JobFailure[]> =>
      selected(context).where("job", "=", job).execute(),

    /** Of all jobs, the newest first, so many at most. */
    listAll: (context: CallContext, limit: number): Promise<JobFailure[]> =>
      selected(context).orderBy("last_us", "desc").orderBy("job").orderBy("item").limit(limit).execute(),

    /** In the place of the failure of the same item before. */
    async record(context: CallContext, failure: JobFailure): Promise<void> {
      const { firstUs, lastUs, retryUs, ...row } = failure;
      await context.database
        .write(context)
        .insertInto("job_failures")
        .values({ ...row, first_us: firstUs, last_us: lastUs, retry_us: retryUs })
        .onConflict((conflict) =>
          conflict.columns(["job", "item"]).doUpdateSet({
            reason: row.reason,
            attempts: row.attempts,
            last_us: lastUs,
            retry_us: retryUs,
          }),
        )
        .execute();
    },

    async remove(context: CallContext, job: string, items: readonly string[]): Promise<void> {
      await context.database
        .write(context)
        .deleteFrom("job_failures")
        .where("job", "=", job)
        .where(dialect.inList(sql.ref("item"), items))
        .execute();
    },
  };
}

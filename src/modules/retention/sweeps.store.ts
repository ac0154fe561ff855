// What sweeps have taken.
import { type Selectable, sql } from "kysely";
import type { CallContext } from "../../storage/storage.ts";
import type { RetentionSweepsTable } from "../../storage/tables.ts";
import type { RetentionSweep } from "./retention.schema.ts";

export type SweepsStore = ReturnType<typeof createSweepsStore>;

export function createSweepsStore() {
  return {
    /** Adds to what the same sweep has taken before. Sweeps that ended before `keptSinceUs` are forgotten. */
    async record(context: CallContext, sweep: Omit<RetentionSweep, "id">, keptSinceUs: number): Promise<void> {
      const database = context.database.write(context);
      await database
        .insertInto("retention_sweeps")
        .values({
          policy_id: sweep.policyId,
          project_id: sweep.projectId,
          due_us: sweep.dueUs,
          began_us: sweep.beganUs,
          ended_us: sweep.endedUs,
          traces: sweep.traces,
          spans: sweep.spans,
          bytes: sweep.bytes,
          failure: sweep.failure,
        })
        .onConflict((conflict) =>
          conflict.columns(["policy_id", "due_us", "project_id"]).doUpdateSet((eb) => ({
            ended_us: eb.ref("excluded.ended_us"),
            traces: sql<number>`retention_sweeps.traces + excluded.traces`,
            spans: sql<number>`retention_sweeps.spans + excluded.spans`,
            bytes: sql<number>`retention_sweeps.bytes + excluded.bytes`,
            failure: eb.ref("excluded.failure"),
          })),
        )
        .execute();
      await database.deleteFrom("retention_sweeps").where("ended_us", "<", keptSinceUs).execute();
    },

    /** The newest first. */
    async listSweeps(
      context: CallContext,
      of: { readonly policyId: number } | { readonly projectId: number },
      limit: number,
    ): Promise<RetentionSweep[]> {
      const query = context.database.read(context, "short").selectFrom("retention_sweeps").selectAll();
      const chosen =
        "policyId" in of ? query.where("policy_id", "=", of.policyId) : query.where("project_id", "=", of.projectId);
      return (await chosen.orderBy("id", "desc").limit(limit).execute()).map(sweepFromRow);
    },
  };
}

function sweepFromRow(row: Selectable<RetentionSweepsTable>): RetentionSweep {
  return {
    id: row.id,
    policyId: row.policy_id,
    projectId: row.project_id,
    dueUs: row.due_us,
    beganUs: row.began_us,
    endedUs: row.ended_us,
    traces: row.traces,
    spans: row.spans,
    bytes: row.bytes,
    failure: row.failure,
  };
}

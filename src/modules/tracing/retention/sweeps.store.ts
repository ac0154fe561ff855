// What sweeps have taken.
import { type Selectable, sql } from "kysely";
import type { Dialect } from "../../../storage/dialect.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { RetentionSweep } from "./retention.schema.ts";
import type { RetentionSweepsTable } from "./retention.tables.ts";

export type SweepsStore = ReturnType<typeof createSweepsStore>;

export function createSweepsStore(dialect: Dialect) {
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

    /** So many of each policy or project, the newest first. */
    async listSweeps(
      context: CallContext,
      by: "policy_id" | "project_id",
      ids: readonly number[],
      limit: number,
    ): Promise<Map<number, RetentionSweep[]>> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom((from) =>
          from
            .selectFrom("retention_sweeps")
            .selectAll()
            .select(sql<number>`row_number() over (partition by ${sql.ref(by)} order by id desc)`.as("place"))
            .where(dialect.inList(sql.ref(by), ids))
            .as("sweeps"),
        )
        .selectAll()
        .where("place", "<=", limit)
        .orderBy("id", "desc")
        .execute();
      return Map.groupBy(rows.map(sweepFromRow), (sweep) => (by === "policy_id" ? sweep.policyId : sweep.projectId));
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

// Which projects have which annotation configurations.
import { sql } from "kysely";
import type { Dialect } from "../../../storage/dialect.ts";
import { lockKeys } from "../../../storage/lock-keys.ts";
import { lockProjects } from "../../../storage/lock-projects.ts";
import type { CallContext } from "../../../storage/storage.ts";

export type ConfigAssignmentsStore = ReturnType<typeof createConfigAssignmentsStore>;

export function createConfigAssignmentsStore(dialect: Dialect) {
  return {
    /** Lets one deletion or change of assignments after the other, to the end of the transaction. */
    async lockChanges(context: CallContext): Promise<void> {
      // SQLite has one writer anyway.
      if (dialect.name === "sqlite") return;
      await sql`select pg_advisory_xact_lock(${sql.lit(lockKeys.annotationConfigChange)}, hashtext(current_schema()))`.execute(
        context.database.write(context),
      );
    },

    /** As `lockProjects` of the storage. */
    lockProjects: (context: CallContext, ids: readonly number[]) => lockProjects(dialect, context, ids),

    /** Projects that have one of the configurations. */
    async listProjectsWith(context: CallContext, configIds: readonly number[]): Promise<number[]> {
      const rows = await context.database
        .write(context)
        .selectFrom("project_annotation_configs")
        .select("project_id")
        .distinct()
        .where(dialect.inList(sql.ref("config_id"), configIds))
        .execute();
      return rows.map((row) => row.project_id);
    },

    /** Row ids of those that the project did not have before. */
    async assign(context: CallContext, projectId: number, configIds: readonly number[]): Promise<Set<number>> {
      if (configIds.length === 0) return new Set();
      const rows = await context.database
        .write(context)
        .insertInto("project_annotation_configs")
        .columns(["project_id", "config_id"])
        .expression((eb) =>
          eb
            .selectFrom("annotation_configs")
            .select([eb.val(projectId).as("project_id"), "id as config_id"])
            .where(dialect.inList(sql.ref("id"), configIds)),
        )
        .onConflict((conflict) => conflict.columns(["project_id", "config_id"]).doNothing())
        .returning("config_id")
        .execute();
      return new Set(rows.map((row) => row.config_id));
    },

    /** Row ids of those that the project had. */
    async unassign(context: CallContext, projectId: number, configIds: readonly number[]): Promise<Set<number>> {
      const rows = await context.database
        .write(context)
        .deleteFrom("project_annotation_configs")
        .where("project_id", "=", projectId)
        .where(dialect.inList(sql.ref("config_id"), configIds))
        .returning("config_id")
        .execute();
      return new Set(rows.map((row) => row.config_id));
    },

    async unassignAll(context: CallContext, projectId: number): Promise<void> {
      await context.database
        .write(context)
        .deleteFrom("project_annotation_configs")
        .where("project_id", "=", projectId)
        .execute();
    },
  };
}

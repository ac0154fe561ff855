// The rows of projects. A project being deleted is invisible to everything but its deletion.
import { sql } from "kysely";
import { type OwnedRows, removeOwned } from "../../../storage/owned-tables.ts";
import type { CallContext } from "../../../storage/storage.ts";
import { createProjectListsStore } from "./project-lists.store.ts";
import { projectFromRow } from "./project-row.store.ts";
import type { Project } from "./projects.schema.ts";

interface NewProjectRow {
  readonly name: string;
  readonly description: string | null;
  readonly gradientStartColor?: string;
  readonly gradientEndColor?: string;
  readonly nowUs: number;
}

interface ProjectRowChanges {
  readonly description?: string;
  readonly gradientStartColor?: string;
  readonly gradientEndColor?: string;
  readonly nowUs: number;
}

/** How a project is identified: by row id or by name. */
export type ProjectKey = { readonly id: number } | { readonly name: string };

export type ProjectsStore = ReturnType<typeof createProjectsStore>;

export function createProjectsStore(rows: OwnedRows) {
  const { dialect } = rows;
  return {
    ...createProjectListsStore(dialect),

    async findAll(context: CallContext, ids: readonly number[]): Promise<Project[]> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("projects")
        .selectAll()
        .where(dialect.inList(sql.ref("id"), ids))
        .where("deleting", "=", 0)
        .execute();
      return rows.map(projectFromRow);
    },

    async findAllByName(context: CallContext, names: readonly string[]): Promise<Project[]> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("projects")
        .selectAll()
        .where(dialect.inList(sql.ref("name"), names))
        .where("deleting", "=", 0)
        .execute();
      return rows.map(projectFromRow);
    },

    async find(
      context: CallContext,
      key: ProjectKey,
      options: { deletingToo?: boolean } = {},
    ): Promise<Project | null> {
      let query = context.database.read(context, "short").selectFrom("projects").selectAll();
      query = "id" in key ? query.where("id", "=", key.id) : query.where("name", "=", key.name);
      if (options.deletingToo !== true) query = query.where("deleting", "=", 0);
      const row = await query.executeTakeFirst();
      return row === undefined ? null : projectFromRow(row);
    },

    /** Null when the name is taken, be it by a project that is being deleted. */
    async insert(context: CallContext, project: NewProjectRow): Promise<Project | null> {
      const row = await context.database
        .write(context)
        .insertInto("projects")
        .values({
          name: project.name,
          description: project.description,
          created_us: project.nowUs,
          updated_us: project.nowUs,
          retention_policy_id: null,
          ...(project.gradientStartColor === undefined ? {} : { gradient_start_color: project.gradientStartColor }),
          ...(project.gradientEndColor === undefined ? {} : { gradient_end_color: project.gradientEndColor }),
        })
        .onConflict((conflict) => conflict.column("name").doNothing())
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : projectFromRow(row);
    },

    /** Null when the project is gone. */
    async update(context: CallContext, id: number, changes: ProjectRowChanges): Promise<Project | null> {
      const { description, gradientStartColor, gradientEndColor, nowUs } = changes;
      const row = await context.database
        .write(context)
        .updateTable("projects")
        .set({
          updated_us: nowUs,
          ...(description === undefined ? {} : { description }),
          ...(gradientStartColor === undefined ? {} : { gradient_start_color: gradientStartColor }),
          ...(gradientEndColor === undefined ? {} : { gradient_end_color: gradientEndColor }),
        })
        .where("id", "=", id)
        .where("deleting", "=", 0)
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : projectFromRow(row);
    },

    /** The name of the dataset evaluator whose traces the project holds, unless that is being deleted; null for any other project. */
    async findEvaluator(context: CallContext, projectName: string): Promise<string | null> {
      const row = await context.database
        .read(context, "short")
        .selectFrom("dataset_evaluators")
        .select("name")
        .where("project_name", "=", projectName)
        .where("deletion_began_us", "is", null)
        .executeTakeFirst();
      return row?.name ?? null;
    },

    async markDeleting(context: CallContext, id: number, deleting: boolean): Promise<void> {
      await context.database
        .write(context)
        .updateTable("projects")
        .set({ deleting: deleting ? 1 : 0 })
        .where("id", "=", id)
        .execute();
    },

    /** Removes the row, then what hangs on it, unless traces or sessions arrived meanwhile; true when it is gone. */
    async removeIfEmpty(context: CallContext, id: number): Promise<boolean> {
      const database = context.database.write(context);
      const removed = await database
        .deleteFrom("projects")
        .where("id", "=", id)
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom("traces").select("traces.id").whereRef("traces.project_id", "=", "projects.id"))),
        )
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom("sessions").select("sessions.id").whereRef("sessions.project_id", "=", "projects.id"))),
        )
        .executeTakeFirst();
      if (removed.numDeletedRows === 0n) return false;
      await removeOwned(database, rows, "project", [id]);
      return true;
    },
  };
}

// The rows of saved views. Who may see one is decided here, by `visible`, for every way of reading.
import { type Selectable, sql } from "kysely";
import type { Dialect } from "../../../storage/dialect.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { NewView, SavedView, ViewChanges } from "./views.schema.ts";
import type { SavedViewsTable } from "./views.tables.ts";

interface NewViewRow extends Omit<NewView, "isShared"> {
  readonly projectId: number;
  readonly privateTo: number | null;
  readonly userId: number | null;
  readonly nowUs: number;
}

/** Whose views: those for everybody, and those of this person; null is no person. */
interface Seen {
  readonly by: number | null;
}

export type ViewsStore = ReturnType<typeof createViewsStore>;

export function createViewsStore(dialect: Dialect) {
  const visible = (context: CallContext, { by }: Seen) =>
    context.database
      .read(context, "short")
      .selectFrom("saved_views")
      .selectAll()
      .where((where) =>
        where.or([where("private_to", "is", null), ...(by === null ? [] : [where("private_to", "=", by)])]),
      );

  return {
    async findAll(context: CallContext, seen: Seen, ids: readonly number[]): Promise<SavedView[]> {
      const rows = await visible(context, seen)
        .where(dialect.inList(sql.ref("id"), ids))
        .execute();
      return rows.map(viewFromRow);
    },

    /** By name. Bounded by the number that a project and a person may have. */
    async listOfProjects(context: CallContext, seen: Seen, projectIds: readonly number[]): Promise<SavedView[]> {
      const rows = await visible(context, seen)
        .where(dialect.inList(sql.ref("project_id"), projectIds))
        .orderBy("name")
        .orderBy("id")
        .execute();
      return rows.map(viewFromRow);
    },

    async findStarts(context: CallContext, projectIds: readonly number[]): Promise<SavedView[]> {
      const rows = await visible(context, { by: null })
        .where(dialect.inList(sql.ref("project_id"), projectIds))
        .where("is_start", "=", 1)
        .execute();
      return rows.map(viewFromRow);
    },

    /** Lets changes of the views of a project come one after the other, to the end of the transaction. */
    async lockProject(context: CallContext, projectId: number): Promise<void> {
      // SQLite has one writer anyway.
      if (dialect.name === "sqlite") return;
      const query = context.database.write(context).selectFrom("projects").select("id").where("id", "=", projectId);
      await query.forNoKeyUpdate().execute();
    },

    /** Those for everybody, or those that are private to a person. */
    async count(context: CallContext, projectId: number, privateTo: number | null): Promise<number> {
      const { count } = await context.database
        .read(context, "short")
        .selectFrom("saved_views")
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .where("project_id", "=", projectId)
        .where("private_to", privateTo === null ? "is" : "=", privateTo)
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    /** Fails with code DUPLICATE when the name is taken. */
    async insert(context: CallContext, view: NewViewRow): Promise<SavedView> {
      const row = await context.database
        .write(context)
        .insertInto("saved_views")
        .values({
          project_id: view.projectId,
          private_to: view.privateTo,
          user_id: view.userId,
          name: view.name,
          tab: view.tab,
          query: view.query,
          created_us: view.nowUs,
          updated_us: view.nowUs,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return viewFromRow(row);
    },

    /** Null when it is gone. Fails with code DUPLICATE when the name is taken. */
    async update(
      context: CallContext,
      id: number,
      { privateTo, ...changes }: ViewChanges & Partial<Pick<SavedView, "privateTo">>,
      nowUs: number,
    ): Promise<SavedView | null> {
      const owner = privateTo === undefined ? {} : { private_to: privateTo };
      const row = await context.database
        .write(context)
        .updateTable("saved_views")
        .set({ ...changes, ...owner, updated_us: nowUs })
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : viewFromRow(row);
    },

    /** False when it is gone already. */
    async remove(context: CallContext, id: number): Promise<boolean> {
      const removed = await context.database
        .write(context)
        .deleteFrom("saved_views")
        .where("id", "=", id)
        .executeTakeFirst();
      return removed.numDeletedRows > 0n;
    },

    /** Null for none. Under `lockProject`: two starts cannot be. */
    async setStart(context: CallContext, projectId: number, id: number | null): Promise<void> {
      const database = context.database.write(context);
      await database
        .updateTable("saved_views")
        .set({ is_start: 0 })
        .where("project_id", "=", projectId)
        .where("is_start", "=", 1)
        .execute();
      if (id !== null) await database.updateTable("saved_views").set({ is_start: 1 }).where("id", "=", id).execute();
    },
  };
}

function viewFromRow(row: Selectable<SavedViewsTable>): SavedView {
  return {
    id: row.id,
    projectId: row.project_id,
    privateTo: row.private_to,
    userId: row.user_id,
    name: row.name,
    tab: row.tab,
    query: row.query,
    isStart: row.is_start === 1,
    createdUs: row.created_us,
    updatedUs: row.updated_us,
  };
}

// The newest and oldest rows of a project, read at the ends of indexes: they change when the project does.
import { sql } from "kysely";
import { arrivedIn } from "../../../storage/arrival-order.ts";
import type { CallContext } from "../../../storage/storage.ts";

export type ProjectChangesStore = ReturnType<typeof createProjectChangesStore>;

export function createProjectChangesStore() {
  return {
    /** The first and last row ids of the project's spans and sessions and the bounds of its traces, as one text; null without
     *  spans. Every arrival moves it, and every deletion at either end: retention, clearing, the newest trace. */
    async findEnds(context: CallContext, projectId: number): Promise<string | null> {
      const id = (table: "spans" | "sessions", way: "asc" | "desc") =>
        sql`(select id from ${sql.table(table)} where ${arrivedIn(table, projectId, { lowest: null, highest: null })}
          order by project_id ${sql.raw(way)}, id ${sql.raw(way)} limit 1)`;
      const start = (way: "asc" | "desc") =>
        sql`(select start_us from traces where project_id = ${projectId} order by start_us ${sql.raw(way)}, id ${sql.raw(way)} limit 1)`;
      const { rows } = await sql<Readonly<Record<string, number | null>>>`
        select ${id("spans", "asc")} as "first", ${id("spans", "desc")} as "last", ${id("sessions", "asc")} as "firstSession",
          ${id("sessions", "desc")} as "lastSession", ${start("asc")} as "earliest", ${start("desc")} as "latest"`.execute(
        context.database.read(context, "short"),
      );
      const [ends] = rows;
      return ends === undefined || ends.last === null ? null : JSON.stringify(ends);
    },

    /** Number and last change of all projects, and the first and last row id of all spans, as one text. */
    async getEndsOfAll(context: CallContext): Promise<string> {
      const { rows } = await sql`
        select (select count(*) from projects where deleting = 0) as "projects",
          (select max(updated_us) from projects) as "changed", (select min(id) from spans) as "first",
          (select max(id) from spans) as "last"`.execute(context.database.read(context, "short"));
      return JSON.stringify(rows[0]);
    },
  };
}

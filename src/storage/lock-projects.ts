// Locks that projects are held by while something else of theirs is changed.
import { sql } from "kysely";
import type { Dialect } from "./dialect.ts";
import type { CallContext } from "./storage.ts";

/** Holds projects to the end of the transaction, so that their deletion waits. In id order, and before what belongs to them, as that
 *  deletion goes. */
export async function lockProjects(dialect: Dialect, context: CallContext, ids: readonly number[]): Promise<void> {
  // SQLite has one writer anyway.
  if (dialect.name === "sqlite") return;
  await context.database
    .write(context)
    .selectFrom("projects")
    .select("id")
    .where(dialect.inList(sql.ref("id"), ids))
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
}

// Removes rows by their age.
import { sql } from "kysely";
import type { CallContext } from "./storage.ts";
import type { Tables } from "./tables.ts";

/** Removes the rows whose time is before an instant, both in microseconds UTC; answers how many. */
export async function removeBefore<Table extends keyof Tables>(
  context: CallContext,
  table: Table,
  time: keyof Tables[Table] & string,
  beforeUs: number,
): Promise<number> {
  const old = sql`from ${sql.table(table)} where ${sql.ref(time)} < ${beforeUs}`;
  // Nothing is written where nothing is old: the writer may be busy, or the file locked.
  const { rows } = await sql`select 1 ${old} limit 1`.execute(context.database.read(context, "short"));
  if (rows.length === 0) return 0;
  const { numAffectedRows } = await sql`delete ${old}`.execute(context.database.write(context));
  return Number(numAffectedRows);
}

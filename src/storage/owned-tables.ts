// Tables whose rows hang on a span, a trace, a session or a project, declared by the feature whose they are: a deletion takes them along, and `verify` finds
// those whose owner is gone. None of them says which project it belongs to, but through its owner, so that a transfer leaves them
// alone; a test holds the list against the schema.
import { sql } from "kysely";
import type { Dialect } from "./dialect.ts";
import type { Database } from "./storage.ts";
import type { Tables } from "./tables.ts";

export type Owner = "span" | "trace" | "session" | "project";

export interface OwnedTable {
  readonly owner: Owner;
  readonly table: keyof Tables;
  /** Holds the row id of the owner. */
  readonly column: string;
}

export const tableOfOwner = {
  span: "spans",
  trace: "traces",
  session: "sessions",
  project: "projects",
} as const satisfies Record<Owner, keyof Tables>;

/** Those of spans, traces and projects themselves. A feature names its own in its manifest. */
export const coreOwnedTables: readonly OwnedTable[] = [
  owned("span", "span_payloads", "span_id"),
  owned("span", "large_values", "span_id"),
  owned("span", "span_cost_details", "span_id"),
  owned("span", "span_costs", "span_id"),
  owned("trace", "trace_lifetimes", "trace_id"),
  owned("trace", "pending_rollups", "trace_id"),
];

export function owned<Table extends keyof Tables>(
  owner: Owner,
  table: Table,
  column: keyof Tables[Table] & string,
): OwnedTable {
  return { owner, table, column };
}

export interface OwnedRows {
  readonly dialect: Dialect;
  /** In the order in which rows are removed. */
  readonly ownedTables: readonly OwnedTable[];
}

/** Removes what hangs on these owners, inside the caller's transaction and under the lock that it holds. */
export async function removeOwned(
  database: Database,
  { dialect, ownedTables }: OwnedRows,
  owner: Owner,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  for (const { table, column } of ownedTables.filter((each) => each.owner === owner)) {
    await sql`delete from ${sql.table(table)} where ${dialect.inList(sql.ref(column), ids)}`.execute(database);
  }
}

// Tables whose rows hang on a span, a trace, a session or a project, declared once: a deletion takes them along, and `verify` finds
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

/** In the order in which rows are removed. */
export const ownedTables: readonly OwnedTable[] = [
  owned("span", "span_payloads", "span_id"),
  owned("span", "large_values", "span_id"),
  owned("span", "span_cost_details", "span_id"),
  owned("span", "span_costs", "span_id"),
  owned("span", "span_messages", "span_id"),
  owned("span", "message_fills", "span_id"),
  owned("span", "span_annotations", "span_id"),
  owned("span", "document_annotations", "span_id"),
  owned("span", "dataset_example_spans", "span_id"),
  owned("trace", "trace_annotations", "trace_id"),
  owned("trace", "trace_lifetimes", "trace_id"),
  owned("session", "session_annotations", "session_id"),
  owned("project", "project_annotation_configs", "project_id"),
  owned("trace", "pending_rollups", "trace_id"),
  owned("project", "saved_views", "project_id"),
  owned("project", "retention_sweeps", "project_id"),
  owned("project", "budgets", "project_id"),
];

function owned<Table extends keyof Tables>(
  owner: Owner,
  table: Table,
  column: keyof Tables[Table] & string,
): OwnedTable {
  return { owner, table, column };
}

/** Removes what hangs on these owners, inside the caller's transaction and under the lock that it holds. */
export async function removeOwned(
  database: Database,
  dialect: Dialect,
  owner: Owner,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  for (const { table, column } of ownedTables.filter((each) => each.owner === owner)) {
    await sql`delete from ${sql.table(table)} where ${dialect.inList(sql.ref(column), ids)}`.execute(database);
  }
}

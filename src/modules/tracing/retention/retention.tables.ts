// The tables of retention, as Kysely sees them.
import type { Generated } from "kysely";
import type { Real } from "../../../storage/column-types.ts";

export interface RetentionPoliciesTable {
  id: Generated<number>;
  name: string;
  cron: string;
  max_days: Real | null;
  max_count: number | null;
  max_bytes: number | null;
  keep_annotated: number;
  keep_sources: number;
  served_us: number;
  created_us: number;
  updated_us: number;
}

export interface RetentionSweepsTable {
  id: Generated<number>;
  policy_id: number;
  project_id: number;
  due_us: number;
  began_us: number;
  ended_us: number;
  traces: number;
  spans: number;
  bytes: number;
  failure: string | null;
}

declare module "../../../storage/tables.ts" {
  interface Tables {
    retention_policies: RetentionPoliciesTable;
    retention_sweeps: RetentionSweepsTable;
  }
}

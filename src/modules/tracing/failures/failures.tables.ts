// The tables of failures as Kysely sees them; the migration says what their columns mean.
import type { Generated } from "kysely";

interface PendingFailuresTable {
  span_id: number;
}

export interface FailureGroupsTable {
  id: Generated<number>;
  project_id: number;
  group_key: string;
  state: Generated<string>;
  state_us: number | null;
  resolved_version: string | null;
  resolved_seen: string | null;
  reopened_version: string | null;
  span_count: Generated<number>;
  trace_count: Generated<number>;
  session_count: Generated<number>;
  user_count: Generated<number>;
  first_us: Generated<number>;
  last_us: Generated<number>;
  known_us: number;
}

export interface FailureFingerprintsTable {
  id: Generated<number>;
  project_id: number;
  fingerprint: string;
  group_id: number;
  kind: string;
  type: string | null;
  message: string;
  http_status: number | null;
  code: string | null;
  tool_name: string | null;
  span_name: string | null;
  frames: string;
}

interface FailureSplitsTable {
  id: Generated<number>;
  project_id: number;
  fingerprint: string;
  attribute: string;
  value: string;
}

interface FailuresTable {
  span_id: number;
  trace_id: number;
  fingerprint_id: number;
  span_key: string;
  parent_key: string | null;
  exception_key: string | null;
  passes_on: Generated<number>;
  start_us: number;
  user_key: string | null;
  version: string | null;
  environment: string | null;
}

interface FailureRecountsTable {
  id: Generated<number>;
  group_id: number;
}

interface FailureScansTable {
  id: number;
  below_id: number;
  settlements: Generated<number>;
}

declare module "../../../storage/tables.ts" {
  interface Tables {
    pending_failures: PendingFailuresTable;
    failure_groups: FailureGroupsTable;
    failure_fingerprints: FailureFingerprintsTable;
    failure_splits: FailureSplitsTable;
    failures: FailuresTable;
    failure_recounts: FailureRecountsTable;
    failure_scans: FailureScansTable;
  }
}

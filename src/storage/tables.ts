// The tables of spans, traces, sessions and projects as Kysely sees them. A feature adds its own in its `*.tables.ts`. tests/contract holds
// all of them against the real schema of both databases.
import type { Generated, GeneratedAlways } from "kysely";
import type { traceCounts } from "../model/summaries/rollups/rollup-totals.ts";
import type { sessionCounts } from "../model/summaries/rollups/session-rollup.ts";
import type { Money, StoredJson } from "./column-types.ts";
import type { SpanColumnValues } from "./span-columns.ts";

export interface ProjectsTable {
  id: Generated<number>;
  name: string;
  description: string | null;
  gradient_start_color: Generated<string>;
  gradient_end_color: Generated<string>;
  created_us: number;
  updated_us: number;
  retention_policy_id: number | null;
  changed: Generated<number>;
  deleting: Generated<number>;
}

/** Columns of a list of counts. */
type Counted<Counts extends Record<string, { readonly column: string }>> = {
  [Name in keyof Counts as Counts[Name]["column"]]: Generated<number>;
};

interface SessionsTable extends Counted<typeof sessionCounts> {
  id: Generated<number>;
  session_key: string;
  project_id: number;
  start_us: number;
  end_us: number;
  cost: Money;
}

interface TracesTable extends Counted<typeof traceCounts> {
  id: Generated<number>;
  trace_key: string;
  project_id: number;
  session_id: number | null;
  start_us: number;
  end_us: number;
  latency_us: number;
  cost: Money;
  has_cycle: Generated<number>;
}

interface SpansTable extends SpanColumnValues {
  id: GeneratedAlways<number>;
  epoch: number;
}

interface SpanPayloadsTable {
  span_id: number;
  attributes: StoredJson;
  events: StoredJson;
  extra: StoredJson;
  /** Bytes of the large values together; 1 in rows of versions that did not count them. */
  has_large: number;
}

interface LargeValuesTable {
  span_id: number;
  path: string;
  seq: number;
  bytes: Uint8Array;
}

interface SpanCostsTable {
  span_id: number;
  trace_id: number;
  model_id: number | null;
  start_us: number;
  cost: number | null;
  prompt_cost: number | null;
  completion_cost: number | null;
  prompt_tokens: number | null;
  completion_tokens: number | null;
  /** Code of `costSources`. */
  source: Generated<number>;
  given_cost: number | null;
}

interface SpanCostDetailsTable {
  span_id: number;
  token_type: string;
  is_prompt: number;
  tokens: number | null;
  cost: number | null;
}

interface LeasesTable {
  name: string;
  holder: string;
  until_us: number;
}

interface PendingRollupsTable {
  trace_id: number;
}

interface TraceLifetimesTable {
  trace_id: number;
  lifetime_us: number;
}

export interface Tables {
  projects: ProjectsTable;
  sessions: SessionsTable;
  traces: TracesTable;
  spans: SpansTable;
  span_payloads: SpanPayloadsTable;
  large_values: LargeValuesTable;
  span_costs: SpanCostsTable;
  span_cost_details: SpanCostDetailsTable;
  leases: LeasesTable;
  pending_rollups: PendingRollupsTable;
  trace_lifetimes: TraceLifetimesTable;
}

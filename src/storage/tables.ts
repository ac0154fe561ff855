// The tables as Kysely sees them. tests/contract holds them against the real schema of both databases.
import type { ColumnType, Generated, GeneratedAlways } from "kysely";
import type { AuthMethod, PasswordChange, UserRole } from "../access/roles.ts";
import type {
  AnnotationConfigType,
  AnnotationSource,
  AnnotationTarget,
  AnnotatorKind,
  OptimizationDirection,
} from "../model/annotation.ts";
import type { ViewTab } from "../model/saved-view.ts";
import type { traceCounts } from "../model/summaries/rollups/rollup-totals.ts";
import type { sessionCounts } from "../model/summaries/rollups/session-rollup.ts";
import type {
  SpanBlockBitsTable,
  SpanBlockCostsTable,
  SpanBlockCountsTable,
  SpanBlockMarksTable,
  SpanBlocksTable,
} from "./block-tables.ts";
import type {
  CustomProvidersTable,
  DatasetContentsTable,
  DatasetExampleSpansTable,
  DatasetExamplesTable,
  DatasetLabelsTable,
  DatasetLabelUsesTable,
  DatasetRevisionsTable,
  DatasetSplitExamplesTable,
  DatasetSplitsTable,
  DatasetsTable,
  DatasetUploadRowsTable,
  DatasetUploadSplitsTable,
  DatasetUploadsTable,
  DatasetVersionsTable,
  ExperimentEvaluationsTable,
  ExperimentExamplesTable,
  ExperimentRunsTable,
  ExperimentSplitsTable,
  ExperimentsTable,
  ExperimentTagsTable,
  MeasureDirectionsTable,
  PromptLabelsTable,
  PromptsPromptLabelsTable,
  PromptsTable,
  PromptTagMovesTable,
  PromptVersionsTable,
  PromptVersionTagsTable,
} from "./evaluation-tables.ts";
import type { DatasetEvaluatorsTable, EvaluatorsTable } from "./evaluator-tables.ts";
import type { CostRecomputationsTable, ModelsTable } from "./model-tables.ts";
import type { SpanColumnValues } from "./span-columns.ts";
import type { BudgetsTable, SpendingReservationsTable, SpendingTable } from "./spending-tables.ts";

/** JSON that only the dialect reads and writes (`dialect.json`): JSONB bytes in SQLite, jsonb in PostgreSQL. */
type StoredJson = ColumnType<unknown, never, never>;
/** Money in 10^-12 USD: beyond 2^53 a number would lose digits, so sums are read as text. */
type Money = ColumnType<number, number | undefined, never>;

/** A double; every other number is an integer. */
type Real = number;

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

interface AnnotationsTable {
  id: Generated<number>;
  name: string;
  identifier: string;
  annotator_kind: AnnotatorKind;
  label: string | null;
  /** The beginning of the label (`labelHead`), for its index. */
  label_head: string | null;
  score: Real | null;
  explanation: string | null;
  /** JSON of an object. */
  metadata: string;
  source: AnnotationSource;
  user_id: number | null;
  created_us: number;
  updated_us: number;
}

interface SpanAnnotationsTable extends AnnotationsTable {
  span_id: number;
}

interface TraceAnnotationsTable extends AnnotationsTable {
  trace_id: number;
}

interface SessionAnnotationsTable extends AnnotationsTable {
  session_id: number;
}

interface DocumentAnnotationsTable extends AnnotationsTable {
  span_id: number;
  /** Of the document in the list that the span retrieved, from 0 on. */
  position: number;
}

interface PendingAnnotationsTable {
  id: Generated<number>;
  target: AnnotationTarget;
  /** External id of the span, trace or session. */
  target_key: string;
  /** JSON of the annotation. */
  body: string;
  received_us: number;
}

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

interface LeasesTable {
  name: string;
  holder: string;
  until_us: number;
}

interface JobFailuresTable {
  job: string;
  item: string;
  reason: string;
  attempts: number;
  first_us: number;
  last_us: number;
  retry_us: number;
}

export interface AnnotationConfigsTable {
  id: Generated<number>;
  name: string;
  type: AnnotationConfigType;
  description: string | null;
  optimization_direction: OptimizationDirection | null;
  /** JSON of what the type has: values, bounds, threshold. */
  content: string;
}

interface ProjectAnnotationConfigsTable {
  project_id: number;
  config_id: number;
}

interface PendingRollupsTable {
  trace_id: number;
}

interface PendingMessagesTable {
  id: Generated<number>;
  trace_key: string;
  span_key: string;
  digest: string;
  /** JSON of the message (`LoggedMessage`). */
  body: string;
  received_us: number;
}

interface SpanMessagesTable {
  id: Generated<number>;
  span_id: number;
  digest: string;
  body: string;
}

interface MessageFillsTable {
  span_id: number;
  /** JSON of the paths of attributes that messages filled. */
  paths: string;
}

interface TraceLifetimesTable {
  trace_id: number;
  lifetime_us: number;
}

export interface UsersTable {
  id: Generated<number>;
  role: UserRole;
  auth_method: AuthMethod;
  username: string;
  email: string | null;
  profile_picture_url: string | null;
  password_hash: string | null;
  password_change: Generated<PasswordChange>;
  oauth2_client_id: string | null;
  oauth2_user_id: string | null;
  ldap_unique_id: string | null;
  created_us: number;
  updated_us: number;
}

interface RefreshTokensTable {
  id: Generated<number>;
  user_id: number;
  random_hash: Uint8Array;
  created_us: number;
  expires_us: number;
  login_id: number | null;
  login_us: number | null;
}

interface SpentRefreshTokensTable {
  id: number;
  user_id: number;
  login_id: number;
  random_hash: Uint8Array;
  spent_us: number;
  expires_us: number;
}

interface AccessTokensTable {
  id: Generated<number>;
  user_id: number;
  refresh_token_id: number | null;
  random_hash: Uint8Array;
  created_us: number;
  expires_us: number;
}

interface PasswordResetTokensTable {
  id: Generated<number>;
  user_id: number;
  random_hash: Uint8Array;
  created_us: number;
  expires_us: number;
}

interface ApiKeysTable {
  id: Generated<number>;
  user_id: number;
  created_by_user_id: number | null;
  name: string;
  description: string | null;
  random_hash: Uint8Array;
  created_us: number;
  expires_us: number | null;
}

interface SecretsTable {
  name: string;
  value: Uint8Array;
  user_id: number | null;
  created_us: number;
  updated_us: number;
}

export interface SavedViewsTable {
  id: Generated<number>;
  project_id: number;
  private_to: number | null;
  user_id: number | null;
  name: string;
  tab: ViewTab;
  query: string;
  is_start: Generated<number>;
  created_us: number;
  updated_us: number;
}

interface LoginAttemptsTable {
  identifier: string;
  failures: number;
  last_failure_us: number;
}

interface RateLimitsTable {
  bucket: string;
  full_us: number;
}

interface SentNoticesTable {
  kind: string;
  user_id: number;
  sent_us: number;
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
  span_annotations: SpanAnnotationsTable;
  trace_annotations: TraceAnnotationsTable;
  session_annotations: SessionAnnotationsTable;
  document_annotations: DocumentAnnotationsTable;
  pending_annotations: PendingAnnotationsTable;
  pending_messages: PendingMessagesTable;
  span_messages: SpanMessagesTable;
  message_fills: MessageFillsTable;
  retention_policies: RetentionPoliciesTable;
  retention_sweeps: RetentionSweepsTable;
  job_failures: JobFailuresTable;
  leases: LeasesTable;
  annotation_configs: AnnotationConfigsTable;
  project_annotation_configs: ProjectAnnotationConfigsTable;
  pending_rollups: PendingRollupsTable;
  span_blocks: SpanBlocksTable;
  span_block_marks: SpanBlockMarksTable;
  span_block_bits: SpanBlockBitsTable;
  span_block_counts: SpanBlockCountsTable;
  span_block_costs: SpanBlockCostsTable;
  trace_lifetimes: TraceLifetimesTable;
  users: UsersTable;
  refresh_tokens: RefreshTokensTable;
  spent_refresh_tokens: SpentRefreshTokensTable;
  access_tokens: AccessTokensTable;
  password_reset_tokens: PasswordResetTokensTable;
  api_keys: ApiKeysTable;
  secrets: SecretsTable;
  models: ModelsTable;
  cost_recomputations: CostRecomputationsTable;
  saved_views: SavedViewsTable;
  budgets: BudgetsTable;
  spending_reservations: SpendingReservationsTable;
  spending: SpendingTable;
  custom_providers: CustomProvidersTable;
  prompts: PromptsTable;
  prompt_versions: PromptVersionsTable;
  prompt_version_tags: PromptVersionTagsTable;
  prompt_tag_moves: PromptTagMovesTable;
  prompt_labels: PromptLabelsTable;
  prompts_prompt_labels: PromptsPromptLabelsTable;
  login_attempts: LoginAttemptsTable;
  rate_limits: RateLimitsTable;
  sent_notices: SentNoticesTable;
  datasets: DatasetsTable;
  dataset_versions: DatasetVersionsTable;
  dataset_examples: DatasetExamplesTable;
  dataset_contents: DatasetContentsTable;
  dataset_revisions: DatasetRevisionsTable;
  dataset_example_spans: DatasetExampleSpansTable;
  dataset_uploads: DatasetUploadsTable;
  dataset_upload_rows: DatasetUploadRowsTable;
  dataset_upload_splits: DatasetUploadSplitsTable;
  dataset_splits: DatasetSplitsTable;
  dataset_split_examples: DatasetSplitExamplesTable;
  dataset_labels: DatasetLabelsTable;
  dataset_label_uses: DatasetLabelUsesTable;
  evaluators: EvaluatorsTable;
  dataset_evaluators: DatasetEvaluatorsTable;
  experiments: ExperimentsTable;
  experiment_examples: ExperimentExamplesTable;
  experiment_splits: ExperimentSplitsTable;
  experiment_tags: ExperimentTagsTable;
  experiment_runs: ExperimentRunsTable;
  experiment_evaluations: ExperimentEvaluationsTable;
  measure_directions: MeasureDirectionsTable;
}

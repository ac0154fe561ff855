-- Projects, sessions, traces and spans, with their payloads and costs. Times are microseconds UTC, money is 10^-12 USD.
-- Ids come from `autoincrement`, so that an id is never given twice: cursors and links outlive deletions.

create table projects (
  id integer primary key autoincrement,
  name text not null unique,
  description text,
  gradient_start_color text not null default '#5bdbff',
  gradient_end_color text not null default '#1c76fc',
  created_us integer not null,
  updated_us integer not null,
  retention_policy_id integer,
  changed integer not null default 0,
  deleting integer not null default 0
);

create table sessions (
  id integer primary key autoincrement,
  session_key text not null unique,
  project_id integer not null references projects (id),
  start_us integer not null,
  end_us integer not null,
  trace_count integer not null default 0,
  error_trace_count integer not null default 0,
  span_count integer not null default 0,
  prompt_tokens integer not null default 0,
  completion_tokens integer not null default 0,
  cost integer not null default 0,
  llm_count integer not null default 0,
  tool_count integer not null default 0
);
create index sessions_by_project on sessions (project_id, id);
create index sessions_by_start on sessions (project_id, start_us);
create index sessions_by_end on sessions (project_id, end_us);
create index sessions_by_tokens on sessions (project_id, prompt_tokens + completion_tokens);
create index sessions_by_cost on sessions (project_id, cost);
create index sessions_by_traces on sessions (project_id, trace_count);

-- A row with span_count = 0 is not yet a trace: every read says span_count > 0.
create table traces (
  id integer primary key autoincrement,
  trace_key text not null unique,
  project_id integer not null references projects (id),
  session_id integer references sessions (id),
  start_us integer not null,
  end_us integer not null,
  latency_us integer not null,
  span_count integer not null default 0,
  error_count integer not null default 0,
  llm_count integer not null default 0,
  tool_count integer not null default 0,
  prompt_tokens integer not null default 0,
  completion_tokens integer not null default 0,
  cost integer not null default 0,
  has_cycle integer not null default 0
);
create index traces_by_start on traces (project_id, start_us, id);
create index traces_by_latency on traces (project_id, latency_us, id);
create index traces_by_session on traces (session_id, start_us) where session_id is not null;
create index traces_with_errors on traces (project_id, start_us) where error_count > 0;

-- epoch = id >> 16: indexes led by it touch only pages of the newest 65,536 rows while spans arrive.
create table spans (
  id integer primary key autoincrement,
  epoch integer not null,
  trace_id integer not null references traces (id),
  project_id integer not null references projects (id),
  span_key text not null,
  parent_key text,
  name text not null,
  kind integer not null,
  status integer not null,
  status_message text not null,
  start_us integer not null,
  latency_us integer not null,
  user_key text,
  model text,
  prompt_tokens integer,
  completion_tokens integer,
  own_cost integer,
  sum_errors integer not null,
  sum_prompt integer not null,
  sum_completion integer not null,
  on_cycle integer not null default 0,
  input_head text,
  output_head text
);
create unique index spans_by_key on spans (trace_id, span_key);
create index spans_by_parent on spans (trace_id, parent_key) where parent_key is not null;
create index spans_by_trace_start on spans (trace_id, start_us, id);
create index spans_by_epoch_key on spans (epoch, span_key);
create index spans_by_project on spans (project_id, id);
create index spans_by_start on spans (project_id, start_us, kind, status, latency_us);
create index spans_by_latency on spans (epoch, project_id, latency_us);
create index spans_by_tokens on spans (epoch, project_id, coalesce(prompt_tokens, 0) + coalesce(completion_tokens, 0))
  where coalesce(prompt_tokens, 0) + coalesce(completion_tokens, 0) > 0;
create index spans_by_sum_tokens on spans (epoch, project_id, sum_prompt + sum_completion)
  where sum_prompt + sum_completion > 0;
create index spans_by_cost on spans (epoch, project_id, own_cost) where own_cost > 0;

-- JSON columns are JSONB; written with jsonb(?), read with json(…). `extra` holds what no page lists: links, scope, resource.
create table span_payloads (
  span_id integer primary key,
  attributes blob not null,
  events blob not null,
  extra blob,
  has_large integer not null default 0
);

-- Text above 64 KiB, in pieces of at most 256 KiB; path is the JSON array of keys and positions inside the attributes.
create table large_values (
  span_id integer not null,
  path text not null,
  seq integer not null,
  bytes blob not null,
  primary key (span_id, path, seq)
) without rowid;

create table span_costs (
  span_id integer primary key,
  trace_id integer not null,
  model_id integer,
  start_us integer not null,
  cost integer,
  prompt_cost integer,
  completion_cost integer,
  prompt_tokens integer,
  completion_tokens integer
);
create index span_costs_by_model on span_costs (model_id, start_us);

create table span_cost_details (
  span_id integer not null,
  token_type text not null,
  is_prompt integer not null,
  tokens integer,
  cost integer,
  primary key (span_id, is_prompt, token_type)
) without rowid;

create table pending_annotations (
  id integer primary key autoincrement,
  kind text not null,
  trace_key text,
  span_key text not null,
  body text not null,
  received_us integer not null
);
create index pending_annotations_by_span on pending_annotations (span_key);
create index pending_annotations_by_age on pending_annotations (received_us);

-- Traces whose span sums wait to be computed anew (a chain too deep to climb, or a new cycle in a large trace).
create table pending_rollups (
  trace_id integer primary key
);

-- Blocks of 4,096 span ids (block = id >> 12), summarised behind ingestion, in order from 0 on; rows stay. Spans above the last
-- block are read from the tables. `unfiltered`: bits of the sixteenths of a block that have too many values for a filter.
create table span_blocks (
  block integer primary key,
  unfiltered integer not null,
  start_low integer,
  start_high integer
);

-- Written by whoever deletes spans or moves them to another project: until its marks are gone, the counts of the block hold
-- no more and its spans are read from the tables.
create table span_block_marks (
  id integer primary key autoincrement,
  block integer not null
);

-- Bloom filters over short attribute values, cut into parts by the hash of path and value, so that a question reads one part
-- of each block. Nothing is ever taken out of them.
create table span_block_bits (
  part integer not null,
  block integer not null,
  bits blob not null,
  primary key (part, block)
) without rowid;

-- How many spans of a block have a value (or the sum of their tokens), by project and hour of the start.
create table span_block_counts (
  block integer not null,
  project_id integer not null,
  facet integer not null,
  hour integer not null,
  value text not null,
  amount integer not null,
  primary key (block, project_id, facet, hour, value)
) without rowid;

-- Experiments that the server runs itself: a prompt over the examples of the experiment's snapshot. Never keys or headers.
create table experiment_jobs (
  experiment_id integer primary key references experiments (id) on delete cascade,
  status text not null check (status in ('RUNNING', 'COMPLETED', 'STOPPED', 'ERROR')),
  -- Why it does not run, in a word and for people; null while it runs and when it is completed.
  stop_reason text,
  stop_message text,
  -- The prompt as it was, in the shapes of prompt_versions.
  prompt_version_id integer references prompt_versions (id) on delete set null,
  model_provider text not null,
  model_name text not null,
  template_type text not null,
  template_format text not null,
  template text not null,
  invocation_parameters text not null,
  tools text,
  response_format text,
  -- Null for a built-in provider, and once the custom one is deleted.
  custom_provider_id integer references custom_providers (id) on delete set null,
  uses_custom_provider integer not null,
  -- JSON of an object: address and region that the caller chose.
  connection text,
  template_variables_path text not null,
  appended_messages_path text,
  stream_model_output integer not null,
  tracing_enabled integer not null,
  max_concurrency integer not null,
  -- 10^-12 USD, and tokens; null for no limit.
  max_cost integer,
  max_tokens integer,
  -- JSON of an object.
  estimate text,
  -- Who pays.
  user_id integer references users (id) on delete set null,
  api_key_id integer,
  -- Keys or headers came with the request: another server cannot go on.
  needs_credentials integer not null,
  -- 1 while a pause waits for the running calls.
  pausing integer not null default 0,
  -- 0: runs with an error stay.
  retries_failed integer not null default 1,
  -- The server that runs it, until when it may, and how often it was claimed: what an earlier claim writes is refused.
  claimed_by text,
  claimed_until_us integer not null default 0,
  claims integer not null default 0,
  -- What its calls took so far. Cost in 10^-12 USD, of the calls whose model has a price.
  calls integer not null default 0,
  prompt_tokens integer not null default 0,
  completion_tokens integer not null default 0,
  cost integer not null default 0,
  unpriced_calls integer not null default 0,
  created_us integer not null,
  -- Of the last start, and the successful runs before it.
  started_us integer not null,
  done_before integer not null default 0,
  ended_us integer,
  -- Of the last stop or resume.
  toggled_us integer
);
create index experiment_jobs_running on experiment_jobs (experiment_id) where status = 'RUNNING';
create index experiment_jobs_claimed on experiment_jobs (claimed_by) where claimed_by is not null;
create index experiment_jobs_by_prompt_version on experiment_jobs (prompt_version_id) where prompt_version_id is not null;
create index experiment_jobs_by_custom_provider on experiment_jobs (custom_provider_id) where custom_provider_id is not null;
create index experiment_jobs_by_user on experiment_jobs (user_id) where user_id is not null;

-- The evaluators that judge its runs.
create table experiment_job_evaluators (
  experiment_id integer not null references experiment_jobs (experiment_id) on delete cascade,
  dataset_evaluator_id integer not null references dataset_evaluators (id) on delete cascade,
  position integer not null,
  primary key (experiment_id, dataset_evaluator_id)
) without rowid;
create index experiment_job_evaluators_by_evaluator on experiment_job_evaluators (dataset_evaluator_id);

-- What went wrong since the last start.
create table experiment_logs (
  id integer primary key autoincrement,
  experiment_id integer not null references experiment_jobs (experiment_id) on delete cascade,
  occurred_us integer not null,
  category text not null check (category in ('TASK', 'EVAL', 'EXPERIMENT')),
  level text not null check (level in ('ERROR', 'WARN', 'INFO')),
  message text not null,
  -- All null where the entry is about the job.
  code text,
  retries integer,
  example_id integer,
  repetition integer,
  run_id integer,
  dataset_evaluator_id integer
);
create index experiment_logs_by_experiment on experiment_logs (experiment_id, id);

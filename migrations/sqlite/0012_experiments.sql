-- Experiments: what a task made of the examples of a dataset, and what evaluators said of that.

-- Counts up with every experiment of the dataset and never back, so that no number is given twice.
alter table datasets add column last_experiment integer not null default 0;

-- `number` counts the experiments of a dataset. `example_count` is that of the snapshot, which never changes.
create table experiments (
  id integer primary key autoincrement,
  dataset_id integer not null,
  version_id integer not null,
  user_id integer references users (id) on delete set null,
  number integer not null,
  name text not null,
  description text,
  -- JSON of an object.
  metadata text not null,
  repetitions integer not null,
  -- Where the traces of the task go.
  project_name text not null,
  example_count integer not null,
  created_us integer not null,
  updated_us integer not null,
  unique (dataset_id, number)
);
create index experiments_by_dataset on experiments (dataset_id, id);
create index experiments_by_project on experiments (project_name);
create index experiments_by_user on experiments (user_id) where user_id is not null;

-- The snapshot: the examples, each with the version of its revision (dataset_revisions).
create table experiment_examples (
  experiment_id integer not null references experiments (id) on delete cascade,
  example_id integer not null,
  revision_id integer not null,
  primary key (experiment_id, example_id)
) without rowid;

-- The splits that the examples were chosen by.
create table experiment_splits (
  experiment_id integer not null references experiments (id) on delete cascade,
  split_id integer not null references dataset_splits (id) on delete cascade,
  primary key (experiment_id, split_id)
) without rowid;
create index experiment_splits_by_split on experiment_splits (split_id);

-- One run of the task. With an error it failed, and is replaced by the next one.
create table experiment_runs (
  id integer primary key autoincrement,
  experiment_id integer not null references experiments (id) on delete cascade,
  example_id integer not null,
  repetition integer not null,
  -- Any JSON.
  output text not null,
  error text,
  trace_key text,
  start_us integer not null,
  end_us integer not null,
  unique (experiment_id, example_id, repetition)
);
create index experiment_runs_by_experiment on experiment_runs (experiment_id, id);

create table experiment_evaluations (
  id integer primary key autoincrement,
  run_id integer not null references experiment_runs (id) on delete cascade,
  name text not null,
  annotator_kind text not null check (annotator_kind in ('LLM', 'CODE', 'HUMAN')),
  label text,
  score real,
  explanation text,
  error text,
  -- JSON of an object.
  metadata text not null,
  trace_key text,
  start_us integer not null,
  end_us integer not null,
  unique (run_id, name)
);

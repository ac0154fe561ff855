-- Evaluators: what judges the runs of experiments, and which datasets they are attached to.

create table evaluators (
  id integer primary key autoincrement,
  kind text not null check (kind in ('LLM', 'BUILTIN')),
  name text not null unique,
  description text,
  user_id integer references users (id) on delete set null,
  created_us integer not null,
  updated_us integer not null,
  -- Of LLM evaluators only. The version with the tag runs, without a tag the newest one. `made_prompt` is 1 if the prompt was made for
  -- the evaluator. `outputs` is a JSON list of annotation configurations.
  prompt_id integer references prompts (id),
  prompt_tag_id integer references prompt_version_tags (id) on delete set null,
  made_prompt integer not null default 0,
  outputs text,
  check ((kind = 'LLM') = (prompt_id is not null and outputs is not null))
);
create index evaluators_by_prompt on evaluators (prompt_id) where prompt_id is not null;
create index evaluators_by_tag on evaluators (prompt_tag_id) where prompt_tag_id is not null;
create index evaluators_by_user on evaluators (user_id) where user_id is not null;

-- The link of an evaluator to a dataset.
create table dataset_evaluators (
  id integer primary key autoincrement,
  dataset_id integer not null references datasets (id) on delete cascade,
  evaluator_id integer not null references evaluators (id),
  name text not null,
  description text,
  -- JSON of an object with literal_mapping and path_mapping.
  input_mapping text not null,
  -- As in `evaluators`; null for those of the evaluator.
  outputs text,
  -- Where the traces of its evaluations go.
  project_name text not null unique,
  user_id integer references users (id) on delete set null,
  created_us integer not null,
  updated_us integer not null,
  -- Since when it is being deleted: it is shown nowhere from then on. A prompt made for its evaluator goes with it where
  -- `deletes_prompt` is 1.
  deletion_began_us integer,
  deletes_prompt integer not null default 0
);
create unique index dataset_evaluators_by_name on dataset_evaluators (dataset_id, name) where deletion_began_us is null;
create index dataset_evaluators_by_dataset on dataset_evaluators (dataset_id);
create index dataset_evaluators_by_evaluator on dataset_evaluators (evaluator_id);
create index dataset_evaluators_by_user on dataset_evaluators (user_id) where user_id is not null;
create index dataset_evaluators_to_delete on dataset_evaluators (id) where deletion_began_us is not null;

insert into evaluators (kind, name, created_us, updated_us)
select 'BUILTIN', name, now_us, now_us
from
  (select 'contains' as name union all select 'exact_match' union all select 'json_distance'
    union all select 'levenshtein_distance' union all select 'regex') as names,
  (select cast(unixepoch('subsec') * 1000 as integer) * 1000 as now_us) as clock;

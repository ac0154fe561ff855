-- Models that people have entered, with what a token of each kind costs. A row that is changed or deleted gets the next number in
-- `change`: servers know by the highest whether the prices that they hold are the current ones. Deleted rows stay, because costs name
-- them; no row is ever removed, so that the highest never falls.
create table models (
  id integer primary key autoincrement,
  name text not null,
  provider text,
  name_pattern text not null,
  start_us integer,
  -- JSON: kind of token, side, 10^-12 USD a token, tiers.
  prices text not null,
  change integer not null,
  user_id integer references users (id) on delete set null,
  created_us integer not null,
  updated_us integer not null,
  deleted_us integer
);
create index models_by_change on models (change);
create index models_by_user on models (user_id) where user_id is not null;
create unique index models_by_name on models (name, coalesce(start_us, 0)) where deleted_us is null;
create unique index models_by_pattern on models (name_pattern, coalesce(provider, ''), coalesce(start_us, 0))
  where deleted_us is null;

-- Costs that are computed anew, in the order of the ids of the spans: what was asked for, how far it is, and what it changed. One runs
-- at a time.
create table cost_recomputations (
  id integer primary key autoincrement,
  status text not null check (status in ('RUNNING', 'DONE', 'CANCELLED')),
  project_id integer,
  model_name text,
  start_us integer,
  end_us integer,
  user_id integer references users (id) on delete set null,
  created_us integer not null,
  updated_us integer not null,
  -- Spans up to here are done, those up to `last_span_id` are to be.
  done_span_id integer not null default 0,
  last_span_id integer not null,
  examined_spans integer not null default 0,
  changed_spans integer not null default 0,
  -- Of the spans that changed, in 10^-12 USD.
  old_cost integer not null default 0,
  new_cost integer not null default 0
);
create unique index cost_recomputations_running on cost_recomputations (status) where status = 'RUNNING';
create index cost_recomputations_by_user on cost_recomputations (user_id) where user_id is not null;

-- A recomputation of costs that fails says why, goes around spans that cannot be recomputed, and ends.
create table cost_recomputations_new (
  id integer primary key autoincrement,
  status text not null check (status in ('RUNNING', 'DONE', 'CANCELLED', 'FAILED')),
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
  new_cost integer not null default 0,
  -- Ids that the next slice goes through; null for as many as usual.
  slice_spans integer,
  -- Slices that failed since the last one that did not.
  failures integer not null default 0,
  -- Spans whose cost could not be recomputed.
  failed_spans integer not null default 0,
  -- Why the last slice failed that did; null before.
  failure text
);
insert into cost_recomputations_new (id, status, project_id, model_name, start_us, end_us, user_id, created_us, updated_us,
    done_span_id, last_span_id, examined_spans, changed_spans, old_cost, new_cost)
  select id, status, project_id, model_name, start_us, end_us, user_id, created_us, updated_us,
    done_span_id, last_span_id, examined_spans, changed_spans, old_cost, new_cost
  from cost_recomputations;
drop table cost_recomputations;
alter table cost_recomputations_new rename to cost_recomputations;
create unique index cost_recomputations_running on cost_recomputations (status) where status = 'RUNNING';
create index cost_recomputations_by_user on cost_recomputations (user_id) where user_id is not null;

-- How long traces are kept. Policy 0 is that of every project without another one; projects.retention_policy_id names the others.
create table retention_policies (
  id integer primary key autoincrement,
  name text not null,
  -- Five fields, UTC (src/modules/retention/schedule.rules.ts).
  cron text not null,
  -- Null where the rule has no such half; 0 switches it off.
  max_days real,
  max_count integer,
  max_bytes integer,
  -- 1: traces that a person annotated, and those that examples of datasets were made of, are kept.
  keep_annotated integer not null,
  keep_sources integer not null,
  -- The last moment of the schedule that was served, at first when the policy was made; below 0 the negative of the moment since which
  -- a sweep is asked for.
  served_us integer not null,
  created_us integer not null,
  updated_us integer not null
);

-- What sweeps took: one row for each project that lost traces, or could not be swept.
create table retention_sweeps (
  id integer primary key autoincrement,
  policy_id integer not null,
  project_id integer not null,
  -- The moment of the schedule that it served: what goes on after an interruption is added.
  due_us integer not null,
  began_us integer not null,
  ended_us integer not null,
  traces integer not null,
  spans integer not null,
  -- Of payloads.
  bytes integer not null,
  failure text
);
create unique index retention_sweeps_by_due on retention_sweeps (policy_id, due_us, project_id);
create index retention_sweeps_by_age on retention_sweeps (ended_us);
create index retention_sweeps_by_project on retention_sweeps (project_id, id);
create index projects_by_retention on projects (retention_policy_id) where retention_policy_id is not null;

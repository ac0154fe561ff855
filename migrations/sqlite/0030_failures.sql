-- Oldest server: level 3, version 0.1.0
-- Failures of spans, and the groups of a project that they fall into (docs/failures.md).

-- Spans that may have failed and are not examined yet, or must be examined again. Ingestion and the triggers below add them.
create table pending_failures (
  span_id integer primary key
);

create table failure_groups (
  id integer primary key autoincrement,
  project_id integer not null,
  -- One of its fingerprints, in hexadecimal digits: what it is called by, and the value of `error_group` in filters.
  group_key text not null,
  state text not null default 'open' check (state in ('open', 'reopened', 'resolved', 'ignored')),
  -- Since when it has the state; null where no person has changed it.
  state_us integer,
  -- The version that resolves it, or was to; null where none was named.
  resolved_version text,
  -- JSON list of the versions that had failed when it was resolved.
  resolved_seen text,
  -- Version of the failure that reopened it.
  reopened_version text,
  -- Counts and bounds of its spans that do not pass on the failure of another. Right once `failure_recounts` does not name the group.
  span_count integer not null default 0,
  trace_count integer not null default 0,
  session_count integer not null default 0,
  user_count integer not null default 0,
  first_us integer not null default 0,
  last_us integer not null default 0,
  -- Start of its earliest failure, also when that was deleted.
  known_us integer not null
);
create unique index failure_groups_by_key on failure_groups (group_key, project_id);
create index failure_groups_by_last on failure_groups (project_id, last_us, id);

-- Which group the failures of a fingerprint are in. Merging and splitting by hand changes it.
create table failure_fingerprints (
  id integer primary key autoincrement,
  project_id integer not null,
  fingerprint text not null,
  group_id integer not null references failure_groups (id) on delete cascade,
  -- Of the failure that made it. `frames` is a JSON list of texts.
  kind text not null,
  type text,
  message text not null,
  http_status integer,
  code text,
  tool_name text,
  span_name text,
  frames text not null
);
create unique index failure_fingerprints_by_fingerprint on failure_fingerprints (project_id, fingerprint);
create index failure_fingerprints_by_group on failure_fingerprints (group_id);

-- Parts of fingerprints that were split off by hand: the spans with this value of the attribute.
create table failure_splits (
  id integer primary key autoincrement,
  project_id integer not null,
  fingerprint text not null,
  attribute text not null,
  value text not null
);
create unique index failure_splits_by_value on failure_splits (project_id, fingerprint, attribute, value);

-- Each span that failed. `exception_key` is equal for one exception; a span whose child has the same only passes it on and is not counted.
create table failures (
  span_id integer primary key,
  trace_id integer not null,
  fingerprint_id integer not null references failure_fingerprints (id),
  span_key text not null,
  parent_key text,
  exception_key text,
  passes_on integer not null default 0,
  start_us integer not null,
  user_key text,
  -- `service.version` and `deployment.environment.name` of the resource.
  version text,
  environment text
);
create index failures_by_fingerprint on failures (fingerprint_id, passes_on, start_us, span_id);
create index failures_by_key on failures (trace_id, span_key);
create index failures_by_parent on failures (trace_id, parent_key) where parent_key is not null;

-- Groups whose counts must be taken again before they are next read.
create table failure_recounts (
  id integer primary key autoincrement,
  group_id integer not null
);
create index failure_recounts_by_group on failure_recounts (group_id);

-- One row. Spans with ids below `below_id` were stored before failures were grouped, and are examined from there down. `settlements` is
-- changed by every transaction that changes groups: they come one after the other.
create table failure_scans (
  id integer primary key,
  below_id integer not null,
  settlements integer not null default 0
);
insert into failure_scans (id, below_id) select 1, coalesce(max(id), 0) + 1 from spans;

create trigger failures_leave_groups after delete on failures
begin
  insert into failure_recounts (group_id) select group_id from failure_fingerprints
    where id = old.fingerprint_id and not exists (select 1 from failure_recounts where group_id = failure_fingerprints.group_id);
  -- Who passed it on may be where it comes from now.
  insert or ignore into pending_failures (span_id) select span_id from failures
    where trace_id = old.trace_id and span_key = old.parent_key and passes_on = 1 and exception_key = old.exception_key;
end;

create trigger spans_move_failures after update of project_id on spans
when new.project_id <> old.project_id and exists (select 1 from failures where span_id = new.id)
begin
  insert or ignore into pending_failures (span_id) values (new.id);
end;

create trigger span_payloads_change_failures after update of attributes on span_payloads
begin
  insert or ignore into pending_failures (span_id) values (new.span_id);
end;

create trigger traces_change_failure_sessions after update of session_id on traces
when new.session_id is not old.session_id and old.span_count > 0
begin
  insert into failure_recounts (group_id) select distinct f.group_id from failures
    join failure_fingerprints f on f.id = failures.fingerprint_id where failures.trace_id = new.id;
end;

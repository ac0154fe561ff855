-- Messages of model calls that came as log records. Those whose span has not arrived wait by its external ids; `digest` is of what a message
-- says, so that the same sent twice is one.
create table pending_messages (
  id integer primary key autoincrement,
  trace_key text not null,
  span_key text not null,
  digest text not null,
  body text not null,
  received_us integer not null
);
create unique index pending_messages_once on pending_messages (trace_key, span_key, digest);
create index pending_messages_by_age on pending_messages (received_us);

-- Those that their span has, kept so that a later one can be put among them.
create table span_messages (
  id integer primary key autoincrement,
  span_id integer not null,
  digest text not null,
  body text not null
);
create unique index span_messages_once on span_messages (span_id, digest);

-- JSON list of the paths of the attributes that such messages filled.
create table message_fills (
  span_id integer primary key,
  paths text not null
);

-- 1 where spans of the block have new values: its filter does not know them until the mark is gone.
alter table span_block_marks add column new_values integer not null default 0;

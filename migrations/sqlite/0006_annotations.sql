-- What people and programs say about spans, traces, sessions and documents that a span retrieved: a row a name and identifier.
-- `label_head` is the beginning of the label, so that an index entry stays small; `metadata` is the text of a JSON object.

create table span_annotations (
  id integer primary key autoincrement,
  span_id integer not null,
  name text not null,
  identifier text not null,
  annotator_kind text not null check (annotator_kind in ('LLM', 'CODE', 'HUMAN')),
  label text,
  label_head text,
  score real,
  explanation text,
  metadata text not null,
  source text not null check (source in ('API', 'APP')),
  user_id integer references users (id) on delete set null,
  created_us integer not null,
  updated_us integer not null,
  unique (span_id, name, identifier)
);
create index span_annotations_by_label on span_annotations (name, label_head, span_id);
create index span_annotations_by_score on span_annotations (name, score, span_id) where score is not null;
create index span_annotations_by_identifier on span_annotations (identifier) where identifier <> '';
create index span_annotations_by_user on span_annotations (user_id) where user_id is not null;

create table trace_annotations (
  id integer primary key autoincrement,
  trace_id integer not null,
  name text not null,
  identifier text not null,
  annotator_kind text not null check (annotator_kind in ('LLM', 'CODE', 'HUMAN')),
  label text,
  label_head text,
  score real,
  explanation text,
  metadata text not null,
  source text not null check (source in ('API', 'APP')),
  user_id integer references users (id) on delete set null,
  created_us integer not null,
  updated_us integer not null,
  unique (trace_id, name, identifier)
);
create index trace_annotations_by_label on trace_annotations (name, label_head, trace_id);
create index trace_annotations_by_score on trace_annotations (name, score, trace_id) where score is not null;
create index trace_annotations_by_identifier on trace_annotations (identifier) where identifier <> '';
create index trace_annotations_by_user on trace_annotations (user_id) where user_id is not null;

create table session_annotations (
  id integer primary key autoincrement,
  session_id integer not null,
  name text not null,
  identifier text not null,
  annotator_kind text not null check (annotator_kind in ('LLM', 'CODE', 'HUMAN')),
  label text,
  label_head text,
  score real,
  explanation text,
  metadata text not null,
  source text not null check (source in ('API', 'APP')),
  user_id integer references users (id) on delete set null,
  created_us integer not null,
  updated_us integer not null,
  unique (session_id, name, identifier)
);
create index session_annotations_by_label on session_annotations (name, label_head, session_id);
create index session_annotations_by_score on session_annotations (name, score, session_id) where score is not null;
create index session_annotations_by_identifier on session_annotations (identifier) where identifier <> '';
create index session_annotations_by_user on session_annotations (user_id) where user_id is not null;

create table document_annotations (
  id integer primary key autoincrement,
  span_id integer not null,
  position integer not null,
  name text not null,
  identifier text not null,
  annotator_kind text not null check (annotator_kind in ('LLM', 'CODE', 'HUMAN')),
  label text,
  label_head text,
  score real,
  explanation text,
  metadata text not null,
  source text not null check (source in ('API', 'APP')),
  user_id integer references users (id) on delete set null,
  created_us integer not null,
  updated_us integer not null,
  unique (span_id, position, name, identifier)
);
create index document_annotations_by_label on document_annotations (name, label_head, span_id) where label is not null;
create index document_annotations_by_score on document_annotations (name, score, span_id) where score is not null;
create index document_annotations_by_identifier on document_annotations (identifier) where identifier <> '';
create index document_annotations_by_user on document_annotations (user_id) where user_id is not null;

-- Annotations whose span, trace or session has not arrived, applied in the order of their ids when it does. `target_key` is its
-- external id, `body` the JSON of the annotation.
drop table pending_annotations;
create table pending_annotations (
  id integer primary key autoincrement,
  target text not null,
  target_key text not null,
  body text not null,
  received_us integer not null
);
create index pending_annotations_by_key on pending_annotations (target_key);
create index pending_annotations_by_age on pending_annotations (received_us);

-- How a name is judged: `content` is the JSON of what its type has (values, bounds, threshold).
create table annotation_configs (
  id integer primary key autoincrement,
  name text not null unique,
  type text not null check (type in ('CATEGORICAL', 'CONTINUOUS', 'FREEFORM')),
  description text,
  optimization_direction text check (optimization_direction in ('MINIMIZE', 'MAXIMIZE', 'NONE')),
  content text not null
);

create table project_annotation_configs (
  project_id integer not null,
  config_id integer not null references annotation_configs (id) on delete cascade,
  primary key (project_id, config_id)
) without rowid;
create index project_annotation_configs_by_config on project_annotation_configs (config_id);

-- Datasets: examples with an input, an output and metadata, in versions that never change.

-- One that is being deleted is seen no longer, and its name is free.
create table datasets (
  id integer primary key autoincrement,
  name text not null,
  description text,
  -- JSON of an object, here and below.
  metadata text not null,
  user_id integer references users (id) on delete set null,
  created_us integer not null,
  updated_us integer not null,
  deleting integer not null default 0
);
create unique index datasets_by_name on datasets (name) where deleting = 0;
create index datasets_by_user on datasets (user_id) where user_id is not null;

-- In the order of their ids. `example_count` is that of the examples that live at the version, the others what it changed.
create table dataset_versions (
  id integer primary key autoincrement,
  dataset_id integer not null,
  description text,
  metadata text not null,
  user_id integer references users (id) on delete set null,
  created_us integer not null,
  example_count integer not null,
  created_count integer not null,
  updated_count integer not null,
  deleted_count integer not null
);
create index dataset_versions_by_dataset on dataset_versions (dataset_id, id);
create index dataset_versions_by_user on dataset_versions (user_id) where user_id is not null;

-- `origin` is the content that an example was made with.
create table dataset_examples (
  id integer primary key autoincrement,
  dataset_id integer not null,
  external_id text,
  origin integer not null unique,
  created_us integer not null
);
create index dataset_examples_by_dataset on dataset_examples (dataset_id, id);
create unique index dataset_examples_by_external_id on dataset_examples (dataset_id, external_id)
  where external_id is not null;

-- Written apart from everything that points to it, in parts. The number says of which upload it is, and where it stood there.
create table dataset_contents (
  id integer primary key,
  input text not null,
  output text not null,
  metadata text not null
);

-- What an example is from one version on, until the version that changes it; without content once it is deleted. `hash` is that of
-- the content: equal ones say the same.
create table dataset_revisions (
  dataset_id integer not null,
  example_id integer not null,
  version_id integer not null,
  until_version_id integer,
  kind text not null check (kind in ('CREATE', 'PATCH', 'DELETE')),
  content_id integer,
  hash text,
  primary key (dataset_id, example_id, version_id)
) without rowid;
create index dataset_revisions_by_hash on dataset_revisions (dataset_id, hash)
  where until_version_id is null and hash is not null;
create index dataset_revisions_by_content on dataset_revisions (content_id) where content_id is not null;
create index dataset_revisions_by_version on dataset_revisions (version_id);

-- The span that an example was made of.
create table dataset_example_spans (
  example_id integer primary key,
  span_id integer not null
);
create index dataset_example_spans_by_span on dataset_example_spans (span_id);

-- Uploads that arrive: their rows are kept until one last transaction makes a version of them, or are removed.
create table dataset_uploads (
  id integer primary key autoincrement,
  committed integer not null default 0,
  touched_us integer not null
);

-- `named_example` is the example that an id of ours names; `example_id` and `kind` are found out at the end.
create table dataset_upload_rows (
  content_id integer primary key,
  hash text not null,
  external_id text,
  named_example integer,
  linked_span integer,
  example_id integer,
  kind text
);
create table dataset_upload_splits (
  content_id integer not null,
  name text not null,
  primary key (content_id, name)
) without rowid;

-- Splits are shared by all datasets. Who is in one has no versions.
create table dataset_splits (
  id integer primary key autoincrement,
  name text not null unique,
  description text,
  color text not null,
  metadata text not null,
  user_id integer references users (id) on delete set null,
  created_us integer not null,
  updated_us integer not null
);
create index dataset_splits_by_user on dataset_splits (user_id) where user_id is not null;

create table dataset_split_examples (
  split_id integer not null references dataset_splits (id) on delete cascade,
  example_id integer not null,
  primary key (split_id, example_id)
) without rowid;
create index dataset_split_examples_by_example on dataset_split_examples (example_id);

create table dataset_labels (
  id integer primary key autoincrement,
  name text not null unique,
  description text,
  color text not null,
  user_id integer references users (id) on delete set null
);
create index dataset_labels_by_user on dataset_labels (user_id) where user_id is not null;

create table dataset_label_uses (
  dataset_id integer not null,
  label_id integer not null references dataset_labels (id) on delete cascade,
  primary key (dataset_id, label_id)
) without rowid;
create index dataset_label_uses_by_label on dataset_label_uses (label_id);

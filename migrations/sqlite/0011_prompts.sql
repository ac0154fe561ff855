-- Prompts: a name, its versions that never change, tags that point at one of them, and labels.

create table prompts (
  id integer primary key autoincrement,
  -- The prompt that this one is a copy of.
  source_prompt_id integer references prompts (id) on delete set null,
  name text not null unique,
  description text,
  -- JSON object.
  metadata text not null,
  created_us integer not null,
  updated_us integer not null
);
create index prompts_by_source on prompts (source_prompt_id) where source_prompt_id is not null;

create table prompt_versions (
  id integer primary key autoincrement,
  prompt_id integer not null references prompts (id) on delete cascade,
  user_id integer references users (id) on delete set null,
  -- From 1 without a gap: versions only go with their prompt.
  number integer not null,
  description text,
  model_provider text not null,
  model_name text not null,
  template_type text not null check (template_type in ('CHAT', 'STR')),
  template_format text not null check (template_format in ('MUSTACHE', 'F_STRING', 'NONE')),
  -- JSON in the shapes of docs/protocol/prompts.md.
  template text not null,
  invocation_parameters text not null,
  tools text,
  response_format text,
  metadata text not null,
  created_us integer not null
);
create unique index prompt_versions_by_number on prompt_versions (prompt_id, number);
create index prompt_versions_by_user on prompt_versions (user_id) where user_id is not null;

create table prompt_version_tags (
  id integer primary key autoincrement,
  prompt_id integer not null references prompts (id) on delete cascade,
  version_id integer not null references prompt_versions (id) on delete cascade,
  user_id integer references users (id) on delete set null,
  name text not null,
  description text,
  updated_us integer not null
);
create unique index prompt_version_tags_by_name on prompt_version_tags (prompt_id, name);
create index prompt_version_tags_by_version on prompt_version_tags (version_id);
create index prompt_version_tags_by_user on prompt_version_tags (user_id) where user_id is not null;

-- Where tags pointed: a row each time that one is set elsewhere or removed (version_id null).
create table prompt_tag_moves (
  id integer primary key autoincrement,
  prompt_id integer not null references prompts (id) on delete cascade,
  version_id integer references prompt_versions (id) on delete cascade,
  user_id integer references users (id) on delete set null,
  name text not null,
  moved_us integer not null
);
create index prompt_tag_moves_by_prompt on prompt_tag_moves (prompt_id, id);
create index prompt_tag_moves_by_version on prompt_tag_moves (version_id) where version_id is not null;
create index prompt_tag_moves_by_user on prompt_tag_moves (user_id) where user_id is not null;

create table prompt_labels (
  id integer primary key autoincrement,
  name text not null unique,
  description text,
  color text
);

create table prompts_prompt_labels (
  prompt_id integer not null references prompts (id) on delete cascade,
  label_id integer not null references prompt_labels (id) on delete cascade,
  primary key (prompt_id, label_id)
) without rowid;
create index prompts_prompt_labels_by_label on prompts_prompt_labels (label_id);

-- Custom providers of models: address, credentials and headers that administrators have entered.
create table custom_providers (
  id integer primary key autoincrement,
  name text not null unique,
  description text,
  -- Free text of people; the kind of interface is `sdk`.
  provider text not null,
  sdk text not null,
  -- JSON, encrypted with SERVICE_SECRET and bound to the id.
  config blob not null,
  user_id integer references users (id) on delete set null,
  created_us integer not null,
  updated_us integer not null
);
create index custom_providers_by_user on custom_providers (user_id) where user_id is not null;

-- The custom provider that a version is for; null for the built-in one, and once the custom one is deleted.
alter table prompt_versions add column custom_provider_id integer references custom_providers (id) on delete set null;
create index prompt_versions_by_custom_provider on prompt_versions (custom_provider_id) where custom_provider_id is not null;

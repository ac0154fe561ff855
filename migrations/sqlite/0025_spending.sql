-- How much may be spent on calls of models, in a day or a month (UTC). Rows are locked by whoever reserves from them.
create table budgets (
  id integer primary key autoincrement,
  -- Whose calls count together: of the whole server, of a person, an API key, or a project.
  scope text not null check (scope in ('server', 'user', 'api_key', 'project')),
  -- The one that is meant, by the column of its scope; all null for everybody of the scope without a budget of their own.
  user_id integer references users (id) on delete cascade,
  api_key_id integer references api_keys (id) on delete cascade,
  project_id integer,
  period text not null check (period in ('day', 'month')),
  -- 10^-12 USD; null for no limit.
  max_cost integer,
  max_tokens integer,
  set_by_user_id integer references users (id) on delete set null,
  created_us integer not null,
  updated_us integer not null
);
create unique index budgets_by_target on budgets (scope, coalesce(user_id, api_key_id, project_id, 0), period);
create index budgets_by_user on budgets (user_id) where user_id is not null;
create index budgets_by_api_key on budgets (api_key_id) where api_key_id is not null;
create index budgets_by_project on budgets (project_id) where project_id is not null;
create index budgets_by_author on budgets (set_by_user_id) where set_by_user_id is not null;

-- The most that calls may cost that run now. A row that its server does not renew is void from `expires_us` on.
create table spending_reservations (
  key text primary key,
  -- A server, by a text of its own.
  holder text not null,
  expires_us integer not null,
  -- As in `spending`.
  day_us integer not null,
  user_id integer not null,
  api_key_id integer not null,
  project_id integer not null,
  purpose text not null,
  provider text not null,
  model text not null,
  cost integer not null,
  tokens integer not null
) without rowid;
create index spending_reservations_by_holder on spending_reservations (holder);
create index spending_reservations_by_expiry on spending_reservations (expires_us);

-- Who spent what: the calls of a day, together for each person, key, project, purpose and model. Ids are 0 for none, and stay when
-- what they name is deleted.
create table spending (
  id integer primary key autoincrement,
  -- The beginning of the day, UTC.
  day_us integer not null,
  user_id integer not null,
  api_key_id integer not null,
  project_id integer not null,
  purpose text not null,
  provider text not null,
  model text not null,
  calls integer not null,
  failed_calls integer not null,
  prompt_tokens integer not null,
  completion_tokens integer not null,
  -- 10^-12 USD, of the calls whose model has a price.
  cost integer not null,
  unpriced_calls integer not null,
  -- Calls whose counts the provider did not report; they are estimated.
  estimated_calls integer not null,
  -- Calls whose server was lost: what they were reserved for at most, which is not part of `cost`.
  lost_calls integer not null,
  lost_cost integer not null
);
create unique index spending_by_day on spending (day_us, user_id, api_key_id, project_id, purpose, provider, model);

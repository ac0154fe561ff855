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

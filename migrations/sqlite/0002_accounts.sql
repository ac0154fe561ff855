-- Accounts, sign-ins, API keys, secrets, lock-outs and rate limits. All of it lives in rows, so that several servers over
-- one database behave as one. A token or key is never stored, only the SHA-256 of the random value it carries.

-- The e-mail address is stored trimmed and lower-cased. password_hash is a PHC string: salt and parameters are in it.
create table users (
  id integer primary key autoincrement,
  role text not null check (role in ('SYSTEM', 'ADMIN', 'MEMBER', 'VIEWER')),
  auth_method text not null check (auth_method in ('LOCAL', 'OAUTH2', 'LDAP')),
  username text not null unique,
  email text unique,
  profile_picture_url text,
  password_hash text,
  -- asked: pages ask for a new password; required: the server refuses all else until there is one.
  password_change text not null default 'none' check (password_change in ('none', 'asked', 'required')),
  oauth2_client_id text,
  oauth2_user_id text,
  ldap_unique_id text unique,
  created_us integer not null,
  updated_us integer not null,
  unique (oauth2_client_id, oauth2_user_id),
  check ((auth_method = 'LOCAL') = (password_hash is not null)),
  check (auth_method = 'LOCAL' or password_change = 'none'),
  check (auth_method = 'OAUTH2' or (oauth2_client_id is null and oauth2_user_id is null)),
  check (auth_method = 'LDAP' or (ldap_unique_id is null and email is not null)),
  check (email is not null or ldap_unique_id is not null)
);
-- One account owns the system keys and is what the admin secret acts as, however many servers start at once.
create unique index users_one_system on users (role) where role = 'SYSTEM';

create table refresh_tokens (
  id integer primary key autoincrement,
  user_id integer not null references users (id) on delete cascade,
  random_hash blob not null,
  created_us integer not null,
  expires_us integer not null
);
create index refresh_tokens_by_user on refresh_tokens (user_id);
create index refresh_tokens_by_expiry on refresh_tokens (expires_us);

create table access_tokens (
  id integer primary key autoincrement,
  user_id integer not null references users (id) on delete cascade,
  refresh_token_id integer unique references refresh_tokens (id) on delete cascade,
  random_hash blob not null,
  created_us integer not null,
  expires_us integer not null
);
create index access_tokens_by_user on access_tokens (user_id);
create index access_tokens_by_expiry on access_tokens (expires_us);

-- One link a user: a new one takes the place of the last.
create table password_reset_tokens (
  id integer primary key autoincrement,
  user_id integer not null unique references users (id) on delete cascade,
  random_hash blob not null,
  created_us integer not null,
  expires_us integer not null
);
create index password_reset_tokens_by_expiry on password_reset_tokens (expires_us);

-- A system key belongs to the SYSTEM user, and outlives the administrator who made it.
create table api_keys (
  id integer primary key autoincrement,
  user_id integer not null references users (id) on delete cascade,
  created_by_user_id integer references users (id) on delete set null,
  name text not null,
  description text,
  random_hash blob not null,
  created_us integer not null,
  expires_us integer
);
create index api_keys_by_user on api_keys (user_id);
create index api_keys_by_creator on api_keys (created_by_user_id) where created_by_user_id is not null;
create index api_keys_by_expiry on api_keys (expires_us) where expires_us is not null;

-- value is encrypted, with the name as associated data.
create table secrets (
  name text primary key not null,
  value blob not null,
  user_id integer references users (id) on delete set null,
  created_us integer not null,
  updated_us integer not null
);
create index secrets_by_user on secrets (user_id) where user_id is not null;

-- Consecutive failed sign-ins by e-mail address (local) or username (directory), known or not.
create table login_attempts (
  identifier text primary key not null,
  failures integer not null,
  last_failure_us integer not null
);
create index login_attempts_by_age on login_attempts (last_failure_us);

-- A bucket as one number: the time at which it is full again. Whoever takes from it moves the time on.
create table rate_limits (
  bucket text primary key not null,
  full_us integer not null
);
create index rate_limits_by_age on rate_limits (full_us);

-- When a person last got a mail of a kind that comes at most once in a while.
create table sent_notices (
  kind text not null,
  user_id integer not null references users (id) on delete cascade,
  sent_us integer not null,
  primary key (kind, user_id)
);
create index sent_notices_by_user on sent_notices (user_id);

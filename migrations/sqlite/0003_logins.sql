-- A sign-in is a row of refresh tokens, each taking the place of the one before. It ends some time after its first, however often
-- it is renewed, and when one of its spent tokens comes back: then somebody else has a copy.

-- The first refresh token of the sign-in, and when that began; null: this is the first one.
alter table refresh_tokens add column login_id integer;
alter table refresh_tokens add column login_us integer;
create index refresh_tokens_by_login on refresh_tokens (login_id) where login_id is not null;

-- Under the id that the token had, until its time would have been over.
create table spent_refresh_tokens (
  id integer primary key not null,
  user_id integer not null references users (id) on delete cascade,
  login_id integer not null,
  random_hash blob not null,
  spent_us integer not null,
  expires_us integer not null
);
create index spent_refresh_tokens_by_user on spent_refresh_tokens (user_id);
create index spent_refresh_tokens_by_login on spent_refresh_tokens (login_id);
create index spent_refresh_tokens_by_expiry on spent_refresh_tokens (expires_us);

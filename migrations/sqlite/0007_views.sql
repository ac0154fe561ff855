-- Saved views: a name for what a list of a project is asked for.

-- private_to says whose it is alone, null for everybody; user_id who saved it. A person that goes takes the private ones along.
create table saved_views (
  id integer primary key autoincrement,
  project_id integer not null references projects (id) on delete cascade,
  private_to integer references users (id) on delete cascade,
  user_id integer references users (id) on delete set null,
  name text not null,
  -- Which list of the project, and the parameters of its address in their own order.
  tab text not null check (tab in ('traces', 'spans', 'sessions')),
  query text not null,
  is_start integer not null default 0 check (is_start = 0 or private_to is null),
  created_us integer not null,
  updated_us integer not null
);
create unique index saved_views_by_name on saved_views (project_id, name) where private_to is null;
create unique index saved_views_by_person on saved_views (private_to, project_id, name) where private_to is not null;
create unique index saved_views_by_start on saved_views (project_id) where is_start = 1;
create index saved_views_by_project on saved_views (project_id);
create index saved_views_by_user on saved_views (user_id) where user_id is not null;

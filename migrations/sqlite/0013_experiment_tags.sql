-- Names that point at one experiment of a dataset each, such as its baseline, and experiments that somebody put aside.

create table experiment_tags (
  id integer primary key autoincrement,
  dataset_id integer not null references datasets (id) on delete cascade,
  name text not null,
  experiment_id integer not null references experiments (id) on delete cascade,
  user_id integer references users (id) on delete set null,
  description text,
  unique (dataset_id, name)
);
create index experiment_tags_by_experiment on experiment_tags (experiment_id);
create index experiment_tags_by_user on experiment_tags (user_id) where user_id is not null;

-- Since when it is put aside: lists leave it out, and it is deleted a day later.
alter table experiments add column dismissed_us integer;
create index experiments_dismissed on experiments (dismissed_us) where dismissed_us is not null;

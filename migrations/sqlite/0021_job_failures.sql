-- Items of background jobs that failed, and when they are tried again (src/jobs/attempts.ts). A row goes when its item succeeds.
create table job_failures (
  job text not null,
  -- Empty for the whole run.
  item text not null,
  reason text not null,
  -- In a row.
  attempts integer not null,
  first_us integer not null,
  last_us integer not null,
  retry_us integer not null,
  primary key (job, item)
) without rowid;

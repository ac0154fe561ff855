-- Items of background jobs that failed, and when they are tried again (src/jobs/attempts.ts). A row goes when its item succeeds.
create table job_failures (
  job text not null,
  -- Empty for the whole run.
  item text not null,
  reason text not null,
  -- In a row.
  attempts bigint not null,
  first_us bigint not null,
  last_us bigint not null,
  retry_us bigint not null,
  primary key (job, item)
);

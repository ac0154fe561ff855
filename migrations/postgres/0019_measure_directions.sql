-- Which values of what experiments are compared by are the better ones, where somebody said so. An evaluation whose name has an annotation
-- configuration is no row: its direction stands there.
create table measure_directions (
  measure text collate "C" not null,
  -- The name of the evaluation; empty but for scores.
  evaluation text collate "C" not null,
  direction text not null,
  primary key (measure, evaluation)
);

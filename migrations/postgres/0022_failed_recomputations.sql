-- A recomputation of costs that fails says why, goes around spans that cannot be recomputed, and ends.
alter table cost_recomputations drop constraint cost_recomputations_status_check;
alter table cost_recomputations add constraint cost_recomputations_status_check
  check (status in ('RUNNING', 'DONE', 'CANCELLED', 'FAILED'));
-- Ids that the next slice goes through; null for as many as usual.
alter table cost_recomputations add column slice_spans bigint;
-- Slices that failed since the last one that did not.
alter table cost_recomputations add column failures bigint not null default 0;
-- Spans whose cost could not be recomputed.
alter table cost_recomputations add column failed_spans bigint not null default 0;
-- Why the last slice failed that did; null before.
alter table cost_recomputations add column failure text;

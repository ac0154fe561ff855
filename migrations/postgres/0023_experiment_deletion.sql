-- Since when an experiment is being deleted: it is shown nowhere from then on. Its project goes with it where `deletes_project` is 1.
alter table experiments add column deletion_began_us bigint;
alter table experiments add column deletes_project bigint not null default 0;
-- Earlier versions wrote 0 as the time since which it was dismissed.
update experiments set deletion_began_us = updated_us, dismissed_us = null where dismissed_us = 0;
create index experiments_to_delete on experiments (id) where deletion_began_us is not null or dismissed_us is not null;

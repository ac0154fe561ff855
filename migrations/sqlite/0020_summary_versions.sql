-- Oldest server: level 2, version 0.1.0
-- What the server that wrote a block's summaries knew of (src/model/blocks/block.ts has the number). Blocks of a lower version are not
-- relied on and are summarised again. 1 is what servers write that do not know the column.
alter table span_blocks add column summary_version integer not null default 1;
create index span_blocks_by_summary_version on span_blocks (summary_version, block);

-- The version of Spanlight that `oldest_server` stands for; null for level 1.
alter table schema_migrations add column oldest_version text;

-- What the calls of a block cost, by project, hour of the start, and one dimension (src/model/blocks/cost-cells.ts has the codes): all of
-- them together, by model, by user, by kind of token. `trace_id` names the trace whose user asked, where the call itself names none.
create table span_block_costs (
  block bigint not null,
  dimension integer not null,
  project_id bigint not null,
  hour bigint not null,
  value text collate "C",
  trace_id bigint,
  cost bigint,
  tokens bigint,
  unknown bigint,
  prompt_cost bigint,
  completion_cost bigint,
  prompt_tokens bigint,
  completion_tokens bigint
);
create index span_block_costs_by_block on span_block_costs (block, dimension, project_id, hour);

-- What was summarised before is counted again, behind ingestion.
insert into span_block_marks (block) select block from span_blocks;

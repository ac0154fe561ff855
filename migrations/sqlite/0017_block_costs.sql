-- What the calls of a block cost, by project, hour of the start, and one dimension (src/model/blocks/cost-cells.ts has the codes): all of
-- them together, by model, by user, by kind of token. `trace_id` names the trace whose user asked, where the call itself names none.
create table span_block_costs (
  block integer not null,
  dimension integer not null,
  project_id integer not null,
  hour integer not null,
  value text,
  trace_id integer,
  cost integer,
  tokens integer,
  unknown integer,
  prompt_cost integer,
  completion_cost integer,
  prompt_tokens integer,
  completion_tokens integer
);
create index span_block_costs_by_block on span_block_costs (block, dimension, project_id, hour);

-- What was summarised before is counted again, behind ingestion.
insert into span_block_marks (block) select block from span_blocks;

-- What is found by a random key is written sorted, a block of 4,096 span ids (block = id >> 12) at a time: an index over all spans
-- would have every span dirty a page of its own. A block is sorted by the transaction that fills it, and triggers keep its rows
-- right from then on; spans above the last sorted block are read from `spans`.
create table sorted_blocks (
  block integer primary key
);

-- run: eight blocks together (block / 8), so that a look-up asks fewer places.
create table span_keys (
  run integer not null,
  span_key text not null,
  span_id integer not null,
  primary key (run, span_key, span_id)
) without rowid;

-- sort: 0 latency, 2 own tokens where there are any, 4 tokens with all below where there are any. One more (1, 3, 5): the same of
-- spans that may be roots, also without tokens: they had no parent, or it was not stored when the row was written.
create table span_orders (
  block integer not null,
  sort integer not null,
  project_id integer not null,
  value integer not null,
  span_id integer not null,
  primary key (block, sort, project_id, value, span_id)
) without rowid;

drop index spans_by_epoch_key;
drop index spans_by_latency;
drop index spans_by_tokens;
drop index spans_by_sum_tokens;
drop index spans_by_cost;

insert into sorted_blocks (block)
  select distinct id / 4096 from spans
  where id / 4096 < (select (seq + 1) / 4096 from sqlite_sequence where name = 'spans');
insert into span_keys (run, span_key, span_id)
  select id / 32768, span_key, id from spans where id / 4096 <= (select max(block) from sorted_blocks) order by 1, 2, 3;
insert into span_orders (block, sort, project_id, value, span_id)
  with top as materialized (
    select id from spans where id / 4096 <= (select max(block) from sorted_blocks) and (parent_key is null or not exists (
      select 1 from spans as parent where parent.trace_id = spans.trace_id and parent.span_key = spans.parent_key))
  ),
  chosen (id, flag) as (
    select id, 0 from spans where id / 4096 <= (select max(block) from sorted_blocks) union all select id, 1 from top
  )
  select spans.id / 4096, kind.sort + chosen.flag, spans.project_id,
    case kind.sort when 0 then latency_us when 2 then coalesce(prompt_tokens, 0) + coalesce(completion_tokens, 0)
      else sum_prompt + sum_completion end as value, spans.id
  from chosen cross join spans cross join (select 0 as sort union all select 2 union all select 4) as kind
  where spans.id = chosen.id and (kind.sort = 0 or chosen.flag = 1 or value > 0)
  order by 1, 2, 3, 4, 5;

create trigger spans_change_orders
after update of project_id, latency_us, prompt_tokens, completion_tokens, sum_prompt, sum_completion on spans
when (new.project_id <> old.project_id or new.latency_us <> old.latency_us
    or new.sum_prompt + new.sum_completion <> old.sum_prompt + old.sum_completion
    or coalesce(new.prompt_tokens, 0) + coalesce(new.completion_tokens, 0)
      <> coalesce(old.prompt_tokens, 0) + coalesce(old.completion_tokens, 0))
  and new.id / 4096 <= (select max(block) from sorted_blocks)
begin
  delete from span_orders where block = old.id / 4096 and sort in (2, 3) and project_id = old.project_id
    and value = coalesce(old.prompt_tokens, 0) + coalesce(old.completion_tokens, 0) and span_id = old.id;
  delete from span_orders where block = old.id / 4096 and sort in (4, 5) and project_id = old.project_id
    and value = old.sum_prompt + old.sum_completion and span_id = old.id;
  update span_orders set project_id = new.project_id, value = new.latency_us
    where block = old.id / 4096 and sort in (0, 1) and project_id = old.project_id and value = old.latency_us
      and span_id = old.id;
  -- The rows of the latency tell whether the span may be a root.
  insert into span_orders (block, sort, project_id, value, span_id)
    select block, sort + 2, project_id, coalesce(new.prompt_tokens, 0) + coalesce(new.completion_tokens, 0), span_id
    from span_orders
    where block = new.id / 4096 and sort in (0, 1) and project_id = new.project_id and value = new.latency_us
      and span_id = new.id and (sort = 1 or coalesce(new.prompt_tokens, 0) + coalesce(new.completion_tokens, 0) > 0);
  insert into span_orders (block, sort, project_id, value, span_id)
    select block, sort + 4, project_id, new.sum_prompt + new.sum_completion, span_id from span_orders
    where block = new.id / 4096 and sort in (0, 1) and project_id = new.project_id and value = new.latency_us
      and span_id = new.id and (sort = 1 or new.sum_prompt + new.sum_completion > 0);
end;

create trigger spans_leave_orders after delete on spans
when old.id / 4096 <= (select max(block) from sorted_blocks)
begin
  delete from span_keys where run = old.id / 32768 and span_key = old.span_key and span_id = old.id;
  delete from span_orders where block = old.id / 4096 and sort in (0, 1) and project_id = old.project_id
    and value = old.latency_us and span_id = old.id;
  delete from span_orders where block = old.id / 4096 and sort in (2, 3) and project_id = old.project_id
    and value = coalesce(old.prompt_tokens, 0) + coalesce(old.completion_tokens, 0) and span_id = old.id;
  delete from span_orders where block = old.id / 4096 and sort in (4, 5) and project_id = old.project_id
    and value = old.sum_prompt + old.sum_completion and span_id = old.id;
  -- A block without spans is asked no more. The last one stays: by it the spans are known that are not sorted yet.
  delete from sorted_blocks
    where block = old.id / 4096 and block < (select max(block) from sorted_blocks)
      and not exists (select 1 from spans where id >= (old.id / 4096) * 4096 and id < (old.id / 4096 + 1) * 4096);
end;

-- Those below a span that goes may be roots from now on.
create trigger spans_lose_parents after delete on spans
when exists (select 1 from spans where trace_id = old.trace_id and parent_key = old.span_key)
begin
  insert or ignore into span_orders (block, sort, project_id, value, span_id)
    select id / 4096, 1, project_id, latency_us, id from spans
    where trace_id = old.trace_id and parent_key = old.span_key and id / 4096 <= (select max(block) from sorted_blocks);
  insert or ignore into span_orders (block, sort, project_id, value, span_id)
    select id / 4096, 3, project_id, coalesce(prompt_tokens, 0) + coalesce(completion_tokens, 0), id from spans
    where trace_id = old.trace_id and parent_key = old.span_key and id / 4096 <= (select max(block) from sorted_blocks);
  insert or ignore into span_orders (block, sort, project_id, value, span_id)
    select id / 4096, 5, project_id, sum_prompt + sum_completion, id from spans
    where trace_id = old.trace_id and parent_key = old.span_key and id / 4096 <= (select max(block) from sorted_blocks);
end;

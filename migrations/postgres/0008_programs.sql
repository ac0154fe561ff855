-- A model call that two instrumentations recorded is two spans, of which sums count the inner one. 1: a direct child, also the
-- call of a model, reports the same counts. Traces that hold such spans already are computed anew.
alter table spans add column repeats_child bigint not null default 0;

insert into pending_rollups (trace_id)
select distinct parent.trace_id
from spans parent
join spans child on child.trace_id = parent.trace_id and child.parent_key = parent.span_key and child.id <> parent.id
where parent.kind = 1 and child.kind = 1
  and coalesce(parent.prompt_tokens, 0) = coalesce(child.prompt_tokens, 0)
  and coalesce(parent.completion_tokens, 0) = coalesce(child.completion_tokens, 0)
  and (parent.prompt_tokens <> 0 or parent.completion_tokens <> 0)
on conflict do nothing;

-- What the pages call a span whose name is a template. Null where the name says it, and in rows of older versions.
alter table spans add column shown_name text;

-- The orders of spans that may be roots, so that a list of roots reads few others: spans that had no parent, or none in their own
-- batch, or whose parent was deleted. A parent that comes later changes nothing: a list looks at each span that may be one.
-- Servers of the release before do not know the column: what they store may be a root.
alter table spans add column may_be_root bigint not null default 0;
update spans set may_be_root = 1 where parent_key is null or not exists (
  select 1 from spans as parent where parent.trace_id = spans.trace_id and parent.span_key = spans.parent_key);
alter table spans alter column may_be_root set default 1;

create index roots_by_latency on spans (epoch, project_id, latency_us, id) where may_be_root = 1;
create index roots_by_tokens on spans (epoch, project_id, (coalesce(prompt_tokens, 0) + coalesce(completion_tokens, 0)), id)
  where may_be_root = 1;
create index roots_by_sum_tokens on spans (epoch, project_id, (sum_prompt + sum_completion), id)
  where may_be_root = 1;

-- Those below a span that goes may be roots from now on.
create function spans_lose_parents() returns trigger language plpgsql as $$
begin
  update spans set may_be_root = 1 from gone
  where spans.trace_id = gone.trace_id and spans.parent_key = gone.span_key and spans.may_be_root = 0;
  return null;
end
$$;
create trigger spans_lose_parents after delete on spans
  referencing old table as gone for each statement execute function spans_lose_parents();

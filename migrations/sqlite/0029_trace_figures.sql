-- Figures of projects over their traces are read from this index alone: counts, errors, latencies and tokens by start. Every update of a
-- trace by ingestion writes its start, and so its entry here: the further columns cost bytes, not pages.
drop index traces_by_start;
create index traces_by_start on traces (project_id, start_us, id, latency_us, span_count, error_count, prompt_tokens,
  completion_tokens, cost);

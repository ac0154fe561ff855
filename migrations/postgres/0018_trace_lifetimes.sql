-- How long traces live whose senders say it, in microseconds since the start of the trace: the most that any of its spans says.
create table trace_lifetimes (
  trace_id bigint primary key,
  lifetime_us bigint not null
);

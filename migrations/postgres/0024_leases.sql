-- Work that one of several servers does at a time, where a session of the database cannot be held for it: behind a pooler of transactions.
create table leases (
  name text primary key,
  -- A server, by a text of its own.
  holder text not null,
  -- Microseconds since 1970, by the clock of the database: until then no other server may have it.
  until_us bigint not null
);

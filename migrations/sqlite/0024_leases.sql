-- Work that one of several servers does at a time, where a session of the database cannot be held for it. A file has one server: unused.
create table leases (
  name text primary key,
  holder text not null,
  until_us integer not null
) without rowid;

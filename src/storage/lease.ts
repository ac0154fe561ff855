// Work that one of several servers does at a time.
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { leaseKeyOf } from "./lock-keys.ts";
import type { CallContext, Storage } from "./storage.ts";

/** A server that is frozen gives its lease back after this time. Longer than any round of a job. */
const IDLE_LIMIT = "300s";
/** Milliseconds. `valid`: for which a lease without a session is had. `renew`: after which it is had for as long again. */
const ROW_INTERVALS = { valid: 30_000, renew: 10_000 };

type LeaseStorage = Pick<Storage, "dialect" | "transaction" | "keepsSessions" | "handle">;

/** Runs `work` unless another server holds the lease, and returns whether it ran. `work` gets the outer context: the lease is a
 *  transaction that holds nothing else, or behind a pooler of transactions a row. A SQLite file has one server. */
export async function withLease(
  storage: LeaseStorage,
  context: CallContext,
  lease: string,
  work: () => Promise<void>,
  intervals = ROW_INTERVALS,
): Promise<boolean> {
  if (storage.dialect.name === "sqlite") {
    await work();
    return true;
  }
  // A transaction that stays open would keep one of the few sessions that the pooler has, while the work waits for another one.
  if (!storage.keepsSessions) return withLeaseRow(storage, context, lease, work, intervals);
  return storage.transaction(context, async (inner) => {
    const { rows } = await sql<{ held: boolean }>`
      select ${tryLock(lease)} and not exists (select 1 from leases where name = ${lease} and until_us > ${NOW_US}) as held`.execute(
      inner.database.write(inner),
    );
    if (rows[0]?.held !== true) return false;
    await sql`set local idle_in_transaction_session_timeout = ${sql.lit(IDLE_LIMIT)}`.execute(
      inner.database.write(inner),
    );
    await work();
    return true;
  });
}

const NOW_US = sql`(extract(epoch from clock_timestamp()) * 1000000)::bigint`;
const tryLock = (lease: string) =>
  sql`pg_try_advisory_xact_lock(${sql.lit(leaseKeyOf(lease))}, hashtext(current_schema()))`;

async function withLeaseRow(
  { handle }: LeaseStorage,
  context: CallContext,
  lease: string,
  work: () => Promise<void>,
  { valid, renew }: typeof ROW_INTERVALS,
): Promise<boolean> {
  const holder = randomUUID();
  const database = handle.write(context);
  const untilUs = sql`${NOW_US} + ${sql.lit(valid * 1000)}`;
  // The lock is that of servers which keep their session.
  const { rows } = await sql`
    insert into leases (name, holder, until_us) select ${lease}, ${holder}, ${untilUs} where ${tryLock(lease)}
    on conflict (name) do update set holder = excluded.holder, until_us = excluded.until_us
      where leases.until_us <= ${NOW_US} returning name`.execute(database);
  if (rows.length === 0) return false;
  const renewal = setInterval(() => {
    // Where that fails, another server may have it when its time is over.
    sql`update leases set until_us = ${untilUs} where name = ${lease} and holder = ${holder}`
      .execute(database)
      .catch(() => {});
  }, renew);
  renewal.unref();
  try {
    await work();
    return true;
  } finally {
    clearInterval(renewal);
    await sql`update leases set until_us = 0 where name = ${lease} and holder = ${holder}`
      .execute(database)
      .catch(() => {});
  }
}

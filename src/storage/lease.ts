// Work that one of several servers does at a time.
import { sql } from "kysely";
import { type LeaseName, lockKeys } from "./lock-keys.ts";
import type { CallContext, Storage } from "./storage.ts";

/** A server that is frozen gives its lease back after this time. Longer than any round of a job. */
const IDLE_LIMIT = "300s";

/** Runs `work` unless another server holds the lease, and returns whether it ran. `work` gets the outer context: the lease is a
 *  transaction that holds nothing else. A SQLite file has one server. */
export async function withLease(
  storage: Pick<Storage, "dialect" | "transaction">,
  context: CallContext,
  lease: LeaseName,
  work: () => Promise<void>,
): Promise<boolean> {
  if (storage.dialect.name === "sqlite") {
    await work();
    return true;
  }
  return storage.transaction(context, async (inner) => {
    const { rows } = await sql<{ held: boolean }>`
      select pg_try_advisory_xact_lock(${sql.lit(lockKeys[lease])}, hashtext(current_schema())) as held`.execute(
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

// Work that one of several servers does at a time.
import { sql } from "kysely";
import type { CallContext, Storage } from "./storage.ts";

/** One a job: any number that no other lease has. */
const leases = { blocks: 7_340_032, retention: 7_340_033 } as const;

/** Runs `work` unless another server holds the lease, and returns whether it ran. `work` gets the outer context: the lease is a
 *  transaction that holds nothing else. A SQLite file has one server. */
export async function withLease(
  storage: Pick<Storage, "dialect" | "transaction">,
  context: CallContext,
  lease: keyof typeof leases,
  work: () => Promise<void>,
): Promise<boolean> {
  if (storage.dialect.name === "sqlite") {
    await work();
    return true;
  }
  return storage.transaction(context, async (inner) => {
    const { rows } = await sql<{ held: boolean }>`
      select pg_try_advisory_xact_lock(${sql.lit(leases[lease])}, hashtext(current_schema())) as held`.execute(
      inner.database.write(inner),
    );
    if (rows[0]?.held !== true) return false;
    await work();
    return true;
  });
}

// How Kysely's statements run on a pool: at once, in a transaction, or as a slow read that is ended at its deadline.
import type { StatementResult, StatementRunner, TransactionRunner } from "../kysely-driver.ts";
import type { ReadLimits } from "../stopped-read.ts";
import { boundedRead, type OpenSession } from "./bounded-read.ts";
import { isUnreachable, postgresFailure, readFailure } from "./failure.ts";
import { asTransaction, commit, type Lease } from "./leased-session.ts";
import type { PostgresPool } from "./pool.ts";

/** Runs one statement on a lease and keeps its plan. */
async function runOn(lease: Lease, text: string, parameters: readonly unknown[]): Promise<StatementResult> {
  const rows = await lease.sql.unsafe(text, parameters, { prepare: true });
  return { rows, changes: rows.count ?? 0 };
}

/** Statements and transactions on a pool; a transaction holds a connection for as long as it lasts. `leaseFor` waits for one before a
 *  statement is sent. */
export function poolRunner(pool: PostgresPool, leaseFor: () => Promise<Lease> = () => pool.lease()): TransactionRunner {
  return {
    async run(text, parameters) {
      let lost = false;
      const lease = await leaseFor();
      try {
        return await asTransaction(lease.sql, () => runOn(lease, text, parameters));
      } catch (error) {
        lost = isUnreachable(error);
        throw postgresFailure(error);
      } finally {
        lease.release(lost);
      }
    },
    async begin() {
      const lease = await pool.lease();
      const end = async (how: "commit" | "rollback") => {
        let ended = false;
        try {
          await (how === "commit" ? commit(lease.sql) : lease.sql.unsafe("rollback"));
          ended = true;
        } catch (error) {
          throw postgresFailure(error);
        } finally {
          lease.release(!ended);
        }
      };
      try {
        await lease.sql.unsafe(lease.sql.begin);
      } catch (error) {
        lease.release(true);
        throw postgresFailure(error);
      }
      return {
        async run(text, parameters) {
          try {
            return await runOn(lease, text, parameters);
          } catch (error) {
            throw postgresFailure(error);
          }
        },
        commit: () => end("commit"),
        rollback: () => end("rollback"),
      };
    },
  };
}

/** Reads with a time limit of their own. */
export function slowRunner(
  pool: PostgresPool,
  openCanceller: OpenSession,
  limits: ReadLimits,
  walks: boolean,
): StatementRunner {
  return {
    async run(text, parameters) {
      try {
        return await boundedRead(pool, openCanceller, limits, { text, parameters, walks });
      } catch (error) {
        throw readFailure(error, limits.deadline);
      }
    },
  };
}

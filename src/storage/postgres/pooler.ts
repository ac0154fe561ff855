// What a pooler between this service and PostgreSQL must keep, tried at the start: else it fails later, now and then, and in the
// middle of a batch.
import { fail } from "../../kernel/failure.ts";
import type { PostgresLocation } from "../location.ts";
import { isUnreachable, pooledTransactions, postgresFailure } from "./failure.ts";
import { sendTransaction } from "./leased-session.ts";
import { openSession, type PostgresSession } from "./session.ts";
import { SILENCE_MILLISECONDS } from "./session-limits.ts";

/** A pooler with other clients may give another session of the server only now and then. */
const ATTEMPTS = 20;

/** Fails with kind `unavailable`, and names the setting, where transactions or the schema cannot be had, or sessions are not kept though they are expected. */
export async function requireUsableSessions(location: PostgresLocation): Promise<void> {
  const open = () =>
    openSession(location, { name: "start", statementTimeout: null, silenceLimit: SILENCE_MILLISECONDS });
  const [asking, beside] = [open(), open()];
  try {
    await requireTransactions(asking, beside);
    await requireSchema(asking, location.schema);
    if (location.poolMode === "session") await requireOwnSessions(asking, beside);
  } catch (error) {
    throw postgresFailure(error);
  } finally {
    asking.end();
    beside.end();
  }
}

async function requireTransactions(asking: PostgresSession, beside: PostgresSession): Promise<void> {
  try {
    await sendTransaction(asking.sql, () => []);
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    await beside.sql`select 1`;
    const again = await sendTransaction(beside.sql, () => []).then(
      () => null,
      (cause) => cause as unknown,
    );
    // It could have been the database that went away.
    if (again === null || !isUnreachable(again)) throw error;
    throw fail(
      "storage.no_transactions",
      "unavailable",
      "The pooler in front of PostgreSQL ends each connection that begins a transaction: let it pool transactions or sessions, not statements (pool_mode of PgBouncer)",
      { cause: error },
    );
  }
}

async function requireSchema({ sql }: PostgresSession, schema: string | null): Promise<void> {
  const [[row]] = await sendTransaction(sql, () => [
    sql<{ current: string | null }[]>`select current_schema() as current`,
  ]);
  const current = row!.current;
  // A schema that is set but missing is created later.
  if (schema === null && current === null)
    throw fail(
      "storage.no_schema",
      "unavailable",
      "The search_path of the PostgreSQL user names no schema that is there: set SERVICE_SQL_DATABASE_SCHEMA, or search_path with `alter role`",
    );
  if (schema !== null && current !== null && current !== schema)
    throw fail(
      "storage.other_schema",
      "unavailable",
      `PostgreSQL works in the schema "${current}" instead of that of SERVICE_SQL_DATABASE_SCHEMA`,
    );
}

/** A client whose session of the server changes, or is also that of another client, shows that transactions are pooled: nothing of a
 *  session can be relied on. Without a pooler there is nothing to look for. */
async function requireOwnSessions(asking: PostgresSession, beside: PostgresSession): Promise<void> {
  const first = await sessionOf(asking);
  if (first.isDirect) return;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const [other, again] = [await sessionOf(beside), await sessionOf(asking)];
    if (other.pid === first.pid || again.pid !== first.pid) throw pooledTransactions(null);
  }
}

async function sessionOf({ sql }: PostgresSession) {
  const [rows] = await sendTransaction(sql, () => [sql.unsafe<{ pid: number }>("select pg_backend_pid() as pid")]);
  const { pid } = rows[0]!;
  // A pooler gives its clients keys of its own.
  return { pid, isDirect: pid === rows.state.pid };
}

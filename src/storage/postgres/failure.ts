// What an error of PostgreSQL, or of the way to it, means to a caller.
import { Failure, fail, messageOf } from "../../kernel/failure.ts";
import { DUPLICATE } from "../duplicate.ts";
import { deadlinePassed, stoppedByDatabase } from "../stopped-read.ts";

const UNREACHABLE = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ENOTFOUND",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EAI_AGAIN",
  "CONNECT_TIMEOUT",
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
]);
/** A certificate that is not accepted, on either side. */
const TLS = /^(ERR_TLS|ERR_SSL|ERR_OSSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/;
/** Connection lost, log-in refused, out of resources, shutting down, read-only after a fail-over, rolled back by a conflict,
 *  no such database: states of the store, the same request may succeed later. */
const STATE_OF_THE_STORE = /^(08|28|53|57|58|40|25006|3D000)/;

/** A statement was cancelled: at `statement_timeout`, or by an administrator. The texts of the server tell which, in its language. */
const CANCELLED = "57014";
/** The clock of the server is asked less often than ours. */
const DEADLINE_MARGIN_MILLISECONDS = 50;

/** No prepared statement of this name, or one that another client made: the session of the server is another than before. */
const PREPARED_STATEMENT_GONE = new Set(["26000", "42P05"]);

const UNIQUE_VIOLATION = "23505";
/** The wait for a lock took too long. */
const LOCK_NOT_AVAILABLE = "55P03";

/** The code of a failure of our own: the connection went away. */
const LOST = "storage.unreachable";

const HELD = "storage.held_by_others";
const ROLLED_BACK = "storage.rolled_back";

/** The SQLSTATE or the code of the driver, or an empty text. */
export function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code ?? "");
}

/** True when the connection could not be made or was lost: the database may not have seen the statement at all. The server also ends
 *  sessions whose transaction asked nothing for long (25P03) or took too long (25P04). */
export function isUnreachable(error: unknown): boolean {
  const code = codeOf(error);
  return UNREACHABLE.has(code) || TLS.test(code) || /^(08|28|3D000|53300|57P0|25P0[34])/.test(code) || code === LOST;
}

/** What was lost or refused for a state of the database that passes by itself: a fail-over, a restart, a conflict, a lock. A full disk
 *  and a failing one do not. */
export function isPassing(reason: unknown): boolean {
  const code = codeOf(reason);
  if (code !== LOST && code !== ROLLED_BACK && code !== HELD) return false;
  return !/^(53100|58)/.test(codeOf((reason as Failure).details.cause));
}

/** The failure of a session that a pooler does not keep for its client. */
export function pooledTransactions(cause: unknown): Failure {
  return fail(
    "storage.pooled_transactions",
    "unavailable",
    "The pooler in front of PostgreSQL pools transactions: set SERVICE_POSTGRES_POOL_MODE=transaction, or let it pool sessions",
    { cause, retryAfterSeconds: 5 },
  );
}

/** The failure of everything that waited for a connection: whatever kept it from being made may be mended. */
export function connectFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  return fail(LOST, "unavailable", `The database is not available: ${messageOf(error)}`, {
    cause: error,
    retryAfterSeconds: 5,
  });
}

/** Kind `unavailable` for states of the store, `internal` for everything that asking again cannot mend. */
export function postgresFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const code = codeOf(error);
  if (PREPARED_STATEMENT_GONE.has(code)) return pooledTransactions(error);
  if (code === CANCELLED) return stoppedByDatabase(messageOf(error), error);
  if (code === LOCK_NOT_AVAILABLE) return heldByOthers(error);
  if (isUnreachable(error) || STATE_OF_THE_STORE.test(code)) return connectFailure(error);
  return fail(code === UNIQUE_VIOLATION ? DUPLICATE : "storage.statement_failed", "internal", messageOf(error), {
    cause: error,
  });
}

/** Rows that the statement needs are locked by a transaction that does not end. */
function heldByOthers(cause: unknown): Failure {
  return fail(HELD, "unavailable", "Another transaction in the database holds what this needs: try again", {
    cause,
    retryAfterSeconds: 1,
  });
}

/** The same for a statement that was given this deadline (`performance.now()`) as its `statement_timeout`. */
export function readFailure(error: unknown, deadline: number): Failure {
  const late = performance.now() > deadline - DEADLINE_MARGIN_MILLISECONDS;
  return codeOf(error) === CANCELLED && late ? deadlinePassed(error) : postgresFailure(error);
}

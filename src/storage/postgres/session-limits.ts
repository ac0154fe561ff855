// How long a session may keep others waiting. The database itself ends what takes longer: also when this process is frozen or cut
// off, and cannot say that it has given up.

export interface SessionLimits {
  /** Milliseconds after which a session that has not answered is given up as lost; without it, it is waited for. */
  readonly silenceLimit?: number;
  /** Milliseconds after which the server ends the wait for a lock; without it, the wait has no limit of its own. */
  readonly lockLimit?: number;
  /** Milliseconds after which the server ends a transaction with its session, from PostgreSQL 17 on. A process may be frozen in the middle
   *  of a statement that it sends: that is no idle transaction. */
  readonly transactionLimit?: number;
}

/** For statements that are quick whenever the database can be reached: a connection may be dead without a word. */
export const SILENCE_MILLISECONDS = 30_000;
/** An ingest session waits for the locks of others this long: what else is in its batch can be stored. */
export const INGEST_LOCK_MILLISECONDS = 5000;
/** A batch of spans asks some ten statements, each of which may take until it is given up: most take less than a second in all. */
export const INGEST_TRANSACTION_MILLISECONDS = 60_000;
/** Everything else waits longer, but not until it is taken for silence. */
export const LOCK_MILLISECONDS = 20_000;

/** A transaction of ours asks one question after the other. */
const IDLE_IN_TRANSACTION_MILLISECONDS = 15_000;
/** The server ends a statement before we take it for silence, so that a working connection is not given up. */
const STATEMENT_SHARE = 0.9;
/** The peer is gone when it has taken nothing for this long, or answers none of these probes. */
const UNACKNOWLEDGED_MILLISECONDS = 15_000;
const KEEPALIVE = { tcp_keepalives_idle: 10, tcp_keepalives_interval: 5, tcp_keepalives_count: 3 };

/** Settings of the server by name, in their own units. */
function limitsOf({ silenceLimit, lockLimit, transactionLimit }: SessionLimits): Record<string, number> {
  return {
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MILLISECONDS,
    tcp_user_timeout: UNACKNOWLEDGED_MILLISECONDS,
    ...KEEPALIVE,
    ...(silenceLimit === undefined ? {} : { statement_timeout: Math.ceil(silenceLimit * STATEMENT_SHARE) }),
    ...(lockLimit === undefined ? {} : { lock_timeout: lockLimit }),
    ...(transactionLimit === undefined ? {} : { transaction_timeout: transactionLimit }),
  };
}

/** The statement that sets the limits of a session. A limit of the operator that is lower stays. */
export function limitsStatement(options: SessionLimits): string {
  return `select set_config(name, given.value::text, false) ${unlimited(options)}`;
}

/** A setting of the server, in its own unit. */
export interface Limit {
  readonly name: string;
  readonly value: number;
}

/** The statement that lists the limits to be set in each transaction, where they cannot be set for the session. The connection to the
 *  server is that of a pooler then. */
export function limitsToSet(options: SessionLimits): string {
  return `select name, given.value ${unlimited(options)} and name not like 'tcp%'`;
}

function unlimited(options: SessionLimits): string {
  const rows = Object.entries(limitsOf(options)).map(([name, value]) => `('${name}', ${value})`);
  return `from pg_settings join (values ${rows.join(", ")}) as given (name, value) using (name)
    where setting::bigint not between 1 and given.value`;
}

// One session of PostgreSQL, on a connection that is used once and never after it was lost.
import type { Sql } from "postgres";
import { fail } from "../../kernel/failure.ts";
import type { PostgresLocation } from "../location.ts";
import { readServerAddress } from "./address.ts";
import { type Client, openClient } from "./client.ts";
import { codeOf } from "./failure.ts";
import { reachServer } from "./reach.ts";
import { type Limit, limitsStatement, limitsToSet, type SessionLimits } from "./session-limits.ts";

type PostgresRows<Row> = Row[] & {
  readonly count: number | null;
  /** What the server did: of a transaction that had failed, `commit` is answered with `ROLLBACK`. */
  readonly command: string;
  /** The process id of the server that was reported when the connection was made. */
  readonly state: { readonly pid: number };
};

/** One statement, as a template with its parameters. */
export type PostgresQuery = <Rows extends readonly object[] = Record<string, unknown>[]>(
  text: TemplateStringsArray,
  ...parameters: readonly unknown[]
) => Promise<Rows>;

/** Statements of one session: as templates, or as text. */
export interface PostgresSql extends PostgresQuery {
  /** Without parameters the text may hold several statements. `prepare` keeps the plan for texts that come again. */
  unsafe<Row extends object = Record<string, unknown>>(
    text: string,
    parameters?: readonly unknown[],
    options?: { readonly prepare: boolean },
  ): Promise<PostgresRows<Row>>;
  /** Begins a transaction in which the schema and the limits of the session hold. A pooler refuses them as parameters of a connection. */
  readonly begin: string;
  /** True behind a pooler of transactions: what is set for the session may be gone with the next statement, or be there for another
   *  client. */
  readonly isPooled: boolean;
}

export interface PostgresSession {
  readonly sql: PostgresSql;
  /** Makes the connection and sets the limits of the session. */
  begin(): Promise<void>;
  /** Once lost, every statement fails: the transaction it belonged to is gone. */
  readonly isLost: boolean;
  /** It was given up because it did not answer in time. */
  readonly wentSilent: boolean;
  /** `performance.now()` of its beginning. */
  readonly bornAt: number;
  /** Ends the session; what still runs on it fails. */
  end(): void;
}

export interface SessionOptions extends SessionLimits {
  /** Shown in `pg_stat_activity`. */
  readonly name: string;
  /** Milliseconds after which the server stops a statement of a transaction; null for no limit. */
  readonly statementTimeout: number | null;
  /** True for the replica of the location instead of its primary. */
  readonly replica?: boolean;
}

/** From the first packet to the answer of the database: a request that waits for it has to be answered in 5 s. */
export const CONNECT_MILLISECONDS = 4000;
/** The hosts of a list share a little less, so that the error can name the outcome of each. */
const REACH_MILLISECONDS = 3800;
/** SQLSTATE of a write on a server that takes none: it is a standby since a fail-over, and the primary is somewhere else now. */
const READ_ONLY = "25006";

function searchPath({ schema }: PostgresLocation, lasting: "session" | "local"): string[] {
  return schema === null ? [] : [`set ${lasting} search_path to "${schema.replace(/"/g, '""')}"`];
}

function schemaAndTimeout(location: PostgresLocation, { statementTimeout }: SessionOptions): string[] {
  const timeout = statementTimeout === null ? [] : [`set local statement_timeout to ${statementTimeout}`];
  return [...searchPath(location, "local"), ...timeout];
}

/** Begins a session; the connection is made with its first statement. */
export function openSession(location: PostgresLocation, options: SessionOptions): PostgresSession {
  let isLost = false;
  let wentSilent = false;
  // Rejects what waits for an answer that cannot come: the library forgets some of it.
  const waiting = new Set<(error: Error) => void>();
  const lose = (reason: Error = lost()) => {
    isLost = true;
    // After the error of the server, which says more and was handed over before the connection closed.
    queueMicrotask(() => {
      for (const reject of waiting) reject(reason);
      waiting.clear();
    });
  };
  let client: Client | null = null;
  let reaching: Promise<Client> | null = null;

  /** Each attempt replaces the client; the last one stays. */
  function reach(): Promise<Client> {
    const address = readServerAddress(options.replica === true ? location.replicaUrl! : location.url);
    return reachServer(address, REACH_MILLISECONDS, (host) => {
      if (isLost) throw lost();
      client = openClient(address, host, {
        applicationName: `spanlight ${options.name}`,
        tls: options.replica === true ? location.replicaTls : location.tls,
        prepare: location.poolMode === "session",
        connectMilliseconds: CONNECT_MILLISECONDS,
      });
      return client;
    });
  }

  async function reached(): Promise<Client> {
    try {
      const found = await reach();
      if (isLost) found.end();
      void found.lost.then(lose);
      client = found;
      return found;
    } catch (error) {
      isLost = true;
      throw error;
    }
  }

  async function answered<Result>(ask: (sql: Sql) => PromiseLike<unknown>): Promise<Result> {
    if (isLost) throw lost();
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    waiting.add(reject);
    const timer = options.silenceLimit === undefined ? undefined : setTimeout(giveUp, options.silenceLimit);
    reaching ??= reached();
    // In the order of the calls.
    reaching.then(({ sql }) => {
      ask(sql).then(
        (rows) => resolve(rows as Result),
        (error) => {
          if (codeOf(error) === READ_ONLY) isLost = true;
          reject(error);
        },
      );
    }, reject);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      waiting.delete(reject);
    }
  }

  function giveUp(): void {
    wentSilent = true;
    end();
  }

  function end(): void {
    isLost = true;
    client?.end();
    for (const reject of waiting) reject(lost());
    waiting.clear();
  }

  const tagged = (text: TemplateStringsArray, ...parameters: readonly unknown[]) =>
    answered((client) => client(text, ...(parameters as never[])));
  const unsafe: PostgresSql["unsafe"] = (text, parameters, given) =>
    answered((client) => client.unsafe(text, parameters as never[] | undefined, given));
  const isPooled = location.poolMode === "transaction";
  let begin = ["begin", ...schemaAndTimeout(location, options)].join("; ");
  const sql = Object.defineProperty(Object.assign(tagged, { unsafe, isPooled }), "begin", { get: () => begin });
  return {
    sql: sql as PostgresSql,
    async begin() {
      if (isPooled) {
        const limits = await unsafe<Limit>(limitsToSet(options));
        const settings = limits.map(({ name, value }) => `set local ${name} to ${value}`);
        begin = ["begin", ...settings, ...schemaAndTimeout(location, options)].join("; ");
      } else {
        await unsafe([limitsStatement(options), ...searchPath(location, "session")].join("; "));
      }
    },
    get isLost() {
      return isLost;
    },
    get wentSilent() {
      return wentSilent;
    },
    bornAt: performance.now(),
    end,
  };
}

function lost(): Error {
  return fail("storage.unreachable", "unavailable", "The connection to the database was lost", {
    retryAfterSeconds: 5,
  });
}

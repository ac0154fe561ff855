// One connection to PostgreSQL. Each is a postgres.js client of its own with a single connection, used once and never after
// it was lost: that library would reconnect by itself and run the rest of a transaction in a new session, outside of it.
import postgres, { type Sql } from "postgres";
import { fail } from "../../kernel/failure.ts";
import type { PostgresLocation, PostgresTls } from "../location.ts";
import { arrayTypes } from "./array-types.ts";
import { createDialler, type Dialler, type Host } from "./dial.ts";
import { codeOf } from "./failure.ts";
import { type Limit, limitsStatement, limitsToSet, type SessionLimits } from "./session-limits.ts";

/** `command` is what the server did: of a transaction that had failed, `commit` is answered with `ROLLBACK`. */
type PostgresRows<Row> = Row[] & { readonly count: number | null; readonly command: string };

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
const DEFAULT_PORT = 5432;
/** SQLSTATE of a write on a server that takes none: it is a standby since a fail-over, and the primary is somewhere else now. */
const READ_ONLY = "25006";

function tlsOptions(tls: PostgresTls | null) {
  if (tls === null) return false;
  return {
    rejectUnauthorized: tls.rejectUnauthorized,
    ...(tls.checkHost ? {} : { checkServerIdentity: () => undefined }),
    ...(tls.ca === null ? {} : { ca: tls.ca }),
    ...(tls.certificate === null ? {} : { cert: tls.certificate }),
    ...(tls.key === null ? {} : { key: tls.key }),
    ...(tls.passphrase === null ? {} : { passphrase: tls.passphrase }),
  };
}

/** What the library reads wrongly from a URL: percent-encoded names of databases, and addresses of IPv6. */
function addressOf(url: string) {
  const { pathname } = new URL(url);
  const hosts = hostsOf(url);
  let database = pathname.slice(1);
  try {
    database = decodeURIComponent(database);
  } catch {
    // A percent sign that encodes nothing is taken literally.
  }
  // The library takes lists, its types do not say so.
  const lists = { host: hosts.map(({ host }) => host), port: hosts.map(({ port }) => port) } as unknown;
  return { ...(lists as { host: string; port: number }), ...(database === "" ? {} : { database }) };
}

function hostsOf(url: string): Host[] {
  const { hostname, port } = new URL(url);
  const hosts = hostname.split(",").map((host) => host.replace(/^\[|\]$/g, ""));
  return hosts.map((host) => ({ host, port: Number(port || DEFAULT_PORT) }));
}

function openClient(
  location: PostgresLocation,
  options: SessionOptions,
  url: string,
  dialler: Dialler,
  onLoss: () => void,
): Sql {
  const given = {
    max: 1,
    ...addressOf(url),
    // The library would try again by itself, at once and without end, where a connection is lost before its first answer.
    socket: dialler.dial,
    connect_timeout: CONNECT_MILLISECONDS / 1000,
    // It would end a session between two statements of a transaction; the pool renews sessions instead.
    max_lifetime: null,
    ssl: tlsOptions(options.replica === true ? location.replicaTls : location.tls),
    onnotice: () => {},
    onclose: onLoss,
    prepare: location.poolMode === "session",
    connection: { application_name: `spanlight ${options.name}` },
    // It would ask for them in a query of its own that it does not wait for: lost, it would end the process.
    fetch_types: false,
    // 64-bit integers are numbers: none of ours but money exceeds 2^53, and money is selected as text.
    types: { int8: { to: 20, from: [20], serialize: String, parse: Number }, ...arrayTypes },
  };
  // The types of the library do not know `socket`.
  return postgres(url, given) as unknown as Sql;
}

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
  const url = options.replica === true ? location.replicaUrl! : location.url;
  const dialler = createDialler(hostsOf(url), CONNECT_MILLISECONDS, lose);
  const client = openClient(location, options, url, dialler, () => lose());

  async function answered<Result>(ask: () => PromiseLike<unknown>): Promise<Result> {
    if (isLost) throw lost();
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    waiting.add(reject);
    const timer = options.silenceLimit === undefined ? undefined : setTimeout(end, options.silenceLimit);
    ask().then(
      (rows) => resolve(rows as Result),
      (error) => {
        if (codeOf(error) === READ_ONLY) isLost = true;
        reject(error);
      },
    );
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      waiting.delete(reject);
    }
  }

  function end(): void {
    isLost = true;
    client.end({ timeout: 0 }).catch(() => {});
    dialler.end();
    for (const reject of waiting) reject(lost());
    waiting.clear();
  }

  const tagged = (text: TemplateStringsArray, ...parameters: readonly unknown[]) =>
    answered(() => client(text, ...(parameters as never[])));
  const unsafe: PostgresSql["unsafe"] = (text, parameters, given) =>
    answered(() => client.unsafe(text, parameters as never[] | undefined, given));
  const isPooled = location.poolMode === "transaction";
  let begin = ["begin", ...schemaAndTimeout(location, options)].join("; ");
  const sql = Object.defineProperty(Object.assign(tagged, { unsafe, isPooled }), "begin", { get: () => begin });
  return {
    sql: sql as unknown as PostgresSql,
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
    bornAt: performance.now(),
    end,
  };
}

function lost(): Error {
  return fail("storage.unreachable", "unavailable", "The connection to the database was lost", {
    retryAfterSeconds: 5,
  });
}

// A client of the library with a single connection to a single host, used once and never after it was lost: the library would
// connect again by itself, at once and without end, and run the rest of a transaction in a new session, outside of it.
import { Socket } from "node:net";
import postgres, { type Sql } from "postgres";
import { fail } from "../../kernel/failure.ts";
import type { PostgresTls } from "../location.ts";
import type { Host, ServerAddress } from "./address.ts";
import { arrayTypes } from "./array-types.ts";

export interface Client {
  readonly host: Host;
  readonly sql: Sql;
  /** Resolves when the connection is lost or cannot be made, with the reason where there is one. */
  readonly lost: Promise<Error | undefined>;
  end(): void;
}

export interface ClientOptions {
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  readonly tls: PostgresTls | null;
  /** Whether statements are prepared once a connection. */
  readonly prepare: boolean;
  /** For the socket; the answers of the server have the limits of those who wait for them. */
  readonly connectMilliseconds: number;
}

/** Time for the words that take leave. */
const LEAVE_MILLISECONDS = 100;

/** The connection is made with the first statement. */
export function openClient(address: ServerAddress, host: Host, options: ClientOptions): Client {
  const { promise: lost, resolve: lose } = Promise.withResolvers<Error | undefined>();
  let socket: Socket | null = null;
  let ended = false;

  async function dial(): Promise<Socket> {
    if (socket !== null || ended) {
      lose(undefined);
      throw fail("storage.unreachable", "unavailable", `The connection to ${host.host}:${host.port} was lost`);
    }
    socket = new Socket();
    try {
      await connect(socket, host, options.connectMilliseconds);
    } catch (error) {
      lose(error as Error);
      throw error;
    }
    // As the library wants it for TLS.
    return Object.assign(socket, host);
  }

  const given = {
    max: 1,
    ...host,
    ...(address.database === null ? {} : { database: address.database }),
    socket: dial,
    connect_timeout: options.connectMilliseconds / 1000,
    // It would end a session between two statements of a transaction; the pool renews sessions instead.
    max_lifetime: null,
    ssl: tlsOptions(options.tls),
    onnotice: () => {},
    onclose: () => lose(undefined),
    prepare: options.prepare,
    connection: { application_name: options.applicationName },
    // It would ask for them in a query of its own that it does not wait for: lost, it would end the process.
    fetch_types: false,
    // 64-bit integers are numbers: none of ours but money exceeds 2^53, and money is selected as text.
    types: { int8: { to: 20, from: [20], serialize: String, parse: Number }, ...arrayTypes },
  };
  // The types of the library do not know `socket`.
  const sql = postgres(address.url, given) as Sql;
  return {
    host,
    sql,
    lost,
    end() {
      ended = true;
      sql.end({ timeout: 0 }).catch(() => {});
      setTimeout(() => socket?.destroy(), LEAVE_MILLISECONDS).unref();
    },
  };
}

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

function connect(socket: Socket, { host, port }: Host, milliseconds: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(
    () => refuse(Object.assign(new Error(`No connection to ${host}:${port}`), { code: "CONNECT_TIMEOUT" })),
    milliseconds,
  );
  const refuse = (error: Error) => {
    clearTimeout(timer);
    socket.destroy();
    reject(error);
  };
  socket.on("error", refuse);
  socket.connect(port, host, () => {
    clearTimeout(timer);
    socket.removeListener("error", refuse);
    resolve();
  });
  return promise;
}

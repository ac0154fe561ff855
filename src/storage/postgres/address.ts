// What a PostgreSQL URL of the settings says, as `parseDatabaseUrl` writes it: one host or a list, each with its own port.

export interface Host {
  readonly host: string;
  readonly port: number;
}

/** Which server of a list is wanted: the names that libpq has for it. */
export type ServerRole = "any" | "read-write" | "read-only" | "primary" | "standby" | "prefer-standby";

export interface ServerAddress {
  readonly hosts: readonly [Host, ...Host[]];
  readonly role: ServerRole;
  /** Null for the one that has the name of the user. */
  readonly database: string | null;
  /** With a single host that means nothing, for everything else that a URL says. */
  readonly url: string;
}

const FORM = /^(postgresql:\/\/(?:[^@/]*@)?)([^@/?]*)(\/([^?]*))?(?:\?(.*))?$/s;
const DEFAULT_PORT = 5432;

export function readServerAddress(url: string): ServerAddress {
  const [, before = "", list = "", path = "", name = "", query = ""] = FORM.exec(url) ?? [];
  const parameters = new URLSearchParams(query);
  const role = (parameters.get("target_session_attrs") ?? "any") as ServerRole;
  parameters.delete("target_session_attrs");
  const rest = parameters.size === 0 ? "" : `?${parameters}`;
  const [first, ...others] = list.split(",").map(readHost);
  return { hosts: [first!, ...others], role, database: decoded(name) || null, url: `${before}host${path}${rest}` };
}

function readHost(text: string): Host {
  const [, host = "", port] = /^(.*?)(?::(\d+))?$/s.exec(text) ?? [];
  const bare = /^\[(.*)\]/.exec(text)?.[1];
  return { host: bare ?? decoded(host), port: port === undefined ? DEFAULT_PORT : Number(port) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that encodes nothing is taken literally.
    return text;
  }
}

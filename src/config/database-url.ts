// The forms of a database URL. Nothing here quotes a URL: it may hold a password.
import { isAbsolute, resolve } from "node:path";
import { messageOf } from "../kernel/failure.ts";
import type { FileAccess } from "./environment.ts";
import { readPostgresHosts } from "./postgres-hosts.ts";
import { accepted, type Parsed, refused } from "./setting.ts";

export interface SqliteAddress {
  readonly kind: "sqlite";
  /** Absolute, or `:memory:` when temporary. */
  readonly path: string;
  /** Lost at exit. */
  readonly temporary: boolean;
}

export interface PostgresTls {
  readonly rejectUnauthorized: boolean;
  /** False for `verify-ca`: the chain is checked, the host name is not. */
  readonly checkHost: boolean;
  /** PEM texts, not paths. */
  readonly ca: string | null;
  readonly certificate: string | null;
  readonly key: string | null;
  readonly passphrase: string | null;
}

interface PostgresAddress {
  readonly kind: "postgres";
  /** `postgresql://…`, percent-encoded, without the parameters that `tls` holds. */
  readonly url: string;
  readonly tls: PostgresTls | null;
  /** The URL for people: password as `***`, no parameters. */
  readonly printed: string;
}

export type DatabaseAddress = SqliteAddress | PostgresAddress;

const FORMS =
  "forms: sqlite:////absolute/file.db, sqlite:///relative/file.db, sqlite:///:memory:, postgresql://user:password@host:5432/database";
const URL_FORM = /^([A-Za-z][A-Za-z0-9]*)(?:\+[A-Za-z0-9_]+)?:\/\/(.*)$/s;
const TLS_KEYS = [
  "sslmode",
  "sslrootcert",
  "sslcert",
  "sslkey",
  "sslpassword",
  "sslcrl",
  "sslcrldir",
  "sslsni",
] as const;
const SERVER_ROLES = ["any", "read-write", "read-only", "primary", "standby", "prefer-standby"];
const TLS_MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"];

/** Reads a database URL; `current` is the directory relative SQLite paths start from. A failure names the fault, never
 *  the URL. */
export function parseDatabaseUrl(url: string, current: string, files: FileAccess): Parsed<DatabaseAddress> {
  const form = URL_FORM.exec(url);
  if (form === null) return refused("The value is not a database URL.", FORMS);
  const scheme = form[1]!.toLowerCase();
  if (scheme === "sqlite") return parseSqlite(form[2]!, current);
  if (scheme === "postgresql" || scheme === "postgres") return parsePostgres(form[2]!, files);
  return refused(`\`${scheme}\` is not a supported SQL backend/dialect.`, FORMS);
}

function parseSqlite(rest: string, current: string): Parsed<DatabaseAddress> {
  if (rest.includes("?")) return refused("A SQLite URL takes no parameters.", FORMS);
  if (!rest.startsWith("/") || rest === "/") return refused("The SQLite URL names no file.", FORMS);
  const path = rest.slice(1);
  if (path === ":memory:") return accepted({ kind: "sqlite", path, temporary: true });
  return accepted({ kind: "sqlite", path: isAbsolute(path) ? path : resolve(current, path), temporary: false });
}

interface Authority {
  readonly user: string;
  readonly password: string;
  /** One or several, `host:port` or without the port. */
  readonly hosts: string;
}

/** The part before the path. The last `@` ends the credentials, so that one inside a password does no harm. */
function parseAuthority(text: string): Authority | null {
  const at = text.lastIndexOf("@");
  const credentials = at < 0 ? "" : text.slice(0, at);
  const colon = credentials.indexOf(":");
  const [user, password] = colon < 0 ? [credentials, ""] : [credentials.slice(0, colon), credentials.slice(colon + 1)];
  try {
    return {
      user: decodeURIComponent(user),
      password: decodeURIComponent(password),
      hosts: decodeURIComponent(text.slice(at + 1)),
    };
  } catch {
    return null;
  }
}

function parsePostgres(rest: string, files: FileAccess): Parsed<DatabaseAddress> {
  const [beforeQuery, query] = splitOnce(rest, "?");
  const [authorityText, databaseText] = splitOnce(beforeQuery, "/");
  const authority = parseAuthority(authorityText);
  // An `@` behind the first slash is most likely the end of a password with a slash in it.
  if (authority === null || databaseText.includes("@")) {
    return refused(
      "The PostgreSQL URL has a malformed user, password, host or port.",
      "percent-encode special characters of user and password.",
    );
  }
  const parameters = new URLSearchParams(query);
  const user = authority.user || (parameters.get("user") ?? "");
  const password = authority.password || (parameters.get("password") ?? "");
  const hosts = readPostgresHosts(authority.hosts, parameters.get("host") ?? "", parameters.get("port") ?? "");
  for (const key of ["user", "password", "host", "port"]) parameters.delete(key);

  if (databaseText === "") {
    return refused("Failed to parse database from connection string", "end the URL with /<name of the database>.");
  }
  if (!hosts.ok) return hosts;
  const choice = parseChoiceOfServer(parameters);
  if (!choice.ok) return choice;
  const tls = parseTls(parameters, files);
  if (!tls.ok) return tls;
  for (const key of TLS_KEYS) parameters.delete(key);

  const place = `${hosts.value}/${databaseText}`;
  const credentials = `${encodeURIComponent(user)}${password === "" ? "" : `:${encodeURIComponent(password)}`}`;
  const remaining = parameters.toString();
  return accepted({
    kind: "postgres",
    url: `postgresql://${user === "" ? "" : `${credentials}@`}${place}${remaining === "" ? "" : `?${remaining}`}`,
    tls: tls.value,
    printed: `postgresql://${user === "" ? "" : `${encodeURIComponent(user)}${password === "" ? "" : ":***"}@`}${place}`,
  });
}

/** Takes away what is the default anyway. */
function parseChoiceOfServer(parameters: URLSearchParams): Parsed<null> {
  const role = parameters.get("target_session_attrs");
  if (role !== null && !SERVER_ROLES.includes(role)) {
    return refused("target_session_attrs is not a known role.", `known are: ${SERVER_ROLES.join(", ")}.`);
  }
  if (role === "any") parameters.delete("target_session_attrs");
  const balance = parameters.get("load_balance_hosts") ?? "disable";
  if (balance !== "disable") {
    return refused(
      "load_balance_hosts is not supported.",
      "the last good host is tried first, then the others in their order.",
    );
  }
  parameters.delete("load_balance_hosts");
  return accepted(null);
}

/** Null without any ssl parameter and for `disable`: then the driver does as it does by default. `sslsni` is accepted and
 *  ignored. */
function parseTls(parameters: URLSearchParams, files: FileAccess): Parsed<PostgresTls | null> {
  const mode = parameters.get("sslmode");
  if (mode !== null && !TLS_MODES.includes(mode)) {
    return refused("sslmode is not one of the known modes.", `known modes: ${TLS_MODES.join(", ")}.`);
  }
  // A list of revoked certificates that were not looked at would be a false promise.
  for (const key of ["sslcrl", "sslcrldir"]) if (parameters.has(key)) return refused(`${key} is not supported yet.`);
  if (mode === "disable" || !TLS_KEYS.some((key) => parameters.has(key))) return accepted(null);

  const texts: Record<"sslrootcert" | "sslcert" | "sslkey", string | null> = {
    sslrootcert: null,
    sslcert: null,
    sslkey: null,
  };
  for (const key of ["sslrootcert", "sslcert", "sslkey"] as const) {
    const file = parameters.get(key) ?? "";
    // `system` is libpq's name for the authorities of the operating system, which are the default here.
    if (file === "" || (key === "sslrootcert" && file === "system")) continue;
    try {
      texts[key] = files.readText(file);
    } catch (error) {
      return refused(`${key} is not readable: ${file} (${messageOf(error)})`);
    }
  }
  if ((texts.sslcert === null) !== (texts.sslkey === null)) return refused("sslcert and sslkey need each other.");
  return accepted({
    rejectUnauthorized: mode === "verify-ca" || mode === "verify-full",
    checkHost: mode === "verify-full",
    ca: texts.sslrootcert,
    certificate: texts.sslcert,
    key: texts.sslkey,
    passphrase: parameters.get("sslpassword"),
  });
}

function splitOnce(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + separator.length)];
}

// Which database, and how it is used. Choice, first match: command line, URL, PostgreSQL pieces,
// the SQLite file in the working directory.
import { join } from "node:path";
import { type DatabaseAddress, type PostgresTls, parseDatabaseUrl, type SqliteAddress } from "./database-url.ts";
import type { Environment } from "./environment.ts";
import type { Places } from "./server.ts";
import {
  accepted,
  boolean,
  choice,
  integer,
  positiveInteger,
  refused,
  secret,
  setting,
  text,
  type Values,
} from "./setting.ts";

const DATABASE_FILE = "spanlight.db";
/** PostgreSQL cuts longer names off, which could join two schemas. */
const LONGEST_NAME_BYTES = 63;

const databaseUrl = (name: string, meaning: string) =>
  setting<string | null>({ name, default: null, secret: true, meaning }, "url", accepted);

/** A way to log in that is known but would need a part that does not exist: to go on without it could not work. */
const cloudIdentity = (name: string) =>
  setting<boolean>(
    {
      name,
      default: false,
      emptyIsUnset: false,
      meaning: "Not supported: `true` stops the start.",
    },
    "boolean",
    (value) => {
      const parsed = boolean({ name, default: false, meaning: "" }).parse(value);
      if (!parsed.ok || !parsed.value) return parsed;
      return refused(
        "Cloud identities for PostgreSQL are not supported.",
        "use SERVICE_POSTGRES_PASSWORD or a password in SERVICE_SQL_DATABASE_URL.",
      );
    },
  );

export const databaseSettings = {
  url: databaseUrl(
    "SERVICE_SQL_DATABASE_URL",
    "Database: `sqlite:////absolute/file.db`, `sqlite:///relative/file.db`, `sqlite:///:memory:` (lost at exit) or `postgresql://user:password@host:5432/database`, several hosts as `host1:5432,host2:5432` with `target_session_attrs`, with the parameters `sslmode` (only `verify-ca` and `verify-full` check the certificate), `sslrootcert`, `sslcert`, `sslkey` and `sslpassword`. Without it: the PostgreSQL pieces below, else the SQLite file of the working directory.",
  ),
  host: text({
    name: "SERVICE_POSTGRES_HOST",
    default: null,
    meaning: "PostgreSQL host, or several with commas; used with the user.",
  }),
  port: text({
    name: "SERVICE_POSTGRES_PORT",
    default: null,
    defaultText: "5432",
    meaning: "PostgreSQL port, or one for each host.",
  }),
  user: text({ name: "SERVICE_POSTGRES_USER", default: null, meaning: "PostgreSQL user." }),
  password: secret({ name: "SERVICE_POSTGRES_PASSWORD", default: null, meaning: "PostgreSQL password." }),
  name: text({ name: "SERVICE_POSTGRES_DB", default: null, meaning: "PostgreSQL database." }),
  awsIdentity: cloudIdentity("SERVICE_POSTGRES_USE_AWS_IAM_AUTH"),
  azureIdentity: cloudIdentity("SERVICE_POSTGRES_USE_AZURE_MANAGED_IDENTITY"),
  schema: setting<string | null>(
    {
      name: "SERVICE_SQL_DATABASE_SCHEMA",
      default: null,
      meaning: "PostgreSQL schema of all tables, created when missing.",
    },
    "text",
    (value) =>
      Buffer.byteLength(value) <= LONGEST_NAME_BYTES
        ? accepted(value)
        : refused(`A schema name has at most ${LONGEST_NAME_BYTES} bytes.`),
  ),
  replicaUrl: databaseUrl(
    "SERVICE_SQL_DATABASE_READ_REPLICA_URL",
    "PostgreSQL replica that answers reads as soon as it has caught up.",
  ),
  poolSize: integer({
    name: "SERVICE_POSTGRES_POOL_SIZE",
    default: 10,
    unit: "connections",
    check: positiveInteger,
    meaning: "PostgreSQL connections for reading and single writes; ingestion has a few of its own.",
  }),
  poolMode: choice<"session" | "transaction">({
    name: "SERVICE_POSTGRES_POOL_MODE",
    default: "session",
    choices: { session: "session", transaction: "transaction" },
    listed: "session and transaction",
    meaning:
      "What a pooler in front of PostgreSQL, such as PgBouncer, pools. `session` is right without a pooler, too. With `transaction` no statement is prepared, and each transaction sets what it needs.",
  }),
  synchronous: choice<"FULL" | "NORMAL">({
    name: "SERVICE_SQLITE_SYNCHRONOUS",
    default: "FULL",
    choices: { full: "FULL", normal: "NORMAL" },
    listed: "FULL and NORMAL",
    meaning: "`NORMAL` may lose acknowledged spans at a power cut; `FULL` does not.",
  }),
  waitForFileSeconds: integer({
    name: "SERVICE_SQLITE_WAIT_FOR_FILE_SECONDS",
    default: 10,
    unit: "seconds",
    check: (value, name) => (value >= 0 ? null : `${name} must be non-negative`),
    meaning:
      "A start waits this long for another server that still has the SQLite file, such as one that is being stopped; 0 refuses at once.",
  }),
  backupBeforeMigration: boolean({
    name: "SERVICE_SQLITE_BACKUP_BEFORE_MIGRATION",
    default: true,
    meaning: "Whether an existing SQLite file is copied, beside itself, before a new version changes its tables.",
  }),
  skipMigrations: boolean({
    name: "SERVICE_DANGEROUSLY_DISABLE_MIGRATIONS",
    default: false,
    meaning: "Start without migrating; the tables must already fit.",
  }),
  logMigrations: boolean({
    name: "SERVICE_LOG_MIGRATIONS",
    default: true,
    refusal: "as invalid value",
    meaning: "Whether migrations tell their progress.",
  }),
  logSql: boolean({
    name: "SERVICE_LOG_SQL",
    default: false,
    meaning: "Whether the SQL of reads and single writes is logged, without parameters; bulk inserts are not.",
  }),
  indexConcurrently: boolean({
    name: "SERVICE_MIGRATE_INDEX_CONCURRENTLY",
    default: false,
    waitsFor: "a migration that indexes a filled table",
    meaning: "Whether PostgreSQL migrations build indexes without locking writes.",
  }),
} as const;

type DatabaseValues = Values<typeof databaseSettings>;

/** Plain values, handed to the storage as they are. */
export type DatabaseLocation =
  | (SqliteAddress & {
      /** NORMAL may lose acknowledged spans at a power cut, FULL does not. */
      readonly synchronous: "FULL" | "NORMAL";
    })
  | {
      readonly kind: "postgres";
      readonly url: string;
      readonly tls: PostgresTls | null;
      /** Schema of every table, created when missing; null for the search path of the role. */
      readonly schema: string | null;
      readonly replicaUrl: string | null;
      readonly replicaTls: PostgresTls | null;
      /** Connections for interactive reads and writes; ingestion and slow reads have their own, smaller pools. */
      readonly poolSize: number;
      /** `transaction` behind a pooler that may run each transaction in another session of the server. */
      readonly poolMode: "session" | "transaction";
    };

export interface DatabaseConfig
  extends Pick<
    DatabaseValues,
    "waitForFileSeconds" | "backupBeforeMigration" | "skipMigrations" | "logMigrations" | "logSql"
  > {
  readonly location: DatabaseLocation;
  /** For people, password as `***`. */
  readonly printed: string;
  readonly printedReplica: string | null;
  /** Whether the database is the file of the working directory, which then must exist. */
  readonly inWorkingDirectory: boolean;
}

/** Reads the settings of the database; `override` is the URL of the command line. */
export function readDatabase(
  environment: Environment,
  places: Places,
  workingDirectory: string,
  override: string | null,
): DatabaseConfig {
  const values = environment.readAll(databaseSettings);
  const chosen = chooseAddress(environment, values, places, override);
  const address: DatabaseAddress = chosen ?? {
    kind: "sqlite",
    path: join(workingDirectory, DATABASE_FILE),
    temporary: false,
  };
  const replica = readReplica(environment, values, places, address);
  const location: DatabaseLocation =
    address.kind === "sqlite"
      ? { ...address, synchronous: values.synchronous }
      : {
          kind: "postgres",
          url: address.url,
          tls: address.tls,
          schema: values.schema,
          replicaUrl: replica?.url ?? null,
          replicaTls: replica?.tls ?? null,
          poolSize: values.poolSize,
          poolMode: values.poolMode,
        };
  return {
    location,
    printed: address.kind === "sqlite" ? printedSqlite(address) : address.printed,
    printedReplica: replica?.printed ?? null,
    inWorkingDirectory: override === null && values.url === null && values.host === null,
    waitForFileSeconds: values.waitForFileSeconds,
    backupBeforeMigration: values.backupBeforeMigration,
    skipMigrations: values.skipMigrations,
    logMigrations: values.logMigrations,
    logSql: values.logSql,
  };
}

function printedSqlite(address: SqliteAddress): string {
  return `sqlite:///${address.path}`;
}

/** The configured address; null for the file of the working directory. */
function chooseAddress(
  environment: Environment,
  values: DatabaseValues,
  places: Places,
  override: string | null,
): DatabaseAddress | null {
  if (override !== null) return readAddress(environment, "--database-url", override, places);
  if (values.url !== null) return readAddress(environment, databaseSettings.url.name, values.url, places);
  return readPieces(environment, values, places);
}

function readAddress(environment: Environment, variable: string, url: string, places: Places): DatabaseAddress | null {
  const parsed = parseDatabaseUrl(url, places.current, environment.files);
  if (parsed.ok) return parsed.value;
  environment.findings.problem(variable, parsed.message, parsed.hint);
  return null;
}

function readPieces(environment: Environment, values: DatabaseValues, places: Places): DatabaseAddress | null {
  const { host: hostSetting, user: userSetting, password: passwordSetting, name: nameSetting } = databaseSettings;
  const { findings } = environment;
  if (values.host === null) {
    const stray = [userSetting, passwordSetting, nameSetting, databaseSettings.port].filter((piece) =>
      environment.has(piece),
    );
    for (const piece of stray) findings.warning(piece.name, `is ignored without ${hostSetting.name}.`);
    return null;
  }
  if (values.user === null) {
    findings.problem(
      hostSetting.name,
      `${hostSetting.name} is set without ${userSetting.name}.`,
      "set both or neither.",
    );
    return null;
  }
  // A cloud identity needs no password, and is a problem already.
  if (values.password === null && !environment.has(passwordSetting)) {
    if (!usesCloudIdentity(environment)) {
      findings.problem(
        passwordSetting.name,
        `The environment variable ${passwordSetting.name} is not set. Please set it to the password for the PostgreSQL database.`,
      );
    }
    return null;
  }
  const parsed = parseDatabaseUrl(urlOfPieces(values, values.host, values.user), places.current, environment.files);
  if (parsed.ok) return parsed.value;
  const missingName = parsed.message.includes("database from connection string");
  findings.problem(
    missingName ? nameSetting.name : hostSetting.name,
    parsed.message,
    missingName ? `set ${nameSetting.name}.` : null,
  );
  return null;
}

function usesCloudIdentity(environment: Environment): boolean {
  return [databaseSettings.awsIdentity, databaseSettings.azureIdentity].some(
    ({ name }) => environment.variables[name]?.trim().toLowerCase() === "true",
  );
}

/** The hosts may carry ports and a database of their own; the variables for them win. */
function urlOfPieces(values: DatabaseValues, host: string, user: string): string {
  const [hostAndPort = "", ...rest] = host.replace(/\/+$/, "").split("/");
  const hosts = values.port === null ? hostAndPort : hostAndPort.replace(/:\d+(?=,|$)/g, "");
  const ports = values.port === null ? "" : `?port=${encodeURIComponent(values.port)}`;
  const name = values.name === null ? rest.join("/") : encodeURIComponent(values.name);
  return `postgresql://${encodeURIComponent(user)}:${encodeURIComponent(values.password ?? "")}@${hosts}/${name}${ports}`;
}

function readReplica(environment: Environment, values: DatabaseValues, places: Places, primary: DatabaseAddress) {
  if (values.replicaUrl === null) return null;
  const { name } = databaseSettings.replicaUrl;
  if (primary.kind === "sqlite") {
    environment.findings.warning(name, `${name} is set but ignored for sqlite dialect`);
    return null;
  }
  const replica = readAddress(environment, name, values.replicaUrl, places);
  if (replica?.kind !== "sqlite") return replica;
  environment.findings.problem(name, "A replica of PostgreSQL is a PostgreSQL database.");
  return null;
}

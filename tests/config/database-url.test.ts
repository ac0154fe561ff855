// The forms of a database URL, and the database that the settings choose.
import { describe, expect, test } from "bun:test";
import { type DatabaseAddress, parseDatabaseUrl } from "../../src/config/database-url.ts";
import { loadSettings, refusalOf } from "../support/load-settings.ts";
import { memoryFiles } from "../support/memory-files.ts";

const files = memoryFiles({ "/tls/ca.pem": "CA", "/tls/cert.pem": "CERT", "/tls/key.pem": "KEY" });

function address(url: string): DatabaseAddress {
  const parsed = parseDatabaseUrl(url, "/current", files);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.value;
}

function faultOf(url: string): string | null {
  const parsed = parseDatabaseUrl(url, "/current", files);
  return parsed.ok ? null : parsed.message;
}

describe("parseDatabaseUrl", () => {
  test("SQLite files are absolute with four slashes, relative with three, and :memory: is lost at exit", () => {
    expect(address("sqlite:////abs/file.db")).toEqual({ kind: "sqlite", path: "/abs/file.db", temporary: false });
    expect(address("sqlite:///rel/file.db")).toEqual({
      kind: "sqlite",
      path: "/current/rel/file.db",
      temporary: false,
    });
    expect(address("sqlite+aiosqlite:///f.db")).toMatchObject({ path: "/current/f.db" });
    expect(address("sqlite:///:memory:")).toEqual({ kind: "sqlite", path: ":memory:", temporary: true });
  });

  test("a SQLite URL needs a file and takes no parameters", () => {
    for (const url of ["sqlite://", "sqlite:///", "sqlite://file.db"]) {
      expect(faultOf(url)).toBe("The SQLite URL names no file.");
    }
    expect(faultOf("sqlite:////f.db?mode=ro")).toBe("A SQLite URL takes no parameters.");
  });

  const postgres: readonly (readonly [given: string, url: string, printed: string])[] = [
    ["postgresql://u:p@h:5432/d", "postgresql://u:p@h:5432/d", "postgresql://u:***@h:5432/d"],
    ["postgres://u:p@h/d", "postgresql://u:p@h/d", "postgresql://u:***@h/d"],
    ["postgresql+asyncpg://u@h/d", "postgresql://u@h/d", "postgresql://u@h/d"],
    ["postgresql://@h/d?user=u&password=p%26q", "postgresql://u:p%26q@h/d", "postgresql://u:***@h/d"],
    ["postgresql://u:p%40%2F@h/d", "postgresql://u:p%40%2F@h/d", "postgresql://u:***@h/d"],
    ["postgresql://u:p@q#:r@h/d", "postgresql://u:p%40q%23%3Ar@h/d", "postgresql://u:***@h/d"],
    ["postgresql://u:p@[::1]:5432/d", "postgresql://u:p@[::1]:5432/d", "postgresql://u:***@[::1]:5432/d"],
    ["postgresql:///d?host=h&port=1", "postgresql://h:1/d", "postgresql://h:1/d"],
    ["postgresql://u:p@h1,h2/d", "postgresql://u:p@h1,h2/d", "postgresql://u:***@h1,h2/d"],
    ["postgresql://h1:1,[::1]:2,h3/d", "postgresql://h1:1,[::1]:2,h3/d", "postgresql://h1:1,[::1]:2,h3/d"],
    ["postgresql://h1,h2:5433/d", "postgresql://h1,h2:5433/d", "postgresql://h1,h2:5433/d"],
    ["postgresql://h1,h2:1/d?port=5433", "postgresql://h1:5433,h2:1/d", "postgresql://h1:5433,h2:1/d"],
    ["postgresql:///d?host=h1,h2&port=1,2", "postgresql://h1:1,h2:2/d", "postgresql://h1:1,h2:2/d"],
    ["postgresql:///d?host=h1,::1&port=1", "postgresql://h1:1,[::1]:1/d", "postgresql://h1:1,[::1]:1/d"],
    ["postgresql://h1,h2/d?target_session_attrs=any", "postgresql://h1,h2/d", "postgresql://h1,h2/d"],
    ["postgresql://h1,h2/d?load_balance_hosts=disable", "postgresql://h1,h2/d", "postgresql://h1,h2/d"],
    [
      "postgresql://h1,h2/d?target_session_attrs=read-write",
      "postgresql://h1,h2/d?target_session_attrs=read-write",
      "postgresql://h1,h2/d",
    ],
    ["postgresql://h/d?application_name=a", "postgresql://h/d?application_name=a", "postgresql://h/d"],
  ];
  for (const [given, url, printed] of postgres) {
    test(`${given} is normalised and printed without its password`, () => {
      expect(address(given)).toEqual({ kind: "postgres", url, tls: null, printed });
    });
  }

  test("faults are named without repeating the URL", () => {
    expect(faultOf("nonsense")).toBe("The value is not a database URL.");
    expect(faultOf("mysql://u:p@h/d")).toBe("`mysql` is not a supported SQL backend/dialect.");
    expect(faultOf("postgresql://u:p@h")).toBe("Failed to parse database from connection string");
    expect(faultOf("postgresql://u:p@h:99999/d")).toContain("port");
    expect(faultOf("postgresql://u:p%zz@h/d")).toContain("malformed user, password, host or port");
    expect(faultOf("postgresql://u:p/q@h/d")).toContain("malformed user, password, host or port");
    expect(faultOf("postgresql://u:1/q@h/d")).toContain("malformed user, password, host or port");
    expect(faultOf("postgresql://u@/d?host=/run/postgresql")).toContain("socket directory");
  });

  test("faults of a list of hosts are named", () => {
    expect(faultOf("postgresql://h1,,h2/d")).toContain("empty host");
    expect(faultOf("postgresql://h1:1,h2:0/d")).toContain("port of the PostgreSQL URL");
    expect(faultOf("postgresql://h1,h2:x/d")).toContain("malformed user, password, host or port");
    expect(faultOf("postgresql://h1,h2,h3/d?port=1,2")).toBe("The PostgreSQL URL has 2 ports for 3 hosts.");
    expect(faultOf("postgresql://h1,h2/d?target_session_attrs=master")).toBe(
      "target_session_attrs is not a known role.",
    );
    expect(faultOf("postgresql://h1,h2/d?load_balance_hosts=random")).toBe("load_balance_hosts is not supported.");
    expect(faultOf("postgresql:///d?host=h1,/run/postgresql")).toContain("socket directory");
  });

  test("sslmode decides what of the certificate is checked", () => {
    const checks = (mode: string) => {
      const parsed = address(`postgresql://h/d?sslmode=${mode}`);
      return parsed.kind === "postgres" && parsed.tls !== null
        ? [parsed.tls.rejectUnauthorized, parsed.tls.checkHost]
        : null;
    };
    expect(checks("disable")).toBeNull();
    for (const mode of ["allow", "prefer", "require"]) expect(checks(mode)).toEqual([false, false]);
    expect(checks("verify-ca")).toEqual([true, false]);
    expect(checks("verify-full")).toEqual([true, true]);
    expect(faultOf("postgresql://h/d?sslmode=on")).toBe("sslmode is not one of the known modes.");
  });

  test("certificate files are read and leave the URL", () => {
    const query =
      "sslmode=verify-full&sslrootcert=/tls/ca.pem&sslcert=/tls/cert.pem&sslkey=/tls/key.pem&sslpassword=x&sslsni=1";
    expect(address(`postgresql://h/d?${query}`)).toEqual({
      kind: "postgres",
      url: "postgresql://h/d",
      printed: "postgresql://h/d",
      tls: { rejectUnauthorized: true, checkHost: true, ca: "CA", certificate: "CERT", key: "KEY", passphrase: "x" },
    });
    expect(faultOf("postgresql://h/d?sslrootcert=/none")).toContain("sslrootcert is not readable: /none");
    expect(faultOf("postgresql://h/d?sslcert=/tls/cert.pem")).toBe("sslcert and sslkey need each other.");
    expect(faultOf("postgresql://h/d?sslcrl=/tls/crl.pem")).toBe("sslcrl is not supported yet.");
    expect(address("postgresql://h/d?sslmode=verify-full&sslrootcert=system")).toMatchObject({ tls: { ca: null } });
  });
});

describe("the database of the settings", () => {
  const pieces = {
    SERVICE_POSTGRES_HOST: "h",
    SERVICE_POSTGRES_USER: "u",
    SERVICE_POSTGRES_PASSWORD: "p",
    SERVICE_POSTGRES_DB: "d",
  };
  const urlOf = (variables: Record<string, string>) => {
    const { location } = loadSettings(variables).config.database;
    return location.kind === "postgres" ? location.url : null;
  };

  test("pieces make a URL, encoded; port and database may stand in the host", () => {
    expect(urlOf(pieces)).toBe("postgresql://u:p@h/d");
    expect(urlOf({ ...pieces, SERVICE_POSTGRES_PORT: "5433", SERVICE_POSTGRES_HOST: "h:1/" })).toBe(
      "postgresql://u:p@h:5433/d",
    );
    expect(urlOf({ ...pieces, SERVICE_POSTGRES_HOST: "h:5433/e", SERVICE_POSTGRES_DB: "" })).toBe(
      "postgresql://u:p@h:5433/e",
    );
    const hosts = "h1:1,[::1],h3";
    expect(urlOf({ ...pieces, SERVICE_POSTGRES_HOST: hosts })).toBe("postgresql://u:p@h1:1,[::1],h3/d");
    expect(urlOf({ ...pieces, SERVICE_POSTGRES_HOST: hosts, SERVICE_POSTGRES_PORT: "7" })).toBe(
      "postgresql://u:p@h1:7,[::1]:7,h3:7/d",
    );
    expect(urlOf({ ...pieces, SERVICE_POSTGRES_HOST: hosts, SERVICE_POSTGRES_PORT: "7,8,9" })).toBe(
      "postgresql://u:p@h1:7,[::1]:8,h3:9/d",
    );
    expect(urlOf({ ...pieces, SERVICE_POSTGRES_USER: "a@b", SERVICE_POSTGRES_PASSWORD: "p/:?#%" })).toBe(
      "postgresql://a%40b:p%2F%3A%3F%23%25@h/d",
    );
  });

  test("the URL wins over the pieces, whatever is wrong with them", () => {
    expect(urlOf({ SERVICE_POSTGRES_HOST: "h", SERVICE_SQL_DATABASE_URL: "postgresql://x/y" })).toBe(
      "postgresql://x/y",
    );
  });

  test("schema, replica and pool belong to PostgreSQL", () => {
    const { database } = loadSettings({
      SERVICE_SQL_DATABASE_URL: "postgresql://u:p@h/d",
      SERVICE_SQL_DATABASE_SCHEMA: "svc",
      SERVICE_SQL_DATABASE_READ_REPLICA_URL: "postgresql://u:q@replica/d?sslmode=require",
      SERVICE_POSTGRES_POOL_SIZE: "3",
    }).config;
    expect(database.location).toMatchObject({
      schema: "svc",
      poolSize: 3,
      poolMode: "session",
      tls: null,
      replicaUrl: "postgresql://u:q@replica/d",
      replicaTls: { rejectUnauthorized: false },
    });
    expect([database.printed, database.printedReplica]).toEqual([
      "postgresql://u:***@h/d",
      "postgresql://u:***@replica/d",
    ]);
    expect(refusalOf({ SERVICE_SQL_DATABASE_SCHEMA: "x".repeat(64) }).problems.length).toBe(1);
  });

  test("cloud identities fail clearly, and only when they are on", () => {
    for (const name of ["SERVICE_POSTGRES_USE_AWS_IAM_AUTH", "SERVICE_POSTGRES_USE_AZURE_MANAGED_IDENTITY"]) {
      expect(urlOf({ ...pieces, [name]: "false" })).not.toBeNull();
      const { problems } = refusalOf({ ...pieces, SERVICE_POSTGRES_PASSWORD: "", [name]: "True" });
      expect(problems.length).toBe(1);
      expect(problems[0]).toStartWith(`${name}: Cloud identities for PostgreSQL are not supported.`);
    }
  });

  test("durability of SQLite can be chosen", () => {
    expect(loadSettings({ SERVICE_SQLITE_SYNCHRONOUS: "normal" }).config.database.location).toMatchObject({
      synchronous: "NORMAL",
    });
    expect(refusalOf({ SERVICE_SQLITE_SYNCHRONOUS: "OFF" }).problems.length).toBe(1);
  });
});

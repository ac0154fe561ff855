// Reading all settings: defaults, precedence, everything reported at once, secrets from files and never in any text.

import { describe, expect, test } from "bun:test";
import { findNearestName } from "../../src/config/catalogue.ts";
import { ConfigProblems, problemLine, quoted } from "../../src/config/findings.ts";
import { addressOf, isLoopback, namesOf } from "../../src/config/server.ts";
import { minutes } from "../../src/config/setting.ts";
import { loadSettings, refusalOf, warningsOf } from "../support/load-settings.ts";
import { memoryFiles } from "../support/memory-files.ts";

const SECRET = "hunter2-swordfish";

describe("loadConfig", () => {
  test("without any setting everything has its default and nothing is warned of", () => {
    const files = memoryFiles();
    const { config, warnings } = loadSettings({}, { files });
    expect(warnings).toEqual([]);
    expect(config.server).toMatchObject({
      host: "127.0.0.1",
      port: 6006,
      grpcPort: 4317,
      rootPath: "",
      rootUrl: "http://127.0.0.1:6006",
      workingDirectory: "/home/somebody/.spanlight",
      projectName: "default",
      trustedProxies: ["127.0.0.1"],
      allowedOrigins: [],
      trustedOrigins: [],
      trustedHostNames: [],
    });
    expect(config.database.location).toEqual({
      kind: "sqlite",
      path: "/home/somebody/.spanlight/spanlight.db",
      temporary: false,
      synchronous: "FULL",
    });
    expect(config.ingestion).toEqual({
      maxQueuedSpans: 20_000,
      maxQueuedBytes: 67_108_864,
      maxBodyBytes: 67_108_864,
      maxJsonBodyBytes: 1_048_576,
      maxDecompressedBodyBytes: 268_435_456,
    });
    expect(config.tls).toEqual({ http: null, grpc: null });
    expect(config.logging).toEqual({ mode: "default", level: "info", databaseLevel: "warning" });
    expect(config.run).toEqual({ readOnly: false, debug: false, webPage: true });
    expect(files.made).toEqual(["/home/somebody/.spanlight"]);
  });

  test("every problem is reported at once, one line each, with the variable's name", () => {
    const { problems } = refusalOf({
      SERVICE_PORT: "abc",
      SERVICE_HOST_ROOT_PATH: "sub/",
      SERVICE_SQL_DATABASE_URL: "mysql://a@b/c",
      SERVICE_LOG_SQL: "maybe",
      SERVICE_MAX_SPANS_QUEUE_SIZE: "0",
      SERVICE_LOGGING_LEVEL: "loud\nSERVICE_PORT: forged line",
      SERVICE_TLS_ENABLED: "TRUE",
      SERVICE_WORKING_DIR: "/proc/x/y",
    });
    const names = problems.map((line) => line.slice(0, line.indexOf(":")));
    expect(names.sort()).toEqual([
      "SERVICE_HOST_ROOT_PATH",
      "SERVICE_LOGGING_LEVEL",
      "SERVICE_LOG_SQL",
      "SERVICE_MAX_SPANS_QUEUE_SIZE",
      "SERVICE_PORT",
      "SERVICE_SQL_DATABASE_URL",
      "SERVICE_TLS_CERT_FILE",
      "SERVICE_TLS_KEY_FILE",
      "SERVICE_WORKING_DIR",
    ]);
    for (const line of problems) expect(line).not.toContain("\n");
    expect(problems).toContain(
      "SERVICE_LOG_SQL: SERVICE_LOG_SQL must be set to TRUE or FALSE (case-insensitive). Got: maybe",
    );
    expect(problems).toContain(
      "SERVICE_TLS_CERT_FILE: SERVICE_TLS_CERT_FILE must be set when SERVICE_TLS_ENABLED is true",
    );
  });

  test("the error carries its problems, and its message has a line for each", () => {
    const error = new ConfigProblems([{ setting: "A", message: "is odd.", hint: "try B." }], []);
    expect(error.message).toBe("A: is odd. Hint: try B.");
    expect(error.kind).toBe("invalid");
    expect(error.problems.map(problemLine)).toEqual(["A: is odd. Hint: try B."]);
  });

  test("the command line wins over the environment", () => {
    const { config } = loadSettings(
      {
        SERVICE_HOST: "10.0.0.1",
        SERVICE_PORT: "1",
        SERVICE_GRPC_PORT: "nonsense",
        SERVICE_SQL_DATABASE_URL: "mysql://x",
      },
      { host: "0.0.0.0", port: 7000, grpcPort: 7001, databaseUrl: "sqlite:////data/x.db", debug: true, readOnly: true },
    );
    expect(config.server).toMatchObject({
      host: "0.0.0.0",
      port: 7000,
      grpcPort: 7001,
      rootUrl: "http://127.0.0.1:7000",
    });
    expect(config.database.location).toMatchObject({ path: "/data/x.db" });
    expect(config.logging.level).toBe("debug");
    expect(config.run).toEqual({ readOnly: true, debug: true, webPage: true });
  });

  test("a bad URL of the command line is reported under the option's name", () => {
    const { problems } = refusalOf({}, { databaseUrl: "nonsense" });
    expect(problems[0]).toStartWith("--database-url: The value is not a database URL.");
  });

  test("both ports may not be the same", () => {
    expect(refusalOf({ SERVICE_PORT: "4317" }).problems[0]).toContain("they need different ports");
  });

  test("the working directory is made only when it is needed or named", () => {
    const made = (variables: Record<string, string>, createsWorkingDirectory = true) => {
      const files = memoryFiles();
      loadSettings(variables, { files, createsWorkingDirectory });
      return files.made;
    };
    const memory = { SERVICE_SQL_DATABASE_URL: "sqlite:///:memory:" };
    expect(made(memory)).toEqual([]);
    expect(made({ ...memory, SERVICE_WORKING_DIR: "work" })).toEqual(["/current/work"]);
    expect(made({ SERVICE_WORKING_DIR: "~/data" })).toEqual(["/home/somebody/data"]);
    expect(made({}, false)).toEqual([]);

    const files = memoryFiles();
    refusalOf({ SERVICE_SQL_DATABASE_URL: "nonsense" }, { files });
    expect(files.made).toEqual([]);
  });

  test("white space around values is removed", () => {
    expect(loadSettings({ SERVICE_PORT: " 8080 ", SERVICE_HOST: " ::1\n" }).config.server).toMatchObject({
      port: 8080,
      host: "::1",
    });
  });

  test("an empty project name or working directory is a mistake, an empty host is the default", () => {
    expect(refusalOf({ SERVICE_PROJECT_NAME: "", SERVICE_WORKING_DIR: " " }).problems.length).toBe(2);
    expect(loadSettings({ SERVICE_HOST: "" }).config.server.host).toBe("127.0.0.1");
  });

  test("a given root URL loses its trailing slash; a built one has scheme, host, port and root path", () => {
    const rootUrl = (variables: Record<string, string>) => loadSettings(variables).config.server.rootUrl;
    expect(rootUrl({ SERVICE_ROOT_URL: "https://h.example/sub/" })).toBe("https://h.example/sub");
    expect(rootUrl({ SERVICE_HOST: "::", SERVICE_HOST_ROOT_PATH: "/sub" })).toBe("http://127.0.0.1:6006/sub");
    expect(rootUrl({ SERVICE_HOST: "::1" })).toBe("http://[::1]:6006");
  });

  test("a path of the root URL alone is warned of, with the setting to add", () => {
    const warningsOf = (variables: Record<string, string>) =>
      loadSettings(variables).warnings.map(({ setting, message }) => `${setting} ${message}`);
    expect(warningsOf({ SERVICE_ROOT_URL: "https://h.example/a/b/" })).toEqual([
      "SERVICE_ROOT_URL has the path /a/b, but pages do not begin with it: set SERVICE_HOST_ROOT_PATH=/a/b.",
    ]);
    expect(warningsOf({ SERVICE_ROOT_URL: "https://h.example/a", SERVICE_HOST_ROOT_PATH: "/a" })).toEqual([]);
    expect(warningsOf({ SERVICE_ROOT_URL: "https://h.example/" })).toEqual([]);
  });

  test("a root path cannot name another host or leave an attribute", () => {
    for (const path of ["//evil.example", "/a//b", '/a"b', "/a b", "/a?b"]) {
      expect(refusalOf({ SERVICE_HOST_ROOT_PATH: path }).problems.length).toBe(1);
    }
  });

  test("lists lose blanks and repetitions; trusted origins are spelt as browsers do", () => {
    const { server } = loadSettings({
      SERVICE_ALLOWED_ORIGINS: "http://a.example, http://b.example,,http://a.example",
      SERVICE_CSRF_TRUSTED_ORIGINS:
        "http://Good.example:8080, https://good.example/, https://sub.example:443, https://sub.example, app://sub.example,",
    }).config;
    expect(server.allowedOrigins).toEqual(["http://a.example", "http://b.example"]);
    expect(server.trustedOrigins).toEqual(["http://good.example:8080", "https://good.example", "https://sub.example"]);
    expect(server.trustedHostNames).toEqual(["good.example", "sub.example"]);
  });

  test("allowed hosts are plain names as browsers send them, or all names below one", () => {
    const hosts = (text: string) => loadSettings({ SERVICE_ALLOWED_HOSTS: text }).config.server.allowedHosts;
    expect(hosts("Spans.Example.org, .Dev.example.org.,, m\u00fcnchen.example, a_b.c, spans.example.org")).toEqual([
      "spans.example.org",
      ".dev.example.org",
      "xn--mnchen-3ya.example",
      "a_b.c",
    ]);
    for (const text of ["*", "*.example.org", "https://a.example", "a.example:80", "a b.c", ".", "a..b", "[::1]"]) {
      expect(refusalOf({ SERVICE_ALLOWED_HOSTS: text }).problems).toEqual([
        `SERVICE_ALLOWED_HOSTS: SERVICE_ALLOWED_HOSTS must hold host names without scheme and port, such as spans.example.org or .example.org. Got: ${text}`,
      ]);
    }
  });

  test("the names of the service are those of its address, and the allowed ones", () => {
    const names = (variables: Record<string, string>) => namesOf(loadSettings(variables).config.server);
    expect(names({})).toEqual(["127.0.0.1", "127.0.0.1"]);
    expect(
      names({
        SERVICE_HOST: "Spans.Intern.example",
        SERVICE_ROOT_URL: "https://Spans.example.org/x",
        SERVICE_ALLOWED_HOSTS: "a.example",
      }),
    ).toEqual(["spans.example.org", "spans.intern.example", "a.example"]);
  });

  test("the two spellings of levels are one", () => {
    const level = (text: string) => loadSettings({ SERVICE_LOGGING_LEVEL: text }).config.logging.level;
    expect([level("WARN"), level("warning"), level("fatal"), level("Critical")]).toEqual([
      "warning",
      "warning",
      "critical",
      "critical",
    ]);
    expect(refusalOf({ SERVICE_LOGGING_LEVEL: "constructor" }).problems.length).toBe(1);
  });
});

describe("secrets", () => {
  const pieces = { SERVICE_POSTGRES_HOST: "h", SERVICE_POSTGRES_USER: "u", SERVICE_POSTGRES_DB: "d" };

  test("a secret is read from the file its twin names, without one newline at the end", () => {
    const files = memoryFiles({ "/run/password": `${SECRET}\n\n`, "/run/url": "postgresql://u:p@h/d\n" });
    const location = (variables: Record<string, string>) => loadSettings(variables, { files }).config.database.location;
    expect(location({ ...pieces, SERVICE_POSTGRES_PASSWORD_FILE: "/run/password" })).toMatchObject({
      url: `postgresql://u:${SECRET}%0A@h/d`,
    });
    expect(location({ SERVICE_SQL_DATABASE_URL_FILE: "/run/url" })).toMatchObject({ url: "postgresql://u:p@h/d" });
  });

  test("a secret given both ways is a problem that names both", () => {
    const files = memoryFiles({ "/run/password": SECRET });
    const { problems } = refusalOf(
      { ...pieces, SERVICE_POSTGRES_PASSWORD: SECRET, SERVICE_POSTGRES_PASSWORD_FILE: "/run/password" },
      { files },
    );
    expect(problems).toEqual([
      "SERVICE_POSTGRES_PASSWORD: Both SERVICE_POSTGRES_PASSWORD and SERVICE_POSTGRES_PASSWORD_FILE are set. Hint: Set only one of them.",
    ]);
  });

  test("a file that cannot be read is a problem under the twin's name", () => {
    const { problems } = refusalOf({ ...pieces, SERVICE_POSTGRES_PASSWORD_FILE: "/run/none" });
    expect(problems.length).toBe(1);
    expect(problems[0]).toStartWith("SERVICE_POSTGRES_PASSWORD_FILE: file is not readable: /run/none");
  });

  test("no problem and no warning ever holds one", () => {
    const bad: Record<string, string>[] = [
      { SERVICE_SQL_DATABASE_URL: `mysql://u:${SECRET}@h/d` },
      { SERVICE_SQL_DATABASE_URL: `postgresql://u:${SECRET}@h` },
      { SERVICE_SQL_DATABASE_URL: `postgresql://u:1/${SECRET}@h/d` },
      { SERVICE_SQL_DATABASE_URL: `postgresql://u:${SECRET}@h:port/d` },
      { SERVICE_SQL_DATABASE_URL: `postgresql://u:${SECRET}%zz@h/d` },
      { SERVICE_SQL_DATABASE_URL: `postgresql://u@h/d?sslmode=${SECRET}` },
      { SERVICE_SQL_DATABASE_URL: SECRET },
      {
        SERVICE_SQL_DATABASE_URL: `postgresql://u:${SECRET}@h/d`,
        SERVICE_SQL_DATABASE_READ_REPLICA_URL: `sqlite:///${SECRET}`,
      },
      { ...pieces, SERVICE_POSTGRES_DB: "", SERVICE_POSTGRES_PASSWORD: SECRET },
      { ...pieces, SERVICE_POSTGRES_PASSWORD: SECRET, SERVICE_POSTGRES_PORT: "x" },
      { ...pieces, SERVICE_POSTGRES_PASSWORD: SECRET, SERVICE_POSTGRES_USE_AWS_IAM_AUTH: "true" },
    ];
    const unbuilt = {
      SERVICE_SECRET: `${SECRET}-abcdefghijklmnopqrstuvwxyz`,
      SERVICE_SECRETT: SECRET,
      SERVICE_ADMIN_SECRET: SECRET,
      SERVICE_SMTP_PASSWORD: SECRET,
      SERVICE_OAUTH2_IDP_CLIENT_SECRET: SECRET,
      SERVICE_LDAP_BIND_PASSWORD: SECRET,
      SERVICE_API_KEY: SECRET,
    };
    for (const variables of bad) {
      const { problems, warnings } = refusalOf({ ...variables, ...unbuilt });
      expect(problems.length).toBeGreaterThan(0);
      expect([...problems, ...warnings].join("\n")).not.toContain(SECRET);
    }
  });
});

describe("variables without effect", () => {
  test("an unknown one is warned of with the nearest known name, and without its value", () => {
    expect(warningsOf({ SERVICE_PROT: "zzz", SERVICE_ENABLE_AUHT: "zzz", SERVICE_SOMETHING_ELSE: "zzz" })).toEqual([
      "SERVICE_ENABLE_AUHT: is not a known setting. Did you mean SERVICE_ENABLE_AUTH?",
      "SERVICE_PROT: is not a known setting. Did you mean SERVICE_PORT?",
      "SERVICE_SOMETHING_ELSE: is not a known setting.",
    ]);
    expect(findNearestName("SERVICE_X", ["SERVICE_SECRET", "SERVICE_PORT"])).toBeNull();
  });

  test("those of an authorization server declare no provider", () => {
    expect(warningsOf({ SERVICE_OAUTH2_GRANT_EXPIRY_DAYS: "1" })).toEqual([
      "SERVICE_OAUTH2_GRANT_EXPIRY_DAYS: has no effect: this service is no OAuth2 authorization server.",
    ]);
  });

  test("those of clients and those that Kubernetes injects are passed over in silence", () => {
    expect(
      warningsOf({
        SERVICE_API_KEY: "k",
        SERVICE_COLLECTOR_ENDPOINT: "http://h",
        SERVICE_SERVICE_HOST: "10.0.0.1",
        SERVICE_SERVICE_PORT_HTTP: "6006",
        SERVICE_PORT_6006_TCP: "tcp://10.0.0.1:6006",
        SERVICE_PORT_6006_TCP_ADDR: "10.0.0.1",
      }),
    ).toEqual([]);
  });

  test("a validated setting whose part is missing warns, and is still validated", () => {
    expect(warningsOf({ SERVICE_MIGRATE_INDEX_CONCURRENTLY: "true" })).toEqual([
      "SERVICE_MIGRATE_INDEX_CONCURRENTLY: has no effect yet: a migration that indexes a filled table is not built.",
    ]);
    expect(refusalOf({ SERVICE_MIGRATE_INDEX_CONCURRENTLY: "perhaps" }).problems).toHaveLength(1);
  });

  test("PostgreSQL pieces without a host, and a replica of SQLite, are warned of", () => {
    expect(warningsOf({ SERVICE_POSTGRES_USER: "u" })).toEqual([
      "SERVICE_POSTGRES_USER: is ignored without SERVICE_POSTGRES_HOST.",
    ]);
    expect(warningsOf({ SERVICE_SQL_DATABASE_READ_REPLICA_URL: "postgresql://u:p@h/d" })).toEqual([
      "SERVICE_SQL_DATABASE_READ_REPLICA_URL: SERVICE_SQL_DATABASE_READ_REPLICA_URL is set but ignored for sqlite dialect",
    ]);
  });
});

describe("the kit", () => {
  test("minutes are positive numbers", () => {
    const lifetime = minutes({ name: "SERVICE_LIFETIME", default: 10, meaning: "" });
    expect(lifetime.parse("0.5")).toEqual({ ok: true, value: 0.5 });
    for (const text of ["0", "-1", "nan", "inf", "", "x"]) expect(lifetime.parse(text).ok).toBeFalse();
    expect(lifetime.parse("0")).toMatchObject({
      message: "Invalid value for environment variable SERVICE_LIFETIME: 0.0. Value must be a positive number.",
    });
  });

  test("a quoted value is one line of bounded length", () => {
    expect(quoted("a\nb\u001b[31m")).toBe("a\\nb\\u001b[31m");
    expect(quoted("x".repeat(10_000)).length).toBeLessThan(300);
  });

  test("loopback is what only this machine reaches", () => {
    expect(["127.0.0.1", "127.1.2.3", "localhost", "::1"].every(isLoopback)).toBeTrue();
    expect(["0.0.0.0", "::", "10.0.0.1", "127.example", "example.com"].some(isLoopback)).toBeFalse();
  });

  test("an address has brackets around IPv6 and names a host that can be opened", () => {
    expect(addressOf("::1", 80, true, "localhost")).toBe("https://[::1]:80");
    expect(addressOf("::", 80, false, "localhost")).toBe("http://localhost:80");
  });
});

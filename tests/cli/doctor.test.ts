// `spanlight doctor` as operators run it, on both databases, with a real mail server: every finding a line, an exit status that
// scripts can use, and no secret anywhere.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import postgres from "postgres";
import { SMTPServer } from "smtp-server";
import { checkAccess } from "../../src/cli/doctor/access.ts";
import { findingLine } from "../../src/cli/doctor/finding.ts";
import { listen } from "../../src/http/listen.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { silentLogger } from "../../src/kernel/logger.ts";
import { createSecrets } from "../../src/modules/accounts/secrets/secrets.feature.ts";
import { createCustomProviders } from "../../src/modules/evaluation/model-providers/model-providers.feature.ts";
import { openStorageAlone } from "../../src/storage/open.ts";
import { selfSignedCertificate } from "../support/certificate.ts";
import { forEachDriver } from "../support/drivers.ts";
import { loadSettings } from "../support/load-settings.ts";
import { freePort } from "../support/ports.ts";
import { createEmptyPostgresDatabase, type TestDatabase } from "../support/postgres.ts";
import { runCommand, servicesOfSuite } from "../support/server.ts";
import { contextOf, locationOf } from "../support/storage.ts";

setDefaultTimeout(60_000);

const SECRETS = {
  service: "service-secret-0123456789-0123456789",
  smtp: "smtp-swordfish-1",
  database: "db-swordfish-2",
};
const outputs: string[] = [];
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "spanlight-doctor-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  expect(Object.values(SECRETS).filter((secret) => outputs.join("").includes(secret))).toEqual([]);
});

async function doctor(env: Readonly<Record<string, string>>, ...args: string[]) {
  const { exitCode, output } = await runCommand(["doctor", ...args], { env: { SERVICE_WORKING_DIR: folder, ...env } });
  outputs.push(output);
  return { exitCode, output };
}
/** The findings about one part. */
const about = (output: string, part: string) =>
  output.split("\n").filter((line) => line.slice(9).startsWith(`${part}:`));

forEachDriver("doctor", (driver) => {
  const startService = servicesOfSuite();

  test("finds nothing wrong with a service that runs, and says what it looked at", async () => {
    const databaseUrl = await driver.createEmptyDatabase();
    const service = await startService({ databaseUrl });
    const { exitCode, output } = await doctor({
      SERVICE_SQL_DATABASE_URL: databaseUrl,
      SERVICE_PORT: String(service.port),
      SERVICE_GRPC_PORT: String(service.grpcPort),
    });
    // The database of the tests is set not to wait for its disk, which the doctor notices.
    const careless = about(output, "durability");
    expect(careless).toEqual(
      driver.name === "sqlite" ? [] : [expect.stringMatching(/^warning .*fsync=off.* may be lost/)],
    );
    expect(output).toEndWith(`problems: 0, warnings: ${careless.length}\n`);
    expect(exitCode).toBe(0);
    expect(about(output, "database")[0]).toMatch(/^ok .* (SQLite 3\.\d+|PostgreSQL \d+)\.\S* answers at /);
    expect(about(output, "tables")[0]).toContain("up to date");
    expect(about(output, "encoding")[0]).toContain("UTF8");
    expect(about(output, "disk")).toHaveLength(1);
    expect(about(output, "public address")[0]).toContain(`http://127.0.0.1:${service.port} answers`);
  });

  test("names stored secrets that SERVICE_SECRET does not open", async () => {
    const databaseUrl = await driver.createEmptyDatabase();
    const env = { SERVICE_SQL_DATABASE_URL: databaseUrl };
    await runCommand(["migrate"], { env });
    const storage = openStorageAlone(locationOf(databaseUrl));
    const base = { storage, clock: systemClock, serviceSecret: SECRETS.service, log: silentLogger };
    await createSecrets(base).changeSecrets(contextOf(storage), [{ key: "OPENAI_API_KEY", value: "sk" }]);
    await createCustomProviders(base).createProvider(contextOf(storage), {
      name: "Gateway",
      description: null,
      provider: "in-house",
      config: {
        sdk: "OPENAI",
        authentication: { type: "api_key", apiKey: "sk" },
        baseUrl: null,
        region: null,
        organization: null,
        project: null,
        apiType: null,
        headers: null,
      },
    });
    await storage.close();
    const wrong = await doctor({ ...env, SERVICE_SECRET: `another-${SECRETS.service}` });
    expect(wrong.exitCode).toBe(1);
    expect(about(wrong.output, "secrets")[0]).toMatch(
      /^problem .*SERVICE_SECRET does not open OPENAI_API_KEY, the custom provider Gateway/,
    );
    const right = await doctor({ ...env, SERVICE_SECRET: SECRETS.service });
    expect([right.exitCode, about(right.output, "secrets")]).toEqual([0, []]);
  });

  test("tells a database of a newer version, and one that is not migrated", async () => {
    const databaseUrl = await driver.createEmptyDatabase();
    const env = { SERVICE_SQL_DATABASE_URL: databaseUrl };
    const empty = await doctor(env);
    expect(empty.exitCode).toBe(0);
    expect(empty.output).toMatch(/none yet: the first start makes them|the first start will make/);
    await runCommand(["migrate"], { env });
    const storage = openStorageAlone(locationOf(databaseUrl));
    const change = (text: string) => sql.raw(text).execute(storage.handle.write(contextOf(storage)));
    await change("delete from schema_migrations where number > 1");
    expect(about((await doctor(env)).output, "tables")[0]).toMatch(/^warning .*migrations are due \(accounts/);
    await change("update schema_migrations set oldest_server = 99");
    await storage.close();
    const newer = await doctor(env);
    expect([newer.exitCode, about(newer.output, "database")[0]]).toEqual([
      1,
      expect.stringMatching(/^problem .*changed by a newer Spanlight/),
    ]);
  });
});

describe("PostgreSQL", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createEmptyPostgresDatabase();
  });
  afterAll(() => database.drop());

  test("with a replica that accepts writes, or that does not answer", async () => {
    const env = { SERVICE_SQL_DATABASE_URL: database.url };
    const own = await doctor({ ...env, SERVICE_SQL_DATABASE_READ_REPLICA_URL: database.url });
    expect(about(own.output, "replica")[0]).toMatch(/^problem .*is no replica but a database of its own/);
    const away = new URL(database.url);
    away.port = String(await freePort());
    const silent = await doctor({ ...env, SERVICE_SQL_DATABASE_READ_REPLICA_URL: away.href });
    expect(about(silent.output, "replica")[0]).toMatch(/^warning .*not available.*reads go to the primary/);
  });

  test("with a role that may not create tables", async () => {
    const client = postgres(database.url, { max: 1, onnotice: () => {} });
    const role = `doctor_${database.url.split("_").at(-1)}`;
    await client.unsafe(`create role ${role} login password 'guest'`);
    await client.unsafe("revoke create on schema public from public");
    const url = new URL(database.url);
    url.username = role;
    url.password = "guest";
    const { exitCode, output } = await doctor({ SERVICE_SQL_DATABASE_URL: url.href });
    await client.unsafe(`drop role ${role}`);
    await client.end();
    expect([exitCode, about(output, "tables")[0]]).toEqual([
      1,
      expect.stringMatching(/^problem .*may not create tables.* Do: grant create on the schema/),
    ]);
  });
});

test("a database that does not answer is a problem in one line, without its password", async () => {
  const port = await freePort();
  const { exitCode, output } = await doctor({
    SERVICE_SQL_DATABASE_URL: `postgresql://spanlight:${SECRETS.database}@127.0.0.1:${port}/spanlight`,
  });
  expect(exitCode).toBe(1);
  expect(about(output, "database")).toEqual([
    expect.stringMatching(/^problem .*spanlight:\*\*\*@127\.0\.0\.1.*The database is not available.* Do: check /),
  ]);
});

test("settings that stop the start are all reported, and nothing else is looked at", async () => {
  const { exitCode, output } = await doctor({ SERVICE_PORT: "http", SERVICE_TLS_ENABLED: "yes" });
  expect(exitCode).toBe(1);
  expect(output.trimEnd().split("\n")).toEqual([
    expect.stringMatching(/^problem +settings: .*SERVICE_TLS_ENABLED/),
    expect.stringMatching(/^problem +settings: .*SERVICE_PORT/),
    "problems: 2, warnings: 0",
  ]);
});

test("a path that only SERVICE_ROOT_URL has is a problem, with the setting to add", async () => {
  const { exitCode, output } = await doctor({ SERVICE_ROOT_URL: "https://example.org/traces" });
  expect(exitCode).toBe(1);
  expect(about(output, "public address")[0]).toMatch(/^problem .* Do: set SERVICE_HOST_ROOT_PATH=\/traces$/);
});

describe("through a proxy that strips the prefix", () => {
  const startService = servicesOfSuite();

  test("the service is found, with its pages and capacity for exports", async () => {
    let target = "";
    const proxy = listen({
      host: "127.0.0.1",
      port: 0,
      tls: null,
      async fetch(request) {
        const { pathname } = new URL(request.url);
        const body = request.method === "GET" ? {} : { body: await request.bytes() };
        const { method, headers } = request;
        const options = { method, headers, redirect: "manual", decompress: false, ...body } as const;
        return fetch(`${target}${pathname.replace(/^\/traces/, "")}`, options);
      },
    });
    const env = {
      SERVICE_HOST_ROOT_PATH: "/traces",
      SERVICE_ROOT_URL: `http://127.0.0.1:${proxy.port}/traces`,
      SERVICE_SQL_DATABASE_URL: `sqlite:///${join(folder, "proxied.db")}`,
    };
    const service = await startService({ databaseUrl: env.SERVICE_SQL_DATABASE_URL, env });
    target = service.url;
    const ports = { SERVICE_PORT: String(service.port), SERVICE_GRPC_PORT: String(service.grpcPort) };
    const { exitCode, output } = await doctor({ ...env, ...ports });
    await proxy.stop(100);
    expect(exitCode, output).toBe(0);
    expect(about(output, "public address")).toEqual([expect.stringMatching(/^ok .*\/traces leads here$/)]);
    expect(about(output, "exports")).toEqual([]);
    // The empty export stored nothing.
    const projects = (await (await fetch(`${service.url}/v1/projects`)).json()) as { data: { name: string }[] };
    expect(projects.data.map(({ name }) => name)).toEqual(["default"]);
  });
});

describe("access", () => {
  const on = { SERVICE_ENABLE_AUTH: "true", SERVICE_SECRET: SECRETS.service };
  const cases: readonly (readonly [string, Record<string, string>, RegExp])[] = [
    ["nobody asked, on loopback", {}, /^ok .*no authentication/],
    [
      "nobody asked, everywhere",
      { SERVICE_HOST: "0.0.0.0" },
      /^warning .*without authentication.* Do: set SERVICE_ENABLE_AUTH/,
    ],
    ["authentication", on, /^ok .*every call needs a credential/],
    [
      "cookies for https without https",
      { ...on, SERVICE_USE_SECURE_COOKIES: "true", SERVICE_ROOT_URL: "http://example.org" },
      /^problem .*nobody can sign in/,
    ],
    [
      "plain cookies with https",
      { ...on, SERVICE_ROOT_URL: "https://example.org" },
      /^warning .*SERVICE_USE_SECURE_COOKIES=true/,
    ],
  ];
  test.each(cases)("%s", (_what, variables, line) => {
    const { config } = loadSettings(variables);
    expect(checkAccess(config).map(findingLine)).toEqual([expect.stringMatching(line)]);
  });
});

test("a certificate that has expired is a problem", async () => {
  const expired = selfSignedCertificate(undefined, -3);
  await Bun.write(join(folder, "expired.pem"), expired.certificate);
  await Bun.write(join(folder, "expired.key"), expired.key);
  const { exitCode, output } = await doctor({
    SERVICE_TLS_ENABLED: "true",
    SERVICE_TLS_CERT_FILE: join(folder, "expired.pem"),
    SERVICE_TLS_KEY_FILE: join(folder, "expired.key"),
  });
  expect(exitCode).toBe(1);
  expect(about(output, "certificate")[0]).toMatch(/^problem .*expired on \d{4}-\d\d-\d\d/);
});

describe("mail", () => {
  let server: SMTPServer;
  let port: number;
  const mails: string[] = [];
  beforeAll(async () => {
    const { certificate, key } = selfSignedCertificate();
    server = new SMTPServer({
      key,
      cert: certificate,
      authOptional: false,
      onAuth: ({ username, password }, _session, done) =>
        username === "spanlight" && password === SECRETS.smtp
          ? done(null, { user: username })
          : done(new Error("Invalid login")),
      onData(stream, _session, done) {
        const pieces: Buffer[] = [];
        stream.on("data", (piece: Buffer) => void pieces.push(piece));
        stream.on("end", () => {
          mails.push(Buffer.concat(pieces).toString());
          done();
        });
      },
    });
    port = await freePort();
    await new Promise<void>((listening) => server.listen(port, "127.0.0.1", listening));
  });
  afterAll(() => new Promise<void>((closed) => server.close(closed)));

  const env = () => ({
    SERVICE_SMTP_HOSTNAME: "127.0.0.1",
    SERVICE_SMTP_PORT: String(port),
    SERVICE_SMTP_USERNAME: "spanlight",
    SERVICE_SMTP_PASSWORD: SECRETS.smtp,
    SERVICE_SMTP_MAIL_FROM: "no-reply@example.org",
    SERVICE_SMTP_VALIDATE_CERTS: "false",
  });

  test("is tried as far as the login, and sent only when asked for", async () => {
    const { exitCode, output } = await doctor(env());
    expect([exitCode, mails.length]).toEqual([0, 0]);
    expect(about(output, "mail")[0]).toMatch(/^ok .*127\.0\.0\.1:\d+ lets us in by STARTTLS, as spanlight/);
    const sent = await doctor(env(), "--mail-to", "anna@example.org");
    expect(sent.exitCode).toBe(0);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toContain("To: anna@example.org");
  });

  test("with a wrong password names the settings", async () => {
    const { exitCode, output } = await doctor({ ...env(), SERVICE_SMTP_PASSWORD: "wrong" });
    expect(exitCode).toBe(1);
    expect(about(output, "mail")[0]).toMatch(/^problem .* Do: check SERVICE_SMTP_USERNAME and SERVICE_SMTP_PASSWORD$/);
  });

  test("with a certificate that is not accepted says so", async () => {
    const { exitCode, output } = await doctor({ ...env(), SERVICE_SMTP_VALIDATE_CERTS: "true" });
    expect(exitCode).toBe(1);
    expect(about(output, "mail")[0]).toMatch(/^problem .*self.signed.* Do: check the port and the certificate/i);
  });

  test("where nothing listens names host and port", async () => {
    const { exitCode, output } = await doctor({ ...env(), SERVICE_SMTP_PORT: String(await freePort()) });
    expect(exitCode).toBe(1);
    expect(about(output, "mail")[0]).toMatch(/^problem .*ECONNREFUSED.* Do: check .*SERVICE_SMTP_HOSTNAME/);
  });
});

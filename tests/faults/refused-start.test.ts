// What keeps the service from starting is printed in one clear line, with exit status 1 and nothing left running.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmod, copyFile, mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { SERVER_LEVEL } from "../../src/storage/migrations.ts";
import { openStorageAlone } from "../../src/storage/open.ts";
import { forEachDriver } from "../support/drivers.ts";
import { freePort } from "../support/ports.ts";
import { createEmptyPostgresDatabase, missingPostgres } from "../support/postgres.ts";
import { runCommand } from "../support/server.ts";
import { describeWithSmallDisks, mountSmallDisk, type SmallDisk } from "../support/small-disk.ts";
import { contextOf, locationOf } from "../support/storage.ts";

setDefaultTimeout(30_000);

let folder: string;
/** A migrated file that nothing has open. */
let migrated: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "spanlight-refused-"));
  migrated = join(folder, "migrated.db");
  const { exitCode } = await runCommand(["migrate"], { env: { SERVICE_SQL_DATABASE_URL: `sqlite:///${migrated}` } });
  expect(exitCode).toBe(0);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The one line of a start that was refused with status 1. */
async function refusal(env: Readonly<Record<string, string>>): Promise<string> {
  const [port, grpcPort] = [await freePort(), await freePort()];
  const { exitCode, output } = await runCommand(["serve"], {
    env: {
      SERVICE_PORT: String(port),
      SERVICE_GRPC_PORT: String(grpcPort),
      SERVICE_WORKING_DIR: folder,
      SERVICE_LOG_MIGRATIONS: "false",
      ...env,
    },
  });
  expect(exitCode, output).toBe(1);
  const lines = output.trimEnd().split("\n");
  expect(lines, output).toHaveLength(1);
  return lines[0]!;
}

const onFile = (path: string) => refusal({ SERVICE_SQL_DATABASE_URL: `sqlite:///${path}` });

describe("a port that is taken", () => {
  let other: Server;
  let taken: string;
  beforeAll(async () => {
    taken = String(await freePort());
    other = createServer();
    await new Promise<void>((listening) => other.listen(Number(taken), "127.0.0.1", listening));
  });
  afterAll(() => void other.close());
  const database = () => ({ SERVICE_SQL_DATABASE_URL: `sqlite:///${migrated}` });

  test("names the port and SERVICE_PORT", async () => {
    const line = await refusal({ ...database(), SERVICE_PORT: taken });
    expect(line).toBe(`error: Port ${taken} on 127.0.0.1 is taken: stop the other program or set SERVICE_PORT`);
  });

  test("names the port and SERVICE_GRPC_PORT", async () => {
    const line = await refusal({ ...database(), SERVICE_GRPC_PORT: taken });
    expect(line).toMatch(new RegExp(`^error: .*${taken} is taken: .*SERVICE_GRPC_PORT`));
  });
});

describe("a database file", () => {
  test("that is no database is named and left as it is", async () => {
    const path = join(folder, "letters.db");
    await Bun.write(path, "Dear Sir or Madam, ".repeat(1000));
    expect(await onFile(path)).toBe(
      `error: The database file ${path} cannot be opened for writing: file is not a database`,
    );
    expect(await Bun.file(path).text()).toStartWith("Dear Sir");
  });

  test("that is a folder is named", async () => {
    expect(await onFile(folder)).toStartWith(`error: The database file ${folder} cannot be opened for writing: `);
  });

  test("in a folder that does not exist is named", async () => {
    const path = join(folder, "missing", "file.db");
    expect(await onFile(path)).toStartWith(`error: The database file ${path} cannot be opened for writing: `);
  });

  test("whose pages are damaged is named", async () => {
    const path = join(folder, "damaged.db");
    await copyFile(migrated, path);
    const bytes = await Bun.file(path).bytes();
    bytes.fill(0xa5, 100, 3 * 8192);
    await Bun.write(path, bytes);
    expect(await onFile(path)).toMatch(/^error: .*damaged\.db.*malformed/);
  });
});

// Root may write to everything: its turn is below, on a file system that is read-only.
if (process.getuid?.() !== 0) {
  test("a database file without the right to write is named", async () => {
    const path = join(folder, "read-only.db");
    await copyFile(migrated, path);
    await chmod(path, 0o444);
    expect(await onFile(path)).toStartWith(`error: The database file ${path} cannot be opened for writing: `);
  });
}

describeWithSmallDisks("a disk", () => {
  let disk: SmallDisk;
  beforeAll(async () => {
    disk = await mountSmallDisk(4);
    await copyFile(migrated, join(disk.path, "old.db"));
  });
  afterAll(() => disk.unmount());

  test("that is full is reported as such", async () => {
    await disk.leave(0);
    for (const name of ["new.db", "old.db"]) expect(await onFile(join(disk.path, name))).toMatch(/^error: .*\bfull\b/);
    await disk.free();
  });

  test("that is read-only is recognised by the file, or by the working directory", async () => {
    disk.makeReadOnly();
    for (const name of ["unseen.db", "old.db"]) {
      const path = join(disk.path, name);
      expect(await onFile(path)).toStartWith(`error: The database file ${path} cannot be opened for writing: `);
    }
    const directory = join(disk.path, "work");
    expect(await refusal({ SERVICE_WORKING_DIR: directory })).toMatch(
      new RegExp(`^SERVICE_WORKING_DIR: Failed to create the working directory ${directory}: .*read-only`),
    );
  });
});

describe("a working directory", () => {
  test("that cannot be created is named with its setting", async () => {
    await Bun.write(join(folder, "file"), "");
    const directory = join(folder, "file", "work");
    expect(await refusal({ SERVICE_WORKING_DIR: directory })).toStartWith(
      `SERVICE_WORKING_DIR: Failed to create the working directory ${directory}: `,
    );
  });
});

forEachDriver("a database newer than the program", (driver) => {
  test("is left alone", async () => {
    const url = await driver.createEmptyDatabase();
    expect((await runCommand(["migrate"], { env: { SERVICE_SQL_DATABASE_URL: url } })).exitCode).toBe(0);
    const storage = openStorageAlone(locationOf(url));
    await sql`update schema_migrations set oldest_server = ${SERVER_LEVEL + 1}, oldest_version = '9.1.0'`.execute(
      storage.handle.write(contextOf(storage)),
    );
    await storage.close();
    // Also where migrations are left to somebody else.
    for (const skipped of ["false", "true"]) {
      const env = { SERVICE_SQL_DATABASE_URL: url, SERVICE_DANGEROUSLY_DISABLE_MIGRATIONS: skipped };
      expect(await refusal(env)).toMatch(
        /error: The database was changed by a newer Spanlight \(it asks for server level \d+, this one has \d+\): start Spanlight 9\.1\.0 or newer, /,
      );
    }
  });
});

describe.skipIf(missingPostgres() !== null && !process.env.CI)("a read replica", () => {
  test("of another database is named with its setting", async () => {
    const [own, other] = await Promise.all([createEmptyPostgresDatabase(), createEmptyPostgresDatabase()]);
    const env = { SERVICE_SQL_DATABASE_URL: own.url, SERVICE_SQL_DATABASE_READ_REPLICA_URL: other.url };
    expect(await refusal(env)).toStartWith(
      "error: SERVICE_SQL_DATABASE_READ_REPLICA_URL: that is another database than the one of SERVICE_SQL_DATABASE_URL",
    );
    await Promise.all([own.drop(), other.drop()]);
  });
});

// A second server on one SQLite file is refused, in one line that names the file and the process that has it; commands are not.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../support/ports.ts";
import { runCommand, servicesOfSuite } from "../support/server.ts";

setDefaultTimeout(60_000);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "spanlight-second-"));
});
const startService = servicesOfSuite();
afterAll(() => rm(folder, { recursive: true, force: true }));

async function serveOn(path: string) {
  return runCommand(["serve"], {
    env: {
      SERVICE_SQL_DATABASE_URL: `sqlite:///${path}`,
      SERVICE_PORT: String(await freePort()),
      SERVICE_GRPC_PORT: String(await freePort()),
      SERVICE_WORKING_DIR: folder,
    },
  });
}

test("it is refused while the first one runs, by any name of the file", async () => {
  const path = join(folder, "spanlight.db");
  const first = await startService({ databaseUrl: `sqlite:///${path}` });
  const linked = join(folder, "linked.db");
  await symlink(path, linked);
  const named = process.platform === "linux" ? `, process ${first.pid}` : "";
  for (const name of [path, linked]) {
    const { exitCode, output } = await serveOn(name);
    expect(exitCode).toBe(1);
    expect(output).toBe(
      `error: The database file ${path} is in use by another server${named}: a SQLite file has one. Stop that server, or give this one a database of its own\n`,
    );
  }
  expect(await first.stop()).toBe(0);
});

test("a server that was killed leaves no refusal behind", async () => {
  const databaseUrl = `sqlite:///${join(folder, "killed.db")}`;
  await (await startService({ databaseUrl })).kill();
  const locks = (await readdir(folder)).filter((name) => name.startsWith("killed.db.lock"));
  expect(locks).toEqual(["killed.db.lock"]);
  expect(Bun.file(join(folder, "killed.db.lock")).size).toBe(0);
  const second = await startService({ databaseUrl });
  expect(second.log()).not.toMatch(/ (?:ERROR|WARNING) /);
  expect(await second.stop()).toBe(0);
});

test("commands go on working beside the server", async () => {
  const url = `sqlite:///${join(folder, "commands.db")}`;
  const service = await startService({ databaseUrl: url });
  const env = { SERVICE_SQL_DATABASE_URL: url, SERVICE_WORKING_DIR: folder, SERVICE_PORT: String(service.port) };
  for (const words of [["verify"], ["migrate"], ["users", "list"], ["backup", "--to", join(folder, "copy.db")]]) {
    const { exitCode, output } = await runCommand(words, { env });
    expect(exitCode, `${words.join(" ")}: ${output}`).toBe(0);
  }
  expect((await runCommand(["doctor"], { env })).output).toMatch(/^ok +database: /m);
  expect(await service.stop()).toBe(0);
});

// A second server on one SQLite file is refused, in one line that names the file and the process that has it; commands are not.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { claimSqliteFile } from "../../src/storage/sqlite/server-claim.ts";
import { freePort } from "../support/ports.ts";
import { runCommand, servicesOfSuite } from "../support/server.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(60_000);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "spanlight-second-"));
});
const startService = servicesOfSuite();
afterAll(() => rm(folder, { recursive: true, force: true }));

const environment = (path: string, port: number, grpcPort: number, waitSeconds: number) => ({
  SERVICE_SQLITE_WAIT_FOR_FILE_SECONDS: String(waitSeconds),
  SERVICE_SQL_DATABASE_URL: `sqlite:///${path}`,
  SERVICE_PORT: String(port),
  SERVICE_GRPC_PORT: String(grpcPort),
  SERVICE_WORKING_DIR: folder,
});
async function serveOn(path: string, waitSeconds: number) {
  return runCommand(["serve"], { env: environment(path, await freePort(), await freePort(), waitSeconds) });
}

test("it is refused while the first one runs, by any name of the file", async () => {
  const path = join(folder, "spanlight.db");
  const first = await startService({ databaseUrl: `sqlite:///${path}` });
  const linked = join(folder, "linked.db");
  await symlink(path, linked);
  const named = process.platform === "linux" ? `, process ${first.pid}` : "";
  for (const name of [path, linked]) {
    const { exitCode, output } = await serveOn(name, 0);
    expect(exitCode).toBe(1);
    expect(output).toBe(
      `error: The database file ${path} is in use by another server${named}: a SQLite file has one. Stop that server, or give this one a database of its own\n`,
    );
  }
  expect(await first.stop()).toBe(0);
});

test("it waits as long as it is set to, and says so", async () => {
  const path = join(folder, "kept.db");
  const first = await startService({ databaseUrl: `sqlite:///${path}` });
  const { exitCode, output } = await serveOn(path, 1);
  expect(exitCode).toBe(1);
  const named = process.platform === "linux" ? `, process ${first.pid}` : "";
  const used = `The database file ${path} is in use by another server${named}: `;
  expect(output).toContain(`${used}this one waits up to 1 s for it to end`);
  expect(output).toContain(`error: ${used}a SQLite file has one.`);
  expect(await first.stop()).toBe(0);
});

test("it goes on when the file is let go", async () => {
  const path = join(folder, "abandoned.db");
  // As a process that its stop has abandoned in the middle of a statement.
  const claim = claimSqliteFile({ kind: "sqlite", path, temporary: false, synchronous: "FULL" });
  const port = await freePort();
  const second = Bun.spawn([process.execPath, join(import.meta.dir, "../../src/main.ts"), "serve"], {
    env: { PATH: process.env.PATH ?? "", HOME: folder, ...environment(path, port, await freePort(), 50) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  try {
    let said = "";
    for await (const chunk of second.stderr.pipeThrough(new TextDecoderStream())) {
      said += chunk;
      if (said.includes("this one waits up to 50 s for it to end")) break;
    }
    expect(said).toContain(`The database file ${path} is in use by another server`);
    claim.release();
    await until(async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.status === 200, 30_000);
    second.kill("SIGTERM");
    expect(await second.exited).toBe(0);
  } finally {
    claim.release();
    second.kill("SIGKILL");
  }
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

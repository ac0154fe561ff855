// `sqlite:///:memory:`: a private directory that goes with its process, one way or another.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { SqliteLocation } from "../../src/storage/location.ts";
import { migrateStorage } from "../../src/storage/open.ts";
import { resolveLocation } from "../../src/storage/resolve-location.ts";
import type { TemporaryPlaces } from "../../src/storage/sqlite/temporary-directory.ts";
import { until } from "../support/until.ts";

const SCRIPT = `
  import { resolveLocation } from ${JSON.stringify(join(import.meta.dir, "../../src/storage/resolve-location.ts"))};
  const places = JSON.parse(process.argv[1]);
  const location = { kind: "sqlite", path: ":memory:", temporary: true, synchronous: "FULL" };
  console.log(resolveLocation(location, places).path);
  if (process.argv[2] === "stay") setInterval(() => {}, 1000);
`;
const memory: SqliteLocation = { kind: "sqlite", path: ":memory:", temporary: true, synchronous: "FULL" };

describe("a database that is lost at exit", () => {
  let folder: string;
  let places: TemporaryPlaces;
  const children: Bun.Subprocess<"ignore", "pipe", "inherit">[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "spanlight-places-"));
    places = { sharedMemory: join(folder, "shm"), smallestSharedMemory: 1024, disk: join(folder, "disk") };
    mkdirSync(places.sharedMemory);
    mkdirSync(places.disk);
  });
  afterEach(async () => {
    for (const child of children.splice(0)) {
      child.kill("SIGKILL");
      await child.exited;
    }
    rmSync(folder, { recursive: true });
  });

  /** A process that resolves the location, and the path that it has then. */
  async function start(then: "end" | "stay") {
    const child = Bun.spawn([process.execPath, "-e", SCRIPT, JSON.stringify(places), then], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(child);
    const { value } = await child.stdout.getReader().read();
    return { child, path: new TextDecoder().decode(value).trim() };
  }

  test("has a directory of its own that no other user may enter, in shared memory", async () => {
    const { path } = await start("stay");
    expect(dirname(dirname(path))).toBe(places.sharedMemory);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
  });

  test("is on disk where shared memory is missing or small", async () => {
    places = { ...places, smallestSharedMemory: Number.MAX_SAFE_INTEGER };
    expect((await start("stay")).path).toStartWith(places.disk);
    places = { ...places, smallestSharedMemory: 0, sharedMemory: join(folder, "missing") };
    expect((await start("stay")).path).toStartWith(places.disk);
  });

  test("goes when its process ends", async () => {
    const { child, path } = await start("end");
    expect(await child.exited).toBe(0);
    expect(path).not.toBe("");
    expect(readdirSync(places.sharedMemory)).toEqual([]);
  });

  test("goes at the next start when its process was killed; those of living processes stay, and what is not ours", async () => {
    const living = await start("stay");
    const killed = await start("stay");
    const strange = join(places.disk, "spanlight-memory-strange");
    mkdirSync(strange);
    const elsewhere = join(places.disk, "spanlight-memory-elsewhere");
    mkdirSync(elsewhere);
    // The same number means another process in another container.
    writeFileSync(join(elsewhere, "owner"), `${killed.child.pid}\npid:[1]`);
    killed.child.kill("SIGKILL");
    await killed.child.exited;
    expect(existsSync(dirname(killed.path))).toBe(true);
    await start("stay");
    await until(() => !existsSync(dirname(killed.path)));
    expect([existsSync(dirname(living.path)), existsSync(strange), existsSync(elsewhere)]).toEqual([true, true, true]);
  });

  test("opens like any file; other locations stay as they are", async () => {
    const location = resolveLocation(memory, places) as SqliteLocation;
    expect(await migrateStorage(location)).toContain(1);
    expect(existsSync(location.path)).toBe(true);
    const file: SqliteLocation = { ...memory, temporary: false, path: join(folder, "a.db") };
    expect(resolveLocation(file, places)).toBe(file);
  });
});

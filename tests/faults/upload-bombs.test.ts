// Uploads that are small as sent and huge when they are read, through real servers: memory stays bounded, every other request gets its
// answer, and the work ends with its sender.
import { expect, setDefaultTimeout, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readlink, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { sql } from "kysely";
import { openStorageAlone } from "../../src/storage/open.ts";
import { BOUNDARY, formOf } from "../support/datasets.ts";
import { forEachDriver } from "../support/drivers.ts";
import { residentMegabytes } from "../support/process-memory.ts";
import { type RunningService, servicesOfSuite } from "../support/server.ts";
import { contextOf, locationOf } from "../support/storage.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(120_000);

/** Rows that all stood in memory would take four times as much. */
const MOST_MEGABYTES = 700;
const LINES = gzipSync(`q\n${"1\n".repeat(68_000_000)}`, { level: 9 });
const form = () =>
  formOf({ name: "bomb", "input_keys[]": ["q"] }, { content: LINES, type: "text/csv", encoding: "gzip" });
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

const send = (url: string, body: Uint8Array<ArrayBuffer>) =>
  fetch(`${url}/v1/datasets/upload?sync=true`, { method: "POST", headers: { "content-type": TYPE }, body });

/** Sends bytes of a body and keeps the connection open. */
function sendBytes(port: number, announced: number, bytes: Uint8Array): Socket {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(
    `POST /v1/datasets/upload?sync=true HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: ${TYPE}\r\nContent-Length: ${announced}\r\n\r\n`,
  );
  socket.write(bytes);
  return socket;
}

/** Paths of the files that a process has open; those without a name have their last one. */
async function openFiles(pid: number): Promise<readonly string[]> {
  const folder = `/proc/${pid}/fd`;
  return Promise.all((await readdir(folder)).map((fd) => readlink(join(folder, fd)).catch(() => "")));
}

async function stagedRows(databaseUrl: string): Promise<{ readonly uploads: number; readonly rows: number }> {
  const storage = openStorageAlone(locationOf(databaseUrl));
  try {
    const database = storage.handle.read(contextOf(storage), "short");
    const count = async (table: string) =>
      Number((await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(database)).rows[0]!.n);
    return { uploads: await count("dataset_uploads"), rows: await count("dataset_contents") };
  } finally {
    await storage.close();
  }
}

/** How often the service has answered while something went on. */
async function answersDuring(service: RunningService, work: Promise<unknown>): Promise<number> {
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  let answers = 0;
  while (!isOver) {
    if ((await fetch(`${service.url}/healthz`)).status === 200) answers++;
    await Bun.sleep(10);
  }
  await over;
  return answers;
}

forEachDriver("uploads that grow when they are read", (driver) => {
  const startService = servicesOfSuite();

  test("133 KB of packed lines are refused beyond the bound of rows, in bounded memory", async () => {
    const databaseUrl = await driver.createDatabase();
    const service = await startService({ databaseUrl, env: { SERVICE_MAX_UPLOAD_ROWS: "100000" } });
    expect(LINES.byteLength).toBeLessThan(140_000);
    const sent = send(service.url, form());
    expect(await answersDuring(service, sent)).toBeGreaterThan(5);
    const answer = await sent;
    expect({ status: answer.status, text: await answer.text() }).toEqual({
      status: 413,
      text: expect.stringContaining("SERVICE_MAX_UPLOAD_ROWS"),
    });
    expect((await residentMegabytes(service.pid)).most).toBeLessThan(MOST_MEGABYTES);
    expect(await stagedRows(databaseUrl)).toEqual({ uploads: 0, rows: 0 });
    expect(await service.stop()).toBe(0);
  });

  test("the work ends when the sender leaves, and nothing stays", async () => {
    const databaseUrl = await driver.createDatabase();
    const service = await startService({ databaseUrl, env: { SERVICE_MAX_UPLOAD_ROWS: "4000000" } });
    const body = form();
    // All of it: there is nothing more to read that could end.
    const socket = sendBytes(service.port, body.byteLength, body);
    await until(async () => (await stagedRows(databaseUrl)).rows > 0);
    socket.destroy();
    await until(async () => (await stagedRows(databaseUrl)).uploads === 0);
    expect(await stagedRows(databaseUrl)).toEqual({ uploads: 0, rows: 0 });
    expect((await residentMegabytes(service.pid)).most).toBeLessThan(MOST_MEGABYTES);
    expect(await service.stop()).toBe(0);
  });

  test("a file that must be whole lies below the working directory, without a name, and goes with its sender", async () => {
    const databaseUrl = await driver.createDatabase();
    const folder = await mkdtemp(join(tmpdir(), "spanlight-bombs-"));
    const service = await startService({ databaseUrl, env: { SERVICE_WORKING_DIR: folder } });
    const body = formOf(
      { name: "bomb" },
      {
        content: gzipSync(Buffer.alloc(200 * 1024 * 1024)),
        type: "application/vnd.apache.parquet",
        encoding: "gzip",
      },
    );
    // Its end is missing: the file waits for it.
    const socket = sendBytes(service.port, body.byteLength, body.subarray(0, body.byteLength - 10));
    const kept = async () => (await openFiles(service.pid)).filter((path) => path.startsWith(join(folder, "uploads/")));
    await until(async () => (await kept()).length === 1);
    expect(await readdir(join(folder, "uploads"))).toEqual([]);
    socket.destroy();
    await until(async () => (await kept()).length === 0);
    expect(await service.stop()).toBe(0);
    await rm(folder, { recursive: true });
  });

  test("documents that are large in memory are held one after the other", async () => {
    const databaseUrl = await driver.createDatabase();
    const service = await startService({ databaseUrl, env: { SERVICE_MAX_UPLOAD_ROWS: "20000" } });
    const body = `{"name":"objects","inputs":[${"{},".repeat(4_000_000)}{}]}`;
    const upload = async () => {
      const headers = { "content-type": "application/json" };
      const answer = await fetch(`${service.url}/v1/datasets/upload?sync=true`, { method: "POST", headers, body });
      return answer.status;
    };
    expect(await upload()).toBe(413);
    const one = (await residentMegabytes(service.pid)).most;
    expect(await Promise.all(Array.from({ length: 6 }, upload))).toEqual(new Array(6).fill(413));
    expect((await residentMegabytes(service.pid)).most).toBeLessThan(2 * one);
    expect(await service.stop()).toBe(0);
  });

  test("an upload that fills the storage beyond its limit ends before the next minute", async () => {
    const databaseUrl = await driver.createDatabase();
    const service = await startService({
      databaseUrl,
      env: {
        SERVICE_DATABASE_ALLOCATED_STORAGE_CAPACITY_GIBIBYTES: "0.1",
        SERVICE_DATABASE_USAGE_INSERTION_BLOCKING_THRESHOLD_PERCENTAGE: "50",
      },
    });
    // Different texts that no database packs.
    const line = () => `${randomBytes(15_000).toString("base64")}\n`;
    const content = `q\n${Array.from({ length: 10_000 }, line).join("")}`;
    const answer = await send(
      service.url,
      formOf({ name: "filling", "input_keys[]": ["q"] }, { content, type: "text/csv" }),
    );
    expect(answer.status).toBe(507);
    expect(await stagedRows(databaseUrl)).toEqual({ uploads: 0, rows: 0 });
    expect(await service.stop()).toBe(0);
  });
});

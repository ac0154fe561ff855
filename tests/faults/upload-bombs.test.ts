// Uploads that are small as sent and huge when they are read, through real servers: memory stays bounded, every other request gets its
// answer, and the work ends with its sender.
import { expect, setDefaultTimeout, test } from "bun:test";
import { connect } from "node:net";
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
    const socket = connect(service.port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write(
      `POST /v1/datasets/upload?sync=true HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: ${TYPE}\r\nContent-Length: ${body.byteLength}\r\n\r\n`,
    );
    // All of it: there is nothing more to read that could end.
    socket.write(body);
    await until(async () => (await stagedRows(databaseUrl)).rows > 0);
    socket.destroy();
    await until(async () => (await stagedRows(databaseUrl)).uploads === 0);
    expect(await stagedRows(databaseUrl)).toEqual({ uploads: 0, rows: 0 });
    expect((await residentMegabytes(service.pid)).most).toBeLessThan(MOST_MEGABYTES);
    expect(await service.stop()).toBe(0);
  });
});

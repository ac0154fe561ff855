// Uploads of datasets through real servers: two that change one dataset at once, connections that end half-way, and `kill -9` while one
// arrives. All of an upload is stored, or nothing.
import { expect, setDefaultTimeout, test } from "bun:test";
import { connect } from "node:net";
import { sql } from "kysely";
import { openStorageAlone } from "../../src/storage/open.ts";
import { BOUNDARY, formOf } from "../support/datasets.ts";
import { forEachDriver } from "../support/drivers.ts";
import { freePort } from "../support/ports.ts";
import { servicesOfSuite } from "../support/server.ts";
import { contextOf, locationOf } from "../support/storage.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(60_000);

/** More than two parts, so that some are stored when the rest is still to come. */
const ROWS = 6000;
/** So many that making the dataset of them takes a second. */
const LARGE = { sqlite: 60_000, postgres: 12_000 };
const form = (name: string, { action = "create", mark = "first" } = {}) => {
  const line = (at: number) => JSON.stringify({ q: `${at} ${mark} ${"x".repeat(500)}` });
  const content = Array.from({ length: ROWS }, (_, at) => line(at)).join("\n");
  return formOf({ name, action, "input_keys[]": ["q"] }, { content, type: "application/jsonl" });
};

async function send(url: string, body: Uint8Array<ArrayBuffer>) {
  const response = await fetch(`${url}/v1/datasets/upload?sync=true`, {
    method: "POST",
    headers: { "content-type": `multipart/form-data; boundary=${BOUNDARY}` },
    body,
  });
  return { status: response.status, text: await response.text() };
}

/** Sends the first part of an upload and keeps the connection open. */
function sendHalf(port: number, body: Uint8Array<ArrayBuffer>) {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(
    `POST /v1/datasets/upload?sync=true HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: multipart/form-data; boundary=${BOUNDARY}\r\nContent-Length: ${body.byteLength}\r\n\r\n`,
  );
  socket.write(body.subarray(0, Math.floor(body.byteLength * 0.8)));
  return socket;
}

/** Rows of uploads that are kept, and contents that no version points to. */
async function leftOver(databaseUrl: string): Promise<{ readonly uploads: number; readonly rows: number }> {
  return withStorage(databaseUrl, async (storage) => {
    const database = storage.handle.read(contextOf(storage), "short");
    const staged = await counted(database, sql`dataset_upload_rows`);
    const loose = await counted(
      database,
      sql`dataset_contents where id not in (select content_id from dataset_revisions where content_id is not null)`,
    );
    return { uploads: await counted(database, sql`dataset_uploads`), rows: staged + loose };
  });
}

const datasetsOn = async (url: string) =>
  ((await (await fetch(`${url}/v1/datasets?limit=100`)).json()) as { data: { name: string; example_count: number }[] })
    .data;

forEachDriver("uploads through real servers", (driver) => {
  const startService = servicesOfSuite();

  // A SQLite file has one server.
  if (driver.name === "postgres") {
    test("two appends at once on two servers are both in, in two versions", async () => {
      const databaseUrl = await driver.createDatabase();
      const services = [await startService({ databaseUrl }), await startService({ databaseUrl })];
      expect((await send(services[0]!.url, form("shared"))).status).toBe(200);
      const both = await Promise.all(
        services.map(({ url }, at) => send(url, form("shared", { action: "append", mark: `of server ${at}` }))),
      );
      expect(both.map(({ status, text }) => (status === 200 ? 200 : text))).toEqual([200, 200]);
      expect(new Set(both.map(({ text }) => JSON.parse(text).data.version_id)).size).toBe(2);
      expect((await datasetsOn(services[0]!.url)).map(({ example_count }) => example_count)).toEqual([3 * ROWS]);
      for (const service of services) {
        expect(service.log()).not.toMatch(/ (?:ERROR|WARNING) /);
        expect(await service.stop()).toBe(0);
      }
      expect(await leftOver(databaseUrl)).toEqual({ uploads: 0, rows: 0 });
    });
  }

  test("a connection that ends half-way leaves nothing", async () => {
    const databaseUrl = await driver.createDatabase();
    const service = await startService({ databaseUrl });
    const socket = sendHalf(service.port, form("half"));
    await until(async () => (await leftOver(databaseUrl)).rows > 0);
    socket.destroy();
    await until(async () => (await leftOver(databaseUrl)).uploads === 0);
    expect(await leftOver(databaseUrl)).toEqual({ uploads: 0, rows: 0 });
    expect(await datasetsOn(service.url)).toEqual([]);
    expect((await send(service.url, form("half"))).status).toBe(200);
    expect(await service.stop()).toBe(0);
  });

  test("kill -9 while one arrives: none of it is visible, and it is cleared", async () => {
    const databaseUrl = await driver.createDatabase();
    const [port, grpcPort] = [await freePort(), await freePort()];
    const first = await startService({ databaseUrl, port, grpcPort });
    sendHalf(port, form("killed"));
    await until(async () => (await leftOver(databaseUrl)).rows > 0);
    await first.kill();
    expect((await leftOver(databaseUrl)).uploads).toBe(1);
    if (driver.name === "postgres") await makeOld(databaseUrl);
    const second = await startService({ databaseUrl, port, grpcPort });
    await until(async () => (await leftOver(databaseUrl)).uploads === 0);
    expect(await leftOver(databaseUrl)).toEqual({ uploads: 0, rows: 0 });
    expect(await datasetsOn(second.url)).toEqual([]);
    expect((await send(second.url, form("killed"))).status).toBe(200);
    expect(await second.stop()).toBe(0);
  });

  test("kill -9 while a large dataset is created: none of it is visible, and it is removed", async () => {
    const databaseUrl = await driver.createDatabase();
    const [port, grpcPort] = [await freePort(), await freePort()];
    const first = await startService({ databaseUrl, port, grpcPort });
    const content = Array.from({ length: LARGE[driver.name] }, (_, at) => `{"q":${at}}`).join("\n");
    const large = formOf(
      { name: "large", action: "create", "input_keys[]": ["q"] },
      { content, type: "application/jsonl" },
    );
    const sending = send(first.url, large).catch(() => {});
    await withStorage(databaseUrl, async (storage) => {
      const database = storage.handle.read(contextOf(storage), "short");
      await until(async () => (await counted(database, sql`datasets where deleting = 2`)) === 1);
      await first.kill();
    });
    await sending;
    if (driver.name === "postgres") await makeOld(databaseUrl);
    const second = await startService({ databaseUrl, port, grpcPort });
    await until(async () => (await leftOver(databaseUrl)).uploads === 0);
    expect(await leftOver(databaseUrl)).toEqual({ uploads: 0, rows: 0 });
    expect(
      await withStorage(databaseUrl, (storage) =>
        counted(storage.handle.read(contextOf(storage), "short"), sql`datasets where deleting <> 1`),
      ),
    ).toBe(0);
    expect((await send(second.url, form("large"))).status).toBe(200);
    expect(await datasetsOn(second.url)).toMatchObject([{ name: "large", example_count: ROWS }]);
    expect(await second.stop()).toBe(0);
  });
});

async function withStorage<Result>(
  databaseUrl: string,
  work: (storage: ReturnType<typeof openStorageAlone>) => Promise<Result>,
): Promise<Result> {
  const storage = openStorageAlone(locationOf(databaseUrl));
  try {
    return await work(storage);
  } finally {
    await storage.close();
  }
}

async function counted(database: Parameters<ReturnType<typeof sql>["execute"]>[0], from: ReturnType<typeof sql>) {
  return Number((await sql<{ n: number }>`select count(*) as n from ${from}`.execute(database)).rows[0]!.n);
}

/** As if nothing had come for more than an hour: another server might still go on with what is younger. */
async function makeOld(databaseUrl: string): Promise<void> {
  await withStorage(databaseUrl, (storage) =>
    sql`update dataset_uploads set touched_us = touched_us - 3700000000`.execute(
      storage.handle.write(contextOf(storage)),
    ),
  );
}

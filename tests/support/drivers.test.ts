// The test support itself: a suite gets databases of its own, on both drivers.

import { Database } from "bun:sqlite";
import { beforeAll, expect, test } from "bun:test";
import postgres from "postgres";
import { forEachDriver } from "./drivers.ts";

async function tableNames(url: string): Promise<string[]> {
  if (url.startsWith("sqlite:")) {
    const database = new Database(url.slice("sqlite:///".length));
    const rows = database.query<{ name: string }, []>("select name from sqlite_master").all();
    database.close();
    return rows.map((row) => row.name);
  }
  const client = postgres(url, { max: 1 });
  const rows = await client<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'public'`;
  await client.end();
  return rows.map((row) => row.name);
}

async function run(url: string, statement: string): Promise<void> {
  if (url.startsWith("sqlite:")) {
    const database = new Database(url.slice("sqlite:///".length));
    database.run(statement);
    database.close();
    return;
  }
  const client = postgres(url, { max: 1 });
  await client.unsafe(statement);
  await client.end();
}

forEachDriver("databases of a suite", (driver) => {
  let url = "";
  beforeAll(async () => {
    url = await driver.createEmptyDatabase();
  });

  test("a new database is empty and keeps what is written", async () => {
    expect(await tableNames(url)).toEqual([]);
    await run(url, "create table note (text text)");
    expect(await tableNames(url)).toEqual(["note"]);
  });

  test("a second database does not see the first one's tables", async () => {
    expect(await tableNames(await driver.createEmptyDatabase())).toEqual([]);
  });
});

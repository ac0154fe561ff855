// `spanlight transfer` as operators run it: from a file into another database and from there into a file, which then holds the same rows.
import { Database } from "bun:sqlite";
import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { sql } from "kysely";
import { exportTo, sendSpans } from "../support/dataset.ts";
import { createSqliteDatabase, forEachDriver } from "../support/drivers.ts";
import { createHttpClient } from "../support/http.ts";
import { wideTrace } from "../support/panel-traces.ts";
import { runCommand, startService } from "../support/server.ts";
import { openTestStorage } from "../support/storage.ts";
import { expectVerified } from "../support/stored.ts";

const PROGRAM = join(import.meta.dir, "../../src/main.ts");
/** More than a block, so that orders and summaries of blocks are copied, too. */
const SPANS = 5000;

forEachDriver("transfer", (driver) => {
  let from = "";

  beforeAll(async () => {
    from = (await createSqliteDatabase()).url;
    const service = await startService({ databaseUrl: from });
    expect((await runCommand(["demo", "--url", service.url])).exitCode).toBe(0);
    const sending = exportTo(createHttpClient(service.url));
    for (let trace = 0; trace < SPANS / 500; trace++)
      await sendSpans(sending, "many", wideTrace(`t${trace}`, Date.now(), 500));
    await service.stop();
    // What waits to be settled would be settled in the copy alone, when it is verified.
    await expectVerified({ url: from });
  });

  test("keeps every row of every table, there and back, and a server goes on with the copy", async () => {
    const between = await driver.createEmptyDatabase();
    const there = await runCommand(["transfer", from, between]);
    expect(there.output).toMatch(/spans: \d+ rows\n[\s\S]*, 0 tables differ from the source\n.*: no differences\n$/);
    expect(there.exitCode).toBe(0);
    const back = (await createSqliteDatabase()).url;
    const again = await runCommand(["transfer", between, back]);
    expect(again.output).toContain(", 0 tables differ from the source\n");
    expect(again.exitCode).toBe(0);
    expect(rowsOfFile(back)).toEqual(rowsOfFile(from));

    const service = await startService({ databaseUrl: between });
    await sendSpans(exportTo(createHttpClient(service.url)), "many", wideTrace("later", Date.now(), 3));
    expect(service.log()).not.toContain("ERROR");
    await service.stop();
    await expectVerified({ url: between });
  });

  test("goes on where it was killed, and no server takes what is there for whole", async () => {
    const to = await driver.createEmptyDatabase();
    const child = Bun.spawn([process.execPath, PROGRAM, "transfer", from, to], { stdout: "pipe", stderr: "inherit" });
    let output = "";
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      output += chunk;
      if (output.includes("\nspan_costs: ")) child.kill("SIGKILL");
    }
    await child.exited;
    expect(output).not.toContain("tables differ");
    await expect(startService({ databaseUrl: to })).rejects.toThrow("the target of a transfer that has not ended");
    const again = await runCommand(["transfer", from, to]);
    expect(again.output).toContain(", 0 tables differ from the source\n");
    expect(again.output).not.toContain("\nspan_costs: ");
    expect(again.exitCode).toBe(0);
  });

  test("changes nothing in a target that holds rows, and names them", async () => {
    const to = await driver.createDatabase();
    const store = await openTestStorage(to);
    const database = store.storage.handle.write(store.context());
    await sql`insert into projects (name, created_us, updated_us) values ('mine', 1, 1)`.execute(database);
    const refused = await runCommand(["transfer", from, to]);
    expect(refused).toMatchObject({ exitCode: 1 });
    expect(refused.output).toContain("The target is not empty: projects (1). Give the transfer a new database");
    const { rows } = await sql`select name from projects`.execute(database);
    expect(rows).toEqual([{ name: "mine" }]);
    await store.close();
  });
});

/** Every row of every table but those of leases, JSON as values: PostgreSQL orders its keys. */
function rowsOfFile(url: string): Record<string, unknown[]> {
  const database = new Database(url.slice("sqlite:///".length), { readonly: true, safeIntegers: true });
  const tables = database
    .query<{ name: string }, []>(
      "select name from sqlite_schema where type = 'table' and name not in ('schema_migrations', 'leases') and name not like 'sqlite_%'",
    )
    .all();
  const found = tables.map(({ name }) => {
    if (name === "span_payloads") return [name, payloadsOf(database)];
    const rows = database.query(`select * from "${name}"`).values();
    return [name, rows.map((row) => Bun.inspect(row)).sort()];
  });
  database.close();
  return Object.fromEntries(found);
}

function payloadsOf(database: Database): unknown[] {
  const rows = database.query(
    "select json_array(span_id, json(attributes), json(events), json(extra)) from span_payloads order by span_id",
  );
  return rows.values().map(([text]) => JSON.parse(String(text)));
}

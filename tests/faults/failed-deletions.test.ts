// What the database refuses to delete, or to make: the service starts and goes on, other deletions too, and asking again goes on.
import { expect, test } from "bun:test";
import { type RawBuilder, sql } from "kysely";
import { openStorageAlone } from "../../src/storage/open.ts";
import type { Database } from "../../src/storage/storage.ts";
import { forEachDriver } from "../support/drivers.ts";
import { seedDataset } from "../support/experiments.ts";
import { createHttpClient } from "../support/http.ts";
import { startService } from "../support/server.ts";
import { contextOf, locationOf } from "../support/storage.ts";
import { until } from "../support/until.ts";

forEachDriver("a dataset that cannot be deleted", (driver) => {
  async function withDatabase<Result>(url: string, work: (database: Database) => Promise<Result>): Promise<Result> {
    const storage = openStorageAlone(locationOf(url));
    try {
      return await work(storage.handle.write(contextOf(storage)));
    } finally {
      await storage.close();
    }
  }
  const run = (url: string, ...statements: readonly RawBuilder<unknown>[]) =>
    withDatabase(url, async (database) => {
      for (const statement of statements) await statement.execute(database);
    });
  const namesOf = (url: string) =>
    withDatabase(url, async (database) => {
      const rows = await database.selectFrom("datasets").select("name").orderBy("name").execute();
      return rows.map(({ name }) => name);
    });

  /** The last step of the deletion of the first dataset fails. */
  const breakDeletion =
    driver.name === "sqlite"
      ? [
          sql`create trigger broken before delete on datasets when old.name = 'stuck'
          begin select raise(abort, 'it is stuck'); end`,
        ]
      : [
          sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'it is stuck'; end $$`,
          sql`create trigger broken before delete on datasets for each row when (old.name = 'stuck')
            execute function refuse()`,
        ];
  const breakInsertion = ["projects", "annotation_configs"].flatMap((table) =>
    driver.name === "sqlite"
      ? [
          sql`create trigger ${sql.raw(`broken_${table}`)} before insert on ${sql.table(table)}
          begin select raise(abort, 'it is stuck'); end`,
        ]
      : [
          sql`create or replace function refuse() returns trigger language plpgsql as $$ begin raise 'it is stuck'; end $$`,
          sql`create trigger broken before insert on ${sql.table(table)} for each row execute function refuse()`,
        ],
  );
  const mendDeletion = driver.name === "sqlite" ? sql`drop trigger broken` : sql`drop trigger broken on datasets`;

  test("keeps no service from starting and no other deletion back, and can be asked for again", async () => {
    const databaseUrl = await driver.createDatabase();
    const first = await startService({ databaseUrl });
    const client = createHttpClient(first.url);
    const examples = [{ input: { question: "?" }, output: {} }];
    const stuck = await seedDataset(client, "stuck", examples);
    await seedDataset(client, "a half deleted one", examples);
    await seedDataset(client, "one that stays", examples);
    await run(databaseUrl, ...breakDeletion, sql`update datasets set deleting = 1 where name = 'a half deleted one'`);
    for (const _ of [1, 2]) expect((await client.delete(`/v1/datasets/${stuck.id}`)).status).toBe(500);
    // Hidden from the first time on.
    expect((await client.get(`/v1/datasets/${stuck.id}`)).status).toBe(404);
    expect(await first.stop()).toBe(0);

    const second = await startService({ databaseUrl });
    await until(async () => !(await namesOf(databaseUrl)).includes("a half deleted one"));
    await until(() => second.log().includes("a job failed"));
    expect(second.log()).toMatch(/WARNING .*a job failed .*job=deleted-datasets .*item=\S+ .*it is stuck/);
    expect(await namesOf(databaseUrl)).toEqual(["one that stays", "stuck"]);
    const failures = await withDatabase(databaseUrl, (database) =>
      database.selectFrom("job_failures").select(["job", "item", "attempts"]).execute(),
    );
    expect(failures).toEqual([{ job: "deleted-datasets", item: stuck.id, attempts: 1 }]);

    await run(databaseUrl, mendDeletion);
    expect((await createHttpClient(second.url).delete(`/v1/datasets/${stuck.id}`)).status).toBe(204);
    expect(await namesOf(databaseUrl)).toEqual(["one that stays"]);
    expect((await createHttpClient(second.url).delete(`/v1/datasets/${stuck.id}`)).status).toBe(404);
    expect(await second.stop()).toBe(0);
  });

  test("so does what a start makes sure of, and cannot make", async () => {
    const databaseUrl = await driver.createDatabase();
    expect(await (await startService({ databaseUrl })).stop()).toBe(0);
    await run(databaseUrl, sql`delete from projects`, sql`delete from annotation_configs`, ...breakInsertion);
    const service = await startService({ databaseUrl });
    for (const name of ["default-project", "feedback-configuration"])
      expect(service.log()).toMatch(new RegExp(`WARNING .*a job failed .*job=${name} .*it is stuck`));
    expect((await createHttpClient(service.url).get("/readyz")).status).toBe(200);
    expect(await service.stop()).toBe(0);
  });
});

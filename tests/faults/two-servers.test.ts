// Two servers on one PostgreSQL, in its own schema too, that receive the same traces and sessions at the same time.
// SPANLIGHT_TEST_TWO_SERVER_SPANS sets how many spans they acknowledge (default 6000) for long runs.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { sql } from "kysely";
import { openStorageAlone } from "../../src/storage/open.ts";
import { forEachDriver } from "../support/drivers.ts";
import { createHttpClient } from "../support/http.ts";
import { startLoad } from "../support/load.ts";
import { servicesOfSuite } from "../support/server.ts";
import { contextOf, locationOf } from "../support/storage.ts";
import { type DatabaseUnderTest, databaseEnvironment, expectNothingLost } from "../support/stored.ts";

setDefaultTimeout(30_000);

const SPANS = Number(process.env.SPANLIGHT_TEST_TWO_SERVER_SPANS ?? 6_000);

forEachDriver("two servers", (driver) => {
  // A SQLite file has one server.
  if (driver.name === "sqlite") return;
  const startService = servicesOfSuite();
  const startBoth = (database: DatabaseUnderTest) =>
    Promise.all([1, 2].map(() => startService({ databaseUrl: database.url, env: databaseEnvironment(database) })));

  for (const [name, schema] of [
    ["the default schema", undefined],
    ["a schema of its own", 'spans of "two" Servers'],
  ] as const) {
    describe(`in ${name}`, () => {
      test("start at once on an empty database: one migrates, one default project, two accounts, both are ready", async () => {
        const database = { url: await driver.createEmptyDatabase(), ...(schema === undefined ? {} : { schema }) };
        const services = await startBoth(database);
        for (const service of services) {
          const client = createHttpClient(service.url);
          const { data } = (await client.get("/v1/projects")).json<{ data: { name: string }[] }>();
          expect(data.map((project) => project.name)).toEqual(["default"]);
          const users = (await client.get("/v1/users")).json<{ data: { username: string }[] }>().data;
          expect(users.map((user) => user.username).sort()).toEqual(["admin", "system"]);
          expect(service.log()).not.toMatch(/ (?:ERROR|WARNING) /);
        }
        expect(services.filter((service) => service.log().includes("migration 1 of")).length).toBe(1);
        for (const service of services) expect(await service.stop()).toBe(0);
      });

      test(
        "lose nothing, store nothing twice, meet no deadlock, and all sums agree",
        async () => {
          const database = { url: await driver.createDatabase(), ...(schema === undefined ? {} : { schema }) };
          const services = await startBoth(database);
          const load = startLoad({
            urls: services.map((service) => service.url),
            senders: 8,
            spansPerRequest: 60,
            sharedTraces: 25,
            repeatEvery: 4,
          });
          await load.untilAcknowledged(SPANS);
          const batches = await load.finish();
          expect(load.complaints).toEqual([]);
          expect(load.answers()).toEqual({ 200: load.answers()[200]! });
          for (const service of services) {
            expect(service.log()).not.toMatch(/ (?:ERROR|WARNING) /);
            expect(await service.stop()).toBe(0);
          }
          expect(await deadlocksOf(database)).toBe(0);
          expect(await expectNothingLost(database, batches)).toBe(load.acknowledged());
        },
        60_000 + SPANS * 5,
      );
    });
  }
});

/** Deadlocks that PostgreSQL has counted in this database. */
async function deadlocksOf({ url }: DatabaseUnderTest): Promise<number> {
  const storage = openStorageAlone(locationOf(url));
  try {
    const { rows } = await sql<{ deadlocks: number }>`
      select deadlocks from pg_stat_database where datname = current_database()`.execute(
      storage.handle.read(contextOf(storage), "short"),
    );
    return Number(rows[0]?.deadlocks);
  } finally {
    await storage.close();
  }
}

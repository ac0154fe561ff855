// Services behind a real PgBouncer that pools transactions, with as few sessions of the server as can be: no work keeps one while it waits for
// another.
import { expect, test } from "bun:test";
import { createHttpClient } from "../support/http.ts";
import { startLoad } from "../support/load.ts";
import { describeWithPgbouncer, startPgbouncer } from "../support/pgbouncer.ts";
import { createPostgresDatabase } from "../support/postgres.ts";
import { servicesOfSuite } from "../support/server.ts";
import { expectNothingLost } from "../support/stored.ts";

describeWithPgbouncer("behind a pooler of transactions", () => {
  const startService = servicesOfSuite();

  test("exports and reads of two services at once are answered, and nothing is lost or logged as an error", async () => {
    const database = await createPostgresDatabase();
    const pooler = await startPgbouncer(database.url, "transaction", { default_pool_size: 1 });
    const options = {
      databaseUrl: pooler.url,
      env: { SERVICE_POSTGRES_POOL_MODE: "transaction", SERVICE_SQL_DATABASE_SCHEMA: "behind" },
    };
    const services = await Promise.all([startService(options), startService(options)]);
    const load = startLoad({ urls: services.map(({ url }) => url) });
    const clients = services.map(({ url }) => createHttpClient(url));
    for (let round = 1; round <= 4; round++) {
      await load.untilAcknowledged(200 * round);
      const paths = ["/readyz", "/v1/projects", "/v1/projects/default/spans?limit=10"];
      const answers = await Promise.all(clients.flatMap((client) => paths.map((path) => client.get(path))));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    }
    const batches = await load.finish();
    expect(load.complaints).toEqual([]);
    expect(Object.keys(load.answers())).toEqual(["200"]);
    for (const service of services) {
      expect(service.log()).not.toContain(" ERROR ");
      expect(await service.stop()).toBe(0);
    }
    expect(await expectNothingLost({ url: database.url, schema: "behind" }, batches)).toBe(load.acknowledged());
    await pooler.stop();
    await database.drop();
  }, 120_000);
});

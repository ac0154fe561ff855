// SERVICE_LOG_SQL tells an operator which statements run and how long they take, never what they hold.
import { expect, setDefaultTimeout, test } from "bun:test";
import { forEachDriver } from "../support/drivers.ts";
import { createHttpClient } from "../support/http.ts";
import { servicesOfSuite } from "../support/server.ts";

setDefaultTimeout(30_000);

forEachDriver("statement log", (driver) => {
  const startService = servicesOfSuite();

  test("names statements with their time and without their parameters, and only when asked", async () => {
    const databaseUrl = await driver.createEmptyDatabase();
    for (const asked of [true, false]) {
      const service = await startService({ databaseUrl, env: { SERVICE_LOG_SQL: String(asked) } });
      const answer = await createHttpClient(service.url).get("/v1/projects/nobody-knows-this-name");
      expect(answer.status).toBe(404);
      expect(await service.stop()).toBe(0);
      const statements = service
        .log()
        .split("\n")
        .filter((line) => line.includes(" database: select"));
      expect(statements.some((line) => line.includes('from "projects"') && / ms=[\d.]+/.test(line))).toBe(asked);
      expect(statements.join("\n")).not.toContain("nobody-knows-this-name");
    }
  });
});

// SERVICE_SECRET was changed, or lost: the service starts, says so, names what it cannot open, and works on.
import { expect, setDefaultTimeout, test } from "bun:test";
import { forEachDriver } from "../support/drivers.ts";
import { createHttpClient } from "../support/http.ts";
import { servicesOfSuite } from "../support/server.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(60_000);

forEachDriver("a changed SERVICE_SECRET", (driver) => {
  const startService = servicesOfSuite();
  const first = "the-first-service-secret-0123456789";
  const second = "the-second-service-secret-987654321";

  test("is named at start, together with the secrets it does not open", async () => {
    const databaseUrl = await driver.createDatabase();
    const start = (secret: string) => startService({ databaseUrl, env: { SERVICE_SECRET: secret } });
    const before = await start(first);
    const put = (url: string, key: string) =>
      createHttpClient(url).put("/v1/secrets", { json: { secrets: [{ key, value: "sk-swordfish" }] } });
    expect((await put(before.url, "OPENAI_API_KEY")).status).toBe(200);
    await before.stop();

    const changed = await start(second);
    await until(() => changed.log().includes("SERVICE_SECRET does not open all stored secrets"));
    expect(changed.log()).toMatch(/ ERROR +secrets: .*secrets=OPENAI_API_KEY/);
    // Secrets stored again can be read again.
    expect((await put(changed.url, "OPENAI_API_KEY")).status).toBe(200);
    await changed.stop();

    const again = await start(second);
    expect((await put(again.url, "OTHER")).status).toBe(200);
    await again.stop();
    expect(again.log()).not.toContain("does not open");
    for (const service of [before, changed, again]) {
      for (const secret of [first, second, "sk-swordfish"]) expect(service.log()).not.toContain(secret);
    }
  });
});

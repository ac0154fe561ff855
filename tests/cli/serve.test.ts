// `spanlight serve` as operators start it: what its settings and options make of the HTTP port.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { forEachDriver } from "../support/drivers.ts";
import { sendRaw } from "../support/raw-http.ts";
import { servicesOfSuite } from "../support/server.ts";

setDefaultTimeout(60_000);

forEachDriver("serve", (driver) => {
  const startService = servicesOfSuite();

  describe("a page of another site that has its name lead here", () => {
    const statusFor = async (port: number, host: string) =>
      (await sendRaw(port, "GET /v1/projects HTTP/1.1", [`Host: ${host}:${port}`])).status;

    test("reads nothing while authentication is off, unless its name is one of ours", async () => {
      const env = { SERVICE_ROOT_URL: "https://spans.example.org", SERVICE_ALLOWED_HOSTS: "other.example.org" };
      const { port } = await startService({ databaseUrl: await driver.createDatabase(), env });
      expect(await statusFor(port, "evil.example")).toBe(421);
      for (const host of ["127.0.0.1", "spanlight", "spans.example.org", "other.example.org"]) {
        expect([host, await statusFor(port, host)]).toEqual([host, 200]);
      }
    });

    test("is asked for a credential with authentication on", async () => {
      const env = { SERVICE_ENABLE_AUTH: "true", SERVICE_SECRET: "service-secret-0123456789-0123456789" };
      const { port } = await startService({ databaseUrl: await driver.createDatabase(), env });
      expect(await statusFor(port, "evil.example")).toBe(401);
    });
  });
});

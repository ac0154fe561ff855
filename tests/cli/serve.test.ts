// `spanlight serve` as operators start it: what its settings and options make of the HTTP port.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { forEachDriver } from "../support/drivers.ts";
import { sendRaw } from "../support/raw-http.ts";
import { servicesOfSuite } from "../support/server.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(60_000);

forEachDriver("serve", (driver) => {
  const startService = servicesOfSuite();

  describe("the pages", () => {
    const asPerson = { headers: { accept: "text/html" } };
    const bannerOf = (log: string) => log.slice(log.indexOf("Spanlight "));

    test("are served, and the banner names them", async () => {
      const service = await startService({ databaseUrl: await driver.createEmptyDatabase() });
      await until(() => service.log().includes("up and running"));
      expect(bannerOf(service.log())).toMatch(new RegExp(`Web UI: +http://127\\.0\\.0\\.1:${service.port}/\n`));
      expect(service.log()).toContain(`Spanlight is up and running at ${service.url}/\n`);
      const page = await fetch(`${service.url}/projects`, asPerson);
      expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    });

    test("are not, with --no-ui: their addresses and the banner say so, all else goes on", async () => {
      const env = { SERVICE_HOST_ROOT_PATH: "/sub" };
      const service = await startService({ databaseUrl: await driver.createEmptyDatabase(), args: ["--no-ui"], env });
      await until(() => service.log().includes("up and running"));
      expect(bannerOf(service.log())).toMatch(/Web UI: +Switched off \(--no-ui\)\n/);
      expect(service.log()).toContain(`Spanlight is up and running at ${service.url}/sub\n`);
      for (const path of ["/", "/projects", "/sub/projects/x/traces", "/login", "/settings/users", "/assets/main.js"]) {
        const answer = await fetch(service.url + path, asPerson);
        expect([path, answer.status, answer.headers.get("content-type")]).toEqual([
          path,
          404,
          "text/plain; charset=utf-8",
        ]);
        expect(await answer.text()).toBe("The pages are switched off (--no-ui). The API is described at /sub/docs.");
      }
      const nowhere = await fetch(`${service.url}/nowhere`, asPerson);
      expect([nowhere.status, await nowhere.text()]).toEqual([404, "Not Found"]);
      for (const path of ["/v1/projects", "/docs", "/openapi.json", "/graphql", "/sub/docs", "/healthz"]) {
        expect([path, (await fetch(service.url + path, asPerson)).status]).toEqual([path, 200]);
      }
    });
  });

  describe("a page of another site that has its name lead here", () => {
    const statusFor = async (port: number, host: string) =>
      (await sendRaw(port, "GET /v1/projects HTTP/1.1", [`Host: ${host}:${port}`])).status;

    test("reads nothing while authentication is off, unless its name is one of ours", async () => {
      const env = { SERVICE_ROOT_URL: "https://spans.example.org", SERVICE_ALLOWED_HOSTS: "other.example.org" };
      const { port } = await startService({ databaseUrl: await driver.createEmptyDatabase(), env });
      expect(await statusFor(port, "evil.example")).toBe(421);
      for (const host of ["127.0.0.1", "spanlight", "spans.example.org", "other.example.org"]) {
        expect([host, await statusFor(port, host)]).toEqual([host, 200]);
      }
    });

    test("is asked for a credential with authentication on", async () => {
      const env = { SERVICE_ENABLE_AUTH: "true", SERVICE_SECRET: "service-secret-0123456789-0123456789" };
      const { port } = await startService({ databaseUrl: await driver.createEmptyDatabase(), env });
      expect(await statusFor(port, "evil.example")).toBe(401);
    });
  });
});

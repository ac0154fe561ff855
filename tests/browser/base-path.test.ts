// The pages below a sub-path, behind a proxy that strips the prefix and behind one that does not, and without any.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { missingBrowser } from "../support/browser.ts";
import { createSqliteDatabase } from "../support/drivers.ts";
import { watchedPages } from "../support/pages.ts";
import { type RunningService, startService } from "../support/server.ts";

const PREFIX = "/tools/spanlight";

/** A reverse proxy that serves `PREFIX` and nothing else. */
function startProxy(target: string, strips: boolean) {
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      if (pathname !== PREFIX && !pathname.startsWith(`${PREFIX}/`)) return new Response("not ours", { status: 502 });
      const path = strips ? pathname.slice(PREFIX.length) || "/" : pathname;
      const answer = await fetch(target + path + search, {
        method: request.method,
        headers: request.headers,
        body: request.body,
        redirect: "manual",
      });
      const headers = new Headers(answer.headers);
      // The body was decompressed on its way.
      headers.delete("content-encoding");
      headers.delete("content-length");
      return new Response(answer.body, { status: answer.status, headers });
    },
  });
}

const missing = process.env.CI ? null : missingBrowser();
const suite = missing === null ? describe : describe.skip;

for (const strips of [true, false]) {
  suite(`pages behind a proxy that ${strips ? "strips" : "keeps"} the prefix${missing === null ? "" : ` (left out: ${missing})`}`, () => {
    let service: RunningService;
    let proxy: ReturnType<typeof startProxy>;
    let drop: () => Promise<void>;
    beforeAll(async () => {
      const database = await createSqliteDatabase();
      drop = database.drop;
      service = await startService({ databaseUrl: database.url, env: { SERVICE_HOST_ROOT_PATH: PREFIX } });
      proxy = startProxy(service.url, strips);
    });
    afterAll(async () => {
      await proxy?.stop(true);
      await service?.kill();
      await drop?.();
    });
    const pages = watchedPages(() => `http://127.0.0.1:${proxy.port}`, "sqlite");

    test("work from the front address, from a deep link, and after a reload", async () => {
      const page = await pages.open(`${PREFIX}/`);
      await page.waitForURL(`**${PREFIX}/projects/*/traces`);
      await page.getByRole("link", { name: "Projects" }).first().click();
      await page.waitForURL(`**${PREFIX}/projects`);
      await page.locator("[role=row]", { hasText: "default" }).waitFor();
      await page.getByRole("searchbox").fill("def");
      await page.waitForURL(`**${PREFIX}/projects?search=def`);
      await page.reload();
      await page.locator("[role=row]", { hasText: "default" }).waitFor();
      const failed: string[] = [];
      page.on("requestfailed", (request) => failed.push(request.url()));
      await page.keyboard.press("Control+k");
      await page.getByRole("option", { name: "Projects" }).waitFor();
      expect(failed).toEqual([]);
    });

    test("lead to the API pages below the prefix", async () => {
      const page = await pages.open(`${PREFIX}/projects`);
      await page.getByRole("button", { name: "Preferences" }).click();
      const target = await page
        .getByRole("menuitem", { name: "REST reference" })
        .evaluate((link) => (link as HTMLAnchorElement).href);
      expect(new URL(target).pathname).toBe(`${PREFIX}/docs`);
      expect((await fetch(target)).status).toBe(200);
    });

    test("show that an address is unknown", async () => {
      const page = await pages.open(`${PREFIX}/nowhere`, { expected: [/404/] });
      await page.getByRole("heading", { name: "Page not found" }).first().waitFor();
      await page.getByRole("link", { name: "Go to projects" }).click();
      await page.waitForURL(`**${PREFIX}/projects`);
    });

    test("also when the service is reached beside the proxy", async () => {
      const page = await pages.open("/projects", { at: service.url });
      await page.locator("[role=row]", { hasText: "default" }).waitFor();
      expect(new URL(page.url()).pathname).toBe(`${PREFIX}/projects`);
    });
  });
}

// The cookies of a sign-in as a real browser treats them: out of reach of scripts, of other sites and of other paths.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import { missingBrowser, sharedBrowser } from "../support/browser.ts";
import { forOneDriver } from "../support/drivers.ts";
import { servicesOfSuite } from "../support/server.ts";
import { ACCESS, ADMIN_EMAIL, ADMIN_PASSWORD, REFRESH, SECRET } from "../support/sign-in.ts";

setDefaultTimeout(60_000);

const PREFIX = "/traces";
const HTML = { headers: { "content-type": "text/html" } };
const missing = process.env.CI ? null : missingBrowser();
const suite = missing === null ? describe : describe.skip;

suite(`cookies of a sign-in${missing === null ? "" : ` (left out: ${missing})`}`, () => {
  forOneDriver("cookies in a browser", (driver) => {
    const startService = servicesOfSuite();
    let origin: string;
    let context: BrowserContext;
    let page: Page;
    /** Another site: the host differs. */
    let elsewhere: ReturnType<typeof Bun.serve>;
    /** The same site: only the port differs. */
    let beside: ReturnType<typeof Bun.serve>;

    beforeAll(async () => {
      const service = await startService({
        databaseUrl: await driver.createDatabase(),
        env: {
          SERVICE_ENABLE_AUTH: "true",
          SERVICE_SECRET: SECRET,
          SERVICE_DEFAULT_ADMIN_INITIAL_PASSWORD: ADMIN_PASSWORD,
          SERVICE_DISABLE_RATE_LIMIT: "true",
          SERVICE_HOST_ROOT_PATH: PREFIX,
          SERVICE_COOKIES_PATH: PREFIX,
        },
      });
      origin = service.url;
      const mutation = JSON.stringify({
        query: 'mutation { patchViewer(input: {newUsername: "forged"}) { user { id } } }',
      });
      const credentials = JSON.stringify({ email: ADMIN_EMAIL, password: ADMIN_PASSWORD });
      const serveAt = (hostname: string) => Bun.serve({ hostname, port: 0, fetch: () => new Response(lure, HTML) });
      const lure = `<!doctype html><link rel="icon" href="data:,"><a id="link" href="${origin}${PREFIX}/redirects/projects/default">a trace</a>
             <a id="logout" href="${origin}${PREFIX}/auth/logout">bye</a>
             <form method="post" action="${origin}${PREFIX}/graphql" enctype="text/plain">
             <input name='${mutation.slice(0, -1)},"x":"' value='"}'><button id="change">win a prize</button></form>
             <form method="post" action="${origin}${PREFIX}/auth/login" enctype="text/plain">
             <input name='${credentials.slice(0, -1)},"x":"' value='"}'><button id="login">win another</button></form>`;
      elsewhere = serveAt("localhost");
      beside = serveAt("127.0.0.1");
      context = await (await sharedBrowser()).newContext();
      page = await context.newPage();
      await page.goto(`${origin}${PREFIX}/healthz`);
    });
    afterAll(async () => {
      await context?.close();
      await elsewhere?.stop(true);
      await beside?.stop(true);
    });

    const ask = (path: string, json?: unknown) =>
      page.evaluate(
        async ([path, body]) => {
          const headers = { "content-type": "application/json" };
          const response = await fetch(path!, body === undefined ? {} : { method: "POST", body, headers });
          return `${response.status} ${await response.text()}`;
        },
        [`${origin}${PREFIX}${path}`, json === undefined ? undefined : JSON.stringify(json)] as const,
      );
    const whoAmI = () => ask("/v1/user");

    test("are set by signing in, sent by our pages, and seen by no script", async () => {
      expect(await whoAmI()).toBe("401 Invalid token");
      expect(await ask("/auth/login", { email: ADMIN_EMAIL, password: ADMIN_PASSWORD })).toBe("204 ");
      expect(await whoAmI()).toStartWith("200");
      expect(await page.evaluate(() => document.cookie)).toBe("");
      const kept = await context.cookies();
      expect(kept.map(({ name, path, httpOnly, sameSite }) => [name, path, httpOnly, sameSite])).toEqual([
        [ACCESS, PREFIX, true, "Strict"],
        [REFRESH, PREFIX, true, "Strict"],
      ]);
    });

    test("are not sent below another path of the host", async () => {
      const status = await page.evaluate(async (url) => (await fetch(url)).status, `${origin}/v1/user`);
      expect(status).toBe(401);
    });

    test("another site can neither change anything nor sign anybody out", async () => {
      await page.goto(`http://localhost:${elsewhere.port}/`);
      await Promise.all([page.waitForURL(`${origin}${PREFIX}/graphql`), page.click("#change")]);
      expect(await page.textContent("body")).toContain("may change nothing here");
      await page.goto(`http://localhost:${elsewhere.port}/`);
      await Promise.all([page.waitForURL(`${origin}${PREFIX}/login**`), page.click("#logout")]);
      await page.goto(`${origin}${PREFIX}/healthz`);
      expect(await whoAmI()).toMatch(/^200 .*"username":"admin"/);
    });

    test("another site cannot sign anybody in", async () => {
      const before = await context.cookies();
      await page.goto(`http://localhost:${elsewhere.port}/`);
      await Promise.all([page.waitForURL(`${origin}${PREFIX}/auth/login`), page.click("#login")]);
      expect(await page.textContent("body")).toContain("may change nothing here");
      expect(await context.cookies()).toEqual(before);
    });

    test("another port of the host can neither sign in nor out", async () => {
      const before = await context.cookies();
      await page.goto(`http://127.0.0.1:${beside.port}/`);
      await Promise.all([page.waitForURL(`${origin}${PREFIX}/auth/login`), page.click("#login")]);
      expect(await page.textContent("body")).toContain("may change nothing here");
      await page.goto(`http://127.0.0.1:${beside.port}/`);
      await Promise.all([page.waitForURL(`${origin}${PREFIX}/login**`), page.click("#logout")]);
      expect(await context.cookies()).toEqual(before);
      await page.goto(`${origin}${PREFIX}/healthz`);
      expect(await whoAmI()).toMatch(/^200 .*"username":"admin"/);
    });

    test("two tabs that renew at the same time both go on, where browsers have no lock for them", async () => {
      const tabs = [await context.newPage(), await context.newPage()];
      const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
      let asked = 0;
      const both = Promise.withResolvers<void>();
      const statuses: number[] = [];
      for (const tab of tabs) {
        await tab.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, "locks"));
        await tab.route("**/auth/refresh", async (route) => {
          if (++asked === tabs.length) both.resolve();
          await both.promise;
          // With the same cookies, however late the browser would put them in.
          const response = await route.fetch({ headers: { ...route.request().headers(), cookie } });
          statuses.push(response.status());
          await route.fulfill({ response });
        });
      }
      await context.clearCookies({ name: ACCESS });
      await Promise.all(tabs.map((tab) => tab.goto(`${origin}${PREFIX}/projects`)));
      for (const tab of tabs) await tab.getByText(`Signed in as ${ADMIN_EMAIL}.`).waitFor();
      expect(statuses.sort()).toEqual([204, 401]);
      for (const tab of tabs) await tab.close();
    });

    test("a link from another site finds its way, signed in", async () => {
      await page.goto(`http://localhost:${elsewhere.port}/`);
      await Promise.all([page.waitForURL(`${origin}${PREFIX}/projects/**`), page.click("#link")]);
    });

    test("are gone after signing out, in spite of their path", async () => {
      await page.goto(`${origin}${PREFIX}/healthz`);
      expect((await context.cookies()).length).toBe(2);
      await page.goto(`${origin}${PREFIX}/auth/logout`);
      expect(await context.cookies()).toEqual([]);
    });
  });
});

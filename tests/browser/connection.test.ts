// A server that goes away, comes back, or comes back as another build, under pages that are open.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { missingBrowser } from "../support/browser.ts";
import { forEachDriver, forOneDriver } from "../support/drivers.ts";
import { type OtherBuild, otherBuild } from "../support/other-build.ts";
import { watchedPages } from "../support/pages.ts";
import { freePort } from "../support/ports.ts";
import { type RunningService, startService } from "../support/server.ts";
import { startTcpProxy, type TcpProxy } from "../support/tcp-proxy.ts";

const missing = process.env.CI ? null : missingBrowser();
const suite = missing === null ? describe : describe.skip;
/** What a browser logs by itself while nobody answers. */
const expected = [
  /LoadFailure|Access is denied|ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|status of (404|503)/,
];

/** A page asks an absent server again after 30 s at the longest. */
const BACK_MS = 45_000;
const LIMIT_MS = 150_000;

/** The dot of the rail, or of the bar on a phone. */
const status = (page: Page, state: string) => page.locator(`button[data-state=${state}]:visible`);

suite(`the connection${missing === null ? "" : ` (left out: ${missing})`}`, () => {
  forOneDriver("the connection", (driver) => {
    let service: RunningService;
    let databaseUrl: string;
    let port: number;
    let upgraded: OtherBuild;
    beforeAll(async () => {
      databaseUrl = await driver.createDatabase();
      port = await freePort();
      service = await startService({ databaseUrl, port });
      upgraded = await otherBuild("src/web/texts/en/shell.ts", '"shell.search": "Search"', '"shell.search": "Find it"');
    });
    afterAll(async () => {
      await service?.kill();
      await upgraded?.remove();
    });
    const pages = watchedPages(() => service.url, driver.name);

    const openProject = async (options: Parameters<typeof pages.open>[1] = {}): Promise<Page> => {
      const page = await pages.open("/projects", { expected, ...options });
      await page
        .getByRole("link", { name: "default" })
        .or(page.locator("[role=row]", { hasText: "default" }))
        .first()
        .click();
      await page.waitForURL("**/traces");
      await page.getByText(/Send (the|your) first trace/).waitFor();
      return page;
    };
    let serves: "this" | "other" | "nothing" = "this";
    const stop = async () => {
      await service.stop();
      serves = "nothing";
    };
    const start = async (root?: string) => {
      serves = root === undefined ? "this" : "other";
      service = await startService({ databaseUrl, port, ...(root === undefined ? {} : { root }) });
    };

    beforeEach(async () => {
      if (serves === "this") return;
      if (serves === "other") await stop();
      await start();
    });

    for (const [width, theme] of [
      ["desktop", "light"],
      ["phone", "dark"],
    ] as const) {
      test(
        `a page that was not loaded yet waits for the server and comes by itself (${width}, ${theme})`,
        async () => {
          const page = await openProject({ width, theme });
          await status(page, "connected").waitFor();
          await stop();
          await page.getByRole("link", { name: "Metrics" }).click();
          await page.getByRole("heading", { name: "Waiting for the server" }).first().waitFor();
          await status(page, "away").waitFor();
          await page.getByText(/The server has not answered since \d\d:\d\d/).waitFor();
          expect(await page.getByText("has stopped working").count()).toBe(0);
          await pages.expectAccessible(page);
          await pages.picture(page, `server-away-${theme}`);
          await start();
          await page.getByRole("heading", { name: "Metrics" }).first().waitFor({ timeout: BACK_MS });
          await status(page, "connected").waitFor();
          expect(await page.getByText(/has not answered/).count()).toBe(0);
        },
        LIMIT_MS,
      );
    }

    test(
      "live mode does not claim to be live while the server is away, and goes on by itself",
      async () => {
        const page = await pages.open("/projects", { expected });
        await page.getByRole("button", { name: "Live" }).click();
        await status(page, "live").waitFor();
        await stop();
        await status(page, "away").waitFor();
        await page.getByTitle("Paused until the server answers again").waitFor();
        await start();
        await status(page, "live").waitFor({ timeout: BACK_MS });
      },
      LIMIT_MS,
    );

    describe("after an upgrade", () => {
      const upgrade = async (page: Page) => {
        await stop();
        await start(upgraded.root);
        await page.evaluate(() => window.dispatchEvent(new Event("online")));
        await status(page, "upgraded").waitFor();
      };
      const loads = (page: Page) => {
        let count = 0;
        page.on("load", () => {
          count += 1;
        });
        return () => count;
      };
      const goBack = async () => {
        await stop();
        await start();
      };

      test("an old page loads itself again on navigation, once", async () => {
        const page = await openProject();
        await upgrade(page);
        await page.getByText("Spanlight has been upgraded").waitFor();
        await pages.expectAccessible(page);
        await pages.picture(page, "upgraded");
        const loaded = loads(page);
        await page.getByRole("link", { name: "Metrics" }).click();
        await page.getByRole("button", { name: /Find it/ }).waitFor();
        await page.waitForURL("**/metrics");
        await page.getByRole("heading", { name: "Metrics" }).first().waitFor();
        await status(page, "connected").waitFor();
        expect(loaded()).toBe(1);

        // Back to the old build at once: a page in between two servers does not go round in circles.
        await goBack();
        await page.evaluate(() => window.dispatchEvent(new Event("online")));
        await status(page, "upgraded").waitFor();
        await page.getByRole("link", { name: "Settings", exact: true }).last().click();
        await page.getByRole("button", { name: "Reload" }).first().waitFor();
        expect(loaded()).toBe(1);
        await page.getByRole("button", { name: "Reload" }).first().click();
        await page.getByRole("button", { name: /^Search/ }).waitFor();
      });

      test("never over typed text without asking", async () => {
        const page = await pages.open("/projects", { expected });
        await page.getByRole("button", { name: "New project" }).click();
        await page.getByRole("dialog").getByLabel("Name").fill("half-typed");
        await upgrade(page);
        const loaded = loads(page);
        // Another tab in front, then this one again.
        await page.evaluate(() => {
          Object.defineProperty(document, "hidden", { value: true, configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
        });
        await page.getByText("Save what you have typed").waitFor();
        expect(await page.getByRole("dialog").getByLabel("Name").inputValue()).toBe("half-typed");
        expect(loaded()).toBe(0);
        await page.getByRole("dialog").getByLabel("Name").fill("");
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "hidden" });
        await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
        await page.getByRole("button", { name: /Find it/ }).waitFor();
        expect(loaded()).toBe(1);
        await goBack();
      });
    });
  });

  // The file of SQLite is where its server is.
  forEachDriver("the connection to a database elsewhere", (driver) => {
    if (driver.name === "sqlite") return;
    let behind: RunningService;
    afterAll(() => behind?.kill());
    const pages = watchedPages(() => behind.url, driver.name);

    test(
      "a database that is away makes the page stale, until it is back",
      async () => {
        const to = new URL(await driver.createDatabase());
        const proxy: TcpProxy = await startTcpProxy({ host: to.hostname, port: Number(to.port) });
        to.host = `127.0.0.1:${proxy.port}`;
        behind = await startService({ databaseUrl: to.href });
        try {
          const page = await pages.open("/projects", { expected });
          const row = page.locator("[role=row]", { hasText: "default" });
          await row.waitFor();
          await status(page, "connected").waitFor();
          await page.getByRole("button", { name: "Live" }).click();
          proxy.cutAtFirstQuery("reset");
          await status(page, "stale").waitFor({ timeout: BACK_MS });
          await page.getByText(/You see the state of \d\d:\d\d/).waitFor();
          await row.waitFor();
          proxy.cutAtFirstQuery(null);
          await status(page, "live").waitFor({ timeout: BACK_MS });
        } finally {
          proxy.close();
        }
      },
      LIMIT_MS,
    );
  });
});

// Pages of the real service in a real browser, on one database or both. Whatever a test looks at, it fails when a page asks another
// host, breaks its own security policy, throws, or logs an error.
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { expectAccessible } from "./accessibility.ts";
import { missingBrowser, sharedBrowser } from "./browser.ts";
import { forEachDriver, forOneDriver } from "./drivers.ts";
import { createHttpClient, type HttpClient } from "./http.ts";
import { type RunningService, type ServiceOptions, startService } from "./server.ts";

/** Folder for pictures of what the tests see; none are taken without it. */
const PICTURES_VARIABLE = "SPANLIGHT_TEST_SCREENSHOTS";

export interface OpenOptions {
  readonly width?: "desktop" | "phone";
  readonly theme?: "light" | "dark";
  /** Texts of console errors that belong to the test, e.g. the 404 it asks for. */
  readonly expected?: readonly RegExp[];
  /** Another service than the suite's. */
  readonly at?: string;
  /** What happens to the browser before the page is asked for, e.g. a sign-in. */
  readonly before?: (context: BrowserContext) => Promise<unknown>;
}

export interface PagesUnderTest {
  /** Of the running service, without a slash at the end. */
  url(): string;
  client(): HttpClient;
  /** A new page with nothing remembered, at a path; it has loaded when this resolves. */
  open(path: string, options?: OpenOptions): Promise<Page>;
  /** Holds the page against WCAG 2.2 AA, and finds what is too small to be hit. */
  expectAccessible(page: Page): Promise<void>;
  /** Registers what no database changes, such as keys, themes and widths, on the first database of the suite. */
  onOneDatabase(register: () => void): void;
  /** Takes a picture if pictures are wanted. */
  picture(page: Page, name: string): Promise<void>;
}

/** Times that one page may ask the same in a test: more is a circle of answers and questions. */
const MOST_QUESTIONS = 60;
/** For a machine whose cores are shared. */
const TIMEOUT_MS = 60_000;
const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;

interface PagesOptions {
  /** Sends what the pages show; once for each database. */
  readonly seed?: (client: HttpClient) => Promise<void>;
  readonly service?: Pick<ServiceOptions, "env" | "program">;
}

type PagesSuite = (pages: PagesUnderTest) => void;

/** Registers `suite` on SQLite, for what a page does. Without a browser it is a named skip, and a failure under `CI=true`. */
export function forPages(name: string, options: PagesOptions, suite: PagesSuite): void {
  register(forOneDriver, name, options, suite);
}

/** Registers `suite` for both databases, for pages that show what each database has worked out in its own way. */
export function forEachPages(name: string, options: PagesOptions, suite: PagesSuite): void {
  register(forEachDriver, name, options, suite);
}

function register(drivers: typeof forEachDriver, name: string, options: PagesOptions, suite: PagesSuite): void {
  const missing = process.env.CI ? null : missingBrowser();
  if (missing !== null) {
    describe.skip(`${name} (left out: ${missing})`, () => suite(watchedPages(() => "", "")));
    return;
  }
  drivers(name, (driver) => {
    let service: RunningService | null = null;
    beforeAll(async () => {
      service = await startService({ databaseUrl: await driver.createDatabase(), ...options.service });
      await options.seed?.(createHttpClient(service.url));
    });
    afterAll(() => service?.kill());
    suite(watchedPages(() => service?.url ?? "", driver.name));
  });
}

/** Pages of anything that answers, e.g. a proxy; for use inside a suite. */
export function watchedPages(url: () => string, driverName: string): PagesUnderTest {
  setDefaultTimeout(TIMEOUT_MS);
  const contexts = new Map<string, BrowserContext>();
  const opened: Page[] = [];
  const complaints: string[] = [];

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((page) => page.close()));
    expect(complaints.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    for (const context of contexts.values()) await context.close();
  });

  /** Shared by the pages of a suite, so that scripts are fetched and compiled once. A page that stays open keeps their process. */
  async function contextOf(width: keyof typeof sizes, theme: "light" | "dark", at: string): Promise<BrowserContext> {
    const key = `${width} ${theme}`;
    const known = contexts.get(key);
    if (known?.browser()?.isConnected()) return known;
    const context = await (await sharedBrowser()).newContext({
      viewport: sizes[width],
      colorScheme: theme,
      reducedMotion: "reduce",
      locale: "en-US",
      timezoneId: "UTC",
      // A browser without a window cannot ask for it.
      permissions: ["clipboard-read", "clipboard-write"],
    });
    // Every page begins without memories; a reload keeps those that it made itself.
    await context.addInitScript(() => {
      if (sessionStorage.getItem("begun") === null) localStorage.clear();
      sessionStorage.setItem("begun", "yes");
    });
    contexts.set(key, context);
    const kept = await context.newPage();
    await kept.goto(`${at}/healthz`);
    return context;
  }

  return {
    url,
    client: () => createHttpClient(url()),
    async open(path, { width = "desktop", theme = "light", expected = [], at = url(), before } = {}) {
      const context = await contextOf(width, theme, at);
      await context.clearCookies();
      await before?.(context);
      const page = await context.newPage();
      opened.push(page);
      const complain = (text: string) => {
        if (!expected.some((pattern) => pattern.test(text))) complaints.push(text);
      };
      const home = new URL(at).host;
      const questions = new Map<string, number>();
      page.on("request", (request) => {
        const target = new URL(request.url());
        if (/^(https?|wss?):$/.test(target.protocol) && target.host !== home) complain(`request to ${target.host}`);
        const asked = /\b(?:query|mutation) (\w+)/.exec(request.postData() ?? "")?.[1];
        if (asked === undefined) return;
        const times = (questions.get(asked) ?? 0) + 1;
        questions.set(asked, times);
        if (times === MOST_QUESTIONS) complain(`${asked} is asked again and again`);
      });
      page.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning") complain(`console: ${message.text()}`);
      });
      page.on("pageerror", (error) => complain(`thrown: ${error.message}`));
      await page.goto(at + path, { waitUntil: "load" });
      return page;
    },
    expectAccessible,
    onOneDatabase(register) {
      if (driverName !== "postgres") register();
    },
    async picture(page, name) {
      const folder = process.env[PICTURES_VARIABLE];
      if (!folder) return;
      await mkdir(folder, { recursive: true });
      const { width } = page.viewportSize() ?? sizes.desktop;
      await page.screenshot({ path: join(folder, `${name}-${width}-${driverName}.png`) });
    },
  };
}

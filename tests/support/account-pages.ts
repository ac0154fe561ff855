// Pages of a service with accounts, whose people and whose mail server are real, at a path of their own.
import { afterAll, beforeAll, describe, expect } from "bun:test";
import type { BrowserContext, Locator, Page } from "playwright-core";
import { missingBrowser } from "./browser.ts";
import { type DriverName, forOneDriver } from "./drivers.ts";
import { createHttpClient, type HttpClient } from "./http.ts";
import { startMailServer, type TestMailServer } from "./mail-server.ts";
import { type OpenOptions, type PagesUnderTest, watchedPages } from "./pages.ts";
import { type RunningService, startService } from "./server.ts";
import { ACCESS, ADMIN_SECRET, SECRET } from "./sign-in.ts";

export const PREFIX = "/tools/spanlight";
export const ANN = { email: "ann@example.org", username: "ann", role: "VIEWER", password: "ann-password" };
export const BOB = { email: "bob@example.org", username: "bob", role: "ADMIN", password: "bob-password" };
export const CARL = { email: "carl@example.org", username: "carl", role: "MEMBER", password: "carl-password" };
export const DOCUMENTED = "Password must not be the one that the documentation names";
/** Refusals that the tests provoke; browsers log every one of them. */
const REFUSALS: OpenOptions = { expected: [/status of (401|403|422|429)/] };

type Person = Pick<typeof ANN, "email" | "password">;

export interface AccountPages {
  readonly driver: DriverName;
  readonly pages: PagesUnderTest;
  service(): RunningService;
  mail(): TestMailServer;
  /** As an administrator that no page knows of. */
  admin(): HttpClient;
  /** A new page at a path below the prefix. */
  open(path: string, options?: OpenOptions): Promise<Page>;
  /** A page of somebody who has signed in, without the form. */
  openAs(person: Person, path: string, options?: OpenOptions): Promise<Page>;
  /** GraphQL by a sign-in that no page knows of. */
  askAs(person: Person, query: string): ReturnType<HttpClient["post"]>;
}

/** Registers `suite` on SQLite, with Ann, Bob and Carl. Without a browser it is a named skip, and a failure under `CI=true`. */
export function forAccountPages(name: string, suite: (accounts: AccountPages) => void): void {
  const missing = process.env.CI ? null : missingBrowser();
  const register = missing === null ? describe : describe.skip;
  register(`${name}${missing === null ? "" : ` (left out: ${missing})`}`, () => {
    forOneDriver(name, (driver) => {
      let service: RunningService;
      let mail: TestMailServer;
      let admin: HttpClient;
      beforeAll(async () => {
        mail = await startMailServer();
        service = await startService({
          databaseUrl: await driver.createDatabase(),
          env: {
            SERVICE_ENABLE_AUTH: "true",
            SERVICE_SECRET: SECRET,
            SERVICE_ADMIN_SECRET: ADMIN_SECRET,
            SERVICE_DISABLE_RATE_LIMIT: "true",
            SERVICE_PROTECTED_PROMPT_TAGS: "production",
            SERVICE_HOST_ROOT_PATH: PREFIX,
            SERVICE_COOKIES_PATH: PREFIX,
            SERVICE_CSRF_TRUSTED_ORIGINS: "http://127.0.0.1",
            ...mail.variables,
          },
        });
        admin = createHttpClient(service.url, { authorization: `Bearer ${ADMIN_SECRET}` });
      });
      beforeAll(async () => {
        for (const person of [ANN, BOB, CARL]) await addUser(person);
      });
      afterAll(async () => {
        await service?.kill();
        await mail?.close();
      });
      const pages = watchedPages(() => service.url, driver.name);
      const open = (path: string, options: OpenOptions = {}) => pages.open(PREFIX + path, { ...REFUSALS, ...options });

      async function openAs({ email, password }: Person, path: string, options: OpenOptions = {}): Promise<Page> {
        // Cookies of the answer go to the browser.
        const before = ({ request }: BrowserContext) =>
          request.post(`${service.url}${PREFIX}/auth/login`, { data: { email, password } });
        return open(path, { ...options, before });
      }

      async function askAs({ email, password }: Person, query: string) {
        const login = await fetch(`${service.url}${PREFIX}/auth/login`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ email, password }),
        });
        const token = login.headers.getSetCookie().find((cookie) => cookie.startsWith(ACCESS))!;
        return createHttpClient(service.url, { cookie: token.split(";")[0]! }).post(`${PREFIX}/graphql`, {
          json: { query },
        });
      }

      /** With the password they keep: the one that an administrator gives is to be changed first. */
      async function addUser({ email, username, role, password }: typeof ANN): Promise<void> {
        const given = `${password}-0`;
        const user = { auth_method: "LOCAL", email, username, role, password: given };
        const { status } = await admin.post(`${PREFIX}/v1/users`, { json: { user, send_welcome_email: false } });
        expect(status).toBe(201);
        const query = `mutation { patchViewer(input: {currentPassword: "${given}", newPassword: "${password}"}) { user { id } } }`;
        const answer = await askAs({ email, password: given }, query);
        expect(answer.text).not.toContain("errors");
      }

      suite({
        driver: driver.name,
        pages,
        service: () => service,
        mail: () => mail,
        admin: () => admin,
        open,
        openAs,
        askAs,
      });
    });
  });
}

export function field(page: Page, label: string): Locator {
  return page.getByRole("textbox", { name: label, exact: true });
}

export function button(page: Page, name: string | RegExp): Locator {
  return page.getByRole("button", { name, exact: true });
}

export async function fillLogin(page: Page, email: string, password: string): Promise<void> {
  await field(page, "E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await button(page, "Sign in").click();
}

export async function choosePassword(page: Page, password: string): Promise<void> {
  await field(page, "New password").fill(password);
  await field(page, "New password, again").fill(password);
  await button(page, "Set the password").click();
}

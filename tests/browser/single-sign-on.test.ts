// Signing in with a real provider as people do it: the button, the provider's own pages, the way back, a role from a claim, a refusal
// with its reference, a provider that is away, and an account that an administrator made for somebody.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { missingBrowser } from "../support/browser.ts";
import { forOneDriver } from "../support/drivers.ts";
import { createHttpClient } from "../support/http.ts";
import { CLIENT_SECRET, type RealProvider, startRealProvider } from "../support/openid-provider.ts";
import { type OpenOptions, watchedPages } from "../support/pages.ts";
import { freePort } from "../support/ports.ts";
import { type RunningService, startService } from "../support/server.ts";
import { ADMIN_SECRET, SECRET } from "../support/sign-in.ts";

const PREFIX = "/tools/spanlight";
const people = {
  ann: { email: "ann@example.org", name: "Ann Example", role: "Owner" },
  bob: { email: "bob@example.org", name: "Bob Example", role: "Nobody" },
  eve: { email: "eve@example.org", name: "Eve Example", role: "Owner" },
};

const missing = process.env.CI ? null : missingBrowser();
const register =
  missing === null ? forOneDriver : (name: string) => describe.skip(`${name} (left out: ${missing})`, () => {});
register("single sign-on in a browser", (driver) => {
  let provider: RealProvider;
  let service: RunningService;
  const pages = watchedPages(() => service.url, driver.name);

  beforeAll(async () => {
    const port = await freePort();
    const away = await freePort();
    provider = await startRealProvider({
      people,
      clients: [{ id: "corp", method: "client_secret_basic", pkce: true }],
      callbacks: (client) => [`http://127.0.0.1:${port}${PREFIX}/oauth2/${client}/tokens`],
    });
    service = await startService({
      databaseUrl: await driver.createDatabase(),
      port,
      env: {
        SERVICE_ENABLE_AUTH: "true",
        SERVICE_SECRET: SECRET,
        SERVICE_ADMIN_SECRET: ADMIN_SECRET,
        SERVICE_DISABLE_RATE_LIMIT: "true",
        SERVICE_HOST_ROOT_PATH: PREFIX,
        SERVICE_OAUTH2_CORP_CLIENT_ID: "corp",
        SERVICE_OAUTH2_CORP_CLIENT_SECRET: CLIENT_SECRET,
        SERVICE_OAUTH2_CORP_OIDC_CONFIG_URL: provider.configUrl,
        SERVICE_OAUTH2_CORP_DISPLAY_NAME: "Example Corp",
        SERVICE_OAUTH2_CORP_USE_PKCE: "true",
        SERVICE_OAUTH2_CORP_SCOPES: "groups",
        SERVICE_OAUTH2_CORP_ROLE_ATTRIBUTE_PATH: "role",
        SERVICE_OAUTH2_CORP_ROLE_MAPPING: "Owner:ADMIN",
        SERVICE_OAUTH2_CORP_ROLE_ATTRIBUTE_STRICT: "true",
        SERVICE_OAUTH2_GONE_CLIENT_ID: "gone",
        SERVICE_OAUTH2_GONE_CLIENT_SECRET: "gone",
        SERVICE_OAUTH2_GONE_OIDC_CONFIG_URL: `http://127.0.0.1:${away}/.well-known/openid-configuration`,
        SERVICE_OAUTH2_GONE_DISPLAY_NAME: "Gone Corp",
      },
    });
  });
  afterAll(async () => {
    await service?.kill();
    await provider?.close();
  });

  /** The provider's pages are not ours: they ask others, and are told off for it. */
  const options = (more: OpenOptions = {}): OpenOptions => ({
    ...more,
    expected: [/request to (localhost:|fonts\.googleapis)/, /console: .*(401|fonts|ERR_)/i],
  });
  async function open(path: string, more: OpenOptions = {}): Promise<Page> {
    const page = await pages.open(`${PREFIX}${path}`, options(more));
    await page.route(/fonts\.googleapis/, (route) => route.abort());
    return page;
  }
  const link = (page: Page) => page.getByRole("link", { name: "Sign in with Example Corp" });

  /** What a person does at the provider. */
  async function identify(page: Page, login: string): Promise<void> {
    await page.locator("input[name=login]").fill(login);
    await page.locator("input[name=password]").fill("any");
    await page.locator("button[type=submit]").click();
    await page.locator("input[name=prompt][value=consent]").waitFor({ state: "attached" });
    await page.locator("button[type=submit]").click();
  }

  test("the button leads to the provider, and back to the page that was wanted, with the role of a claim", async () => {
    const page = await open("/settings/users");
    await page.waitForURL(`**${PREFIX}/login?returnUrl=*`);
    await page.getByText("Gone Corp does not answer at the moment.").waitFor();
    await pages.expectAccessible(page);
    await pages.picture(page, "login-providers");
    await link(page).click();
    await identify(page, "ann");
    await page.waitForURL(`**${PREFIX}/settings/users`);
    await page
      .getByRole("row", { name: /ann@example\.org/ })
      .getByText("Administrator")
      .waitFor();
    await page.getByRole("row", { name: /Ann Example/ }).waitFor();
    expect(service.log()).toContain("signed in");
  });

  test("who has no role is refused, with a reference that is in the log", async () => {
    const page = await open("/login");
    await link(page).click();
    await identify(page, "bob");
    await page.waitForURL(`**${PREFIX}/login?error=auth_failed`);
    const told = await page.getByRole("alert").textContent();
    const reference = /Reference: ([\w-]{10})/.exec(told!)?.[1];
    expect(reference).toBeString();
    const line = service
      .log()
      .split("\n")
      .find((each) => each.includes(reference!))!;
    expect(line).toContain("step=role");
    expect(line).not.toContain("bob@example.org");
    await pages.expectAccessible(page);
    await pages.picture(page, "login-refused");
  });

  test("an account that an administrator makes on the page finds its owner", async () => {
    const page = await open("/login?trigger=CORP&returnUrl=/settings/users");
    await identify(page, "ann");
    await page.waitForURL(`**${PREFIX}/settings/users`);
    await page.getByRole("button", { name: "Add a user" }).click();
    await page.getByRole("textbox", { name: "E-mail" }).fill("eve@example.org");
    await page.getByRole("textbox", { name: "Name" }).fill("chosen");
    await page.getByRole("combobox", { name: "Sign-in method" }).selectOption("OAUTH2");
    expect(await page.getByLabel("First password").count()).toBe(0);
    await pages.expectAccessible(page);
    await pages.picture(page, "new-provider-user");
    await page.getByRole("button", { name: "Add the user" }).click();
    await page.getByRole("row", { name: /eve@example\.org/ }).waitFor();
    const other = await open("/login");
    await link(other).click();
    await identify(other, "eve");
    await other.waitForURL(`**${PREFIX}/projects/**`);
    const admin = createHttpClient(service.url, { authorization: `Bearer ${ADMIN_SECRET}` });
    expect((await admin.get(`${PREFIX}/v1/users`)).text).toContain('"oauth2_user_id":"eve"');
    await page.getByRole("row", { name: /chosen/ }).waitFor();
  });

  test("both pages hold in the dark, and on a phone", async () => {
    for (const theme of ["light", "dark"] as const) {
      for (const width of ["desktop", "phone"] as const) {
        const page = await open("/login?error=oauth_error", { theme, width });
        await page.getByText("Gone Corp does not answer").waitFor();
        await pages.expectAccessible(page);
        await pages.picture(page, `login-${theme}`);
        const out = await open("/logout", { theme, width });
        await out.getByText("Gone Corp does not answer").waitFor();
        await pages.expectAccessible(out);
        await pages.picture(out, `logout-${theme}`);
      }
    }
  });
});

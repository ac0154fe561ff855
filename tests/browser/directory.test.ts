// Signing in by a directory, as people meet it: the service, its pages and OpenLDAP are real.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { missingBrowser } from "../support/browser.ts";
import { passwordOf } from "../support/directory-tree.ts";
import { forOneDriver } from "../support/drivers.ts";
import { ldapVariables } from "../support/ldap-sign-in.ts";
import { type OpenOptions, watchedPages } from "../support/pages.ts";
import { type RunningService, startService } from "../support/server.ts";
import { SECRET } from "../support/sign-in.ts";
import { describeWithSlapd, type RunningSlapd, startSlapd } from "../support/slapd.ts";

/** Browsers log the refusals that a test provokes. */
const REFUSALS: OpenOptions = { expected: [/status of (401|503)/] };

const missing = process.env.CI ? null : missingBrowser();
const describeWithBrowser = missing === null ? describe : describe.skip;

describeWithBrowser(`the form of a directory${missing === null ? "" : ` (left out: ${missing})`}`, () => {
  describeWithSlapd("with OpenLDAP", () => {
    let slapd: RunningSlapd;
    beforeAll(async () => {
      slapd = await startSlapd();
    });
    afterAll(() => slapd?.stop());

    forOneDriver("signing in", (driver) => {
      const services: RunningService[] = [];
      let beside: RunningService;
      let alone: RunningService;
      beforeAll(async () => {
        const start = async (changes: Readonly<Record<string, string>> = {}) => {
          const env = {
            ...ldapVariables(slapd),
            SERVICE_LDAP_TLS_CA_CERT_FILE: slapd.certificateFile,
            SERVICE_ENABLE_AUTH: "true",
            SERVICE_SECRET: SECRET,
            SERVICE_DISABLE_RATE_LIMIT: "true",
            ...changes,
          };
          const databaseUrl = await driver.createDatabase();
          const service = await startService({ databaseUrl, env });
          services.push(service);
          return service;
        };
        beside = await start();
        alone = await start({ SERVICE_DISABLE_BASIC_AUTH: "true" });
      });
      afterAll(async () => {
        for (const service of services) await service.kill();
      });
      const pages = watchedPages(() => alone.url, driver.name);
      const name = "Username";

      test("the directory's form alone: wrong, then right, with the role of a group, and out again", async () => {
        const page = await pages.open("/settings/users", REFUSALS);
        await page.waitForURL("**/login?returnUrl=*");
        await pages.picture(page, "directory-alone");
        await pages.expectAccessible(page);
        const field = page.getByRole("textbox", { name, exact: true });
        expect(await field.evaluate((element) => element === document.activeElement)).toBeTrue();
        await page.getByRole("button", { name: "Sign in", exact: true }).click();
        await page.getByText("Type your username and your password.").waitFor();
        await field.fill("ada");
        await page.getByLabel("Password", { exact: true }).fill("wrong");
        await page.keyboard.press("Enter");
        const refusal = page.getByRole("alert").filter({ hasText: "or you may not sign in here" });
        await refusal.waitFor();
        const reference = /Reference: (\S+)$/.exec((await refusal.textContent()) ?? "")?.[1] ?? "none";
        expect(alone.log()).toContain(`request_id=${reference} step=password reason=wrong_password`);
        await pages.picture(page, "directory-refused");
        await pages.expectAccessible(page);

        await page.getByLabel("Password", { exact: true }).fill(passwordOf("ada"));
        await page.keyboard.press("Enter");
        // Where the person wanted to go; only administrators see it.
        await page.waitForURL("**/settings/users");
        const row = page.getByRole("row", { name: /Ada Lovelace/ });
        await row.waitFor();
        expect(await row.textContent()).toContain("Directory");
        await page.goto(`${alone.url}/auth/logout`);
        await page.waitForURL("**/logout");
        await page.getByRole("link", { name: "Back to the sign-in" }).click();
        await field.waitFor();
      });

      test("whoever is in none of the groups is refused, and learns no more than that", async () => {
        const page = await pages.open("/login", REFUSALS);
        await page.getByRole("textbox", { name, exact: true }).fill("dan");
        await page.getByLabel("Password", { exact: true }).fill(passwordOf("dan"));
        await page.keyboard.press("Enter");
        await page.getByRole("alert").filter({ hasText: "or you may not sign in here" }).waitFor();
        expect(new URL(page.url()).pathname).toBe("/login");
      });

      test("beside passwords of ours there are two forms, each for its own people", async () => {
        for (const width of ["desktop", "phone"] as const) {
          for (const theme of ["light", "dark"] as const) {
            const page = await pages.open("/login", { ...REFUSALS, at: beside.url, width, theme });
            await page.getByText("or", { exact: true }).waitFor();
            await pages.picture(page, `directory-beside-${theme}`);
            await pages.expectAccessible(page);
          }
        }
        const page = await pages.open("/login", { ...REFUSALS, at: beside.url });
        const form = page.locator("form").filter({ hasText: name });
        await form.getByRole("textbox", { name, exact: true }).fill("bob");
        await form.getByLabel("Password", { exact: true }).fill(passwordOf("bob"));
        await form.getByRole("button", { name: "Sign in with the directory" }).click();
        await page.waitForURL(`${beside.url}/projects**`);
      });

      test("a directory that is away is reported", async () => {
        const away = await startService({
          databaseUrl: await driver.createDatabase(),
          env: {
            ...ldapVariables({ port: 1 }),
            SERVICE_LDAP_TLS_CA_CERT_FILE: slapd.certificateFile,
            SERVICE_ENABLE_AUTH: "true",
            SERVICE_SECRET: SECRET,
          },
        });
        services.push(away);
        const page = await pages.open("/login", { ...REFUSALS, at: away.url });
        await page.getByRole("textbox", { name, exact: true }).fill("ada");
        await page.getByLabel("Password", { exact: true }).nth(1).fill("any");
        await page.keyboard.press("Enter");
        await page.getByRole("alert").filter({ hasText: "The directory cannot be reached." }).waitFor();
      });
    });
  });
});

// Accounts as people meet them: the first sign-in, keys for programs, forgotten passwords, sign-ins that end, and what roles see.
// The servers are real, and so are the exporter and the mail server.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import type { Page } from "playwright-core";
import { missingBrowser } from "../support/browser.ts";
import { forEachDriver } from "../support/drivers.ts";
import { createHttpClient, type HttpClient } from "../support/http.ts";
import { answerQuestion, providerFor } from "../support/instrumented-program.ts";
import { linkIn, startMailServer, type TestMailServer } from "../support/mail-server.ts";
import { forEachPages, type OpenOptions, watchedPages } from "../support/pages.ts";
import { type RunningService, startService } from "../support/server.ts";
import { ACCESS, ADMIN_EMAIL, ADMIN_SECRET, REFRESH, SECRET } from "../support/sign-in.ts";
import { until } from "../support/until.ts";

const PREFIX = "/tools/spanlight";
const NEW_PASSWORD = "Correct-Horse-42";
const ANN = { email: "ann@example.org", username: "ann", role: "VIEWER", password: "ann-password" };
const BOB = { email: "bob@example.org", username: "bob", role: "ADMIN", password: "bob-password" };
const CARL = { email: "carl@example.org", username: "carl", role: "MEMBER", password: "carl-password" };
const DOCUMENTED = "Password must not be the one that the documentation names";
const VALUE = "sk-0123456789-0123456789-0123456789-tail";
/** Refusals that the tests provoke; browsers log every one of them. */
const REFUSALS: OpenOptions = { expected: [/status of (401|403|422|429)/] };

const missing = process.env.CI ? null : missingBrowser();
const suite = missing === null ? describe : describe.skip;

suite(`pages of accounts${missing === null ? "" : ` (left out: ${missing})`}`, () => {
  forEachDriver("pages of accounts", (driver) => {
    let service: RunningService;
    let mail: TestMailServer;
    /** As an administrator that no page knows of. */
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
    const field = (page: Page, label: string) => page.getByRole("textbox", { name: label, exact: true });
    const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });

    async function fillLogin(page: Page, email: string, password: string): Promise<void> {
      await field(page, "E-mail").fill(email);
      await page.getByLabel("Password", { exact: true }).fill(password);
      await button(page, "Sign in").click();
    }

    async function choose(page: Page, password: string): Promise<void> {
      await field(page, "New password").fill(password);
      await field(page, "New password, again").fill(password);
      await button(page, "Set the password").click();
    }

    /** A page of somebody who has signed in, without the form. */
    async function openAs(person: { email: string; password: string }, path: string, options: OpenOptions = {}) {
      const page = await open("/login", options);
      const { email, password } = person;
      // Cookies of the answer go to the browser.
      await page.context().request.post(`${service.url}${PREFIX}/auth/login`, { data: { email, password } });
      await page.goto(service.url + PREFIX + path);
      return page;
    }

    /** GraphQL by a sign-in that no page knows of. */
    async function askAs(person: { email: string; password: string }, query: string) {
      const { email, password } = person;
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

    test("the first sign-in: a new password, a system key, and the traces that a program sends with it", async () => {
      const page = await open("/projects?search=weather");
      await page.waitForURL(`**${PREFIX}/login?returnUrl=*`);
      await page.getByRole("heading", { name: "Sign in to Spanlight" }).waitFor();
      expect(await page.title()).toBe("Sign in to Spanlight · Spanlight");
      await fillLogin(page, "Admin@LocalHost ", "admin");
      await page.waitForURL(`**${PREFIX}/reset-password?returnUrl=*`);
      // Nothing else opens before.
      await page.goto(`${service.url}${PREFIX}/settings/users`);
      await page.waitForURL(`**${PREFIX}/reset-password?returnUrl=*`);

      await field(page, "Current password").fill("admin");
      await field(page, "New password").fill("ü b");
      await page
        .getByRole("listitem")
        .filter({ hasText: "No blanks" })
        .getByText("(not yet)")
        .waitFor({ state: "attached" });
      await button(page, "Set the password").click();
      await field(page, "New password").fill(NEW_PASSWORD);
      await field(page, "New password, again").fill("Correct-Horse");
      await button(page, "Set the password").click();
      await page.getByText("The passwords do not match.").waitFor();
      await field(page, "New password, again").fill(NEW_PASSWORD);
      await pages.expectAccessible(page);
      await button(page, "Set the password").click();

      await page.getByText("The password is changed.").waitFor();
      await fillLogin(page, ADMIN_EMAIL, NEW_PASSWORD);
      await page.waitForURL(`**${PREFIX}/settings/users`);

      await page.getByRole("link", { name: "API keys" }).click();
      await page.getByText("No system keys yet").waitFor();
      await button(page, "New system key").click();
      await button(page, "Create the key").click();
      await page.getByText("Give it a name.").waitFor();
      await field(page, "Name").fill("exporters");
      await page.getByRole("combobox", { name: "Expires" }).selectOption("30");
      await button(page, "Create the key").click();
      const key = (await page.getByTestId("key").textContent())!;
      await pages.expectAccessible(page);
      await button(page, "I have copied it").click();
      await page.getByRole("row", { name: /exporters/ }).waitFor();
      expect(await page.content()).not.toContain(key);

      const exporter = new OTLPTraceExporter({
        url: `${service.url}${PREFIX}/v1/traces`,
        headers: { authorization: `Bearer ${key}` },
      });
      const provider = providerFor(exporter, "weather");
      answerQuestion(provider, "session");
      await provider.shutdown();
      await until(async () =>
        (await admin.get(`${PREFIX}/v1/projects/weather/spans`)).text.includes("look up weather"),
      );
      await page.goto(`${service.url}${PREFIX}/projects?search=weather`);
      await page.getByRole("row", { name: /weather/ }).click();
      await page.getByText("answer question").first().waitFor();

      // A project without traces says how, and its example works as it stands.
      await page.goto(`${service.url}${PREFIX}/projects`);
      await page.getByRole("row", { name: /default/ }).click();
      await page.getByText("This server asks programs for an API key.").waitFor();
      await page.getByRole("tab", { name: "curl" }).click();
      const example = (await page.locator("pre", { hasText: "curl " }).textContent())!;
      const shell = Bun.spawn(["sh", "-c", example], {
        env: { PATH: process.env.PATH ?? "", PHOENIX_API_KEY: key },
        stdio: ["ignore", "ignore", "ignore"],
      });
      expect(await shell.exited).toBe(0);
      await page.getByRole("row", { name: /answer/ }).waitFor();

      expect(page.url()).not.toContain(key);
      for (const secret of [key, NEW_PASSWORD]) expect(service.log()).not.toContain(secret);
    });

    test("a wrong password is told, and too many lock the address", async () => {
      const page = await open("/login?error=auth_failed&returnUrl=//evil.example.org");
      await page.getByText("The sign-in failed.").waitFor();
      await button(page, "Sign in").click();
      await page.getByText("Type your e-mail address and your password.").waitFor();
      expect(page.url()).not.toContain("error");
      const wrong = { email: "locked@example.org", password: "wrong" };
      for (let attempt = 0; attempt < 4; attempt++) {
        expect((await admin.post(`${PREFIX}/auth/login`, { json: wrong })).status).toBe(401);
      }
      await fillLogin(page, wrong.email, wrong.password);
      await page.getByText("The e-mail address or the password is wrong.").waitFor();
      await fillLogin(page, wrong.email, "right, perhaps");
      await page.getByText(/Too many wrong passwords for this address. Try again in \d minutes./).waitFor();
      await pages.expectAccessible(page);
      await fillLogin(page, BOB.email, BOB.password);
      // The way back was no address of ours.
      await page.waitForURL(`**${PREFIX}/projects`);
    });

    test("a forgotten password: the same answer for everybody, a link by mail that works once", async () => {
      const page = await open("/login");
      await page.getByRole("link", { name: "Forgot your password?" }).click();
      const answers: string[] = [];
      for (const email of ["nobody@example.org", "carl@example.org"]) {
        await field(page, "E-mail").fill(email);
        await button(page, "Send the link").click();
        answers.push((await page.getByRole("status").textContent())!.replace(email, "…"));
        await page.goto(`${service.url}${PREFIX}/forgot-password`);
      }
      expect(answers[0]).toBe(answers[1]!);
      const [sent, ...others] = mail.mails;
      expect([sent!.to, others]).toEqual([["carl@example.org"], []]);
      const link = new URL(linkIn(sent!, "reset-url"));
      const path = link.pathname + link.search;
      const token = link.searchParams.get("token")!;

      await page.goto(service.url + path);
      await page.waitForURL(`**${PREFIX}/reset-password-with-token`);
      await field(page, "New password").fill("abc");
      await button(page, "Set the password").click();
      await page.getByRole("listitem").filter({ hasText: "At least 4 characters" }).waitFor();
      await pages.expectAccessible(page);
      await choose(page, CARL.password);
      await page.getByRole("alert").getByText("Password must differ from the current one").waitFor();
      expect(await field(page, "New password").getAttribute("aria-invalid")).toBe("true");
      await choose(page, "carl-again");
      await page.getByText("The password is changed.").waitFor();
      await fillLogin(page, "carl@example.org", "carl-again");
      await page.waitForURL(`**${PREFIX}/projects`);

      await page.goto(service.url + path);
      await choose(page, "carl-once-more");
      await page.getByText("This link is no longer valid").waitFor();
      expect(page.url()).not.toContain(token);
      expect(service.log()).not.toContain(token);
    });

    test("a sign-in that ends renews itself while a form is filled, and is taken up in place when it cannot", async () => {
      const page = await openAs(BOB, "/projects");
      await button(page, "New project").click();
      await field(page, "Name").fill("typed before");
      const refreshes: string[] = [];
      page.on("request", (request) => {
        if (request.url().endsWith("/auth/refresh")) refreshes.push(request.url());
      });
      const another = await page.context().newPage();
      await another.goto(`${service.url}${PREFIX}/settings/users`);
      await another.getByRole("row", { name: /bob@example.org/ }).waitFor();
      const expire = (name: string) => page.context().clearCookies({ name });

      await expire(ACCESS);
      await button(page, "Create project").click();
      await page.getByText("Project typed before was created").waitFor();
      expect(refreshes.length).toBe(1);
      await expire(ACCESS);
      await Promise.all([
        page.goto(`${service.url}${PREFIX}/projects`),
        another.goto(`${service.url}${PREFIX}/settings/users?search=bob`),
      ]);
      await page.getByRole("row", { name: /typed before/ }).waitFor();
      await another.getByRole("row", { name: /bob@example.org/ }).waitFor();
      await another.close();

      await button(page, "New project").click();
      await field(page, "Name").fill("typed after");
      await expire(ACCESS);
      await expire(REFRESH);
      await button(page, "Create project").click();
      await page.getByText("Nothing you typed is lost").waitFor();
      await pages.expectAccessible(page);
      await page.keyboard.type("wrong");
      await page.keyboard.press("Enter");
      await page.getByText("The e-mail address or the password is wrong.").waitFor();
      await page.getByLabel("Password", { exact: true }).fill(BOB.password);
      await page.keyboard.press("Enter");
      await page.getByText("Project typed after was created").waitFor();
      await page.getByRole("row", { name: /typed after/ }).waitFor();

      // Signing in on another tab is enough.
      await button(page, "New project").click();
      await field(page, "Name").fill("typed long after");
      await expire(ACCESS);
      await expire(REFRESH);
      await button(page, "Create project").click();
      await page.getByText("Nothing you typed is lost").waitFor();
      const third = await page.context().newPage();
      await third.goto(`${service.url}${PREFIX}/login`);
      await fillLogin(third, BOB.email, BOB.password);
      await page.getByText("Project typed long after was created").waitFor();
      await third.close();
    });

    test("signing out ends it, and says so; the way in leads back", async () => {
      const page = await openAs(ANN, "/profile");
      await button(page, /Account and preferences of ann/).click();
      await page.getByText("ann@example.org · Viewer").waitFor();
      await page.getByRole("menuitem", { name: "Sign out" }).click();
      await page.getByText("You are signed out").waitFor();
      expect(await page.context().cookies()).toEqual([]);
      await page.goto(`${service.url}${PREFIX}/profile`);
      await page.waitForURL(`**${PREFIX}/login?returnUrl=%2Fprofile`);
    });

    test("viewers see no controls that they may not use, and keep a name, a password and keys of their own", async () => {
      const page = await openAs(ANN, "/projects");
      await page.getByRole("row", { name: /default/ }).waitFor();
      expect(await button(page, "New project").count()).toBe(0);
      await page.getByRole("link", { name: "Settings" }).click();
      await page.getByText("On: people sign in").waitFor();
      expect(await page.getByRole("link", { name: /^(Users|Secrets|API keys)$/ }).count()).toBe(0);
      for (const tab of ["users", "api-keys", "secrets"]) {
        await page.goto(`${service.url}${PREFIX}/settings/${tab}`);
        await page.getByText("Your role does not allow this").waitFor();
        expect(await page.getByRole("button", { name: /^(Add|New)/ }).count()).toBe(0);
      }
      await page.goto(`${service.url}${PREFIX}/profile`);
      await field(page, "Username").fill("Ann B.");
      await button(page, "Save the name").click();
      await page.getByText("You are Ann B. now").waitFor();
      await button(page, /Account and preferences of Ann B\./).waitFor();
      await button(page, "New API key").click();
      await field(page, "Name").fill("notebook");
      await button(page, "Create the key").click();
      const key = (await page.getByTestId("key").textContent())!;
      const own = createHttpClient(service.url, { authorization: `Bearer ${key}` });
      expect((await own.get(`${PREFIX}/v1/user`)).text).toContain("Ann B.");
      await button(page, "I have copied it").click();
      await button(page, "Delete the key notebook").click();
      await button(page, "Delete").click();
      await page.getByText("You have no API key.").waitFor();
      await until(async () => (await own.get(`${PREFIX}/v1/user`)).status === 401);

      await button(page, "Change the password").click();
      await field(page, "Current password").fill("not mine");
      await choose(page, "ann-changed");
      await page.getByText("This is not your current password.").waitFor();
      await field(page, "Current password").fill(ANN.password);
      await choose(page, "admin");
      await page.getByRole("alert").getByText(DOCUMENTED).waitFor();
    });

    test("administrators add, change and delete people; what the server refuses cannot be chosen", async () => {
      const page = await openAs(BOB, "/settings/users");
      await button(page, "Add a user").click();
      await button(page, "Add the user").click();
      await page.getByText("Type an address.").waitFor();
      await field(page, "E-mail").fill("dora@example.org");
      await field(page, "Name").fill("dora");
      await field(page, "First password").fill("admin");
      await button(page, "Add the user").click();
      await page.getByRole("alert").getByText(DOCUMENTED).waitFor();
      await button(page, "Generate").click();
      expect((await field(page, "First password").inputValue()).length).toBe(16);
      await page.getByRole("checkbox", { name: /welcome/ }).uncheck();
      await button(page, "Add the user").click();
      const dora = page.getByRole("row", { name: /dora/ });
      await dora.getByText("New password due").waitFor();

      await button(page, "Actions for dora").click();
      await page.getByRole("menuitem", { name: "Change the role" }).click();
      await page.getByRole("combobox", { name: "Role" }).selectOption("VIEWER");
      await page.getByRole("dialog").getByRole("button", { name: "Change the role" }).click();
      await dora.getByText("Viewer").waitFor();
      await button(page, "Actions for bob").click();
      await page.getByRole("menuitem", { name: /Change the role.*You cannot change your own role/ }).waitFor();
      await page.keyboard.press("Escape");
      await button(page, "Actions for admin").click();
      await page.getByRole("menuitem", { name: /Delete.*The first administrator cannot be deleted/ }).waitFor();
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");

      await button(page, "Actions for dora").click();
      await page.getByRole("menuitem", { name: "Delete" }).click();
      await page.getByText("dora@example.org can no longer sign in.").waitFor();
      await pages.expectAccessible(page);
      await button(page, "Delete dora").click();
      await page.getByText("dora is deleted").waitFor();
      await dora.waitFor({ state: "detached" });
    });

    test("a change is seen on every page that shows it, also on those that were open before", async () => {
      const made = await askAs(BOB, 'mutation { createUserApiKey(input: { name: "of-bob" }) { jwt } }');
      expect(made.text).not.toContain("errors");
      const page = await openAs(BOB, "/settings/users");
      const keysOfBob = page.getByRole("row", { name: /bob/ }).locator("[data-column=keys]");
      await keysOfBob.getByText("1", { exact: true }).waitFor();
      await page.getByRole("link", { name: "API keys" }).click();
      await page.getByText("People", { exact: true }).click();
      await button(page, "Delete the key of-bob").click();
      await button(page, "Delete").click();
      await page.getByText("The key of-bob is deleted").waitFor();
      await page.getByRole("link", { name: "Users" }).click();
      await keysOfBob.getByText("0", { exact: true }).waitFor({ timeout: 15_000 });
    });

    test("secrets are stored, found by name and owner, replaced and deleted, and their values never shown", async () => {
      const page = await openAs(BOB, "/settings/secrets");
      const answers: Promise<string>[] = [];
      page.on("response", (response) => void answers.push(response.text().catch(() => "")));
      for (const name of ["OPENAI_API_KEY", "OTHER"]) {
        await button(page, "New secret").click();
        await field(page, "Name").fill("not a name");
        await page.getByText("Key must start with a letter").waitFor();
        await field(page, "Name").fill(name);
        await page.getByLabel("Value", { exact: true }).fill(VALUE);
        await button(page, "Store it").click();
        await page.getByRole("row", { name: new RegExp(name) }).waitFor();
      }
      const row = page.getByRole("row", { name: /OPENAI_API_KEY/ });
      expect(await row.textContent()).toContain("ends with tail");
      await page.getByRole("searchbox").fill("openai");
      await page.getByRole("row", { name: /OTHER/ }).waitFor({ state: "detached" });
      await page.getByRole("searchbox").fill("nobody");
      await page.getByText("No secret found").waitFor();
      await page.getByRole("searchbox").fill("bob");
      await row.waitFor();
      await button(page, "Replace the value of OPENAI_API_KEY").click();
      await page.getByLabel("Value", { exact: true }).fill("short");
      await button(page, "Replace the value").click();
      await row.getByText("Not shown", { exact: true }).waitFor();
      await button(page, "Delete OTHER").click();
      await button(page, "Cancel").click();
      // Where it came from.
      await page.locator("button:focus").and(button(page, "Delete OTHER")).waitFor();
      await button(page, "Delete OTHER").click();
      await button(page, "Delete").click();
      await page.getByText("OTHER is deleted").waitFor();
      expect((await Promise.all(answers)).filter((text) => text.includes(VALUE))).toEqual([]);
      expect(service.log()).not.toContain(VALUE);
    });

    // Each theme and each width once, and one database: they look alike on the other.
    for (const [width, theme] of [
      ["desktop", "light"],
      ["phone", "dark"],
    ] as const) {
      if (driver.name !== "sqlite") continue;
      test(`are accessible on a ${width} in ${theme}, and nothing is wider than the window`, async () => {
        const page = await open("/login", { theme, width });
        const look = async (name: string) => {
          await pages.expectAccessible(page);
          expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
          await pages.picture(page, `${name}-${theme}`);
        };
        await field(page, "E-mail").waitFor();
        await look("login");
        await fillLogin(page, BOB.email, BOB.password);
        await page.getByRole("row", { name: /default/ }).waitFor();
        for (const [path, sign] of [
          ["/settings/general", "Traces go to"],
          ["/settings/users", BOB.email],
          ["/settings/api-keys", "System"],
          ["/settings/secrets", "Secrets"],
          ["/profile", "Preferences"],
          ["/reset-password", "Signed in as"],
        ] as const) {
          await page.goto(service.url + PREFIX + path);
          await page.getByText(sign).first().waitFor();
          const waiting = page.locator("[role=grid][aria-busy=true], [role=status][aria-label=Loading]");
          await waiting.waitFor({ state: "detached" });
          await look(path.slice(1).replace("/", "-"));
        }
      });
    }
  });
});

forEachPages("pages of accounts without authentication", {}, (pages) => {
  test("say that there are none, and offer what makes sense all the same", async () => {
    const page = await pages.open("/login");
    await page.getByText("No sign-in is needed").waitFor();
    await page.goto(`${pages.url()}/settings/users`);
    await page.getByText("There are no accounts here").waitFor();
    expect(await page.getByRole("navigation", { name: "Settings" }).getByRole("link").allTextContents()).toEqual([
      "General",
      "Secrets",
    ]);
    await pages.expectAccessible(page);
    await page.getByRole("link", { name: "Secrets" }).click();
    await page.getByRole("button", { name: "New secret" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("A_KEY");
    await page.getByLabel("Value", { exact: true }).fill("of no use");
    await page.getByRole("button", { name: "Store it" }).click();
    await page.getByRole("row", { name: /A_KEY Not shown Unknown/ }).waitFor();
    await page.goto(`${pages.url()}/profile`);
    await page.getByText("There are no accounts here").waitFor();
    await page.getByText("Dark", { exact: true }).click();
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe("dark");
    await pages.expectAccessible(page);
  });
});

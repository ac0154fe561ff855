// Sign-ins as people meet them: the first one, keys for programs, forgotten passwords, sign-ins that end. The servers are real, and so
// are the exporter and the mail server.
import { expect, test } from "bun:test";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import {
  ANN,
  BOB,
  button,
  CARL,
  choosePassword,
  field,
  fillLogin,
  forAccountPages,
  PREFIX,
} from "../support/account-pages.ts";
import { answerQuestion, providerFor } from "../support/instrumented-program.ts";
import { linkIn } from "../support/mail-server.ts";
import { ACCESS, REFRESH } from "../support/sign-in.ts";
import { until } from "../support/until.ts";

const NEW_PASSWORD = "Correct-Horse-42";

forAccountPages("pages of sign-ins", ({ pages, service, mail, admin, open, openAs }) => {
  test("the first sign-in: a new password, a system key, and the traces that a program sends with it", async () => {
    const page = await open("/projects?search=weather");
    await page.waitForURL(`**${PREFIX}/login?returnUrl=*`);
    await page.getByRole("heading", { name: "Sign in to Spanlight" }).waitFor();
    expect(await page.title()).toBe("Sign in to Spanlight · Spanlight");
    await fillLogin(page, "Admin@LocalHost ", "admin");
    await page.waitForURL(`**${PREFIX}/reset-password?returnUrl=*`);
    // Nothing else opens before.
    await page.goto(`${service().url}${PREFIX}/settings/users`);
    await page.waitForURL(`**${PREFIX}/reset-password?returnUrl=*`);

    await field(page, "Current password").fill("admin");
    await field(page, "New password").fill("ü b");
    await page
      .getByRole("listitem")
      .filter({ hasText: "No spaces" })
      .getByText("(not met yet)")
      .waitFor({ state: "attached" });
    await button(page, "Set the password").click();
    await field(page, "New password").fill(NEW_PASSWORD);
    await field(page, "New password, again").fill("Correct-Horse");
    await button(page, "Set the password").click();
    await page.getByText("The passwords do not match.").waitFor();
    await field(page, "New password, again").fill(NEW_PASSWORD);
    await pages.expectAccessible(page);
    await button(page, "Set the password").click();

    // Signed in at once, where the person wanted to go.
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
      url: `${service().url}${PREFIX}/v1/traces`,
      headers: { authorization: `Bearer ${key}` },
    });
    const provider = providerFor(exporter, "weather");
    answerQuestion(provider, "session");
    await provider.shutdown();
    await until(async () =>
      (await admin().get(`${PREFIX}/v1/projects/weather/spans`)).text.includes("look up weather"),
    );
    await page.goto(`${service().url}${PREFIX}/projects?search=weather`);
    await page.getByRole("row", { name: /weather/ }).click();
    await page.getByText("answer question").first().waitFor();

    // A project without traces says how, and its example works as it stands.
    await page.goto(`${service().url}${PREFIX}/projects`);
    await page.getByRole("row", { name: /default/ }).click();
    await page.getByText("Programs need an API key to send traces to this server.").waitFor();
    await pages.expectAccessible(page);
    await button(page, "Create an API key").click();
    const variable = (await page.locator("pre", { hasText: "PHOENIX_API_KEY=" }).textContent())!;
    await page.getByText("Copy the key now").waitFor();
    await page.getByText("Other languages").click();
    const example = (await page.locator("pre", { hasText: "curl " }).textContent())!;
    const shell = Bun.spawn(["sh", "-c", `${variable}\n${example}`], {
      env: { PATH: process.env.PATH ?? "" },
      stdio: ["ignore", "ignore", "ignore"],
    });
    expect(await shell.exited).toBe(0);
    await page.getByText("Your first trace has arrived").waitFor();
    await button(page, "Open the trace").click();
    await page.getByRole("treeitem", { name: /answer/ }).waitFor();

    expect(page.url()).not.toContain(key);
    for (const secret of [key, NEW_PASSWORD]) expect(service().log()).not.toContain(secret);
  });

  test("a wrong password is reported, and too many lock the address", async () => {
    const page = await open("/login?error=auth_failed&returnUrl=//evil.example.org");
    await page.getByText("The sign-in failed.").waitFor();
    await button(page, "Sign in").click();
    await page.getByText("Type your e-mail address and your password.").waitFor();
    expect(page.url()).not.toContain("error");
    const wrong = { email: "locked@example.org", password: "wrong" };
    for (let attempt = 0; attempt < 4; attempt++) {
      expect((await admin().post(`${PREFIX}/auth/login`, { json: wrong })).status).toBe(401);
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
      await page.goto(`${service().url}${PREFIX}/forgot-password`);
    }
    expect(answers[0]).toBe(answers[1]!);
    const [sent, ...others] = mail().mails;
    expect([sent!.to, others]).toEqual([["carl@example.org"], []]);
    const link = new URL(linkIn(sent!, "reset-url"));
    const path = link.pathname + link.search;
    const token = link.searchParams.get("token")!;

    await page.goto(service().url + path);
    await page.waitForURL(`**${PREFIX}/reset-password-with-token`);
    await field(page, "New password").fill("abc");
    await button(page, "Set the password").click();
    await page.getByRole("listitem").filter({ hasText: "At least 4 characters" }).waitFor();
    await pages.expectAccessible(page);
    await choosePassword(page, CARL.password);
    await page.getByRole("alert").getByText("Password must differ from the current one").waitFor();
    expect(await field(page, "New password").getAttribute("aria-invalid")).toBe("true");
    await choosePassword(page, "carl-again");
    await page.getByText("Your password has been changed.").waitFor();
    await fillLogin(page, "carl@example.org", "carl-again");
    await page.waitForURL(`**${PREFIX}/projects`);

    await page.goto(service().url + path);
    await choosePassword(page, "carl-once-more");
    await page.getByText("This link is no longer valid").waitFor();
    expect(page.url()).not.toContain(token);
    expect(service().log()).not.toContain(token);
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
    await another.goto(`${service().url}${PREFIX}/settings/users`);
    await another.getByRole("row", { name: /bob@example.org/ }).waitFor();
    const expire = (name: string) => page.context().clearCookies({ name });

    await expire(ACCESS);
    await button(page, "Create project").click();
    await page.getByText("Project typed before was created").waitFor();
    expect(refreshes.length).toBe(1);
    await expire(ACCESS);
    await Promise.all([
      page.goto(`${service().url}${PREFIX}/projects`),
      another.goto(`${service().url}${PREFIX}/settings/users?search=bob`),
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
    await third.goto(`${service().url}${PREFIX}/login`);
    await fillLogin(third, BOB.email, BOB.password);
    await page.getByText("Project typed long after was created").waitFor();
    await third.close();
  });

  test("signing out ends it, and says so; the way in leads back", async () => {
    const page = await openAs(ANN, "/profile");
    await button(page, /Account and preferences of ann/).click();
    await page.getByText("ann@example.org · Viewer").waitFor();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByText("You have been signed out").waitFor();
    expect(await page.context().cookies()).toEqual([]);
    await page.goto(`${service().url}${PREFIX}/profile`);
    await page.waitForURL(`**${PREFIX}/login?returnUrl=%2Fprofile`);
  });
});

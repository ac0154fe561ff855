// Accounts as people meet them: what roles see, how administrators keep people and secrets. The servers are real.
import { expect, test } from "bun:test";
import {
  ANN,
  BOB,
  button,
  choosePassword,
  DOCUMENTED,
  field,
  fillLogin,
  forAccountPages,
  PREFIX,
} from "../support/account-pages.ts";
import { createHttpClient } from "../support/http.ts";
import { forPages } from "../support/pages.ts";
import { until } from "../support/until.ts";

const VALUE = "sk-0123456789-0123456789-0123456789-tail";

forAccountPages("pages of accounts", ({ driver, pages, service, open, openAs, askAs }) => {
  test("viewers see no controls that they may not use, and keep a name, a password and keys of their own", async () => {
    const page = await openAs(ANN, "/projects");
    await page.getByRole("row", { name: /default/ }).waitFor();
    expect(await button(page, "New project").count()).toBe(0);
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByText("On: people sign in").waitFor();
    expect(await page.getByRole("link", { name: /^(Users|Secrets|API keys)$/ }).count()).toBe(0);
    for (const tab of ["users", "api-keys", "secrets"]) {
      await page.goto(`${service().url}${PREFIX}/settings/${tab}`);
      await page.getByText("Your role does not allow this").waitFor();
      expect(await page.getByRole("button", { name: /^(Add|New)/ }).count()).toBe(0);
    }
    await page.goto(`${service().url}${PREFIX}/profile`);
    await field(page, "Username").fill("Ann B.");
    await button(page, "Save the name").click();
    await page.getByText("Your name is now Ann B.").waitFor();
    await button(page, /Account and preferences of Ann B\./).waitFor();
    await button(page, "New API key").click();
    await field(page, "Name").fill("notebook");
    await button(page, "Create the key").click();
    const key = (await page.getByTestId("key").textContent())!;
    const own = createHttpClient(service().url, { authorization: `Bearer ${key}` });
    expect((await own.get(`${PREFIX}/v1/user`)).text).toContain("Ann B.");
    await button(page, "I have copied it").click();
    await button(page, "Delete the key notebook").click();
    await button(page, "Delete").click();
    await page.getByText("You have no API key.").waitFor();
    await until(async () => (await own.get(`${PREFIX}/v1/user`)).status === 401);

    await button(page, "Change the password").click();
    await field(page, "Current password").fill("not mine");
    await choosePassword(page, "ann-changed");
    await page.getByText("This is not your current password.").waitFor();
    await field(page, "Current password").fill(ANN.password);
    await choosePassword(page, "admin");
    await page.getByRole("alert").getByText(DOCUMENTED).waitFor();
    // Every sign-in ends with the old password, and here a new one begins.
    await choosePassword(page, "ann-changed");
    await button(page, "Change the password").click();
    await field(page, "Current password").fill("ann-changed");
    await choosePassword(page, ANN.password);
    await button(page, "Change the password").waitFor();
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
    await dora.getByText("Must change password").waitFor();

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
    expect(service().log()).not.toContain(VALUE);
  });

  // Each theme and each width once, and one database: they look alike on the other.
  for (const [width, theme] of [
    ["desktop", "light"],
    ["phone", "dark"],
  ] as const) {
    if (driver !== "sqlite") continue;
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
      await page.getByText("Send your first trace").waitFor();
      for (const [path, sign] of [
        ["/settings/general", "Traces go to"],
        ["/settings/users", BOB.email],
        ["/settings/api-keys", "System"],
        ["/settings/secrets", "Secrets"],
        ["/profile", "Preferences"],
        ["/reset-password", "Signed in as"],
      ] as const) {
        await page.goto(service().url + PREFIX + path);
        await page.getByText(sign).first().waitFor();
        const waiting = page.locator("[role=grid][aria-busy=true], [role=status][aria-label=Loading]");
        await waiting.waitFor({ state: "detached" });
        await look(path.slice(1).replace("/", "-"));
      }
    });
  }
});

forPages("pages of accounts without authentication", {}, (pages) => {
  test("say that there are none, and offer what makes sense all the same", async () => {
    const page = await pages.open("/login");
    await page.getByText("No sign-in is needed").waitFor();
    await page.goto(`${pages.url()}/settings/users`);
    await page.getByText("There are no accounts here").waitFor();
    expect(await page.getByRole("navigation", { name: "Settings" }).getByRole("link").allTextContents()).toEqual([
      "General",
      "Annotations",
      "Models and prices",
      "Model providers",
      "Secrets",
      "Data retention",
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

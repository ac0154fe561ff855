// The settings of a project in a browser: what may be changed, what is deleted, and what roles see of it.
import { describe, expect, test } from "bun:test";
import { sendSpans } from "../support/dataset.ts";
import { createHttpClient, type HttpClient } from "../support/http.ts";
import type { OtlpSpan } from "../support/otlp-encode.ts";
import { forPages, type OpenOptions, type PagesUnderTest } from "../support/pages.ts";
import { ACCESS, ADMIN_SECRET, SECRET } from "../support/sign-in.ts";
import { until } from "../support/until.ts";

const DAY_MS = 86_400_000;
const admin = { authorization: `Bearer ${ADMIN_SECRET}` };
const hex = (text: string, digits: number) => Bun.hash(text).toString(16).padStart(16, "0").padEnd(digits, "b");

/** Five traces of one span: three today, two of them forty days old. */
const traces = [0, 0, 0, 40, 40].map((days, at): OtlpSpan => {
  const startMs = Date.now() - days * DAY_MS - 60_000;
  return {
    traceId: hex(`config ${at}`, 32),
    spanId: hex(`config span ${at}`, 16),
    name: "agent",
    startTimeUnixNano: `${startMs}000000`,
    endTimeUnixNano: `${startMs + 50}000000`,
  };
});

/** With the headers of an administrator, which a server without accounts does not look at. */
async function seed(client: HttpClient): Promise<void> {
  await sendSpans(
    async (body) => {
      const headers = { ...admin, "content-type": "application/x-protobuf" };
      expect((await client.post("/v1/traces", { body, headers })).status).toBe(200);
    },
    "support-bot",
    traces,
  );
}

async function pathOf(pages: PagesUnderTest, project = "support-bot"): Promise<string> {
  const answer = await pages.client().get(`/v1/projects/${project}`, { headers: admin });
  const { data } = (await answer.json()) as { data: { id: string } };
  return `/projects/${data.id}/config`;
}

forPages("project settings", { seed }, (pages) => {
  const open = async (options: OpenOptions = {}) => pages.open(await pathOf(pages), options);

  test("show what is stored, and keep a description and colours", async () => {
    const page = await open();
    const contents = page.getByRole("region", { name: "Contents" });
    await contents.getByText("5", { exact: true }).first().waitFor();
    const save = page.getByRole("button", { name: "Save" });
    expect(await save.isDisabled()).toBe(true);
    await page.getByLabel("Description").fill("Answers customers");
    await page.getByLabel("First colour").fill("#102030");
    await save.click();
    await page.getByText("The project was saved").waitFor();
    await page.reload();
    expect(await page.getByLabel("Description").inputValue()).toBe("Answers customers");
    expect(await page.getByLabel("First colour").inputValue()).toBe("#102030");
    await until(async () => (await page.title()) === "Settings · support-bot · Projects · Spanlight");
  });

  test("offer an annotation configuration to those who judge", async () => {
    const page = await open();
    const section = page.getByRole("region", { name: "Annotations" });
    const offered = section.getByRole("checkbox", { name: /user_feedback/ });
    for (const wanted of [true, false]) {
      expect(await offered.isChecked()).toBe(!wanted);
      await offered.click();
      await section.locator(`input:enabled${wanted ? ":checked" : ":not(:checked)"}`).waitFor();
      await page.reload();
      await offered.waitFor();
      expect(await offered.isChecked()).toBe(wanted);
    }
  });

  test("delete old traces, and say before and after how many they are", async () => {
    const page = await open();
    await page.getByRole("button", { name: "Delete traces" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete traces of support-bot" });
    await dialog.getByText("2 traces with 2 spans will be deleted").waitFor();
    await pages.expectAccessible(page);
    await dialog.getByText("All", { exact: true }).click();
    await dialog.getByText("5 traces with 5 spans will be deleted").waitFor();
    await dialog.getByText("Older than").click();
    await dialog.getByText("2 traces with 2 spans will be deleted").waitFor();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByText("2 traces were deleted").waitFor();
    await page.getByRole("region", { name: "Contents" }).getByText("3", { exact: true }).first().waitFor();
  });

  test("do not delete the project that traces without a name go to", async () => {
    const page = await pages.open(await pathOf(pages, "default"));
    await page.getByRole("button", { name: "Delete the project" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete default" });
    await dialog.getByLabel("Type default to confirm").fill("default");
    await dialog.getByRole("button", { name: "Delete the project" }).click();
    await dialog.getByText(/cannot be deleted/).waitFor();
  });

  for (const theme of ["light", "dark"] as const) {
    for (const width of ["desktop", "phone"] as const) {
      test(`are accessible on a ${width} in ${theme}, and nothing is wider than the window`, async () => {
        const page = await open({ theme, width });
        await page.getByRole("button", { name: "Delete the project" }).waitFor();
        await pages.expectAccessible(page);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
        await pages.picture(page, `config-${theme}`);
      });
    }
  }

  test("delete the project once its name is typed, and lead to the others", async () => {
    const page = await open();
    await page.getByRole("button", { name: "Delete the project" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete support-bot" });
    await dialog.getByText("The project and its 3 traces with 3 spans will be deleted").waitFor();
    const remove = dialog.getByRole("button", { name: "Delete the project" });
    await dialog.getByLabel("Type support-bot to confirm").fill("support-bo");
    expect(await remove.isDisabled()).toBe(true);
    await page.keyboard.type("t");
    await page.keyboard.press("Enter");
    await page.getByText("support-bot was deleted with 3 traces").waitFor();
    await page.waitForURL(/\/projects$/);
    await page.waitForFunction(() => !document.querySelector("[role=grid]")?.textContent?.includes("support-bot"));
  });
});

const service = {
  env: {
    SERVICE_ENABLE_AUTH: "true",
    SERVICE_SECRET: SECRET,
    SERVICE_ADMIN_SECRET: ADMIN_SECRET,
    SERVICE_DISABLE_RATE_LIMIT: "true",
  },
};

forPages("project settings of roles", { seed, service }, (pages) => {
  /** A page of a new account that has chosen its password. */
  async function openAs(role: "VIEWER" | "MEMBER") {
    const [email, given, password] = [`${role.toLowerCase()}@example.org`, "given-password", "own-password"];
    const user = { auth_method: "LOCAL", email, username: role.toLowerCase(), role, password: given };
    const created = await pages.client().post("/v1/users", {
      headers: admin,
      json: { user, send_welcome_email: false },
    });
    expect(created.status).toBe(201);
    const login = await pages.client().post("/auth/login", { json: { email, password: given } });
    const token = login.headers.getSetCookie().find((cookie) => cookie.startsWith(ACCESS))!;
    const query = `mutation { patchViewer(input: {currentPassword: "${given}", newPassword: "${password}"}) { user { id } } }`;
    const changed = await createHttpClient(pages.url(), { cookie: token.split(";")[0]! }).post("/graphql", {
      json: { query },
    });
    expect(changed.text).not.toContain("errors");
    const path = await pathOf(pages);
    const page = await pages.open(`/login?returnUrl=${encodeURIComponent(path)}`, { expected: [/status of 401/] });
    await page.getByRole("textbox", { name: "E-mail" }).fill(email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("region", { name: "Contents" }).waitFor();
    return page;
  }

  describe("who may change little", () => {
    test("a member reads that all of it is for administrators", async () => {
      const page = await openAs("MEMBER");
      await page.getByText("Only administrators can delete the traces of a whole project or period.").waitFor();
      expect(await page.getByRole("button", { name: "Delete traces" }).count()).toBe(0);
      await page.getByText("Only administrators can delete a project.").waitFor();
      await page.getByText("Only administrators can change the description and the colours.").waitFor();
      expect(await page.getByRole("button", { name: "Delete the project" }).count()).toBe(0);
      expect(await page.getByLabel("Description").count()).toBe(0);
    });

    test("a viewer sees no control that changes anything", async () => {
      const page = await openAs("VIEWER");
      await page.getByText("Only administrators can change the description and the colours.").waitFor();
      expect(await page.getByRole("main").getByRole("button").count()).toBe(0);
    });
  });
});

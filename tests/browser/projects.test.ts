// The projects page in a browser: the pattern for tests of pages.
import { describe, expect, test } from "bun:test";
import { exportTo, sendSpans } from "../support/dataset.ts";
import type { HttpClient } from "../support/http.ts";
import type { OtlpSpan } from "../support/otlp-encode.ts";
import { forEachPages } from "../support/pages.ts";

const BEGIN_MS = Date.now() - 3 * 3_600_000 - 600_000;

/** Root spans of one second, each a trace; the first `failed` of them failed. */
function traces(project: string, count: number, failed: number): OtlpSpan[] {
  return Array.from({ length: count }, (_, at) => ({
    traceId: Bun.hash(`${project} ${at}`).toString(16).padStart(32, "0"),
    spanId: Bun.hash(`${at} ${project}`).toString(16).padStart(16, "0"),
    name: "answer",
    startTimeUnixNano: `${BEGIN_MS + at}000000`,
    endTimeUnixNano: `${BEGIN_MS + at + 1_000}000000`,
    status: { code: at < failed ? 2 : 1 },
    attributes: [{ key: "session.id", value: { stringValue: `session ${at % 2}` } }],
  }));
}

async function seed(client: HttpClient): Promise<void> {
  const send = exportTo(client);
  await sendSpans(send, "support-bot", traces("support-bot", 8, 2));
  await sendSpans(send, "translator", traces("translator", 3, 0));
}

forEachPages("projects page", { seed }, (pages) => {
  const row = (name: string) => `[role=row]:has-text("${name}")`;

  describe("the list", () => {
    test("shows each project with the figures of the range", async () => {
      const page = await pages.open("/projects");
      const bot = page.locator(row("support-bot"));
      await bot.getByText("25 %").waitFor();
      expect(await bot.getByRole("gridcell").allTextContents()).toEqual([
        "support-bot",
        "3 h ago",
        "8",
        "2",
        "1.00 s",
        "2 25 %",
      ]);
      expect(await page.title()).toBe("Projects · Spanlight");
      await pages.picture(page, "projects");
    });

    test("says that a project has no traces instead of showing a time", async () => {
      const page = await pages.open("/projects");
      await page.locator(row("default")).getByText("No traces yet").waitFor();
    });

    test("keeps search and sort in the address, and says when nothing is found", async () => {
      const page = await pages.open("/projects?search=trans&sort=name");
      await page.locator(row("translator")).waitFor();
      expect(await page.locator("[role=row][data-index]").count()).toBe(1);
      await page.getByRole("searchbox").fill("nothing like it");
      await page.getByText("No project has this name").waitFor();
      expect(new URL(page.url()).searchParams.get("search")).toBe("nothing like it");
      await page.getByRole("button", { name: "Clear the search" }).click();
      await page.locator(row("support-bot")).waitFor();
      const names = await page.locator("[role=row][data-index] a").allInnerTexts();
      expect(names).toEqual(["default", "support-bot", "translator"]);
    });

    pages.onOneDatabase(() => {
      test("is walked with j and k, and opened with Enter", async () => {
        const page = await pages.open("/projects?sort=name", { expected: [/404/] });
        await page.locator(row("support-bot")).waitFor();
        await page.keyboard.press("j");
        await page.keyboard.press("j");
        await page.keyboard.press("k");
        await page.keyboard.press("j");
        const focused = page.locator("[role=row]:focus");
        await focused.getByText("support-bot").waitFor();
        await page.keyboard.press("Enter");
        await page.waitForURL(/\/projects\/[^/]+\/traces$/);
      });
    });

    pages.onOneDatabase(() => {
      test("says that the server cannot be reached, and comes back at a click", async () => {
        const page = await pages.open("/projects", { expected: [/ERR_FAILED/] });
        await page.locator(row("support-bot")).waitFor();
        await page.route("**/graphql", (route) => route.abort());
        await page.reload();
        await page.getByText("The server cannot be reached").waitFor();
        await page.unroute("**/graphql");
        await page.getByRole("button", { name: "Try again" }).click();
        await page.locator(row("support-bot")).waitFor();
      });
    });
  });

  pages.onOneDatabase(() => {
    test("says when the role does not allow it, and offers no second try", async () => {
      const page = await pages.open("/projects");
      await page.locator(row("support-bot")).waitFor();
      const errors = [{ message: "Only admin can perform this action", extensions: { code: "UNAUTHORIZED" } }];
      await page.route("**/graphql", (route) => route.fulfill({ json: { data: null, errors } }));
      await page.reload();
      await page.getByText("Your role does not allow this").waitFor();
      await page.getByText("Only admin can perform this action").waitFor();
      expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
      await pages.picture(page, "projects-forbidden");
    });
  });

  describe("a new project", () => {
    pages.onOneDatabase(() => {
      test("is made by hand; a name that is taken is reported in place", async () => {
        const page = await pages.open("/projects");
        await page.getByRole("button", { name: "New project" }).click();
        await pages.expectAccessible(page);
        await page.getByRole("button", { name: "Create project" }).click();
        await page.getByText("Give it a name.").waitFor();
        await page.getByLabel("Name", { exact: true }).fill("default");
        await page.keyboard.press("Enter");
        await page.getByText(/already exists|exists/).waitFor();
        await page.getByLabel("Name", { exact: true }).fill("by hand");
        await page.keyboard.press("Enter");
        await page.getByText("Project by hand was created").waitFor();
        await page.locator(row("by hand")).waitFor();
      });
    });
  });

  pages.onOneDatabase(() => {
    for (const theme of ["light", "dark"] as const) {
      for (const width of ["desktop", "phone"] as const) {
        test(`is accessible on a ${width} in ${theme}, and nothing is wider than the window`, async () => {
          const page = await pages.open("/projects", { theme, width });
          await page.locator(row("support-bot")).getByText("25 %").waitFor();
          await pages.expectAccessible(page);
          expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
          expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe(theme);
          await pages.picture(page, `projects-${theme}`);
        });
      }
    }
  });
});

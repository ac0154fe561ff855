// The frame and the table in a browser: keys, the palette, themes, columns that are remembered, many rows.
import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { HttpClient } from "../support/http.ts";
import { forPages } from "../support/pages.ts";
import { until } from "../support/until.ts";

const PROJECTS = 120;

async function seed(client: HttpClient): Promise<void> {
  for (let at = 0; at < PROJECTS; at++) {
    await client.post("/v1/projects", { json: { name: `project ${String(at).padStart(3, "0")}` } });
  }
}

const rows = (page: Page) => page.locator("[role=row][data-index]");
/** Whether the middle of an element is what a person sees there. */
async function isOnTop(page: Page, selector: string): Promise<boolean> {
  await page.locator(selector).waitFor();
  return page.locator(selector).evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  });
}
const heads = (page: Page) => page.locator("[role=columnheader]").allInnerTexts();

forPages("frame", { seed }, (pages) => {
  const openList = async (path = "/projects?sort=name") => {
    const page = await pages.open(path);
    await rows(page).first().waitFor();
    return page;
  };

  describe("a table", () => {
    test("draws the rows that are seen, and reaches the last one by a key", async () => {
      const page = await openList();
      expect(await rows(page).count()).toBeLessThan(60);
      await page.keyboard.press("j");
      await page.locator("[role=row]:focus").waitFor();
      await page.keyboard.press("End");
      await page.locator("[role=row]:focus", { hasText: `project ${PROJECTS - 1}` }).waitFor();
      expect(await rows(page).count()).toBeLessThan(60);
      expect(await page.getByRole("grid").getAttribute("aria-rowcount")).toBe(String(PROJECTS + 2));
      await page.keyboard.press("Home");
      await page.locator("[role=row]:focus", { hasText: "default" }).waitFor();
      // A second key does not wait for the first one's row.
      await page.keyboard.press("End");
      await page.keyboard.press("Home");
      await page.locator("[role=row]:focus", { hasText: "default" }).waitFor();
    });

    test("remembers which columns are shown, in which order and how wide", async () => {
      const page = await openList();
      await page.getByRole("button", { name: "Columns" }).click();
      await page.getByRole("checkbox", { name: "Sessions" }).click();
      await page.getByRole("button", { name: "Move Errors to the left" }).click();
      await page.keyboard.press("Escape");
      const edge = page.getByRole("button", { name: "Width of Traces" });
      const before = await page.locator("[role=columnheader]", { hasText: "Traces" }).boundingBox();
      const box = (await edge.boundingBox())!;
      await page.mouse.move(box.x + 4, box.y + 10);
      await page.mouse.down();
      await page.mouse.move(box.x + 64, box.y + 10, { steps: 4 });
      await page.mouse.up();
      await page.reload();
      await rows(page).first().waitFor();
      expect(await heads(page)).toEqual(["Name", "Last activity", "Traces", "Errors", "P50"]);
      const after = await page.locator("[role=columnheader]", { hasText: "Traces" }).boundingBox();
      expect(Math.round(after!.width - before!.width)).toBe(60);
    });

    test("tells screen readers how it is sorted", async () => {
      const page = await openList("/projects");
      const head = page.locator("[role=columnheader]", { hasText: "Name" });
      expect(await head.getAttribute("aria-sort")).toBe("none");
      await head.getByRole("button", { name: "Name" }).first().click();
      await page.waitForURL(/sort=name/);
      expect(await head.getAttribute("aria-sort")).toBe("ascending");
    });
  });

  describe("keys", () => {
    test("are listed, never fire in a field, and can be switched off", async () => {
      const page = await openList();
      await page.keyboard.press("?");
      const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
      await help.getByText("Next row").waitFor();
      await pages.expectAccessible(page);
      await help.getByRole("button", { name: "Close" }).hover();
      expect(await isOnTop(page, "[data-radix-popper-content-wrapper]")).toBe(true);
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");
      await help.waitFor({ state: "hidden" });

      await page.keyboard.press("/");
      await page.keyboard.type("j?k");
      expect(await page.getByRole("searchbox").inputValue()).toBe("j?k");
      expect(await help.isVisible()).toBe(false);
      await page.getByRole("searchbox").fill("");
      await rows(page).first().waitFor();

      await page.getByRole("heading", { name: "Projects" }).click();
      await page.keyboard.press("?");
      await help.getByRole("checkbox", { name: "Use keyboard shortcuts" }).click();
      await page.keyboard.press("Escape");
      await page.keyboard.press("j");
      expect(await page.locator("[role=row]:focus").count()).toBe(0);
    });

    test("open the palette, which finds projects on the server", async () => {
      const page = await openList();
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox").fill("project 117");
      await page.getByRole("option", { name: "project 117" }).waitFor();
      await pages.expectAccessible(page);
      await pages.picture(page, "palette");
      await page.getByRole("combobox").fill("theme: dark");
      await page.keyboard.press("Enter");
      expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe("dark");
    });
  });

  test("the theme that was chosen is there before the first paint, and stays", async () => {
    const page = await openList();
    await page.getByRole("button", { name: "Preferences" }).click();
    await page.getByRole("menuitemradio", { name: "Dark" }).click();
    await page.reload({ waitUntil: "commit" });
    await page.waitForFunction(() => document.documentElement.dataset.theme !== undefined);
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe("dark");
  });

  test("times follow the zone that was chosen, and tell UTC beside it", async () => {
    const page = await openList("/projects?sort=name&from=2026-07-01T12:00:00Z");
    await page.getByRole("button", { name: "Preferences" }).click();
    await page.getByRole("menuitem", { name: "Other time zone" }).click();
    await page.getByLabel("All times are shown in").selectOption("America/New_York");
    await page.getByText(/It is now .*GMT-[45] there/).waitFor();
    await pages.expectAccessible(page);
    await page.getByRole("button", { name: "Close" }).last().click();
    await page.getByRole("button", { name: /Time range, Since 1 Jul.* 08:00/ }).waitFor();
  });

  test("the range is chosen by a key, and a link to it shows the same", async () => {
    const page = await openList();
    await page.keyboard.press("t");
    await pages.expectAccessible(page);
    await page.getByText("Times are those of ").waitFor();
    await page.getByRole("button", { name: "Yesterday" }).click();
    await page.waitForURL(/from=.*&to=/);
    await page.keyboard.press("t");
    await page.getByRole("button", { name: "Yesterday", pressed: true }).waitFor();
    await page.locator("[data-day][tabindex='0']").focus();
    for (const key of ["PageDown", "PageUp", "Home", "End"]) await page.keyboard.press(key);
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toStartWith("Sunday, ");
    const walked = await page.evaluate(() => document.activeElement?.getAttribute("data-day"));
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    const weekBefore = new Date(Date.parse(`${walked}T00:00:00Z`) - 7 * 86_400_000).toISOString().slice(0, 10);
    expect(await page.getByLabel("From").inputValue()).toStartWith(`${weekBefore}T00:00`);
    expect(await page.locator("[data-day][aria-pressed=true]").count()).toBe(8);
    await pages.picture(page, "range-calendar");
    await page.setViewportSize({ width: 390, height: 844 });
    await pages.picture(page, "range-calendar");
    const bounds = (await page.getByRole("button", { name: "Apply" }).boundingBox())!;
    expect(bounds.x + bounds.width).toBeLessThanOrEqual(390);
    await page.setViewportSize({ width: 1440, height: 900 });
    await pages.expectAccessible(page);
    await page.locator("[data-day][tabindex='0']").press("Escape");
    await until(async () => (await page.locator("[data-day]").count()) === 0);
    await page.keyboard.press("t");
    await page.getByLabel("From").fill("2026-01-02T03:04:05");
    await page.getByLabel("To", { exact: true }).fill("2026-01-01T00:00:00");
    await page.getByText("The end must come after the beginning.").waitFor();
    await page.getByLabel("To", { exact: true }).fill("2026-02-01T00:00:00");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.waitForURL(/from=2026-01-02T03%3A04%3A05/);
    const copy = await pages.open(new URL(page.url()).pathname + new URL(page.url()).search);
    await copy.getByRole("button", { name: /Time range, 2 Jan(, | 2026, ).* to 1 Feb/ }).waitFor();
  });

  test("a phone has a menu instead of the rail", async () => {
    const page = await pages.open("/projects", { width: "phone" });
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("menuitem", { name: `Projects ${PROJECTS + 1}`, exact: true }).waitFor();
    await pages.expectAccessible(page);
    await pages.picture(page, "menu");
  });
});

// The lists of traces and spans in a browser: from the empty project to the failing span.
import { describe, expect, test } from "bun:test";
import type { Page, Route } from "playwright-core";
import { exportTo, sendSpans } from "../support/dataset.ts";
import { BEGIN_MS, seed, trace } from "../support/explorer-traces.ts";
import { forPages, type PagesUnderTest } from "../support/pages.ts";
import { until } from "../support/until.ts";

const rows = (page: Page) => page.locator("[role=row][data-index]");
const firstRow = async (page: Page) => (await rows(page).first().textContent()) ?? "";
const field = (page: Page) => page.getByRole("combobox", { name: "Filter" });

async function openProject(pages: PagesUnderTest, path: string, name = "support-bot") {
  const answer = await pages.client().get(`/v1/projects/${name}`);
  const { data } = (await answer.json()) as { data: { id: string } };
  return (options: Parameters<PagesUnderTest["open"]>[1] = {}) => pages.open(`/projects/${data.id}${path}`, options);
}
forPages("explorer", { seed }, (pages) => {
  describe("the list of traces", () => {
    test("shows figures, facets and rows, newest first", async () => {
      const page = await (await openProject(pages, "/traces"))();
      await rows(page).first().waitFor();
      await page.getByRole("button", { name: "10 %" }).waitFor();
      expect(await rows(page).first().textContent()).toContain("Question 29");
      await page.getByRole("button", { name: "With errors 3" }).waitFor();
      await page.getByRole("slider", { name: "30 traces over time, 3 with errors" }).waitFor();
      expect(await page.title()).toBe("Traces · support-bot · Projects · Spanlight");
    });

    test("says what was asked and answered, not how the messages begin", async () => {
      for (const list of ["traces", "spans"]) {
        const page = await (await openProject(pages, `/${list}`, "talks"))();
        await rows(page).nth(1).waitFor();
        const said = (at: number) => rows(page).nth(at).locator("[data-column=said]");
        expect(await said(1).textContent()).toBe("Where is my order?→Found It is on its way");
        expect(await said(0).textContent()).toBe("أين طلبي؟→It has arrived.");
        expect(
          await said(0)
            .getByText("أين طلبي؟")
            .evaluate((cell) => getComputedStyle(cell).direction),
        ).toBe("rtl");
        await pages.picture(page, `said-${list}`);
      }
    });

    test("gives the space of a name that all rows have to the preview", async () => {
      const page = await (await openProject(pages, "/traces"))();
      await rows(page).first().waitFor();
      const head = (name: RegExp) => page.getByRole("columnheader").filter({ hasText: name });
      await head(/^support_agent: input → output/).waitFor();
      expect(await head(/^Name/).count()).toBe(0);
      await rows(page).first().getByRole("img", { name: "Agent" }).waitFor();
      await page.getByRole("link", { name: "Spans", exact: true }).click();
      await head(/^Name/).waitFor();
      await head(/^Input → output/).waitFor();
    });

    test("has a strip with a scale, wide bars and the ends of the range", async () => {
      const page = await (await openProject(pages, "/traces?range=1h"))();
      const strip = page.getByRole("slider", { name: /traces over time/ });
      await strip.waitFor();
      const bars = await strip.locator(":scope > span").all();
      expect(bars.length).toBeLessThanOrEqual(60);
      expect((await bars[0]!.boundingBox())!.width).toBeGreaterThanOrEqual(4);
      const shown = await strip.locator("xpath=following-sibling::*").allTextContents();
      expect(shown[0]).toMatch(/^\d+$/);
      expect(shown[1]).toMatch(/^\d+ \w+, \d\d:\d\d\d+ \w+, \d\d:\d\d$/);
    });

    test("has a strip that keys narrow the range with, and the browser's back widens it again", async () => {
      const minute = (count: number) => new Date(BEGIN_MS + count * 60_000).toISOString();
      const page = await (await openProject(pages, `/traces?from=${minute(0)}&to=${minute(30)}`))();
      const strip = page.getByRole("slider", { name: /traces over time/ });
      const counted = (count: number) => page.getByRole("slider", { name: `${count} traces over time, ` }).waitFor();
      await counted(30);
      await strip.focus();
      await page.keyboard.press("Home");
      expect(await strip.getAttribute("aria-valuetext")).toMatch(/: 1 trace(, 1 with errors)?$/);
      await page.keyboard.press("Shift+ArrowRight");
      await page.keyboard.press("Shift+ArrowRight");
      expect(await strip.locator("[data-chosen]").count()).toBe(3);
      await page.keyboard.press("Escape");
      expect(await strip.locator("[data-chosen]").count()).toBe(0);
      await page.keyboard.press("Home");
      await page.keyboard.press("Shift+ArrowRight");
      await page.keyboard.press("Shift+ArrowRight");
      await page.keyboard.press("Enter");
      await counted(3);
      const { searchParams } = new URL(page.url());
      const [from, to] = ["from", "to"].map((end) => Date.parse(searchParams.get(end) ?? ""));
      expect(to! - from!).toBe(3 * 60_000);
      await page.goBack();
      await page.waitForURL((url) => url.searchParams.get("to") === minute(30));
      await counted(30);
    });

    test("steps to the period before, and back", async () => {
      const from = new Date(BEGIN_MS).toISOString();
      const to = new Date(BEGIN_MS + 15 * 60_000).toISOString();
      const page = await (await openProject(pages, `/traces?from=${from}&to=${to}`))();
      await until(async () => (await rows(page).count()) === 15);
      await page.getByRole("button", { name: "The period behind" }).click();
      await page.getByText("Question 29").waitFor();
      const { searchParams } = new URL(page.url());
      expect(searchParams.get("from")).toBe(to);
      expect(searchParams.get("to")).toBe(new Date(BEGIN_MS + 30 * 60_000).toISOString());
      await page.getByRole("button", { name: "The period before" }).click();
      await page.getByText("Question 14").waitFor();
    });

    test("is narrowed by a click on a facet, which becomes a chip and goes again", async () => {
      const page = await (await openProject(pages, "/traces"))();
      await page.getByRole("button", { name: "With errors 3" }).click();
      await page.getByText("Question 15").waitFor();
      await until(async () => (await rows(page).count()) === 3);
      expect(new URL(page.url()).searchParams.get("filter")).toBe("error_count > 0");
      expect(await rows(page).first().textContent()).toContain("TimeoutError");
      await page.getByRole("button", { name: "Remove error_count > 0" }).click();
      await page.getByText("Question 14").waitFor();
    });

    test("has numbers of what it lists: a click leaves as many rows as it counts, filtered, searched and in the strip", async () => {
      const page = await (await openProject(pages, "/traces?search=%22question+2%22"))();
      const found = ["2", ...Array.from({ length: 10 }, (_, at) => `2${at}`)].length;
      const facet = (name: string, count: number) =>
        page.getByRole("button", { name: `${name} ${count}`, exact: true });
      const strip = (of: string) => page.getByRole("slider", { name: of, exact: true });
      const traces = page.getByRole("main").locator("dl > div").filter({ hasText: "Traces" });
      await facet("ChatCompletion", found).waitFor();
      await until(async () => (await rows(page).count()) === found);
      await strip(`${found} traces over time, 1 with errors`).waitFor();
      await traces.getByText(String(found), { exact: true }).waitFor();

      await facet("With errors", 1).click();
      await until(async () => (await rows(page).count()) === 1);
      await facet("ChatCompletion", 1).waitFor();
      await strip("1 traces over time, 1 with errors").waitFor();
      await traces.getByText("1", { exact: true }).waitFor();
      // Asked for already: a click takes it back.
      await facet("With errors", 1).click();
      await until(async () => (await rows(page).count()) === found);

      await facet("LLM", found).click();
      await page.getByRole("button", { name: "Exclude With errors" }).click();
      await until(async () => (await rows(page).count()) === found - 1);
      await facet("Agent", found - 1).waitFor();
      // What was left out stays where it stood, to be taken back.
      await page.getByRole("button", { name: "With errors 0" }).waitFor();
      await page.getByRole("button", { name: "Exclude With errors", pressed: true }).waitFor();

      await page.goto(
        page
          .url()
          .replace("/traces?", "/spans?")
          .replace(/filter=[^&]*/, "filter="),
      );
      await strip(`${found} spans over time, 0 with errors`).waitFor();
      await facet("Agent", found).click();
      await until(async () => (await rows(page).count()) === found);
      await pages.picture(page, "numbers-spans");
    });

    test("takes a condition with completion, and names a mistake at its place", async () => {
      const page = await (await openProject(pages, "/traces"))();
      await field(page).click();
      await page.keyboard.type("num_sp");
      await page.getByRole("option", { name: /num_spans/ }).waitFor();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.keyboard.type("> 1 and nm_spans > 1");
      await page.getByText(/invalid name `nm_spans`/).waitFor();
      await pages.expectAccessible(page);
      await field(page).fill("latency_ms > 2900");
      await page.keyboard.press("Enter");
      await until(async () => (await rows(page).count()) === 1);
      expect(new URL(page.url()).searchParams.get("filter")).toBe("latency_ms > 2900");
    });

    test("searches plain words in any letter case, and says how far it came", async () => {
      const page = await (await openProject(pages, "/traces"))();
      await rows(page).first().waitFor();
      await page.keyboard.press("/");
      await page.keyboard.type("strasse der pariser");
      await page.keyboard.press("Enter");
      await page.getByText("1 found in the whole range").waitFor();
      expect(await rows(page).count()).toBe(1);
      await page.getByText("text contains").waitFor();
      await field(page).press("Backspace");
      await page.getByText("Question 29").waitFor();
    });

    test("sorts by latency and keeps everything in the address", async () => {
      const open = await openProject(pages, "/traces?sort=latencyMs&filter=error_count+%3E+0&range=1d");
      const page = await open();
      await page.getByText("Question 5").waitFor();
      expect(await rows(page).first().textContent()).toContain("Question 5");
      await page.getByRole("columnheader", { name: "Latency" }).getByRole("button").first().click();
      await until(async () => (await firstRow(page)).includes("Question 25"));
      expect(new URL(page.url()).search).toContain("sort=-latencyMs");
    });

    test("says that nothing matches, or that nothing is in the range", async () => {
      const page = await (await openProject(pages, "/traces?filter=num_spans+%3E+99"))();
      await page.getByText("Nothing matches").waitFor();
      await page.getByRole("main").getByRole("button", { name: "Clear the filter" }).last().click();
      await rows(page).first().waitFor();
      const old = await (await openProject(pages, "/traces?from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z"))();
      await old.getByText("Nothing in this range").waitFor();
      await old.getByRole("button", { name: "Show all time" }).click();
      await rows(old).first().waitFor();
    });

    test("opens a trace over the rows, walks to the next, and closes with Escape", async () => {
      const page = await (await openProject(pages, "/traces"))();
      await rows(page).first().click();
      await page.waitForURL(/\/traces\/[0-9a-f]{32}$/);
      const first = page.url();
      await page.getByRole("region", { name: "Trace" }).getByText("ChatCompletion").first().waitFor();
      await page.keyboard.press("]");
      await until(() => page.url() !== first);
      await page.keyboard.press("Escape");
      await page.waitForURL(/\/traces$/);
    });

    test("shows what arrives while it is live", async () => {
      const page = await (await openProject(pages, "/traces"))();
      await rows(page).first().waitFor();
      await page.getByRole("button", { name: "Live" }).click();
      await sendSpans(exportTo(pages.client()), "support-bot", trace(900, Date.now() - 5_000));
      await page.getByText("Question 900").waitFor();
    });
  });

  describe("selected traces", () => {
    test("are deleted after a question that names their number", async () => {
      const page = await (await openProject(pages, "/traces?sort=startTime"))();
      await rows(page).first().waitFor();
      await page.getByLabel("Select this row").nth(0).check();
      await page.getByLabel("Select this row").nth(1).check();
      await page.getByText("2 selected").waitFor();
      await page.getByRole("toolbar").getByRole("button", { name: "Delete" }).click();
      const dialog = page.getByRole("dialog", { name: "Delete 2 traces" });
      await pages.expectAccessible(page);
      await dialog.getByRole("button", { name: "Delete" }).click();
      await page.getByText("2 traces were deleted").waitFor();
      await until(async () => (await firstRow(page)).includes("Question 2"));
    });
  });

  test.each(["traces", "spans"])("while %s are searched, the figures say that they are counted", async (list) => {
    const page = await (await openProject(pages, `/${list}`))();
    await rows(page).first().waitFor();
    const counting = page.getByText("Counting…");
    const figures = page.locator("[aria-busy]", { has: page.locator("dl") });
    // Only what is there already can be replaced by another count.
    await page.getByRole("slider", { name: /over time/ }).waitFor();
    await page
      .getByRole("button", { name: /^ChatCompletion \d+/ })
      .first()
      .waitFor();
    const held: Route[] = [];
    let holding = true;
    await page.route("**/graphql", (route) => {
      if (!holding || !/query \w+(Listed|Facets)\b/.test(route.request().postData() ?? "")) return route.fallback();
      held.push(route);
    });
    await field(page).fill("28");
    await field(page).press("Enter");
    await counting.waitFor();
    await page.getByText(/found in the whole range/).waitFor();
    expect(await figures.getAttribute("aria-busy")).toBe("true");
    await pages.expectAccessible(page);
    await pages.picture(page, `counting-${list}`);
    holding = false;
    await Promise.all(held.map((route) => route.continue()));
    await counting.waitFor({ state: "hidden" });
    expect(await figures.getAttribute("aria-busy")).toBe("false");
  });

  test("a project opens with the tab that was pinned", async () => {
    const page = await (await openProject(pages, "/spans"))();
    await page.getByRole("button", { name: "Open the project with this tab" }).click();
    await page.getByRole("button", { name: "The project opens with this tab" }).waitFor();
    await page.getByRole("link", { name: "Projects", exact: true }).first().click();
    await page.getByRole("link", { name: "support-bot" }).click();
    await page.waitForURL(/\/spans$/);
    await rows(page).first().waitFor();
  });

  describe("a saved view", () => {
    const views = (page: Page) => page.getByRole("button", { name: /^Views?\b/ });
    const choose = async (page: Page, item: string | RegExp) => {
      await views(page).click();
      await page.getByRole("menuitem", { name: item }).click();
    };
    const save = async (page: Page, name: string) => {
      await choose(page, "Save as a view…");
      await page.getByRole("textbox", { name: "Name" }).fill(name);
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: `View ${name}`, exact: true }).waitFor();
    };

    test("is saved, shown by its name, updated, renamed and deleted", async () => {
      const page = await (await openProject(pages, "/traces?filter=error_count+%3E+0"))();
      await save(page, "Failed");
      // Without its filter it is still that view, changed.
      await page.getByRole("button", { name: "Clear the filter" }).click();
      await page.getByRole("button", { name: "View Failed, changed" }).waitFor();
      await choose(page, /^Failed/);
      await page.getByRole("button", { name: "View Failed", exact: true }).waitFor();
      expect(new URL(page.url()).searchParams.get("filter")).toBe("error_count > 0");
      await page.goto(`${page.url()}&sort=-latencyMs`);
      await choose(page, "Update Failed with these filters");
      await page.getByText("View Failed was updated").waitFor();
      await choose(page, "Rename…");
      await page.getByRole("textbox", { name: "Name" }).fill("Slow failures");
      await page.getByRole("button", { name: "Rename", exact: true }).click();
      await page.getByRole("button", { name: "View Slow failures", exact: true }).waitFor();
      await pages.expectAccessible(page);
      await pages.picture(page, "view");
      await choose(page, "Delete…");
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await page.getByRole("button", { name: "Views", exact: true }).waitFor();
    });

    test("is what the project opens with, and found by the palette", async () => {
      const page = await (await openProject(pages, "/spans?filter=span_kind+%3D%3D+%27LLM%27&range=1d"))();
      await save(page, "Model calls");
      await choose(page, "Open the project with this view");
      await page.getByText("The project opens with Model calls from now on").waitFor();
      const shown = page.url();
      await page.getByRole("link", { name: "Projects", exact: true }).first().click();
      await page.getByRole("link", { name: "support-bot" }).click();
      await page.getByRole("button", { name: "View Model calls", exact: true }).waitFor();
      expect(page.url()).toBe(shown);
      await page.getByRole("link", { name: "Traces", exact: true }).click();
      await page.getByRole("button", { name: "Views", exact: true }).waitFor();
      await page.keyboard.press("ControlOrMeta+k");
      await page.getByPlaceholder(/Search for/).fill("model calls");
      await page.getByRole("option", { name: "Model calls" }).click();
      await page.getByRole("button", { name: "View Model calls", exact: true }).waitFor();
      expect(page.url()).toBe(shown);
      await choose(page, "No longer open the project with this view");
      await page.getByText("The project no longer opens with Model calls").waitFor();
    });

    test("is chosen by keys alone, on a phone too", async () => {
      const page = await (await openProject(pages, "/sessions"))({ width: "phone", theme: "dark" });
      await save(page, "All conversations of the shop, whoever began them and however long they went on");
      await views(page).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("menu").waitFor();
      await page.keyboard.press("ArrowDown");
      await pages.expectAccessible(page);
      await pages.picture(page, "views-menu");
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      await page.keyboard.press("Escape");
      await until(async () => views(page).evaluate((button) => button === document.activeElement));
    });
  });

  describe("selected spans", () => {
    test("are saved as lines of OTLP, and deleted after a question that names their number", async () => {
      const project = `spare ${Bun.randomUUIDv7()}`;
      await sendSpans(exportTo(pages.client()), project, [...trace(100), ...trace(101)]);
      const page = await (await openProject(pages, "/spans", encodeURIComponent(project)))();
      await until(async () => (await rows(page).count()) === 4);
      const call = rows(page).filter({ hasText: "claude" });
      await call.getByLabel("Select this row").check();
      await page.getByText("1 selected").waitFor();
      const [saved] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("toolbar").getByRole("button", { name: "Download" }).click(),
      ]);
      const lines = (await Bun.file(await saved.path()).text()).trim().split("\n");
      expect(lines.length).toBe(1);
      expect(JSON.parse(lines[0]!).resourceSpans[0].scopeSpans[0].spans[0].name).toBe("ChatCompletion");
      await pages.expectAccessible(page);
      await page.getByRole("toolbar").getByRole("button", { name: "Delete" }).click();
      const dialog = page.getByRole("dialog", { name: "Delete 1 span" });
      await dialog.getByRole("button", { name: "Delete" }).click();
      await page.getByText("1 span was deleted").waitFor();
      await until(async () => (await rows(page).count()) === 3 && (await call.count()) === 0);
    });
  });

  describe("the list of spans", () => {
    test("has facets of its fields, several values at once, and leaves values out", async () => {
      const page = await (await openProject(pages, "/spans"))();
      await page.getByRole("button", { name: /^LLM \d+/ }).click();
      await page.getByRole("button", { name: "Remove span_kind == 'LLM'" }).waitFor();
      await page.getByRole("button", { name: "Exclude claude" }).click();
      await page.getByRole("button", { name: "Remove llm.model_name != 'claude'" }).waitFor();
      await until(async () => !((await page.getByRole("grid").textContent()) ?? "").includes("claude"));
      expect(await rows(page).first().textContent()).toContain("gpt-4o");
    });

    test("takes columns for attributes, seen or written out, and keeps them", async () => {
      const page = await (await openProject(pages, "/spans"))();
      await rows(page).first().waitFor();
      const head = (name: string) => page.getByRole("columnheader").filter({ hasText: name });
      const entry = page.getByRole("textbox", { name: "Column of an attribute" });
      await page.getByRole("button", { name: "Columns" }).click();
      await entry.fill("MODEL_N");
      await page.getByRole("button", { name: "llm.model_name", exact: true }).click();
      await head("llm.model_name").waitFor();
      await entry.fill("no such key");
      await entry.press("Enter");
      await head("attributes['no such key']").waitFor();
      // Dimmed until the rows of the other columns have come.
      await until(async () => (await page.locator("[class*=stale]").count()) === 0);
      await pages.expectAccessible(page);
      await pages.picture(page, "attribute-columns");
      await page.getByRole("checkbox", { name: "attributes['no such key']" }).click();
      await until(async () => (await head("no such key").count()) === 0);

      await page.reload();
      const cell = rows(page).locator("[data-column='llm.model_name']").filter({ hasText: "gpt-4o" }).first();
      await cell.waitFor();
      await cell.click({ button: "right" });
      await page.getByRole("menuitem", { name: "Exclude this value" }).click();
      await page.getByRole("button", { name: "Remove llm.model_name != 'gpt-4o'" }).waitFor();
      await page.goto(page.url().replace(/\/spans.*/, "/traces"));
      await page.getByRole("button", { name: "Columns" }).click();
      await entry.fill("input.value");
      await entry.press("Enter");
      await rows(page).locator("[data-column='input.value']").getByText("Question 29").first().waitFor();
    });

    test("filters for the value of a cell by its menu", async () => {
      const page = await (await openProject(pages, "/spans"))();
      const cell = page.getByRole("gridcell").getByText("claude").first();
      await cell.click({ button: "right" });
      await pages.expectAccessible(page);
      await page.getByRole("menuitem", { name: "Exclude this value" }).click();
      await page.getByRole("button", { name: "Remove llm.model_name != 'claude'" }).waitFor();
      await page.getByRole("row").nth(1).focus();
      await page.keyboard.press("ContextMenu");
      await page.getByRole("menuitem", { name: "Copy" }).waitFor();
    });

    test("opens the trace at the span", async () => {
      const page = await (await openProject(pages, "/spans?filter=status_code+%3D%3D+'ERROR'"))();
      await rows(page).first().click();
      await page.waitForURL(/\/spans\/[0-9a-f]{32}\?.*selectedSpanNodeId=/);
      await page
        .getByRole("region", { name: /Details of ChatCompletion/ })
        .or(page.getByText("TimeoutError").last())
        .first()
        .waitFor();
    });
  });

  describe("a project without traces", () => {
    test("says how to send the first, and shows it when it comes", async () => {
      const page = await (await openProject(pages, "/traces", "default"))();
      await page.getByText("Send your first trace").waitFor();
      await page.getByText("Other languages").click();
      await page.getByText(`curl ${pages.url()}/v1/traces`).waitFor();
      await pages.expectAccessible(page);
      await pages.picture(page, "onboarding");
      await sendSpans(exportTo(pages.client()), "default", trace(1, Date.now() - 60_000));
      await page.getByRole("button", { name: "Show all traces" }).click();
      await rows(page).first().waitFor();
    });
  });

  for (const theme of ["light", "dark"] as const) {
    for (const width of ["desktop", "phone"] as const) {
      test(`is accessible on a ${width} in ${theme}, and nothing is wider than the window`, async () => {
        const page = await (await openProject(pages, "/traces?filter=error_count+%3E+0"))({ theme, width });
        await rows(page).first().waitFor();
        await page.getByText("100 %").first().waitFor();
        await pages.expectAccessible(page);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
        await pages.picture(page, `traces-${theme}`);
      });
    }
  }
});

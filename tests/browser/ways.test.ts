// Ways through the pages: the rail, the switcher of projects, the palette, the heads of tables; and that everything can be hit.
import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { exampleExports } from "../../src/demo-data/example-project.ts";
import type { HttpClient } from "../support/http.ts";
import { forPages } from "../support/pages.ts";

const NAME = "example-support-agent";
/** Pixels that a finger or a shaky hand needs (WCAG 2.2, target size). */

async function seed(client: HttpClient): Promise<void> {
  for (const body of exampleExports(Date.now())) await client.post("/v1/traces", { json: body });
}

interface SpanAnswer {
  readonly name: string;
  readonly context: { readonly trace_id: string; readonly span_id: string };
  readonly attributes: Readonly<Record<string, unknown>>;
}

forPages("ways", { seed }, (pages) => {
  const rows = (page: Page) => page.locator("[role=row][data-index]");
  const projectId = async () =>
    (JSON.parse((await pages.client().get(`/v1/projects/${NAME}`)).text) as { data: { id: string } }).data.id;
  const openTab = async (tab: string, options: Parameters<typeof pages.open>[1] = {}) => {
    const page = await pages.open(`/projects/${await projectId()}/${tab}`, options);
    await rows(page).first().waitFor();
    return page;
  };

  describe.each(["light", "dark"] as const)("the rail in %s", (theme) => {
    test("has words and counts, can be expanded, remembers it, and shows the state of the server", async () => {
      const page = await openTab("traces", { theme });
      const rail = page.getByRole("navigation", { name: "Navigation" });
      const projects = theme === "light" ? 2 : 3;
      for (const place of [`Projects ${projects}`, "Datasets 0", "Prompts 0", "Settings"])
        await rail.getByRole("link", { name: place, exact: true }).waitFor();
      const collapsed = (await rail.boundingBox())?.width ?? 0;
      await pages.client().post("/v1/projects", { json: { name: `one more ${theme}` } });
      await rail.getByRole("link", { name: "Datasets" }).click();
      await rail.getByRole("link", { name: `Projects ${projects + 1}`, exact: true }).waitFor();
      await page.goBack();
      await rail.getByRole("button", { name: "Server: Connected" }).waitFor();
      await page.getByRole("button", { name: "Live" }).click();
      await rail.getByRole("button", { name: "Server: Live" }).waitFor();
      await pages.expectAccessible(page);
      await pages.picture(page, `rail-${theme}`);
      await rail.getByRole("button", { name: "Expand the sidebar" }).click();
      await rail.getByText("Collapse").waitFor();
      expect((await rail.boundingBox())?.width).toBeGreaterThan(collapsed);
      await page.reload();
      await rail.getByText("Collapse").waitFor();
      await pages.expectAccessible(page);
      await pages.picture(page, `rail-open-${theme}`);
    });
  });

  test("a wide window has an expanded rail, until it is collapsed", async () => {
    const page = await openTab("traces");
    await page.setViewportSize({ width: 1920, height: 1000 });
    const rail = page.getByRole("navigation", { name: "Navigation" });
    await rail.getByRole("button", { name: "Collapse the sidebar" }).click();
    await rail.getByRole("button", { name: "Expand the sidebar" }).waitFor();
  });

  test("the breadcrumb leads to another project, on the same tab", async () => {
    const page = await openTab("sessions");
    await page.getByRole("button", { name: "Switch project" }).click();
    await pages.expectAccessible(page);
    await page.getByRole("menuitem", { name: "default" }).click();
    await page.waitForURL("**/sessions");
    await page.getByRole("link", { name: "default" }).waitFor();
  });

  describe("the palette", () => {
    const search = async (page: Page, typed: string) => {
      await page.keyboard.press("Control+k");
      await page
        .getByRole("combobox", { name: "Search and jump" })
        .or(page.getByPlaceholder(/Search for/))
        .first()
        .fill(typed);
    };
    const spans = async () =>
      (JSON.parse((await pages.client().get(`/v1/projects/${NAME}/spans?limit=50`)).text) as { data: SpanAnswer[] })
        .data;

    test("finds tabs of the project and settings", async () => {
      const page = await openTab("traces");
      await search(page, "metrics");
      await page.getByRole("option", { name: "Metrics" }).click();
      await page.waitForURL("**/metrics");
      await search(page, "secrets");
      await page.getByRole("option", { name: "Settings: Secrets" }).click();
      await page.waitForURL("**/settings/secrets");
    });

    test("finds traces, spans and sessions by their ids", async () => {
      const span = (await spans()).find(({ attributes }) => typeof attributes["session.id"] === "string")!;
      const page = await pages.open("/projects");
      await rows(page).first().waitFor();
      await search(page, span.context.trace_id.toUpperCase());
      await page.getByRole("option", { name: /^Trace support_agent/ }).click();
      await page.waitForURL(`**/traces/${span.context.trace_id}`);
      await search(page, span.context.span_id);
      await page.getByRole("option", { name: `Span ${span.name}` }).waitFor();
      await pages.picture(page, "palette-ids");
      await pages.expectAccessible(page);
      await page.getByRole("option", { name: `Span ${span.name}` }).click();
      await page.waitForURL("**selectedSpanNodeId=**");
      await search(page, String(span.attributes["session.id"]));
      await page.getByRole("option", { name: /^Session chat-/ }).click();
      await page.waitForURL("**/sessions/**");
      await page.getByText("Turn 1").waitFor();
    });
  });

  test("a table is sorted by a click anywhere in the head of a column", async () => {
    const page = await openTab("traces");
    const head = page.locator("[role=columnheader]", { hasText: "Latency" });
    const box = (await head.boundingBox())!;
    // Beside the words, which stand at the right.
    await page.mouse.click(box.x + 16, box.y + box.height - 3);
    await page.waitForURL(/sort=-latency/);
    expect(await head.getAttribute("aria-sort")).toBe("descending");
  });
});

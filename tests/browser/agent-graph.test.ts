// The graph of the agents of a trace in a browser: as a picture and as a table, by mouse and by keys.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { loopingTrace } from "../support/analysed-traces.ts";
import { exportTo, sendSpans } from "../support/dataset.ts";
import type { HttpClient } from "../support/http.ts";
import { forPages } from "../support/pages.ts";
import { hexId, traceOf } from "../support/panel-traces.ts";

const BEGIN_MS = Date.now() - 3_600_000;

/** A crew with two agents in it, of which one holds steps that are no agent's. */
const crew = traceOf("crew", BEGIN_MS - 60_000, [
  { id: "crew", name: "crew", kind: "AGENT", from: 0, to: 5000 },
  { id: "plan", parent: "crew", name: "plan", kind: "LLM", from: 0, to: 500 },
  { id: "reader", parent: "crew", name: "reader", kind: "AGENT", from: 500, to: 3000 },
  { id: "read 1", parent: "reader", name: "fetch_page", kind: "TOOL", from: 500, to: 1400 },
  { id: "read 2", parent: "reader", name: "fetch_page", kind: "TOOL", from: 1400, to: 2600, error: "timed out" },
  { id: "cache", parent: "read 2", name: "cache", kind: "RETRIEVER", from: 1500, to: 1600 },
  { id: "critic", parent: "crew", name: "critic", kind: "AGENT", from: 500, to: 2000 },
  { id: "judge", parent: "critic", name: "judge", kind: "LLM", from: 600, to: 1900 },
  { id: "write", parent: "crew", name: "write_the_answer_with_a_name_that_is_cut", kind: "LLM", from: 3000, to: 5000 },
]);

async function seed(client: HttpClient): Promise<void> {
  await sendSpans(exportTo(client), "orders", loopingTrace("looping", BEGIN_MS));
  await sendSpans(exportTo(client), "orders", crew);
  projectId = (await client.get("/v1/projects/orders")).json<{ data: { id: string } }>().data.id;
}

let projectId = "";
const trace = (name: string, parameters = "") => `/projects/${projectId}/traces/${hexId(name, 32)}${parameters}`;
const graph = (page: Page) => page.getByRole("group", { name: /^Agent graph/ });
const card = (page: Page, name: RegExp) => graph(page).getByRole("button", { name });
const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

forPages("the graph of a trace", { seed }, (pages) => {
  test.each([
    ["desktop", "light"],
    ["desktop", "dark"],
    ["phone", "light"],
    ["phone", "dark"],
  ] as const)("is drawn with its sub-graphs as boxes, %s, %s", async (width, theme) => {
    const page = await pages.open(trace("crew", "?layout=graph"), { width, theme });
    await card(page, /^Tool fetch_page 2 calls · P50 900 ms 1 error then back to fetch_page × 1$/).waitFor();
    await pages.picture(page, `agent-graph-crew-${width}-${theme}`);
    await pages.expectAccessible(page);
    expect(await page.evaluate(() => document.scrollingElement!.scrollWidth)).toBe(width === "phone" ? 390 : 1440);
    if (width === "phone" || theme === "dark") return;
    // What the tool holds is no agent's: folded until it is opened.
    expect(await card(page, /cache/).count()).toBe(0);
    await graph(page).getByRole("button", { name: "Show the steps of fetch_page" }).click();
    await card(page, /^Retriever cache 1 call/).waitFor();
    await graph(page).getByRole("button", { name: "Hide the steps of reader" }).click();
    await card(page, /fetch_page/).waitFor({ state: "detached" });
  });

  test("shows loops, leads along its edges by keys, and chooses the spans of a step", async () => {
    const page = await pages.open(trace("looping"));
    await page.getByRole("tree").waitFor();
    await page.keyboard.press("g");
    const looked = card(page, /^Tool lookup_order 3 calls · P50 1.60 s then think × 2, answer × 1$/);
    await looked.waitFor();
    expect(parameter(page, "layout")).toBe("graph");
    await pages.picture(page, "agent-graph-loop");
    await card(page, /^LLM plan/).focus();
    await page.keyboard.press("ArrowRight");
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute("data-card") ?? null);
    expect(await focused()).toMatch(/^AGENT:support_agent\/(TOOL:lookup_order|LLM:summarise)$/);
    await looked.click();
    const detail = page.getByRole("region", { name: /lookup_order/ });
    await detail.getByText("× 3").waitFor();
    await detail.getByText("P50 1.60 s").waitFor();
    expect(await looked.getAttribute("aria-pressed")).toBe("true");
    expect(parameter(page, "step")).toBe("AGENT:support_agent/TOOL:lookup_order");
    // The address shows the same, also as a table.
    await page.reload();
    await detail.getByText("× 3").waitFor();
    await page.getByRole("radio", { name: "Table" }).check({ force: true });
    const row = page.getByRole("row").filter({ has: page.getByRole("button", { name: /lookup_order/ }) });
    expect((await row.getByRole("cell").allInnerTexts()).slice(0, 3)).toEqual(["support_agent", "3", "1.60 s"]);
    await pages.picture(page, "agent-graph-table");
    await pages.expectAccessible(page);
    await detail.getByRole("button").first().click();
    await detail.getByText("Input").first().waitFor();
    await page.getByRole("region", { name: "Trace", exact: true }).getByRole("button", { name: "Spans" }).click();
    await page.getByRole("tree").waitFor();
    expect([parameter(page, "layout"), parameter(page, "step")]).toEqual([null, null]);
  });

  test("is zoomed by the wheel and moved by a drag", async () => {
    const page = await pages.open(trace("crew", "?layout=graph"));
    const plan = card(page, /^LLM plan/);
    await plan.waitFor();
    const before = (await plan.boundingBox())!;
    await page.mouse.move(before.x + 5, before.y + 5);
    await page.mouse.wheel(0, 300);
    await page.waitForFunction(
      ([name, width]) => document.querySelector(`[data-card="${name}"]`)!.getBoundingClientRect().width < width,
      ["AGENT:crew/LLM:plan", before.width] as const,
    );
    const zoomed = (await plan.boundingBox())!;
    await page.mouse.down();
    await page.mouse.move(before.x + 65, before.y + 45, { steps: 4 });
    await page.mouse.up();
    const moved = (await plan.boundingBox())!;
    expect([Math.round(moved.x - zoomed.x), Math.round(moved.y - zoomed.y)]).toEqual([60, 40]);
    // A drag chooses nothing.
    expect(parameter(page, "step")).toBeNull();
  });

  test.each([
    ["desktop", "light"],
    ["phone", "dark"],
  ] as const)(
    "of the traces of a project is one, with the steps that would save most, %s, %s",
    async (width, theme) => {
      const page = await pages.open(`/projects/${projectId}/graph`, { width, theme });
      await page.getByText("of 2 traces").waitFor();
      const saving = page.getByRole("region", { name: "If a step took no time" });
      expect(await saving.getByRole("listitem").first().textContent()).toMatch(
        /^lookup_order\s*4\.80 s · 38\.7 %\s*in 1 trace$/,
      );
      await pages.picture(page, `project-graph-${width}-${theme}`);
      await pages.expectAccessible(page);
      expect(await page.evaluate(() => document.scrollingElement!.scrollWidth)).toBe(width === "phone" ? 390 : 1440);
      if (width === "phone") return;
      await card(page, /^LLM think 2 calls/).click();
      const chosen = page.getByRole("region", { name: "Chosen step" });
      await chosen.getByRole("link", { name: "Traces with this step" }).click();
      await page.getByText("support_agent").first().waitFor();
      expect(parameter(page, "filter")).toBe("any(s.span_kind == 'LLM' and s.name == 'think' for s in spans)");
      // The tab keeps the filter.
      await page.getByRole("navigation", { name: "Project sections" }).getByRole("link", { name: "Graph" }).click();
      await page.getByText("of 1 trace").waitFor();
    },
  );
});

// What explains a selection, in a browser: of a filter, of a range and of rows, with the way back to a filter. And the failures of a
// project by their cause.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { exportTo, sendSpans } from "../support/dataset.ts";
import type { HttpClient } from "../support/http.ts";
import { forPages } from "../support/pages.ts";
import { type PanelSpan, traceOf } from "../support/panel-traces.ts";

const BEGIN_MS = Date.now() - 3_600_000;
const TRACES = 80;

/** Every fourth trace fails: those run version 2.4.1 and call a small model. */
function supportTrace(at: number): ReturnType<typeof traceOf> {
  const failed = at % 4 === 0;
  const model = failed ? "gpt-4o-mini" : "gpt-4o";
  const spans: PanelSpan[] = [
    {
      ...{ id: "agent", name: "support_agent", kind: "AGENT", from: 0, to: failed ? 9000 + at : 800 + at },
      attributes: {
        "user.id": `user ${at % 6}`,
        metadata: JSON.stringify({ version: failed ? "2.4.1" : "2.3.9", region: ["eu", "us", "ap"][at % 3]! }),
      },
    },
    {
      ...{ id: "plan", parent: "agent", name: "plan", kind: "LLM", from: 0, to: 400 },
      attributes: { "llm.model_name": model, "llm.token_count.prompt": 100, "llm.token_count.completion": at % 7 },
    },
    ...(failed
      ? [
          {
            ...{ id: "tool", parent: "agent", name: "lookup_order", kind: "TOOL", from: 400, to: 700 },
            error: `Timed out after ${at} s`,
          },
        ]
      : []),
  ];
  return traceOf(`support ${at}`, BEGIN_MS + at * 20_000, spans);
}

async function seed(client: HttpClient): Promise<void> {
  const send = exportTo(client);
  await sendSpans(send, "support", Array.from({ length: TRACES }, (_, at) => supportTrace(at)).flat());
}

const FAILED = `?range=1d&filter=${encodeURIComponent("error_count > 0")}`;
const drawer = (page: Page) => page.getByRole("dialog", { name: "What explains the selection" });
const values = (page: Page) =>
  drawer(page).getByRole("list", { name: "Values that are more frequent in the selection" });

forPages("what explains a selection", { seed }, (pages) => {
  async function openList(search: string, options: Parameters<typeof pages.open>[1] = {}): Promise<Page> {
    const first = await pages.open("/redirects/projects/support");
    await first.getByRole("row").nth(1).waitFor();
    return pages.open(new URL(first.url()).pathname + search, options);
  }

  test.each([
    ["light", "desktop"],
    ["dark", "desktop"],
    ["light", "phone"],
    ["dark", "phone"],
  ] as const)("of a filter, %s on a %s", async (theme, width) => {
    const page = await openList(FAILED, { theme, width });
    await page.getByRole("button", { name: "Explain" }).click();
    await values(page).getByText("2.4.1", { exact: true }).waitFor();
    const found = await values(page).getByRole("listitem").allTextContents();
    expect(found.find((each) => each.includes("gpt-4o-mini"))).toContain("100 % here");
    expect(found.find((each) => each.includes("lookup_order"))).toContain("0 % of the rest");
    await drawer(page).getByText("20 traces are selected").waitFor();
    await drawer(page)
      .getByText(/Does not distinguish.*metadata\['region'\]/)
      .waitFor();
    expect(await page.evaluate(() => document.scrollingElement!.scrollWidth)).toBe(width === "phone" ? 390 : 1440);
    await pages.picture(page, `explanation-${width}-${theme}`);
    await pages.expectAccessible(page);
    if (width === "phone" || theme === "dark") return;
    await drawer(page).getByRole("button", { name: "Without 2.4.1" }).click();
    await drawer(page).waitFor({ state: "detached" });
    expect(new URL(page.url()).searchParams.get("filter")).toBe(
      "error_count > 0 and (metadata['version'] != '2.4.1' or metadata['version'] is None)",
    );
  });

  test("of a range against the rest of the project, and of rows, which are too few", async () => {
    const [from, to] = [BEGIN_MS, BEGIN_MS + 20 * 20_000].map((ms) => new Date(ms).toISOString());
    const page = await openList(`?from=${from}&to=${to}`);
    await page.getByRole("button", { name: "Explain" }).click();
    await drawer(page).getByText("20 traces are selected").waitFor();
    await drawer(page).getByText("compared with 60 others").waitFor();
    await page.keyboard.press("Escape");
    await drawer(page).waitFor({ state: "detached" });
    const boxes = page.getByRole("row").getByRole("checkbox");
    await boxes.nth(1).check();
    await boxes.nth(2).check();
    await page.getByRole("toolbar").getByRole("button", { name: "Explain" }).click();
    await drawer(page).getByText("2 traces are selected").waitFor();
    await drawer(page)
      .getByText(/Too few to tell/)
      .waitFor();
  });

  test.each(["light", "dark"] as const)("failures by their cause, resolved and reopened by hand, %s", async (theme) => {
    const page = await openList("", { theme });
    await page.getByRole("link", { name: "Failures" }).click();
    const row = page.getByRole("row").filter({ hasText: "lookup_order" });
    // What was reopened is not new.
    if (theme === "light") await row.getByText("New", { exact: true }).waitFor();
    await row.getByText("Timed out after … s").waitFor();
    await pages.picture(page, `failures-${theme}`);
    await pages.expectAccessible(page);
    await row.focus();
    await page.keyboard.press("r");
    await page.getByText("No failures").waitFor();
    await page.getByText("Resolved 1").click();
    await row.click();
    await page.getByRole("heading", { name: /lookup_order/, level: 2 }).waitFor();
    const why = page.getByRole("region", { name: "What explains it" });
    await why.getByText("2.4.1", { exact: true }).waitFor();
    expect(await page.getByRole("article").count()).toBe(3);
    await page.getByRole("button", { name: "Reopen" }).click();
    await page.getByRole("button", { name: "Resolve" }).waitFor();
    await pages.picture(page, `failure-${theme}`);
    await pages.expectAccessible(page);
    const phone = await pages.open(new URL(page.url()).pathname, { theme, width: "phone" });
    await phone.getByText("2.4.1", { exact: true }).first().waitFor();
    expect(await phone.evaluate(() => document.scrollingElement!.scrollWidth)).toBe(390);
    await pages.picture(phone, `failure-phone-${theme}`);
    await pages.expectAccessible(phone);
  });
});

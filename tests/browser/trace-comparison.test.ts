// The comparison of two traces in a browser: from the list and from a trace, with what differs in words and keys.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { foundTrace, loopingTrace } from "../support/analysed-traces.ts";
import { exportTo, sendSpans } from "../support/dataset.ts";
import type { HttpClient } from "../support/http.ts";
import { forPages } from "../support/pages.ts";
import { hexId, type PanelSpan, traceOf } from "../support/panel-traces.ts";

const BEGIN_MS = Date.now() - 3_600_000;
const STEPS = 2000;

function longTrace(name: string, startMs: number, answer: string): ReturnType<typeof traceOf> {
  const step = (at: number): PanelSpan => ({
    ...{ id: `step ${at}`, parent: "agent", name: `step ${at}`, kind: "TOOL", from: at, to: at + 1 },
    attributes: { "input.value": `${at}`, "output.value": at === STEPS - 9 ? answer : "done" },
  });
  const agent: PanelSpan = { id: "agent", name: "long_agent", kind: "AGENT", from: 0, to: STEPS };
  return traceOf(name, startMs, [agent, ...Array.from({ length: STEPS - 1 }, (_, at) => step(at))]);
}

async function seed(client: HttpClient): Promise<void> {
  const send = exportTo(client);
  await sendSpans(send, "orders", loopingTrace("looping", BEGIN_MS));
  await sendSpans(send, "orders", foundTrace("found", BEGIN_MS - 60_000));
  await sendSpans(send, "long", longTrace("one", BEGIN_MS, "first answer"));
  await sendSpans(send, "long", longTrace("other", BEGIN_MS + 60_000, "second answer"));
}

const steps = (page: Page) => page.getByRole("option");
const step = (page: Page, name: string) => steps(page).filter({ has: page.getByText(name, { exact: true }) });
const detail = (page: Page) => page.getByRole("region", { name: "Difference of the step" });

forPages("comparing two traces", { seed }, (pages) => {
  async function compareSelected(page: Page): Promise<void> {
    await page.getByRole("row").nth(1).waitFor();
    const boxes = page.getByRole("row").getByRole("checkbox");
    await boxes.nth(1).check();
    await boxes.nth(2).check();
    await page.getByRole("link", { name: "Compare" }).click();
    await steps(page).first().waitFor();
  }

  test.each(["light", "dark"] as const)("from the list with two rows selected, %s", async (theme) => {
    const page = await pages.open("/redirects/projects/orders", { theme });
    await compareSelected(page);
    await step(page, "check_policy").getByRole("img", { name: "only in A" }).waitFor();
    await step(page, "summarise").getByRole("img", { name: "only in B" }).waitFor();
    await step(page, "answer").click();
    await detail(page).getByText("gpt-4o-mini").first().waitFor();
    await detail(page).locator("del, ins").first().waitFor();
    expect(
      await detail(page)
        .getByRole("row", { name: /^model/ })
        .textContent(),
    ).toContain("gpt-4o-mini");
    await pages.picture(page, `compare-${theme}`);
    await pages.expectAccessible(page);
    const first = new URL(page.url());
    expect(first.searchParams.get("step")).not.toBeNull();
    await page.getByRole("button", { name: "Swap" }).click();
    await step(page, "check_policy").getByRole("img", { name: "only in B" }).waitFor();
    expect(new URL(page.url()).searchParams.get("with")).toBe(decodeURIComponent(first.pathname.split("/").at(-2)!));
  });

  test.each(["light", "dark"] as const)("in one column on a phone, %s", async (theme) => {
    const wide = await pages.open("/redirects/projects/orders");
    await compareSelected(wide);
    const page = await pages.open(new URL(wide.url()).pathname + new URL(wide.url()).search, { width: "phone", theme });
    await steps(page).first().waitFor();
    expect(await page.evaluate(() => document.scrollingElement!.scrollWidth)).toBe(390);
    await pages.picture(page, `compare-phone-${theme}`);
    await pages.expectAccessible(page);
    await step(page, "answer").click();
    const sheet = page.getByRole("dialog", { name: "Difference of the step" });
    await sheet.getByText("gpt-4o-mini").first().waitFor();
    await pages.picture(page, `compare-phone-step-${theme}`);
  });

  test("two thousand steps fold to what differs, and n goes on to it", async () => {
    const page = await pages.open("/redirects/projects/long");
    await compareSelected(page);
    await page.getByText("1 step differs").waitFor();
    await page.getByText("1,991 equal steps").waitFor();
    expect(await steps(page).count()).toBeLessThan(20);
    await page.keyboard.press("n");
    await detail(page)
      .getByRole("heading", { name: `step ${STEPS - 9}` })
      .waitFor();
    expect(await detail(page).locator("del").allTextContents()).toEqual(["first"]);
    await page.getByRole("checkbox", { name: "Show equal steps" }).check();
    await page.getByText("equal steps", { exact: false }).first().waitFor();
    expect(new URL(page.url()).searchParams.get("equal")).toBe("all");
  });

  test("from a trace, with the last good one", async () => {
    const page = await pages.open(`/redirects/traces/${hexId("looping", 32)}`);
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Compare with the last good one" }).click();
    await page.getByRole("region", { name: "Trace A" }).getByText("2.10 s").waitFor();
    await page.getByRole("region", { name: "Trace B" }).getByText("7.40 s").waitFor();
  });
});

// The analysis of a trace in a browser: what determines its time, where its money went, and what it does again.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { foundTrace, loopingTrace } from "../support/analysed-traces.ts";
import { exportTo, sendSpans } from "../support/dataset.ts";
import type { HttpClient } from "../support/http.ts";
import { forPages } from "../support/pages.ts";
import { hexId } from "../support/panel-traces.ts";

const BEGIN_MS = Date.now() - 3_600_000;

async function seed(client: HttpClient): Promise<void> {
  await sendSpans(exportTo(client), "orders", loopingTrace("looping", BEGIN_MS));
  await sendSpans(exportTo(client), "orders", foundTrace("found", BEGIN_MS - 60_000));
}

const trace = (name: string, parameters = "") => `/redirects/traces/${hexId(name, 32)}${parameters}`;
const row = (page: Page, name: string) =>
  page.getByRole("treeitem").filter({ has: page.getByText(name, { exact: true }) });
const selected = (page: Page) => page.locator("[role=treeitem][aria-selected=true]");

forPages("the analysis of a trace", { seed }, (pages) => {
  test.each([
    ["desktop", "light"],
    ["desktop", "dark"],
    ["phone", "light"],
    ["phone", "dark"],
  ] as const)("shows the critical path over the waterfall, %s, %s", async (width, theme) => {
    const page = await pages.open(trace("looping", "?steps=all"), { width, theme });
    await row(page, "plan").waitFor();
    await page.getByRole("button", { name: "Critical path" }).click();
    const summary = page.getByRole("status").filter({ hasText: "Critical path" });
    await summary.getByText("7.40 s").waitFor();
    const steps = await summary.getByRole("button").allInnerTexts();
    expect(steps.map((step) => step.replaceAll(/\s+/g, " "))).toEqual([
      "lookup_order saves 4.80 s if instant",
      "answer saves 1.40 s if instant",
      "think saves 800 ms if instant",
    ]);
    // Nothing waits for what ran beside the first tool.
    expect(await row(page, "summarise").getAttribute("data-faint")).toBe("true");
    expect(await row(page, "plan").getAttribute("data-faint")).toBeNull();
    expect(new URL(page.url()).searchParams.get("overlay")).toBe("path");
    await pages.picture(page, `critical-path-${width}-${theme}`);
    await pages.expectAccessible(page);
    if (width === "phone") {
      expect(await page.evaluate(() => document.scrollingElement!.scrollWidth)).toBe(390);
      return;
    }
    await summary.getByRole("button", { name: /answer/ }).click();
    await selected(page).getByText("answer").waitFor();
    await page.keyboard.press("p");
    await summary.waitFor({ state: "detached" });
    await page.keyboard.press("m");
    const money = page.getByRole("status").filter({ hasText: "Money" });
    await money.getByRole("button", { name: /plan/ }).waitFor();
    expect(await row(page, "lookup_order").first().getAttribute("data-faint")).toBe("true");
    await pages.picture(page, `money-${width}-${theme}`);
    await pages.expectAccessible(page);
  });

  test("says what was done again, on the trace and on its spans", async () => {
    const page = await pages.open(trace("looping", "?steps=all"));
    const line = page.getByRole("status").filter({ hasText: "wasted" });
    await line.getByRole("button", { name: "Loop: lookup_order × 3" }).click();
    expect(await line.textContent()).toContain("4.00 s · 840 tokens · $");
    await selected(page).getByText("lookup_order").waitFor();
    expect(
      await row(page, "lookup_order")
        .first()
        .getByTitle(/The same call/)
        .count(),
    ).toBe(1);
    expect(
      await row(page, "plan")
        .getByTitle(/The same call/)
        .count(),
    ).toBe(0);
    await pages.open(trace("found"));
  });

  test("of a trace that repeats nothing says nothing", async () => {
    const page = await pages.open(trace("found"));
    const answered = page.waitForResponse((response) => /query TraceWaste/.test(response.request().postData() ?? ""));
    await page.reload();
    await answered;
    await row(page, "check_policy").waitFor();
    expect(await page.getByText("wasted").count()).toBe(0);
  });
});

// Models and their prices in a browser: found, read, added, copied, changed and deleted.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { exportTo, sendSpans } from "../support/dataset.ts";
import type { HttpClient } from "../support/http.ts";
import { forPages } from "../support/pages.ts";
import { traceOf } from "../support/panel-traces.ts";

/** Calls of a model that is known, and of one that is not. */
async function seed(client: HttpClient): Promise<void> {
  const calls = ["gpt-4o", "house-model", "house-model"].map((model, at) => ({
    ...{ id: `call ${at}`, name: "ask", kind: "LLM", from: at, to: at + 1 },
    attributes: { "llm.model_name": model, "llm.token_count.prompt": 1000, "llm.token_count.completion": 200 },
  }));
  await sendSpans(exportTo(client), "shop", traceOf("calls", Date.now() - 60_000, calls));
}

const row = (page: Page, words: string | RegExp) => page.getByRole("row").filter({ hasText: words });
const dialog = (page: Page) => page.getByRole("dialog");

forPages("models", { seed }, (pages) => {
  test("without a price are a click away from one, which says what it is found in", async () => {
    const page = await pages.open("/settings/models");
    await page.getByText("One model was called in the last 30 days without a price").waitFor();
    await pages.picture(page, "models-unpriced");
    await page.getByRole("button", { name: "house-model" }).click();
    expect(await dialog(page).getByLabel("Pattern").inputValue()).toBe("^house-model$");
    await dialog(page).getByText("Found in 1 of 2 names that spans had in the last 30 days").waitFor();
    await dialog(page).getByText("no price yet").waitFor();
    await pages.expectAccessible(page);
    await pages.picture(page, "models-matches");
    await dialog(page).getByLabel("Pattern").fill("^gpt-5");
    await dialog(page).getByText("Found in no name that spans had in the last 30 days").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("group", { name: "Show" }).getByText("Used").click();
    await page.getByRole("row").filter({ hasText: "(?i)^gpt-4o$" }).waitFor();
    expect(await page.locator("[role=row][data-index]").count()).toBe(1);
  });

  test("are listed with their prices, searched, and read in full", async () => {
    const page = await pages.open("/settings/models?search=gpt-4o");
    const gpt = row(page, "(?i)^gpt-4o$").first();
    await gpt.waitFor();
    expect((await gpt.textContent())?.includes("$2.50")).toBe(true);
    await pages.expectAccessible(page);
    await pages.picture(page, "models");
    await gpt.click();
    await dialog(page).getByText("The service itself").waitFor();
    await dialog(page).getByRole("row", { name: "Input $2.50" }).waitFor();
    const source = dialog(page).getByRole("link", { name: "https://developers.openai.com" });
    expect(await source.getAttribute("href")).toStartWith("https://developers.openai.com/");
    await pages.expectAccessible(page);
    await pages.picture(page, "models-details");
  });

  test("say until when a price was valid", async () => {
    const page = await pages.open("/settings/models?search=gpt-5.6-luna");
    const start = "time[datetime^='2026-07-30']";
    await row(page, "(?i)^gpt-5\\.6-luna$").locator(start).nth(1).waitFor();
    await pages.expectAccessible(page);
    await pages.picture(page, "models-valid");
    await row(page, "(?i)^gpt-5\\.6-luna$").first().click();
    await dialog(page).getByText("Until").waitFor();
    await pages.picture(page, "models-valid-details");
  });

  test("are added with problems shown, changed and deleted", async () => {
    const page = await pages.open("/settings/models");
    await page.getByRole("button", { name: "Add a model" }).click();
    await dialog(page).getByRole("button", { name: "Add", exact: true }).click();
    await dialog(page).getByText("Enter a name").waitFor();
    await dialog(page).getByText("Enter a pattern").waitFor();
    await dialog(page).getByText("Prices are numbers of 0 or more, with six decimals at most").waitFor();
    await dialog(page).getByLabel("Model", { exact: true }).fill("acme-7b");
    await dialog(page).getByLabel("Pattern").fill("^acme-7b(");
    await dialog(page).getByLabel("Price of input", { exact: true }).fill("0.5");
    await dialog(page).getByLabel("Price of output", { exact: true }).fill("2");
    await dialog(page).getByRole("button", { name: "Another price of input for long prompts" }).click();
    await dialog(page).getByLabel("Tokens of the prompt above which input has another price").fill("200,000");
    await dialog(page).getByLabel("Price of input for long prompts", { exact: true }).fill("1");
    await dialog(page).getByRole("button", { name: "Add a kind of token" }).click();
    await dialog(page).getByLabel("Kind of token", { exact: true }).fill("cache_read");
    await dialog(page).getByLabel("Price of cache_read", { exact: true }).fill("0.05");
    await dialog(page).getByRole("button", { name: "Add", exact: true }).click();
    await dialog(page)
      .getByText(/a group that is not closed at character 9/)
      .waitFor();
    await pages.expectAccessible(page);
    await pages.picture(page, "models-dialog");
    await dialog(page).getByLabel("Pattern").fill("^acme-7b");
    await dialog(page).getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("acme-7b is saved").waitFor();
    await page.getByRole("group", { name: "Show" }).getByText("Own").click();
    await page.waitForURL(/show=own/);
    const own = row(page, "^acme-7b");
    expect(await own.textContent()).toContain("$0.50 +");
    await page.getByRole("button", { name: "Edit acme-7b" }).click();
    expect(await dialog(page).getByLabel("Tokens of the prompt above which input has another price").inputValue()).toBe(
      "200000",
    );
    await dialog(page).getByLabel("Price of output", { exact: true }).fill("3");
    await dialog(page).getByRole("button", { name: "Save" }).click();
    await own.getByText("$3.00", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Delete acme-7b" }).click();
    await dialog(page).getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("No models of your own").waitFor();
  });

  test("are copied from those that the service knows", async () => {
    const page = await pages.open("/settings/models?search=gpt-4o-mini");
    await page.getByRole("button", { name: "Copy gpt-4o-mini", exact: true }).first().click();
    expect(await dialog(page).getByLabel("Price of input", { exact: true }).inputValue()).toBe("0.15");
    expect(await dialog(page).getByLabel("Price of cache_read", { exact: true }).inputValue()).toBe("0.075");
    await dialog(page).getByLabel("Price of input", { exact: true }).fill("0.1");
    await dialog(page).getByRole("button", { name: "Add", exact: true }).click();
    await row(page, "own").getByText("$0.10", { exact: true }).waitFor();
  });

  test("stored costs are recomputed, and the page shows what changed", async () => {
    const page = await pages.open("/settings/models");
    await page.getByRole("button", { name: "Recompute costs" }).click();
    const asked = page.getByRole("dialog", { name: "Recompute costs" });
    await asked.getByLabel("Of calls since").fill("2020-01-01T00:00:00");
    await pages.picture(page, "recompute");
    await asked.getByRole("button", { name: "Recompute", exact: true }).click();
    await asked.waitFor({ state: "detached" });
    await page.getByText("Costs were recomputed").waitFor({ timeout: 90_000 });
    await page.getByText(/\d+ calls looked at, \d+ changed: /).waitFor();
    await pages.expectAccessible(page);
  });

  test("fit a phone, and the dark", async () => {
    const page = await pages.open("/settings/models?search=claude", { width: "phone", theme: "dark" });
    await page.getByText("claude-", { exact: false }).first().click();
    await dialog(page).getByText("Source").waitFor();
    await pages.expectAccessible(page);
    await pages.picture(page, "models-details-dark");
    await page.keyboard.press("Escape");
    await pages.picture(page, "models-dark");
    await page.getByRole("button", { name: "Add a model" }).click();
    await dialog(page).getByRole("button", { name: "Add a kind of token" }).click();
    await pages.picture(page, "models-dialog-dark");
    const wide = await pages.open("/settings/models?search=gemini-2.5", { theme: "dark" });
    await row(wide, "gemini-2.5").first().waitFor();
    await pages.expectAccessible(wide);
    await pages.picture(wide, "models-dark");
  });
});

// Costs in a browser: in lists, above them, in the head of a trace and of a session, beside each span, and what they are made of.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { exportTo, sendSpans } from "../support/dataset.ts";
import type { HttpClient } from "../support/http.ts";
import type { OtlpSpan } from "../support/otlp-encode.ts";
import { forPages, type PagesUnderTest } from "../support/pages.ts";
import { hexId, type Plain, traceOf } from "../support/panel-traces.ts";

const BEGIN_MS = Date.now() - 3_600_000;

const call = (model: string, prompt: number, completion: number, more: Readonly<Record<string, Plain>> = {}) => ({
  "llm.model_name": model,
  "llm.token_count.prompt": prompt,
  "llm.token_count.completion": completion,
  ...more,
});

/** Prices of gpt-4o: 2.50 USD a million tokens in, 1.25 from the cache, 10 out. */
function traces(): OtlpSpan[] {
  const ask = (name: string, at: number, calls: readonly ReturnType<typeof call>[]) =>
    traceOf(name, BEGIN_MS + at * 60_000, [
      {
        ...{ id: "agent", name: "support_agent", kind: "AGENT", from: 0, to: 4000 },
        attributes: {
          "input.value": `Question of ${name}`,
          "output.value": "Answered",
          "session.id": "chat",
          "user.id": "ada",
        },
      },
      ...calls.map((attributes, index) => ({
        ...{ id: `call ${index}`, parent: "agent", name: `ask ${attributes["llm.model_name"]}`, kind: "LLM" },
        ...{ from: index * 1000, to: index * 1000 + 900 },
        attributes,
      })),
      { id: "tool", parent: "agent", name: "lookup", kind: "TOOL", from: 3500, to: 3600 },
    ]);
  const cached = {
    "llm.token_count.prompt_details.cache_read": 4000,
    "llm.token_count.completion_details.reasoning": 100,
  };
  return [
    ...ask("priced", 1, [call("gpt-4o", 10_000, 500, cached), call("gpt-4o", 2000, 100)]),
    ...ask("mixed", 2, [
      call("gpt-4o", 2000, 100),
      call("house-model", 700, 20),
      call("rented-model", 300, 10, { "llm.cost.total": 0.5 }),
    ]),
    ...ask("unknown", 3, [call("house-model", 700, 20)]),
    ...ask("free", 4, []),
  ];
}

async function seed(client: HttpClient): Promise<void> {
  await sendSpans(exportTo(client), "shop", traces());
}

async function open(pages: PagesUnderTest, path: string, options: Parameters<PagesUnderTest["open"]>[1] = {}) {
  const answer = await pages.client().get("/v1/projects/shop");
  const { data } = (await answer.json()) as { data: { id: string } };
  return pages.open(path.replace("{id}", data.id), options);
}

const row = (page: Page, words: string) => page.getByRole("row").filter({ hasText: words });
const figure = (page: Page, label: string) =>
  page
    .locator("dl > div")
    .filter({ has: page.getByText(label, { exact: true }) })
    .locator("dd");

forPages("costs", { seed }, (pages) => {
  test("stand in the list of traces and above it; what nobody knows is a dash, what calls no model is empty", async () => {
    const page = await open(pages, "/projects/{id}/traces?range=1d");
    // 6,000 × 2.50 + 4,000 × 1.25 + 500 × 10, and 2,000 × 2.50 + 100 × 10, for a million.
    await row(page, "Question of priced").getByText("$0.031", { exact: true }).waitFor();
    await row(page, "Question of mixed").getByText("$0.51", { exact: true }).waitFor();
    await row(page, "Question of unknown").getByText("–", { exact: true }).waitFor();
    expect(await row(page, "Question of free").getByText(/\$|–/).count()).toBe(0);
    await figure(page, "Cost").getByText("$0.54", { exact: true }).waitFor();
    await figure(page, "Cost").getByRole("button").click();
    await page.waitForURL(/sort=-costTotal/);
    await page.getByRole("row").nth(1).getByText("Question of mixed").waitFor();
    await pages.expectAccessible(page);
    await pages.picture(page, "costs-list");
  });

  test("are split by kind of token, in a list at the pointer", async () => {
    const page = await open(pages, "/projects/{id}/traces?range=1d");
    await row(page, "Question of priced").getByText("$0.031", { exact: true }).hover();
    const split = page.getByRole("tooltip");
    await split.getByText("Read from cache").first().waitFor();
    await pages.picture(page, "costs-tooltip");
  });

  test("stand in the head of a trace with what they are made of, and beside each span with all below it", async () => {
    const page = await open(pages, `/projects/{id}/traces/${hexId("mixed", 32)}`);
    const span = (name: string) => page.getByRole("treeitem").filter({ hasText: name });
    await span("support_agent").getByText("$0.51 + ?", { exact: true }).waitFor();
    await span("ask gpt-4o").getByText("$0.006", { exact: true }).waitFor();
    await span("ask house-model").getByText("–", { exact: true }).waitFor();
    await span("ask rented-model").getByText("$0.50", { exact: true }).waitFor();
    expect(await span("lookup").getByText(/\$|–/).count()).toBe(0);
    await page.getByRole("button", { name: "$0.51 + ?" }).click();
    const split = page.getByRole("dialog", { name: "What it costs" });
    const lines = async () => (await split.getByRole("row").allTextContents()).slice(1);
    await split.getByRole("table").waitFor();
    expect(await lines()).toEqual([
      "Input3,000$0.005",
      "Output130$0.001",
      "Not split by its sender$0.50",
      "Total3,130$0.51",
    ]);
    await split.getByText("Of one call the amount is what its sender says.").waitFor();
    await split.getByText("One call has no known price; the total is without it.").waitFor();
    await pages.expectAccessible(page);
    await pages.picture(page, "costs-trace");
    await page.keyboard.press("Escape");
    await span("ask rented-model").click();
    await page.getByText("as its sender says").waitFor();
    await span("ask house-model").click();
    await page.getByRole("button", { name: "cost unknown" }).click();
    await split.getByText("No price of the model is known.").waitFor();
    await split.getByRole("link", { name: "See models and their prices" }).click();
    await page.getByText("One model was called in the last 30 days without a price").waitFor();
  });

  test("stand in the lists of spans and sessions and in a session", async () => {
    const spans = await open(pages, "/projects/{id}/spans?range=1d&sort=-tokenCostTotal");
    await spans.getByRole("row").nth(1).getByText("$0.50", { exact: true }).waitFor();
    await figure(spans, "Cost").getByText("$0.54", { exact: true }).waitFor();
    await pages.picture(spans, "costs-spans");
    const page = await open(pages, "/projects/{id}/sessions?range=1d");
    await row(page, "chat").getByText("$0.54", { exact: true }).waitFor();
    await figure(page, "Cost").getByText("$0.54", { exact: true }).waitFor();
    await pages.picture(page, "costs-sessions");
    await row(page, "chat").click();
    await page.getByRole("button", { name: "$0.54 + ?" }).click();
    await page.getByText("2 calls have no known price; the total is without them.").waitFor();
    await pages.picture(page, "costs-session");
  });

  test("stand among the metrics, against a budget that the browser keeps", async () => {
    const page = await open(pages, "/projects/{id}/metrics?range=1d");
    const chart = page.getByRole("region", { name: "Cost", exact: true });
    await page.getByRole("slider", { name: "Cost", exact: true }).waitFor();
    expect(await chart.getByRole("listitem").allTextContents()).toEqual([
      "Input$0.025",
      "Output$0.006",
      "Read from cache$0.005",
      "Reasoning$0.001",
      "Not split by its sender$0.50",
    ]);
    await chart.getByText("By model", { exact: true }).click();
    await page.waitForURL(/costs=model/);
    await chart.getByRole("button", { name: "rented-model $0.50" }).waitFor();
    expect(await chart.getByRole("listitem").allTextContents()).toEqual(["rented-model$0.50", "gpt-4o$0.037"]);
    const list = (name: string) => page.getByRole("region", { name, exact: true }).getByRole("listitem");
    await list("Models by cost").first().waitFor();
    expect(await list("Models by cost").allTextContents()).toEqual([
      "rented-model$0.50",
      "gpt-4o$0.037",
      "house-model–",
    ]);
    expect(await list("Models by tokens").allTextContents()).toEqual([
      "gpt-4o14.7K",
      "house-model1,440",
      "rented-model310",
    ]);
    expect(await list("Users by cost").allTextContents()).toEqual(["ada$0.54 + ?"]);
    await pages.picture(page, "costs-metrics-models");
    await page.getByRole("group", { name: "Cost", exact: true }).getByText("$0.54", { exact: true }).waitFor();
    await chart.getByRole("button", { name: "Set a budget" }).click();
    const form = page.getByRole("dialog", { name: "Budget" });
    await form.getByRole("button", { name: "Set", exact: true }).click();
    await form.getByText("Enter an amount above 0").waitFor();
    await form.getByLabel("Amount in US dollars").fill("$ 0.4");
    await form.getByText("A day", { exact: true }).click();
    await pages.expectAccessible(page);
    await form.getByRole("button", { name: "Set", exact: true }).click();
    await chart.getByText(/of \$0\.40 today\./).waitFor();
    await chart.scrollIntoViewIfNeeded();
    await pages.picture(page, "costs-metrics");
    await page.reload();
    await chart.getByRole("button", { name: "$0.40 a day" }).click();
    await form.getByRole("button", { name: "Remove" }).click();
    await chart.getByRole("button", { name: "Set a budget" }).waitFor();
    expect(await chart.getByText("today").count()).toBe(0);
  });

  test("fit a phone, and the dark", async () => {
    const page = await open(pages, "/projects/{id}/traces?range=1d", { width: "phone", theme: "dark" });
    await row(page, "Question of priced").waitFor();
    await pages.picture(page, "costs-list-dark");
    const trace = await open(pages, `/projects/{id}/traces/${hexId("mixed", 32)}`, { width: "phone", theme: "dark" });
    await trace.getByRole("button", { name: "$0.51 + ?" }).click();
    await trace.getByText("Not split by its sender").waitFor();
    await pages.expectAccessible(trace);
    await pages.picture(trace, "costs-trace-dark");
    const metrics = await open(pages, "/projects/{id}/metrics?range=1d&costs=model", { width: "phone", theme: "dark" });
    await metrics.getByRole("region", { name: "Cost", exact: true }).scrollIntoViewIfNeeded();
    await metrics.getByRole("button", { name: "rented-model $0.50" }).waitFor();
    await pages.expectAccessible(metrics);
    await pages.picture(metrics, "costs-metrics-dark");
    const wide = await open(pages, `/projects/{id}/traces/${hexId("priced", 32)}`, { theme: "dark" });
    await wide.getByRole("button", { name: "$0.031" }).click();
    await wide.getByText("Read from cache").waitFor();
    await pages.expectAccessible(wide);
    await pages.picture(wide, "costs-trace-dark");
  });
});

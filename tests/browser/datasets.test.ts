// Datasets in a browser: found, made, labelled and deleted.
import { expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { exportTo, sendSpans } from "../support/dataset.ts";
import type { HttpClient } from "../support/http.ts";
import { forPages } from "../support/pages.ts";
import { hexId, traceOf } from "../support/panel-traces.ts";

const refunds = Array.from({ length: 120 }, (_, position) => ({
  input: { question: `Where is order ${position}?`, customer: { tier: position % 2 === 0 ? "gold" : "plain" } },
  output: { answer: `It left on day ${position}.` },
  metadata: { source: "mail" },
}));

async function seed(client: HttpClient): Promise<void> {
  const upload = async (name: string, examples: readonly object[], more: object = {}) => {
    const json = {
      name,
      action: "create",
      inputs: examples.map((each) => ("input" in each ? each.input : {})),
      outputs: examples.map((each) => ("output" in each ? each.output : {})),
      metadata: examples.map((each) => ("metadata" in each ? each.metadata : {})),
      ...more,
    };
    const answer = await client.post("/v1/datasets/upload?sync=true", { json });
    expect([name, answer.status]).toEqual([name, 200]);
  };
  const splits = refunds.map((_, position) => (position < 20 ? "test" : "train"));
  await upload("refunds", refunds, { splits, description: "What customers ask about their orders" });
  const answer =
    "Take **Team**:\n\n- it has roles\n- it has alerts\n\n<img src=x onerror=alert(1)>\n\n![plan](https://example.com/a.png)";
  await upload("written", [{ input: { question: "Compare the plans" }, output: { answer, sources: [1, 2] } }]);
  for (const name of ["to-delete", "to-label"]) await upload(name, refunds.slice(0, 1));
  const asked = { input: { question: "What now?" } };
  await upload("versioned", [{ ...asked, output: { answer: "Now" } }], { example_ids: ["first"] });
  await upload("versioned", [{ ...asked, output: { answer: "Later" } }], { example_ids: ["first"], action: "update" });
  const attributes = { "input.value": "Where is my order?" };
  const root = { id: "root", name: "agent", kind: "AGENT", from: 0, to: 400, attributes };
  await sendSpans(exportTo(client), "support-bot", traceOf("asked", Date.now() - 60_000, [root]));
  await upload("from-spans", [{ input: { question: "Where is my order?" } }], { span_ids: [hexId("asked/root", 16)] });
}

/** The rows of a table that are loaded, drawn or not. */
async function expectRows(grid: Locator, count: number): Promise<void> {
  await grid.and(grid.page().locator(`[aria-rowcount="${count + 1}"]`)).waitFor();
}

forPages("datasets", { seed }, (pages) => {
  test("are found by name, and a new one is made", async () => {
    const page = await pages.open("/datasets");
    await page.getByRole("row", { name: /refunds.*120/ }).waitFor();
    await page.getByRole("button", { name: "New dataset" }).click();
    const dialog = page.getByRole("dialog", { name: "New dataset" });
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.getByText("A dataset needs a name.").waitFor();
    await dialog.getByLabel("Name").fill("refunds");
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.getByText('A dataset named "refunds" exists').waitFor();
    await dialog.getByLabel("Name").fill("complaints");
    await dialog.getByRole("button", { name: "Create" }).click();
    await page.getByText("complaints is created").waitFor();
    await page.getByRole("searchbox", { name: "Search datasets" }).fill("compl");
    await page.getByRole("row", { name: /refunds/ }).waitFor({ state: "detached" });
    await page.getByRole("row", { name: /complaints.*0/ }).waitFor();
  });

  test("are narrowed by a label, and one is deleted", async () => {
    const page = await pages.open("/datasets");
    await page.getByRole("button", { name: "Edit to-label" }).click();
    const dialog = page.getByRole("dialog", { name: "Edit to-label" });
    await dialog.getByLabel("New label").fill("reviewed");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("to-label is saved").waitFor();
    await page.getByRole("combobox", { name: "Labels" }).selectOption("reviewed");
    await page.getByRole("row", { name: /refunds/ }).waitFor({ state: "detached" });
    await page.getByRole("row", { name: /to-label.*reviewed/ }).waitFor();
    await page.getByRole("combobox", { name: "Labels" }).selectOption("All labels");
    await page.getByRole("button", { name: "Delete to-delete" }).click();
    const asked = page.getByRole("dialog", { name: "Delete to-delete?" });
    await asked.getByRole("button", { name: "Delete dataset" }).click();
    await page.getByText("to-delete is deleted").waitFor();
    await page.getByRole("row", { name: /to-delete/ }).waitFor({ state: "detached" });
  });

  test("show their examples, all of them, found by what they say and by their split", async () => {
    const page = await pages.open("/datasets");
    await page.getByRole("link", { name: "refunds" }).click();
    await page.getByRole("heading", { name: "refunds", level: 1 }).waitFor();
    await page.getByText("120 examples").waitFor();
    const grid = page.getByRole("grid", { name: "Examples" });
    await grid.getByRole("row", { name: /order 0\?/ }).focus();
    // A window of this height shows enough of the first 50 that the next are asked for.
    await expectRows(grid, 100);
    await page.keyboard.press("End");
    await expectRows(grid, 120);
    await page.keyboard.press("End");
    await grid.getByRole("row", { name: /order 119\?/ }).waitFor();
    await page.getByRole("combobox", { name: "Splits" }).selectOption("test");
    await page.getByText("20 examples").waitFor();
    await page.getByRole("searchbox", { name: "Search examples" }).fill("ORDER 7?");
    await expectRows(grid, 1);
    await grid.getByRole("row", { name: /order 7\?.*day 7.*test/ }).waitFor();
  });

  test("an example opens over the list, its neighbours by keys, and at its own address", async () => {
    const page = await pages.open("/datasets");
    await page.getByRole("link", { name: "refunds" }).click();
    await page.getByRole("row", { name: /order 1\?/ }).click();
    const panel = page.getByRole("region", { name: "Example", exact: true });
    await panel.getByRole("heading", { name: "Where is order 1?" }).waitFor();
    await panel.getByRole("region", { name: "Metadata" }).getByText("mail").waitFor();
    await page.keyboard.press("j");
    await panel.getByRole("heading", { name: "Where is order 2?" }).waitFor();
    await page.keyboard.press("k");
    await panel.getByRole("heading", { name: "Where is order 1?" }).waitFor();
    await page.keyboard.press("[");
    await panel.getByRole("heading", { name: "Where is order 0?" }).waitFor();
    expect(page.url()).toMatch(/\/datasets\/[^/]+\/examples\/[^/]+$/);
    await page.reload();
    await panel.getByRole("heading", { name: "Where is order 0?" }).waitFor();
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
  });

  test("texts of an example are read as Markdown, without HTML and images of others, or as JSON", async () => {
    const page = await pages.open("/datasets");
    await page.getByRole("link", { name: "written" }).click();
    await page.getByRole("row", { name: /Compare the plans/ }).click();
    const panel = page.getByRole("region", { name: "Example", exact: true });
    await panel.getByRole("heading", { name: "Compare the plans", exact: true }).waitFor();
    const expected = panel.getByRole("region", { name: "Expected" });
    await expected.locator("strong", { hasText: "Team" }).waitFor();
    expect(await expected.locator("li").count()).toBe(2);
    expect(await expected.locator("img, script").count()).toBe(0);
    await expected.getByText("<img src=x onerror=alert(1)>").waitFor();
    await pages.expectAccessible(page);
    await pages.picture(page, "example-markdown");
    await panel.getByText("JSON", { exact: true }).click();
    await expected.getByText("**Team**").waitFor();
    await page.reload();
    await expected.getByText("**Team**").waitFor();
    expect(await expected.locator("strong").count()).toBe(0);
  });

  test("an older version shows what was, also for an example that has changed since", async () => {
    const page = await pages.open("/datasets");
    await page.getByRole("link", { name: "versioned" }).click();
    await page.getByRole("row", { name: /What now\?.*Later/ }).click();
    const panel = page.getByRole("region", { name: "Example", exact: true });
    await panel.getByRole("region", { name: "Expected" }).getByText("Later").waitFor();
    await page.getByRole("combobox", { name: "Version" }).selectOption({ index: 2 });
    await panel.getByRole("region", { name: "Expected" }).getByText("Now").waitFor();
    await page.reload();
    await panel.getByRole("region", { name: "Expected" }).getByText("Now").waitFor();
  });

  test("an example leads to the span that it was made of", async () => {
    const page = await pages.open("/datasets");
    await page.getByRole("link", { name: "from-spans" }).click();
    await page.getByRole("row", { name: /Where is my order/ }).click();
    await page.getByRole("link", { name: "Open its span" }).click();
    await page.getByRole("region", { name: "Trace", exact: true }).waitFor();
    expect(page.url()).toContain("selectedSpanNodeId=");
  });

  test("a dataset says how programs read it, at the version that is shown, and is downloaded in every format", async () => {
    const page = await pages.open("/datasets");
    await page.getByRole("link", { name: "versioned" }).click();
    await page.getByRole("combobox", { name: "Version" }).selectOption({ index: 2 });
    const version = new URL(page.url()).searchParams.get("version")!;
    await page.getByRole("button", { name: "More about versioned" }).click();
    const files = page.getByRole("menuitem", { name: /^Download/ });
    const addresses = await files.evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
    expect(addresses.map((address) => /\/v1\/datasets\/[^/]+\/([^?]+)/.exec(address)?.[1])).toEqual([
      "csv",
      "jsonl",
      "parquet",
      "jsonl/openai_ft",
      "jsonl/openai_evals",
    ]);
    const answers = await Promise.all(addresses.map((address) => page.request.get(address)));
    expect(answers.map((answer) => answer.status())).toEqual(addresses.map(() => 200));
    await page.getByRole("menuitem", { name: "Code" }).click();
    const dialog = page.getByRole("dialog", { name: "versioned in programs" });
    await dialog.getByText(`version_id="${version}"`).waitFor();
    await dialog.getByText("TypeScript").click();
    await dialog.getByText(`versionId: "${version}"`).waitFor();
    await pages.expectAccessible(page);
    await pages.picture(page, "dataset-code");
  });

  test("what is no dataset, and no example of it, is said", async () => {
    const page = await pages.open("/datasets/RGF0YXNldDo5OTk5");
    await page.getByText("No such dataset").waitFor();
    const other = await pages.open("/datasets");
    await other.getByRole("link", { name: "refunds" }).click();
    await other.getByRole("row", { name: /order 1\?/ }).waitFor();
    await other.goto(`${other.url()}/examples/RGF0YXNldEV4YW1wbGU6OTk5OQ==`);
    await other.getByText("No such example").waitFor();
    await other.getByRole("button", { name: "Close the example" }).click();
    await other.getByText("No such example").waitFor({ state: "detached" });
  });

  for (const theme of ["light", "dark"] as const) {
    for (const width of ["desktop", "phone"] as const) {
      test(`are accessible on a ${width} in ${theme}, and nothing is wider than the window`, async () => {
        const page = await pages.open("/datasets", { theme, width });
        await page.getByText("refunds", { exact: true }).first().waitFor();
        await pages.expectAccessible(page);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
        await pages.picture(page, `datasets-${theme}`);
        await page.getByText("refunds", { exact: true }).first().click();
        await page
          .getByText(/order 0\?/)
          .first()
          .waitFor();
        await pages.expectAccessible(page);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
        await pages.picture(page, `dataset-${theme}`);
        await page
          .getByText(/order 1\?/)
          .first()
          .click();
        await page.getByRole("region", { name: "Metadata" }).waitFor();
        await pages.expectAccessible(page);
        await pages.picture(page, `example-${theme}`);
      });
    }
  }
});

// Datasets in a browser: found, made, labelled and deleted.
import { expect, test } from "bun:test";
import type { HttpClient } from "../support/http.ts";
import { forEachPages } from "../support/pages.ts";

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
    expect(answer.status).toBe(200);
  };
  const splits = refunds.map((_, position) => (position < 20 ? "test" : "train"));
  await upload("refunds", refunds, { splits, description: "What customers ask about their orders" });
  for (const name of ["to-delete", "to-label"]) await upload(name, refunds.slice(0, 1));
}

forEachPages("datasets", { seed }, (pages) => {
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

  for (const theme of ["light", "dark"] as const) {
    for (const width of ["desktop", "phone"] as const) {
      test(`are accessible on a ${width} in ${theme}, and nothing is wider than the window`, async () => {
        const page = await pages.open("/datasets", { theme, width });
        await page.getByText("refunds", { exact: true }).first().waitFor();
        await pages.expectAccessible(page);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
        await pages.picture(page, `datasets-${theme}`);
      });
    }
  }
});

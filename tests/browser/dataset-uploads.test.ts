// Files that are uploaded to datasets in a browser: chosen, their columns moved by menu and by drag, and what came of them.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { HttpClient } from "../support/http.ts";
import { forPages } from "../support/pages.ts";

async function seed(client: HttpClient): Promise<void> {
  const json = { name: "orders", action: "create", inputs: [{ question: "Where?" }], example_ids: ["r1"] };
  expect((await client.post("/v1/datasets/upload?sync=true", { json })).status).toBe(200);
}

const csv = `question,answer,tier,id,split
"Where is it, now?",On its way,gold,r1,train
Why so late?,Snow,plain,r2,test
When?,Tomorrow,plain,r3,
How?,By train,gold,r4,train
`;
const fileOf = (content: string, name = "refunds.csv") => ({
  name,
  mimeType: "text/csv",
  buffer: Buffer.from(content),
});

async function choose(page: Page, button: string, file: ReturnType<typeof fileOf>) {
  await page.getByRole("button", { name: button }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Drop a file here, or choose one").setInputFiles(file);
  return dialog;
}

forPages("files for datasets", { seed }, (pages) => {
  test.each([
    { width: "desktop", theme: "light" },
    { width: "phone", theme: "dark" },
  ] as const)("a new dataset from a file, $width $theme", async ({ width, theme }) => {
    const page = await pages.open("/datasets", { width, theme });
    await page.getByRole("button", { name: "From a file" }).click();
    const name = `refunds ${width}`;
    const dialog = page.getByRole("dialog", { name: "New dataset from a file" });
    await dialog.getByText("Drop a file here").waitFor();
    await pages.picture(page, `upload-file-${width}-${theme}`);
    await dialog.getByLabel("Drop a file here, or choose one").setInputFiles(fileOf("a,b\n", "orders.txt"));
    await dialog.getByText("orders.txt is neither .csv nor .jsonl.").waitFor();
    await dialog.getByLabel("Drop a file here, or choose one").setInputFiles(fileOf("a,b\n"));
    await dialog.getByText("refunds.csv has no rows.").waitFor();
    await dialog.getByLabel("Drop a file here, or choose one").setInputFiles(fileOf(csv));
    const part = (label: string) => dialog.getByRole("region", { name: label, exact: true });
    await part("Expected").getByText("answer").waitFor();
    await part("Metadata").getByText("tier").waitFor();
    await part("Own id").getByText("id", { exact: true }).waitFor();
    await dialog.getByText('{"question":"Where is it, now?"}').waitFor();
    await pages.picture(page, `upload-columns-${width}-${theme}`);
    await pages.expectAccessible(page);
    await dialog.getByRole("button", { name: "What tier is" }).click();
    await page.getByRole("menuitemradio", { name: "Input" }).click();
    await dialog.getByText('{"question":"Where is it, now?","tier":"gold"}').waitFor();
    await dialog.getByTitle("Drag tier").dragTo(part("Left out"));
    await part("Left out").getByText("tier").waitFor();
    await dialog.getByLabel("Name of the dataset").fill("");
    await dialog.getByRole("button", { name: "Upload" }).click();
    await dialog.getByText("A dataset needs a name.").waitFor();
    await dialog.getByLabel("Name of the dataset").fill(name);
    await dialog.getByRole("button", { name: "Upload" }).click();
    await dialog.getByText("4 examples are new").waitFor();
    await pages.picture(page, `upload-result-${width}-${theme}`);
    await dialog.getByRole("link", { name: "Open the dataset" }).click();
    await page.getByRole("heading", { name }).waitFor();
    await page.getByText("Snow").waitFor();
    expect(await page.getByText("gold").count()).toBe(0);
  });

  test("what is refused is named by its line, and the columns are still there to be mended", async () => {
    const page = await pages.open("/datasets", { expected: [/422/] });
    const dialog = await choose(page, "From a file", fileOf(`${csv}What?,"never closed\n`));
    await dialog.getByLabel("Name of the dataset").fill("broken");
    await dialog.getByRole("button", { name: "Upload" }).click();
    await dialog.getByText(/Nothing was stored\. .*Line 6/).waitFor();
    await dialog.getByRole("button", { name: "Back" }).click();
    await dialog.getByRole("region", { name: "Expected" }).getByText("answer").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(await page.getByRole("row", { name: /broken/ }).count()).toBe(0);
  });

  test("a dataset that is there gets the examples of a file of JSON lines", async () => {
    const page = await pages.open("/datasets");
    await page.getByRole("row", { name: /orders/ }).click();
    const lines = [
      { id: "r1", input: { question: "Where now?" }, output: {} },
      { id: "r9", input: { question: "Why?" }, output: { answer: "Snow" } },
    ];
    const file = fileOf(lines.map((line) => JSON.stringify(line)).join("\n"), "more.jsonl");
    const dialog = await choose(page, "Add from file", file);
    await dialog.getByText('{"question":"Where now?"}').waitFor();
    await dialog.getByRole("button", { name: "Upload" }).click();
    await dialog.getByText("1 example is new").waitFor();
    await dialog.getByText("1 example is changed").waitFor();
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByText("2 examples", { exact: true }).waitFor();
    await page.getByText("Where now?").waitFor();
  });
});

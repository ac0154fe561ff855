// Examples of a dataset that are written and changed by hand, in a browser.
import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import type { HttpClient } from "../support/http.ts";
import { forEachPages } from "../support/pages.ts";

async function seed(client: HttpClient): Promise<void> {
  const upload = (name: string, inputs: unknown[], outputs: unknown[]) =>
    client.post("/v1/datasets/upload?sync=true", { json: { name, action: "create", inputs, outputs } });
  await upload("by-hand", [{ question: "Where is it?" }], [{ answer: "On its way." }]);
  await upload("empty", [], []);
}

/** Not the plain field that stands in its place while it is loaded. */
function editorOf(page: Page, name: string): Locator {
  return page.getByRole("textbox", { name: new RegExp(`^${name}`) }).and(page.locator(".cm-content"));
}

/** Everything in the editor is replaced, as somebody would type it. */
async function write(page: Page, editor: Locator, text: string): Promise<void> {
  await editor.click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  await page.keyboard.type(text);
}

forEachPages("examples by hand", { seed }, (pages) => {
  const openDataset = async (name: string, options: Parameters<typeof pages.open>[1] = {}) => {
    const { data } = (await pages.client().get(`/v1/datasets?name=${name}`)).json<{ data: { id: string }[] }>();
    return pages.open(`/datasets/${data[0]!.id}/examples`, options);
  };

  test("a new one has the names of the others, as text and as JSON with its mistakes marked", async () => {
    const page = await openDataset("by-hand");
    await page.getByRole("row", { name: /Where is it/ }).waitFor();
    await page.getByRole("button", { name: "Add example" }).click();
    const dialog = page.getByRole("dialog", { name: "Add example" });
    const editor = (name: string) => editorOf(page, name);
    await write(page, editor("Input"), "Why does\nit take so long?");
    await dialog.getByRole("group", { name: "Output as" }).getByText("JSON").click();
    // The second brace and the quotes are completed; what is typed over them stands once.
    await write(page, editor("Output"), '{"answer": 1,, }');
    await dialog.getByText("Line 1, column 14: “,” cannot stand here.").waitFor();
    await dialog.locator(".cm-lintRange-error").waitFor();
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await write(page, editor("Output"), '{"answer": "Rain", "days": 1234567890123456789');
    await dialog.getByText("cannot stand here").waitFor({ state: "detached" });
    await write(page, editor("Metadata"), "[1");
    await dialog.getByText("An object is expected here, in braces.").waitFor();
    await write(page, editor("Metadata"), "{");
    await dialog.getByLabel("Note of the version").fill("Written by hand");
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("The example is added").waitFor();
    await page.getByRole("row", { name: /take so long.*Rain/ }).waitFor();
    const id = /datasets\/([^/]+)/.exec(page.url())![1]!;
    const stored = await pages.client().get(`/v1/datasets/${id}/examples`);
    expect(stored.text.replaceAll(/\s/g, "")).toContain('"days":1234567890123456789');
    await page.getByRole("combobox", { name: "Version" }).getByText("Written by hand").waitFor({ state: "attached" });
  });

  test("the first one of an empty dataset", async () => {
    const page = await openDataset("empty");
    await page.getByText("No examples", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Add example" }).click();
    await write(page, editorOf(page, "Input"), "Hello");
    await page.keyboard.press("ControlOrMeta+Enter");
    await page.getByRole("row", { name: /Hello/ }).waitFor();
  });

  for (const theme of ["light", "dark"] as const) {
    for (const width of ["desktop", "phone"] as const) {
      test(`are accessible on a ${width} in ${theme}`, async () => {
        const page = await openDataset("by-hand", { theme, width });
        await page.getByRole("row", { name: /Where is it/ }).waitFor();
        await page.getByRole("button", { name: "Add example" }).click();
        const dialog = page.getByRole("dialog", { name: "Add example" });
        await write(page, editorOf(page, "Metadata"), '{"a": 1,, }');
        await dialog.locator(".cm-lintRange-error").waitFor();
        await pages.expectAccessible(page);
        await pages.picture(page, `example-new-${theme}`);
      });
    }
  }
});

// Examples of a dataset that are written and changed by hand, in a browser.
import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import type { HttpClient } from "../support/http.ts";
import { forPages } from "../support/pages.ts";

async function seed(client: HttpClient): Promise<void> {
  const upload = (name: string, inputs: unknown[], outputs: unknown[]) =>
    client.post("/v1/datasets/upload?sync=true", { json: { name, action: "create", inputs, outputs } });
  await upload("by-hand", [{ question: "Where is it?" }], [{ answer: "On its way." }]);
  const numbered = Array.from({ length: 4 }, (_, at) => at);
  const asked = numbered.map((at) => ({ question: `Question ${at}?` }));
  const answered = numbered.map((at) => ({ answer: `Answer ${at}`, count: at }));
  await upload("to-edit", asked, answered);
  // As no number of JavaScript can be written.
  const raw = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;
  await upload("exact", [{ question: "Which?" }], [{ id: raw("1234567890123456789"), share: raw("2.0") }]);
  await upload("to-split", asked, answered);
  await upload("to-delete", asked, answered);
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

forPages("examples by hand", { seed }, (pages) => {
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
    await page.keyboard.press("Escape");
    await page
      .getByRole("dialog", { name: "Leave without saving?" })
      .getByRole("button", { name: "Keep editing" })
      .click();
    await dialog.getByRole("group", { name: "Expected as" }).getByText("JSON").click();
    // The second brace and the quotes are completed; what is typed over them stands once.
    await write(page, editor("Expected"), '{"answer": 1,, }');
    await dialog.getByText("Line 1, column 14: “,” cannot stand here.").waitFor();
    await dialog.locator(".cm-lintRange-error").waitFor();
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await write(page, editor("Expected"), '{"answer": "Rain", "days": 1234567890123456789');
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
    await pages.picture(page, "dataset-empty");
    await page.getByRole("button", { name: "Add example" }).click();
    await write(page, editorOf(page, "Input"), "Hello");
    await page.keyboard.press("ControlOrMeta+Enter");
    await page.getByRole("row", { name: /Hello/ }).waitFor();
  });

  test("one is changed in its panel, with a note; what is not saved is not lost unasked", async () => {
    const page = await openDataset("to-edit");
    await page.getByRole("row", { name: /Question 1/ }).click();
    const panel = page.getByRole("region", { name: "Example", exact: true });
    await panel.getByRole("heading", { name: "Question 1?" }).waitFor();
    await page.keyboard.press("e");
    await write(page, editorOf(page, "Input"), "Another question?");
    await write(page, editorOf(page, "Expected"), '{"answer": 1');
    const question = page.getByRole("dialog", { name: "Leave without saving?" });
    // To the neighbour, elsewhere, and back: each asks.
    await panel.getByRole("button", { name: "Next example" }).click();
    await question.getByRole("button", { name: "Keep editing" }).click();
    await page.getByRole("link", { name: "Datasets" }).first().click();
    await question.getByRole("button", { name: "Keep editing" }).click();
    await page.evaluate(() => history.back());
    await question.getByRole("button", { name: "Keep editing" }).click();
    await write(page, editorOf(page, "Expected"), '{"answer": "One", "count": 1.0');
    await panel.getByRole("textbox", { name: "Note of the version" }).fill("Answered better");
    await page.keyboard.press("ControlOrMeta+Enter");
    await page.getByText("The example is saved").waitFor();
    await panel.getByRole("region", { name: "Input" }).getByText("Another question?").waitFor();
    await page.getByRole("combobox", { name: "Version" }).getByText("Answered better").waitFor({ state: "attached" });
    // Nothing is asked any more, and the old version says what it did.
    await page.keyboard.press("Escape");
    await page.getByRole("row", { name: /Another question.*One/ }).click();
    await page.getByRole("combobox", { name: "Version" }).selectOption({ index: 2 });
    await panel.getByRole("region", { name: "Input" }).getByText("Question 1?").waitFor();
    expect(await panel.getByRole("button", { name: "Edit the example" }).count()).toBe(0);
  });

  test("what is written and discarded is gone", async () => {
    const page = await openDataset("to-edit");
    await page.getByRole("row", { name: /Question 2/ }).click();
    const panel = page.getByRole("region", { name: "Example", exact: true });
    await panel.getByRole("button", { name: "Edit the example" }).click();
    await write(page, editorOf(page, "Input"), "Nothing");
    await panel.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Discard" }).click();
    await panel.getByRole("region", { name: "Input" }).getByText("Question 2?").waitFor();
    await page.keyboard.press("j");
    await panel.getByRole("region", { name: "Input" }).getByText("Question 3?").waitFor();
  });

  test("numbers keep every digit when something beside them is changed", async () => {
    const page = await openDataset("exact");
    await page.getByRole("row", { name: /Which/ }).click();
    const panel = page.getByRole("region", { name: "Example", exact: true });
    await panel.getByRole("button", { name: "Edit the example" }).click();
    await editorOf(page, "Expected").click();
    await page.keyboard.press("ControlOrMeta+Home");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.type('"more": true,');
    await panel.getByRole("button", { name: "Save" }).click();
    await page.getByText("The example is saved").waitFor();
    const id = /datasets\/([^/]+)/.exec(page.url())![1]!;
    const stored = await pages.client().get(`/v1/datasets/${id}/examples`);
    expect(stored.text.replaceAll(/\s/g, "")).toContain('"output":{"more":true,"id":1234567890123456789,"share":2.0}');
  });

  test("some are put into splits together, and one of them out again", async () => {
    const page = await openDataset("to-split");
    const row = (number: number) => page.getByRole("row", { name: new RegExp(`Question ${number}`) });
    for (const number of [0, 2]) await row(number).getByRole("checkbox").click();
    const bar = page.getByRole("toolbar", { name: "2 selected" });
    await bar.getByRole("button", { name: "Splits" }).click();
    const dialog = page.getByRole("dialog", { name: "Splits of 2 examples" });
    await dialog.getByLabel("New split").fill("hard");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("Splits of 2 examples are saved").waitFor();
    await row(2).getByText("hard").waitFor();
    await row(2).click();
    await page.getByRole("button", { name: "Splits of the example" }).click();
    const one = page.getByRole("dialog", { name: "Splits of 1 example" });
    await one.getByRole("checkbox", { name: "hard" }).uncheck();
    await one.getByRole("button", { name: "Save" }).click();
    await row(2).getByText("hard").waitFor({ state: "detached" });
    // Now only some are in it: left alone it stays so, ticked it holds for all.
    await page.keyboard.press("Escape");
    await bar.getByRole("button", { name: "Splits" }).click();
    expect(
      await dialog.getByRole("checkbox", { name: "hard" }).evaluate((box: HTMLInputElement) => box.indeterminate),
    ).toBe(true);
    await dialog.getByRole("checkbox", { name: "hard" }).check();
    await dialog.getByRole("button", { name: "Save" }).click();
    await row(2).getByText("hard").waitFor();
  });

  test("one is deleted from its panel, and some from the list", async () => {
    const page = await openDataset("to-delete");
    await page.getByRole("row", { name: /Question 0/ }).click();
    const panel = page.getByRole("region", { name: "Example", exact: true });
    await panel.getByRole("button", { name: "Delete the example" }).click();
    await page.getByRole("button", { name: "Delete 1 example" }).click();
    await panel.getByRole("heading", { name: "Question 1?" }).waitFor();
    await page.keyboard.press("Escape");
    for (const number of [1, 3]) {
      await page
        .getByRole("row", { name: new RegExp(`Question ${number}`) })
        .getByRole("checkbox")
        .click();
    }
    await page.getByRole("toolbar", { name: "2 selected" }).getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete 2 examples" }).click();
    await page.getByText("2 examples are deleted").waitFor();
    await page.getByText("1 example", { exact: true }).waitFor();
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
        await page.keyboard.press("Escape");
        await page.getByRole("button", { name: "Discard" }).click();
        await page.getByRole("row", { name: /Where is it/ }).click();
        await page.getByRole("button", { name: "Edit the example" }).click();
        await editorOf(page, "Expected").waitFor();
        await pages.expectAccessible(page);
        await pages.picture(page, `example-edit-${theme}`);
      });
    }
  }
});

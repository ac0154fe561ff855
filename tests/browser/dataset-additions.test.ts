// Examples made of what the lists and panels show, in a browser.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { exportTo, sendSpans } from "../support/dataset.ts";
import type { HttpClient } from "../support/http.ts";
import { forPages } from "../support/pages.ts";
import { traceOf } from "../support/panel-traces.ts";

const PROJECT = "support-bot";
const BEGIN_MS = Date.now() - 3_600_000;

async function seed(client: HttpClient): Promise<void> {
  for (let number = 0; number < 6; number++) {
    const attributes = { "session.id": `chat-${number % 2}`, "input.value": `Question ${number}` };
    const root = { id: "root", name: "agent", kind: "AGENT", from: 0, to: number < 4 ? 400 : 900, attributes };
    const step = { id: "step", parent: "root", name: "find", kind: "TOOL", from: 50, to: 90 };
    const more = { attributes: { "input.value": `Looked up ${number}` } };
    const spans = [root, { ...step, ...more }];
    await sendSpans(exportTo(client), PROJECT, traceOf(`added ${number}`, BEGIN_MS + number * 60_000, spans));
  }
}

forPages("additions to datasets", { seed }, (pages) => {
  const listOf = async (tab: string, condition = "") => {
    const { data } = (await pages.client().get(`/v1/projects/${PROJECT}`)).json<{ data: { id: string } }>();
    return `/projects/${data.id}/${tab}${condition === "" ? "" : `?filter=${encodeURIComponent(condition)}`}`;
  };
  const inputsIn = async (name: string) => {
    const { data } = (await pages.client().get(`/v1/datasets?name=${name}`)).json<{ data: { id: string }[] }>();
    const found = await pages.client().get(`/v1/datasets/${data[0]!.id}/examples`);
    const { data: read } = found.json<{ data: { examples: { input: unknown }[] } }>();
    return read.examples.map(({ input }) => JSON.stringify(input)).sort();
  };
  const addTo = async (page: Page, name: string, submit: string, count: number) => {
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Dataset" }).fill(name);
    await dialog.getByRole("radio", { name: `New dataset “${name}”`, checked: true }).waitFor();
    await dialog.getByRole("button", { name: submit, exact: true }).click();
    await page.getByText(new RegExp(`^${count} examples? (is|are) added to ${name}$`)).waitFor();
  };

  for (const theme of ["light", "dark"] as const) {
    test(`of all traces that match, to a new dataset (${theme})`, async () => {
      const page = await pages.open(await listOf("traces", "latency_ms < 500"), { theme });
      await page.getByRole("checkbox").nth(1).click();
      await page.getByRole("button", { name: "Add to dataset" }).click();
      const dialog = page.getByRole("dialog", { name: "Add traces to a dataset" });
      await dialog.getByText("All 4 that match").click();
      await pages.expectAccessible(page);
      await pages.picture(page, `addition-${theme}`);
      await page.setViewportSize({ width: 390, height: 844 });
      await pages.expectAccessible(page);
      await pages.picture(page, `addition-${theme}`);
      await page.setViewportSize({ width: 1440, height: 900 });
      await addTo(page, `fast-${theme}`, "Add 4 traces", 4);
      const inputs = await inputsIn(`fast-${theme}`);
      expect(inputs).toHaveLength(4);
      expect(inputs.map((input) => /Question \d/.exec(input)?.[0])).toEqual(
        [0, 1, 2, 3].map((number) => `Question ${number}`),
      );
    });
  }

  test("of selected spans, and of all that match", async () => {
    const page = await pages.open(await listOf("spans", "span_kind == 'TOOL'"));
    await page.getByRole("checkbox").nth(1).click();
    await page.getByRole("checkbox").nth(2).click();
    await page.getByRole("button", { name: "Add to dataset" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Add 2 spans" }).click();
    await dialog.getByText("Choose a dataset, or type a new name.").waitFor();
    await addTo(page, "of-spans", "Add 2 spans", 2);
    expect(await inputsIn("of-spans")).toHaveLength(2);
    await page.getByRole("button", { name: "Add to dataset" }).click();
    await dialog.getByText("All 6 that match").click();
    await dialog.getByRole("textbox", { name: "Dataset" }).fill("OF-SP");
    await dialog.getByRole("radio", { name: /^of-spans/ }).click();
    await dialog.getByRole("combobox", { name: "Splits" }).fill("train, of tools");
    await dialog.getByRole("button", { name: "Add 6 spans" }).click();
    await page.getByText("6 examples are added to of-spans").waitFor();
    await page.getByRole("status").getByRole("link", { name: "Open" }).last().click();
    await page.getByRole("heading", { name: "of-spans" }).waitFor();
    await page.getByText("8 examples", { exact: true }).waitFor();
    await page.getByRole("combobox", { name: "Splits" }).selectOption("of tools");
    await page.getByText("6 examples", { exact: true }).waitFor();
  });

  test("of the turns of selected sessions", async () => {
    const page = await pages.open(await listOf("sessions"));
    await page
      .getByRole("row", { name: /chat-0/ })
      .getByRole("checkbox")
      .click();
    await page.getByRole("button", { name: "Add to dataset" }).click();
    await addTo(page, "turns", "Add 1 session", 3);
    expect(await inputsIn("turns")).toHaveLength(3);
  });

  test("of the span that is shown, and of a turn", async () => {
    const page = await pages.open(await listOf("traces"));
    await page.getByRole("row", { name: /Question 5/ }).click();
    await page.getByRole("button", { name: "Add the span to a dataset" }).click();
    await addTo(page, "one-span", "Add 1 span", 1);
    expect(await inputsIn("one-span")).toEqual([expect.stringContaining("Question 5")]);
    // The span leads to its example, and the example back to it.
    await page.getByRole("link", { name: "in one-span" }).click();
    const example = page.getByRole("region", { name: "Example", exact: true });
    await example.getByText("Question 5").waitFor();
    await example.getByRole("link", { name: "Open its span" }).click();
    await page.getByRole("link", { name: "in one-span" }).waitFor();
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Add to dataset" }).click();
    await addTo(page, "whole-trace", "Add 1 trace", 1);
    await page.getByRole("link", { name: "in whole-trace" }).waitFor();
    const session = await pages.open(await listOf("sessions"));
    await session.getByRole("row", { name: /chat-1/ }).click();
    await session.getByRole("button", { name: "Add turn 2 to a dataset" }).click();
    await addTo(session, "one-turn", "Add 1 trace", 1);
    expect(await inputsIn("one-turn")).toEqual([expect.stringContaining("Question 3")]);
  });
});

// Keys pressed before the part of the page that they are meant for has come: kept, and played when it is there.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { exportTo, sendSpans } from "../support/dataset.ts";
import type { HttpClient } from "../support/http.ts";
import { forPages } from "../support/pages.ts";
import { agentTrace, hexId } from "../support/panel-traces.ts";
import { until } from "../support/until.ts";

const PROJECT = "support-bot";
const TRACES = 4;
/** Characters of its script. */
const LEAST_EDITOR = 100_000;
const BEGIN_MS = Date.now() - 3_600_000;
const traceId = (number: number) => hexId(`held-${number}`, 32);

async function seed(client: HttpClient): Promise<void> {
  for (let number = 1; number <= TRACES; number++)
    await sendSpans(exportTo(client), PROJECT, agentTrace(`held-${number}`, BEGIN_MS - number * 60_000));
  const values = [
    { label: "yes", score: 1 },
    { label: "no", score: 0 },
  ];
  const json = { name: "helpful", type: "CATEGORICAL", optimization_direction: "MAXIMIZE", values };
  expect((await client.post("/v1/annotation_configs", { json })).status).toBeLessThan(300);
  expect((await client.put(`/v1/projects/${PROJECT}/annotation_configs/helpful`)).status).toBeLessThan(300);
  const dataset = { name: "asked", action: "create", inputs: [{ question: "Why?" }], outputs: [{ answer: "Rain" }] };
  expect((await client.post("/v1/datasets/upload?sync=true", { json: dataset })).status).toBe(200);
}

/** Scripts that are asked for from now on wait until the gate opens. */
async function closeGate(page: Page, pattern = /\.js(\?|$)/) {
  const open = Promise.withResolvers<void>();
  let waiting = 0;
  await page.route(pattern, async (route) => {
    waiting++;
    await open.promise;
    await route.continue();
  });
  return { open: open.resolve, isReached: () => until(() => waiting > 0) };
}

forPages("keys pressed early", { seed }, (pages) => {
  const projectPath = async () => {
    const { data } = await (await pages.client().get(`/v1/projects/${PROJECT}`)).json<{ data: { id: string } }>();
    return `/projects/${data.id}`;
  };
  const openList = async () => {
    const page = await pages.open(`${await projectPath()}/traces`);
    await page.locator("[role=row][data-index]").first().waitFor();
    return page;
  };
  test("wait for the palette, with what was typed; a field that had the focus gets none of it", async () => {
    const page = await openList();
    const field = page
      .getByRole("combobox", { name: /filter/i })
      .or(page.getByRole("textbox"))
      .first();
    await field.focus();
    const gate = await closeGate(page);
    await page.keyboard.press("Control+k");
    await gate.isReached();
    await page.keyboard.type("theme: light!");
    await page.keyboard.press("Backspace");
    gate.open();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("combobox").waitFor();
    await until(async () => (await dialog.getByRole("combobox").inputValue()) === "theme: light");
    expect(await field.inputValue()).toBe("");
  });

  test("are forgotten by Escape and by a click", async () => {
    const page = await openList();
    const gate = await closeGate(page);
    await page.keyboard.press("Control+k");
    await gate.isReached();
    await page.keyboard.type("one");
    await page.mouse.click(700, 500);
    await page.keyboard.type("two");
    await page.keyboard.press("Escape");
    await page.keyboard.type("three");
    gate.open();
    const input = page.getByRole("dialog").getByRole("combobox");
    await input.waitFor();
    await until(async () => (await input.inputValue()) === "three");
  });

  test("walk, open and judge while the scripts of the list, the trace and the review are on their way", async () => {
    const page = await pages.open("/projects");
    await page.getByRole("link", { name: PROJECT }).or(page.getByText(PROJECT)).first().waitFor();
    const gate = await closeGate(page);
    await page.getByRole("row", { name: new RegExp(PROJECT) }).focus();
    await page.keyboard.press("Enter");
    await gate.isReached();
    for (const key of ["j", "Enter", "e", "1", "Control+Enter", "2"]) await page.keyboard.press(key);
    gate.open();
    await page.waitForURL(`**/${traceId(2)}*`);
    const review = page.getByRole("complementary", { name: "Review" });
    await review.getByRole("radio", { name: /no/, checked: true }).waitFor();
    await until(async () => {
      const found = await pages.client().get(`/v1/projects/${PROJECT}/trace_annotations?trace_ids=${traceId(1)}`);
      const { data } = (await found.json()) as { data: { result: { label: string } }[] };
      return data[0]?.result.label === "yes";
    });
  });

  test("go on to the next trace without waiting for this one", async () => {
    const page = await openList();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("treeitem").first().waitFor();
    const answers = Promise.withResolvers<void>();
    await page.route("**/graphql", async (route) => {
      await answers.promise;
      await route.continue();
    });
    await page.keyboard.press("]");
    await page.waitForURL(`**/${traceId(2)}*`);
    await page.keyboard.press("]");
    await page.waitForURL(`**/${traceId(3)}*`);
    answers.resolve();
    await page.getByRole("treeitem").first().waitFor();
  });

  test("stay in their order where the plain field becomes an editor", async () => {
    const { data } = (await pages.client().get("/v1/datasets?name=asked")).json<{ data: { id: string }[] }>();
    const page = await pages.open(`/datasets/${data[0]!.id}/examples`);
    await page.getByRole("row", { name: /Why/ }).waitFor();
    const gate = Promise.withResolvers<void>();
    await page.route(/\.js(\?|$)/, async (route) => {
      const response = await route.fetch();
      // The editor itself; chunks that only name its classes are small.
      if ((await response.text()).length > LEAST_EDITOR) await gate.promise;
      await route.fulfill({ response });
    });
    await page.getByRole("button", { name: "Add example" }).click();
    const dialog = page.getByRole("dialog", { name: "Add example" });
    const plain = dialog.locator("textarea").first();
    await plain.click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("ab");
    gate.resolve();
    const editor = dialog.locator(".cm-content").first();
    await editor.waitFor();
    await until(() => editor.evaluate((element) => element === document.activeElement));
    await page.keyboard.type("cd");
    await until(async () => (await editor.textContent())?.includes("abcd") === true);
  });
});

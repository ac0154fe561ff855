// Where the focus is after each thing that a person does by keys on the main pages: never at the body, which is the top of the page.
import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { exportTo, sendSpans } from "../support/dataset.ts";
import type { HttpClient } from "../support/http.ts";
import { forPages } from "../support/pages.ts";
import { agentTrace, hexId } from "../support/panel-traces.ts";
import { until } from "../support/until.ts";

const PROJECT = "support-bot";
const TRACES = 5;
const BEGIN_MS = Date.now() - 3_600_000;
const traceId = (number: number) => hexId(`focus-${number}`, 32);

async function seed(client: HttpClient): Promise<void> {
  for (let number = 1; number <= TRACES; number++)
    await sendSpans(exportTo(client), PROJECT, agentTrace(`focus-${number}`, BEGIN_MS - number * 60_000));
  const values = [
    { label: "yes", score: 1 },
    { label: "no", score: 0 },
  ];
  for (const name of ["helpful", "polite", "correct"]) {
    const json = { name, type: "CATEGORICAL", optimization_direction: "MAXIMIZE", values };
    expect((await client.post("/v1/annotation_configs", { json })).status).toBeLessThan(300);
  }
  expect((await client.put(`/v1/projects/${PROJECT}/annotation_configs/helpful`)).status).toBeLessThan(300);
  const version = {
    model_provider: "OPENAI",
    model_name: "gpt-4o",
    template: { type: "chat", messages: [{ role: "user", content: "Hello" }] },
    template_type: "CHAT",
    template_format: "MUSTACHE",
    invocation_parameters: { type: "openai", openai: {} },
  };
  for (const name of ["one", "two", "three"]) {
    const asked = [1, 2, 3].map((at) => ({ question: `Question ${at}?` }));
    const json = { name: `dataset-${name}`, action: "create", inputs: asked, outputs: asked.map(() => ({})) };
    expect((await client.post("/v1/datasets/upload?sync=true", { json })).status).toBe(200);
    const prompt = { prompt: { name: `prompt-${name}` }, version };
    expect((await client.post("/v1/prompts", { json: prompt })).status).toBe(200);
  }
}

/** What has the focus, e.g. `DIV row`. */
const focusOf = (page: Page) =>
  page.evaluate(() => {
    const { tagName, id, role } = document.activeElement ?? document.body;
    return [tagName, id || role].filter(Boolean).join(" ");
  });

async function pressed(page: Page, button: Locator): Promise<void> {
  await button.focus();
  await page.keyboard.press("Enter");
}

/** It has not fallen to the body, and does not within the next frames. */
async function expectFocusKept(page: Page): Promise<string> {
  await until(async () => (await focusOf(page)) !== "BODY", 5000);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  const at = await focusOf(page);
  expect(at).not.toBe("BODY");
  return at;
}

forPages("focus", { seed }, (pages) => {
  const projectPath = async () => {
    const { data } = await (await pages.client().get(`/v1/projects/${PROJECT}`)).json<{ data: { id: string } }>();
    return `/projects/${data.id}`;
  };
  const datasetPath = async (name: string) => {
    const { data } = (await pages.client().get(`/v1/datasets?name=${name}`)).json<{ data: { id: string }[] }>();
    return `/datasets/${data[0]!.id}/examples`;
  };
  const rows = (page: Page) => page.locator("[role=row][data-index]");

  /** Lists whose rows have a button that deletes them, and how the question is answered. */
  const deletions = [
    ["/settings/annotations", "Delete correct", "Delete"],
    ["/datasets", "Delete dataset-two", "Delete dataset"],
  ] as const;

  test.each(deletions)("is at a row of the list after one is deleted: %s", async (path, open, confirm) => {
    const page = await pages.open(path);
    const button = page.getByRole("button", { name: open, exact: true });
    await pressed(page, button);
    const dialog = page.getByRole("dialog");
    await pressed(page, dialog.getByRole("button", { name: confirm, exact: true }));
    await button.waitFor({ state: "detached" });
    expect(await expectFocusKept(page)).toBe("DIV row");
  });

  test("comes back to what opened a dialog, a menu or a popover", async () => {
    const page = await pages.open(`${await projectPath()}/traces`);
    await rows(page).first().waitFor();
    for (const name of [/^Time range/, "Columns", "Preferences", /^Views/]) {
      const button = page.getByRole("button", { name }).first();
      await pressed(page, button);
      const opened = page.locator("[data-radix-popper-content-wrapper]").first();
      await opened.waitFor();
      await page.keyboard.press("Escape");
      await until(() => button.evaluate((element) => element === document.activeElement), 5000);
      // While a menu is there, keys are its own.
      await opened.waitFor({ state: "detached" });
    }
    await page.keyboard.press("j");
    await page.locator("[role=row]:focus").waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await page.locator("[role=row]:focus").waitFor();
  });

  test("stays in a trace and its list: opened, turned to the last one, reviewed, closed", async () => {
    const page = await pages.open(`${await projectPath()}/traces`);
    await rows(page).first().waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("treeitem").first().waitFor();
    await expectFocusKept(page);
    const next = page.getByRole("button", { name: "Next trace" });
    for (let number = 2; number <= TRACES; number++) {
      await pressed(page, next);
      await page.waitForURL(`**/${traceId(number)}*`);
      await page.getByRole("treeitem").first().waitFor();
      await expectFocusKept(page);
    }
    await until(() => next.isDisabled());
    await expectFocusKept(page);
    const previous = page.getByRole("button", { name: "Previous trace" });
    await pressed(page, previous);
    await page.waitForURL(`**/${traceId(TRACES - 1)}*`);
    const review = page.getByRole("complementary", { name: "Review" });
    await pressed(page, review.getByRole("button").first());
    await expectFocusKept(page);
    await review.getByLabel("Note", { exact: true }).fill("Read.");
    await pressed(page, review.getByRole("button", { name: "Save", exact: true }));
    await review.getByText("Read.").waitFor();
    await expectFocusKept(page);
    await pressed(page, review.getByRole("button", { name: "Delete the note" }));
    await expectFocusKept(page);
    await pressed(page, review.getByRole("button", { name: "Delete the note" }));
    await review.getByText("Read.").waitFor({ state: "detached" });
    await expectFocusKept(page);
    await pressed(page, review.getByRole("button", { name: /^Save & next/ }));
    await page.waitForURL(`**/${traceId(TRACES)}*`);
    await page.getByRole("treeitem").first().waitFor();
    await expectFocusKept(page);
    await pressed(page, page.getByRole("button", { name: "Close the trace" }));
    await page.waitForURL(/\/traces$/);
    await expectFocusKept(page);
  });

  test("stays near a filter that is taken away, and a selection that is deleted", async () => {
    const path = `${await projectPath()}/traces`;
    const page = await pages.open(`${path}?filter=${encodeURIComponent("latency_ms > 0")}`);
    await rows(page).first().waitFor();
    await pressed(page, page.getByRole("button", { name: /^Remove / }).first());
    await page.waitForURL((url) => !url.search.includes("filter"));
    await expectFocusKept(page);
    await page.getByRole("checkbox", { name: "Select" }).last().focus();
    await page.keyboard.press("Space");
    const bar = page.getByRole("toolbar");
    await pressed(page, bar.getByRole("button", { name: "Delete" }));
    await pressed(page, page.getByRole("dialog").getByRole("button", { name: "Delete" }));
    await bar.waitFor({ state: "detached" });
    await until(async () => (await rows(page).count()) === TRACES - 1);
    await expectFocusKept(page);
  });

  test("stays in a dataset: an example is opened, changed and left, one is deleted", async () => {
    const page = await pages.open(await datasetPath("dataset-one"));
    await page.getByRole("row", { name: /Question 2/ }).focus();
    await page.keyboard.press("Enter");
    const panel = page.getByRole("region", { name: "Example", exact: true });
    await panel.getByRole("heading", { name: "Question 2?" }).waitFor();
    await expectFocusKept(page);
    await pressed(page, panel.getByRole("button", { name: "Edit the example" }));
    await page.locator(".cm-content").first().waitFor();
    await expectFocusKept(page);
    await pressed(page, panel.getByRole("button", { name: "Cancel" }));
    await page.locator(".cm-content").first().waitFor({ state: "detached" });
    await expectFocusKept(page);
    await pressed(page, panel.getByRole("button", { name: "Delete the example" }));
    await pressed(page, page.getByRole("button", { name: "Delete 1 example" }));
    await page.getByRole("row", { name: /Question 2/ }).waitFor({ state: "detached" });
    await expectFocusKept(page);
  });

  test("follows a link to the next page", async () => {
    const page = await pages.open("/prompts");
    const row = page.getByRole("row", { name: /prompt-two/ });
    await row.focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/prompts\/[^/]+$/);
    await page.getByRole("heading", { name: "prompt-two" }).waitFor();
    expect(await expectFocusKept(page)).toBe("MAIN content");
  });

  test("is not taken from a page on which nothing has it", async () => {
    const page = await pages.open("/datasets");
    await rows(page).first().waitFor();
    await page.keyboard.press("j");
    await page.locator("[role=row]:focus").waitFor();
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    await page
      .locator("[role=row][data-index]")
      .first()
      .evaluate((row) => row.remove());
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    expect(await focusOf(page)).toBe("BODY");
  });
});

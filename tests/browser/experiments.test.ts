// Experiments in a browser: their list, and their comparison as grid, list and measures.
import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { exportTo, sendSpans } from "../support/dataset.ts";
import { type SeededRun, seedDataset, seedExperiment } from "../support/experiments.ts";
import type { HttpClient } from "../support/http.ts";
import { forPages } from "../support/pages.ts";
import { hexId, traceOf } from "../support/panel-traces.ts";
import { until } from "../support/until.ts";

const LONG = Array.from({ length: 1_500 }, (_, at) => `word${at}`).join(" ");
const questions = [
  "I was charged twice for one booking, what happens now?",
  "Where is my refund?",
  "Can I change the name on my ticket?",
  "The label does not work.",
];
const answers = [
  "One of the two charges is a reservation and goes away within three days.",
  "It is on its way and takes five days.",
  "Yes, until the day before departure.",
  "I have sent you a new label.",
];

/** By name of the experiment: its id. */
const ids = new Map<string, string>();
let datasetId = "";

async function seed(client: HttpClient): Promise<void> {
  const examples = questions.map((question, at) => ({ input: { question }, output: { answer: answers[at]! } }));
  const dataset = await seedDataset(client, "refunds", examples);
  datasetId = dataset.id;
  const run = (example: number, output: unknown, right: number, more: Partial<SeededRun> = {}): SeededRun => ({
    example,
    output,
    latencyMs: 1_000,
    said: [
      { name: "right", score: right },
      { name: "toxic", score: 0 },
    ],
    ...more,
  });
  const add = async (name: string, runs: readonly SeededRun[], repetitions = 1) =>
    ids.set(name, await seedExperiment(client, dataset, { name, repetitions }, runs));
  await add("gpt-4o", [
    run(0, answers[0], 1),
    run(1, "It is on its way.", 0.5),
    run(2, answers[2], 1),
    run(3, "Try again.", 0),
  ]);
  await add("gpt-4.1", [
    run(0, "One of the charges is a reservation.", 0.5, { traceId: hexId("run", 32), latencyMs: 3_000 }),
    run(1, answers[1], 1, { latencyMs: 500 }),
    run(2, { answer: answers[2], sure: true }, 1),
    run(3, null, 0, { error: "The provider did not answer.", said: [] }),
  ]);
  await add("small", [run(0, LONG, 0.25), run(0, "Twice", 0.75, { repetition: 2 }), run(1, "Soon.", 0)], 2);
  const spans = traceOf("run", Date.now() - 60_000, [{ id: "root", name: "answer", kind: "CHAIN", from: 0, to: 400 }]);
  await sendSpans(exportTo(client), "runs of experiments", spans);
  const empty = await seedDataset(client, "without-experiments", examples);
  ids.set("without", empty.id);
}

const path = (names: readonly string[], more = "") =>
  `/datasets/${datasetId}/compare?${names.map((name) => `experimentId=${ids.get(name)}`).join("&")}${more}`;

const gridOf = (page: Page) => page.getByRole("grid", { name: "Compare experiments" });

/** The beginnings of the examples that are shown, as soon as they are these. */
async function expectRows(grid: Locator, expected: readonly string[]): Promise<void> {
  const rows = async () => (await grid.getByRole("rowheader").allTextContents()).map((head) => head.slice(0, 12));
  await until(async () => Bun.deepEquals(await rows(), [...expected]));
}

forPages("experiments", { seed }, (pages) => {
  test("of a dataset are listed with their figures, the running ones with how far they are", async () => {
    const page = await pages.open("/datasets");
    await page.getByRole("link", { name: "refunds" }).click();
    await page.getByRole("link", { name: "Experiments" }).click();
    const grid = page.getByRole("grid", { name: "Experiments" });
    await grid.getByRole("row", { name: /#1 gpt-4o.*4 0\.625 0 1\.00 s.*0 %/ }).waitFor();
    await grid.getByRole("row", { name: /#2 gpt-4\.1.*25 %/ }).waitFor();
    await grid.getByRole("row", { name: /#3 small.*3 of 8 · 5 missing/ }).waitFor();
    expect(await grid.getByRole("progressbar").count()).toBe(1);
    const charts = page.getByRole("region", { name: "The last 3 experiments" });
    await charts.getByRole("group", { name: "right" }).getByText("0.25").waitFor();
    expect(page.url()).toEndWith("/experiments");
  });

  test("one is marked as the baseline, renamed and exported; what is chosen is compared, the baseline first", async () => {
    const page = await pages.open(`/datasets/${datasetId}/experiments`);
    const more = (name: string) => page.getByRole("button", { name: `More about ${name}` }).click();
    await more("gpt-4.1");
    await page.getByRole("menuitem", { name: "Set as baseline" }).click();
    await page.getByText("gpt-4.1 is the baseline").waitFor();
    const row = page.getByRole("row", { name: /gpt-4\.1/ });
    await row.getByText("baseline", { exact: true }).waitFor();
    await more("small");
    const file = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: "Export as JSON" }).click();
    expect((await file).suggestedFilename()).toBe("small.json");
    await more("small");
    const sheet = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: "Export as CSV" }).click();
    expect((await sheet).suggestedFilename()).toBe("small.csv");
    await more("small");
    await page.getByRole("menuitem", { name: "Edit details" }).click();
    const dialog = page.getByRole("dialog", { name: "Edit small" });
    await dialog.getByLabel("Name").fill("");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("An experiment needs a name.").waitFor();
    await dialog.getByLabel("Name").fill("mini");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("mini is saved").waitFor();
    for (const name of [/gpt-4o/, /gpt-4\.1/]) await page.getByRole("row", { name }).getByRole("checkbox").check();
    await page.getByRole("toolbar", { name: "2 selected" }).getByRole("button", { name: "Compare" }).click();
    await page.getByRole("grid", { name: "Compare experiments" }).waitFor();
    expect(new URL(page.url()).searchParams.getAll("experimentId")).toEqual([ids.get("gpt-4.1")!, ids.get("gpt-4o")!]);
    await page.goBack();
    await more("gpt-4.1");
    await page.getByRole("menuitem", { name: "Remove as baseline" }).click();
    await page.getByText("gpt-4.1 is no longer the baseline").waitFor();
    await more("mini");
    await page.getByRole("menuitem", { name: "Edit details" }).click();
    await page.getByRole("dialog", { name: "Edit mini" }).getByLabel("Name").fill("small");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("small is saved").waitFor();
  });

  test("stand side by side: figures against the base, words against what was expected, failures", async () => {
    const page = await pages.open(path(["gpt-4o", "gpt-4.1", "small"]));
    const grid = gridOf(page);
    const cell = grid
      .getByRole("row", { name: /I was charged twice/ })
      .getByRole("gridcell")
      .nth(2);
    await cell.getByText("right 0.5").waitFor();
    await cell.getByText("Regressed").waitFor();
    expect(await cell.locator("del").allTextContents()).toEqual(["two ", " and goes away within three days"]);
    await grid.getByText("The provider did not answer.").waitFor();
    const small = grid
      .getByRole("row", { name: /I was charged twice/ })
      .getByRole("gridcell")
      .nth(3);
    await small.getByText("word0 word1").waitFor();
    await small.getByText("right 0.25").waitFor();
    await small.getByText("mean 0.5").waitFor();
    await small.getByRole("button", { name: "Next repetition" }).click();
    await small.getByText("Twice").waitFor();
    await small.getByText("right 0.75").waitFor();
    expect(await grid.getByRole("columnheader", { name: /gpt-4\.1/ }).textContent()).toContain("0.833");
  });

  test("the address of a client opens one alone, and others are added, made the base and taken out", async () => {
    const page = await pages.open(path(["gpt-4.1"]));
    await gridOf(page)
      .getByRole("row", { name: /Where is my refund/ })
      .waitFor();
    await page.getByRole("button", { name: "Add an experiment" }).click();
    await page.getByRole("menuitem", { name: "#1 gpt-4o" }).click();
    await page.getByRole("button", { name: "gpt-4o #1" }).click();
    await page.getByRole("menuitem", { name: "Compare the others with it" }).click();
    await page.getByRole("button", { name: "gpt-4o #1 base" }).waitFor();
    const shown = () => new URL(page.url()).searchParams.getAll("experimentId");
    expect(shown()).toEqual([ids.get("gpt-4o")!, ids.get("gpt-4.1")!]);
    await page.getByRole("button", { name: "gpt-4.1 #2" }).click();
    await page.getByRole("menuitem", { name: "Take out of the comparison" }).click();
    await page.getByRole("button", { name: "gpt-4.1 #2" }).waitFor({ state: "detached" });
    expect(shown()).toEqual([ids.get("gpt-4o")!]);
  });

  test("are narrowed to what regressed and sorted by the difference; a reload shows the same", async () => {
    const page = await pages.open(path(["gpt-4o", "gpt-4.1", "small"]));
    const grid = gridOf(page);
    await grid.getByRole("row", { name: /The label/ }).waitFor();
    await page.getByRole("combobox", { name: "Which examples" }).selectOption("Regressed");
    await grid.getByRole("row", { name: /Can I change/ }).waitFor({ state: "detached" });
    await expectRows(grid, ["I was charge", "Where is my "]);
    await page.getByRole("combobox", { name: "In which experiment" }).selectOption("gpt-4.1");
    await grid.getByRole("row", { name: /Where is my/ }).waitFor({ state: "detached" });
    await page.reload();
    await grid.getByRole("row", { name: /I was charged/ }).waitFor();
    await expectRows(grid, ["I was charge"]);
    await page.getByRole("combobox", { name: "Which examples" }).selectOption("All examples");
    await page.getByRole("combobox", { name: "Order" }).selectOption("Best first");
    await grid.getByRole("row", { name: /The label/ }).waitFor();
    await expectRows(grid, ["Where is my ", "Can I change", "I was charge", "The label do"]);
    const charged = grid.getByRole("row", { name: /I was charged/ });
    await charged.getByText("Twice", { exact: true }).waitFor();
    await charged.getByText("2/2").waitFor();
    await page.getByRole("combobox", { name: "Order" }).selectOption("Worst first");
    await charged.getByText("1/2").waitFor();
    await page.getByRole("combobox", { name: "Order" }).selectOption("Best first");
    await charged.getByText("2/2").waitFor();
    await page.getByRole("combobox", { name: "By which measure" }).selectOption("by Latency");
    await grid.getByText("The provider").waitFor();
    await expectRows(grid, ["Where is my ", "Can I change", "The label do", "I was charge"]);
    await page.getByRole("combobox", { name: "Which examples" }).selectOption("With a failed run");
    await grid.getByRole("row", { name: /Where is my/ }).waitFor({ state: "detached" });
    await expectRows(grid, ["The label do"]);
  });

  test("are narrowed by a condition on runs, with suggestions and mistakes, together with what regressed", async () => {
    const page = await pages.open(path(["gpt-4o", "gpt-4.1"]));
    const grid = gridOf(page);
    const field = page.getByRole("combobox", { name: "Filter" });
    await grid.getByRole("row", { name: /The label/ }).waitFor();
    await field.fill("evals['right'].s");
    await page.getByRole("option", { name: /evals\['right'\]\.score/ }).click();
    await field.pressSequentially("< 0.75 and latency > 1 ");
    await page.getByText('invalid name `latency`, did you mean "latency_ms"?').waitFor();
    await field.fill("evals['right'].score < 0.75");
    await field.press("Enter");
    await grid.getByRole("row", { name: /Can I change/ }).waitFor({ state: "detached" });
    await expectRows(grid, ["I was charge", "Where is my ", "The label do"]);
    await page.getByRole("combobox", { name: "Which examples" }).selectOption("Regressed");
    await grid.getByRole("row", { name: /The label/ }).waitFor({ state: "detached" });
    await page.reload();
    await grid.getByRole("row", { name: /I was charged/ }).waitFor();
    await expectRows(grid, ["I was charge"]);
    expect(new URL(page.url()).searchParams.get("filter")).toBe("evals['right'].score < 0.75");
    await page.getByText("Measures", { exact: true }).click();
    const right = page.getByRole("row", { name: /^right/ });
    await right.getByRole("button", { name: "1 regressed" }).waitFor();
    await right.getByRole("button", { name: "0 equal" }).waitFor();
    await page.getByRole("button", { name: "Clear the filter" }).click();
    await right.getByRole("button", { name: "1 equal" }).waitFor();
    await field.fill("repetition_number > 7");
    await field.press("Enter");
    await page.getByText("Grid", { exact: true }).click();
    await page.getByText("No examples match").waitFor();
    await page.getByRole("button", { name: "Show all examples" }).click();
    await grid.getByRole("row", { name: /The label/ }).waitFor();
  });

  test("an example opens over the grid, its neighbours by keys; JSON is compared by its keys", async () => {
    const page = await pages.open(path(["gpt-4o", "gpt-4.1"]));
    await gridOf(page)
      .getByRole("row", { name: /Where is my/ })
      .click();
    const panel = page.getByRole("region", { name: "Example", exact: true });
    await panel.getByRole("article", { name: "gpt-4o" }).getByText("and takes five days").waitFor();
    await page.keyboard.press("j");
    const json = panel.getByRole("article", { name: "gpt-4.1" });
    await json.getByRole("row", { name: "sure – true" }).waitFor();
    expect(await json.getByRole("row").count()).toBe(2);
    await panel.getByText("Against base", { exact: true }).click();
    await json.getByRole("row", { name: /The whole/ }).waitFor();
    await page.reload();
    await json.getByRole("row", { name: /The whole/ }).waitFor();
    await page.keyboard.press("k");
    await page.keyboard.press("k");
    await panel.getByRole("heading", { name: "I was charged twice", level: 2 }).waitFor();
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
  });

  test("a run opens its trace over the comparison, and is left again", async () => {
    const page = await pages.open(path(["gpt-4o", "gpt-4.1"]));
    await gridOf(page)
      .getByRole("row", { name: /I was charged/ })
      .click();
    const panel = page.getByRole("region", { name: "Example", exact: true });
    await panel.getByRole("button", { name: "Open trace" }).click();
    const trace = page.getByRole("region", { name: "Trace", exact: true });
    await trace.getByRole("treeitem", { name: "answer" }).waitFor();
    expect(new URL(page.url()).pathname).toEndWith("/compare");
    await page.reload();
    await trace.getByRole("treeitem", { name: "answer" }).waitFor();
    await page.keyboard.press("Escape");
    await trace.waitFor({ state: "detached" });
    await panel.getByRole("heading", { name: "I was charged twice", level: 2 }).waitFor();
    expect([...new URL(page.url()).searchParams.keys()]).toEqual(["experimentId", "experimentId", "example"]);
  });

  test("a run is judged by keys, and the grid shows what was said", async () => {
    const page = await pages.open(path(["gpt-4o", "gpt-4.1"]));
    await gridOf(page)
      .getByRole("row", { name: /The label/ })
      .click();
    const panel = page.getByRole("region", { name: "Example", exact: true });
    await panel.getByRole("article", { name: "gpt-4o" }).getByRole("button", { name: "Judge" }).click();
    const review = page.getByRole("complementary", { name: "Review" });
    await review.getByRole("radio", { name: /positive/ }).waitFor();
    await page.keyboard.press("2");
    await review.getByRole("button", { name: "Save", exact: true }).click();
    await panel.getByRole("article", { name: "gpt-4o" }).getByText("user_feedback").waitFor();
    await page.keyboard.press("1");
    await page.keyboard.press("Control+Enter");
    await page.reload();
    await page.getByRole("columnheader", { name: /gpt-4o.*user_feedback 1/ }).waitFor();
  });

  test("are counted by measure, whose direction is turned for everybody; a count leads to its examples", async () => {
    const page = await pages.open(path(["gpt-4o", "gpt-4.1"], "&view=metrics&lower=score+right"));
    const measure = (name: string) => page.getByRole("row", { name: new RegExp(`^${name}`) });
    const here = measure("right").getByText("in this view only");
    await here.waitFor();
    await measure("right").getByRole("button", { name: "1 regressed" }).waitFor();
    await measure("right").getByText("1 not compared").waitFor();
    await measure("right").getByText("Too few to tell: 3 examples").waitFor();
    await page.getByRole("combobox", { name: "Differences of scores that count" }).selectOption("Over 0.2");
    expect(page.url()).toContain("threshold=0.2");
    await measure("right").getByRole("button", { name: "Lower is better" }).click();
    await page.getByText("right: higher is better, for everyone").waitFor();
    await here.waitFor({ state: "detached" });
    expect(page.url()).not.toContain("lower=");
    await measure("right").getByRole("button", { name: "1 improved" }).waitFor();
    await measure("Failed runs").getByRole("button", { name: "1 regressed" }).waitFor();
    await measure("Latency").getByRole("button", { name: "2 equal" }).waitFor();
    const turn = async (from: string, to: string) => {
      await measure("Latency")
        .getByRole("button", { name: `${from} is better` })
        .click();
      await measure("Latency")
        .getByRole("button", { name: `${to} is better` })
        .waitFor();
    };
    await turn("Lower", "Higher");
    // In another window, without anything in its address.
    await page.goto(pages.url() + path(["gpt-4o", "gpt-4.1"], "&view=metrics"));
    await measure("Latency").getByRole("button", { name: "1 regressed" }).click();
    await gridOf(page)
      .getByRole("row", { name: /Where is my/ })
      .waitFor();
    await expectRows(gridOf(page), ["Where is my "]);
    await page.goBack();
    await turn("Higher", "Lower");
  });

  test("are drawn: a point opens its example, by keys and by pointer, and each plot is a table, too", async () => {
    const page = await pages.open(path(["gpt-4o", "gpt-4.1"], "&view=plots"));
    const scatter = page.getByRole("slider", { name: "right: against the base" });
    await scatter.focus();
    await page.keyboard.press("End");
    expect(await scatter.getAttribute("aria-valuetext")).toBe("Example 3, gpt-4.1: base 1, right 1");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Enter");
    const example = page.getByRole("region", { name: "Example", exact: true });
    await example.getByRole("heading", { name: "I was charged twice", level: 2 }).waitFor();
    await page.keyboard.press("Escape");
    await example.waitFor({ state: "detached" });
    await scatter.locator("circle").first().click();
    await example.getByRole("heading", { name: "Where is my refund?", level: 2 }).waitFor();
    await page.keyboard.press("Escape");
    const plot = page.getByRole("region", { name: "right against Latency", exact: true });
    await plot.getByRole("button", { name: "Show as a table" }).click();
    await plot.getByRole("row", { name: /Example 1 gpt-4o 1\.00 s 1/ }).waitFor();
    await page.getByRole("img", { name: "toxic: examples by value" }).waitFor();
    await page.getByRole("combobox", { name: "By which measure" }).selectOption("by Latency");
    await page.getByRole("slider", { name: "Latency: against the base" }).waitFor();
  });

  test("one is read alone, as a list", async () => {
    const page = await pages.open(path(["gpt-4o", "gpt-4.1"], "&view=list"));
    const list = page.getByRole("grid", { name: "Examples of one experiment" });
    await list.getByRole("row", { name: /Where is my refund.*It is on its way\. 0\.5 0/ }).waitFor();
    await page
      .getByRole("group", { name: "Examples of one experiment" })
      .getByRole("button", { name: /gpt-4\.1/ })
      .click();
    await list.getByRole("row", { name: /The label.*did not answer/ }).waitFor();
  });

  test("on a phone they are tabs", async () => {
    const page = await pages.open(path(["gpt-4o", "gpt-4.1"]), { width: "phone" });
    await page.getByRole("tab", { name: "gpt-4.1" }).and(page.locator("[aria-selected=true]")).waitFor();
    await page.getByText("The provider did not answer.").waitFor();
    await page.getByRole("tab", { name: "gpt-4o" }).click();
    await page.getByText("Try again.").waitFor();
    await page.getByText("The provider did not answer.").waitFor({ state: "detached" });
  });

  test("that are gone are said; one tells how far it is while it runs, and is deleted with its project", async () => {
    const gone = await pages.open(`/datasets/${datasetId}/compare?experimentId=RXhwZXJpbWVudDo5OTk5`);
    await gone.getByText("No such experiment").waitFor();
    const none = await pages.open(`/datasets/${datasetId}/compare`);
    await none.getByRole("link", { name: "To the experiments" }).click();
    await none.getByRole("row", { name: /gpt-4o/ }).waitFor();
    const client = pages.client();
    const made = await client.post(`/v1/datasets/${datasetId}/experiments`, { json: { name: "to-delete" } });
    const { id } = made.json<{ data: { id: string } }>().data;
    const page = await pages.open(`/datasets/${datasetId}/experiments`);
    const progress = page.getByRole("row", { name: /to-delete/ });
    await progress.getByText("0 of 4").waitFor();
    await page.getByRole("button", { name: "Live" }).click();
    const times = { start_time: "2026-01-02T03:04:05Z", end_time: "2026-01-02T03:04:06Z" };
    const { data } = (await client.get(`/v1/datasets/${datasetId}/examples`)).json<{
      data: { examples: readonly { id: string }[] };
    }>();
    const json = { dataset_example_id: data.examples[0]!.id, repetition_number: 1, output: "Yes.", ...times };
    await client.post(`/v1/experiments/${id}/runs`, { json });
    await progress.getByText("1 of 4").waitFor();
    await page.getByRole("button", { name: "More about to-delete" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete to-delete?" });
    await dialog.getByRole("button", { name: "Delete experiment" }).click();
    await page.getByText("The experiment is deleted").waitFor();
    await page.getByRole("row", { name: /to-delete/ }).waitFor({ state: "detached" });
    expect((await client.get(`/v1/experiments/${id}`)).status).toBe(404);
  });

  test("of a dataset without them say how to run the first, with its id", async () => {
    const page = await pages.open(`/datasets/${ids.get("without")}/experiments`);
    const program = page.getByRole("region", { name: "experiment.py" });
    await program.getByText(`get_dataset(dataset="${ids.get("without")}")`).waitFor();
    await page.getByText("TypeScript", { exact: true }).click();
    await page.getByRole("region", { name: "experiment.mts" }).getByText(ids.get("without")!).waitFor();
  });

  for (const width of ["desktop", "phone"] as const) {
    test(`are accessible on a ${width}, light and dark, and nothing is wider than the window`, async () => {
      const page = await pages.open(`/datasets/${datasetId}/experiments`, { width });
      await page.getByText("gpt-4.1").first().waitFor();
      const expectWell = async (name: string) => {
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          await pages.picture(page, `${name}-${colorScheme}`);
          await pages.expectAccessible(page);
        }
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      };
      const go = async (to: string, shown: string) => {
        await page.goto(pages.url() + to);
        await page.getByText(shown).first().waitFor();
      };
      await expectWell("experiments");
      await go(path(["gpt-4o", "gpt-4.1", "small"]), "I was charged twice");
      await expectWell("comparison");
      await page.getByText("I was charged twice").first().click();
      await page.getByRole("region", { name: "Example", exact: true }).getByText("Expected").first().waitFor();
      await page.getByRole("button", { name: "Judge" }).nth(1).click();
      await page.getByRole("complementary", { name: "Review" }).waitFor();
      await expectWell("compared-example");
      await go(path(["gpt-4o", "gpt-4.1", "small"], "&view=metrics"), "improved");
      await expectWell("measures");
      await go(path(["gpt-4o", "gpt-4.1", "small"], "&view=plots"), "toxic: examples by value");
      await expectWell(`comparison-plots-${width}`);
      await go(path(["gpt-4o", "gpt-4.1", "small"], "&view=list"), "I was charged twice");
      await expectWell("comparison-list");
      await go(`/datasets/${ids.get("without")}/experiments`, "No experiments yet");
      await expectWell("first-experiment");
    });
  }
});

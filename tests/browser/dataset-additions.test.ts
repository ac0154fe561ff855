// Examples made of what the lists and panels show, in a browser.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { exportTo, sendSpans } from "../support/dataset.ts";
import type { HttpClient } from "../support/http.ts";
import { forPages } from "../support/pages.ts";
import { hexId, traceOf } from "../support/panel-traces.ts";

const PROJECT = "support-bot";
const JUDGED = "judged-answers";
const MANY = "many-steps";
const BEGIN_MS = Date.now() - 3_600_000;
const LONG = "A line of a long question that nobody wants to read as a whole. ".repeat(160);

async function seed(client: HttpClient): Promise<void> {
  for (let number = 0; number < 6; number++) {
    const attributes = { "session.id": `chat-${number % 2}`, "input.value": `Question ${number}` };
    const root = { id: "root", name: "agent", kind: "AGENT", from: 0, to: number < 4 ? 400 : 900, attributes };
    const step = { id: "step", parent: "root", name: "find", kind: "TOOL", from: 50, to: 90 };
    const more = { attributes: { "input.value": `Looked up ${number}` } };
    const spans = [root, { ...step, ...more }];
    await sendSpans(exportTo(client), PROJECT, traceOf(`added ${number}`, BEGIN_MS + number * 60_000, spans));
  }
  await seedJudged(client);
  const steps = Array.from({ length: 60 }, (_, number) => ({
    ...{ id: `step ${number}`, name: `step ${number}`, kind: "CHAIN", from: number, to: number + 1 },
    attributes: { "input.value": `Input ${number}`, "output.value": `Output ${number}` },
  }));
  await sendSpans(exportTo(client), MANY, traceOf("many steps", BEGIN_MS, steps));
}

/** Traces of which one failed, one was judged as bad, one is corrected, and one is fine; two are odd: long, and without an output. */
async function seedJudged(client: HttpClient): Promise<void> {
  const json = { "input.mime_type": "application/json", "output.mime_type": "application/json" };
  const roots = [
    { name: "fine", attributes: { "input.value": "Is it open?", "output.value": "Yes, until nine." } },
    {
      name: "failed",
      attributes: { "input.value": "Where is it?", "output.value": "Let me" },
      error: "Timed out after 30 s",
    },
    { name: "misled", attributes: { "input.value": "How much is it?", "output.value": "It is free." } },
    { name: "silent", attributes: { "input.value": "Hello?" } },
    {
      name: "long",
      attributes: {
        "input.value": LONG,
        "output.value": '{"id": 1234567890123456789, "share": 1.0}',
        ...json,
        "input.mime_type": "text/plain",
      },
    },
  ];
  for (const [at, { name, ...more }] of roots.entries()) {
    const root = { id: "root", name, kind: "AGENT", from: 0, to: 400, ...more };
    await sendSpans(exportTo(client), JUDGED, traceOf(`judged ${name}`, BEGIN_MS + at * 60_000, [root]));
  }
  const human = { annotator_kind: "HUMAN" };
  const ofTrace = {
    ...human,
    trace_id: hexId("judged misled", 32),
    name: "correctness",
    result: { label: "incorrect" },
  };
  expect((await client.post("/v1/trace_annotations?sync=true", { json: { data: [ofTrace] } })).status).toBe(200);
  const corrected = {
    ...{ ...human, span_id: hexId("judged misled/root", 16), name: "better answer" },
    result: { explanation: "It is 4 €." },
  };
  expect((await client.post("/v1/span_annotations?sync=true", { json: { data: [corrected] } })).status).toBe(200);
  const long = { name: LONG_NAME, action: "create", inputs: [{ question: "?" }], outputs: [{ answer: "!" }] };
  expect((await client.post("/v1/datasets/upload?sync=true", { json: long })).status).toBe(200);
}

const LONG_NAME = "refunds-and-charges-of-the-campaigns-of-autumn-and-winter-that-were-checked-by-two-people";

forPages("additions to datasets", { seed }, (pages) => {
  const listOf = async (tab: string, condition = "", project = PROJECT) => {
    const { data } = (await pages.client().get(`/v1/projects/${project}`)).json<{ data: { id: string } }>();
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
    await dialog.getByRole("button", { name: "Check the examples" }).click();
    await dialog.getByRole("listitem", { name: /^1\. / }).waitFor();
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
      await dialog.getByRole("button", { name: "Cancel" }).waitFor();
      // A long name is cut in its line: nothing is wider than the dialog.
      const isTooWide = () => dialog.evaluate((element) => element.scrollWidth > element.clientWidth);
      await dialog.getByRole("radio", { name: LONG_NAME }).waitFor();
      expect(await isTooWide()).toBe(false);
      await pages.expectAccessible(page);
      await pages.picture(page, `addition-${theme}`);
      await page.setViewportSize({ width: 390, height: 844 });
      await pages.expectAccessible(page);
      expect(await isTooWide()).toBe(false);
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
    await dialog.getByRole("button", { name: "Check the examples" }).click();
    await dialog.getByText("Choose a dataset, or type a new name.").waitFor();
    await addTo(page, "of-spans", "Add 2 spans", 2);
    expect(await inputsIn("of-spans")).toHaveLength(2);
    await page.getByRole("button", { name: "Add to dataset" }).click();
    await dialog.getByText("All 6 that match").click();
    await dialog.getByRole("textbox", { name: "Dataset" }).fill("OF-SP");
    await dialog.getByRole("radio", { name: /^of-spans/ }).click();
    await dialog.getByRole("combobox", { name: "Splits" }).fill("train, of tools");
    await dialog.getByRole("button", { name: "Check the examples" }).click();
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
    await example.getByRole("heading", { name: "Question 5" }).waitFor();
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

  const examplesIn = async (name: string) => {
    const { data } = (await pages.client().get(`/v1/datasets?name=${name}`)).json<{ data: { id: string }[] }>();
    const text = (await pages.client().get(`/v1/datasets/${data[0]!.id}/examples`)).text;
    const { data: read } = JSON.parse(text) as { data: { examples: { input: { input: string }; output: object }[] } };
    return {
      text,
      expected: Object.fromEntries(read.examples.map(({ input, output }) => [input.input.slice(0, 16), output])),
    };
  };
  const openJudged = async (name: string, options: Parameters<typeof pages.open>[1] = {}) => {
    // A phone has no selection in its lists.
    const page = await pages.open(await listOf("traces", "", JUDGED), { ...options, width: "desktop" });
    await page.getByRole("row", { name: /Is it open/ }).waitFor();
    await page.getByRole("checkbox").first().click();
    await page.getByRole("button", { name: "Add to dataset" }).click();
    const dialog = page.getByRole("dialog", { name: "Add traces to a dataset" });
    await dialog.getByRole("textbox", { name: "Dataset" }).fill(name);
    await dialog.getByRole("radio", { name: `New dataset “${name}”`, checked: true }).waitFor();
    await dialog.getByRole("button", { name: "Check the examples" }).click();
    const card = (called: string) => dialog.getByRole("listitem", { name: new RegExp(`^\\d\\. ${called}$`) });
    await card("fine").waitFor();
    if (options.width === "phone") await page.setViewportSize({ width: 390, height: 844 });
    const add = async (submit = "Add 5 traces") => {
      await dialog.getByRole("button", { name: submit, exact: true }).click();
      await page.getByText(`5 examples are added to ${name}`).waitFor();
    };
    return { page, dialog, card, add };
  };

  test("a failed or badly judged answer is not expected by itself, and can be", async () => {
    const { dialog, card, add, page } = await openJudged("not-failed");
    // The step has the focus: nothing is sent by the key that led to it.
    await dialog.getByRole("group", { name: "Examples" }).and(page.locator(":focus")).waitFor();
    await card("failed").getByText("Nothing is expected: the span failed.").waitFor();
    await card("failed").getByText("Timed out after 30 s").waitFor();
    await card("misled").getByText("a person judged the answer as bad").waitFor();
    await card("misled").getByText("correctness: incorrect").waitFor();
    await card("silent").getByText("the span has no output").waitFor();
    await card("fine").getByText("Yes, until nine.").waitFor();
    await dialog.getByText("3 of these expect nothing").waitFor();
    await card("failed").getByRole("button", { name: "Expect the output" }).click();
    await card("failed").getByText("Let me").waitFor();
    await dialog.getByText("2 of these expect nothing").waitFor();
    await card("fine").getByRole("button", { name: "Expect nothing" }).click();
    await card("fine").getByText("Nothing is expected.", { exact: true }).waitFor();
    await add();
    const { text, expected } = await examplesIn("not-failed");
    expect(expected).toMatchObject({
      "Is it open?": {},
      "Where is it?": { output: "Let me" },
      "How much is it?": {},
      "Hello?": {},
    });
    // Nothing was edited there: every digit stays.
    expect(text).toContain("1234567890123456789");
    expect(text).toContain('"share":1.0');
  });

  test("an example is edited before it is added, also with the keys alone", async () => {
    const { dialog, card, add, page } = await openJudged("edited");
    const misled = card("misled");
    await misled.getByRole("button", { name: /^Edit example/ }).focus();
    await page.keyboard.press("Enter");
    const input = misled.getByRole("textbox", { name: "Input" });
    await input.fill("What does it cost?");
    const expected = misled.getByRole("textbox", { name: "Expected" });
    // What the annotation took away is written as a text, or as JSON.
    await expected.fill("It is free for members.");
    await misled.getByRole("group", { name: "Expected as" }).getByText("JSON").click();
    await expected.fill('{"output": ');
    await misled.getByText(/the text ends too early/).waitFor();
    // What is wrong is not sent.
    await dialog.getByRole("button", { name: "Add 5 traces" }).click();
    await expected.fill('{"output": "4 €"}');
    await misled.getByText("Edited").waitFor();
    // A way back and forth loses nothing; leaving is asked about.
    await dialog.getByRole("button", { name: "Back" }).click();
    await dialog.getByRole("textbox", { name: "Dataset" }).waitFor();
    await dialog.getByRole("button", { name: "Check the examples" }).click();
    await misled.getByText("What does it cost?").waitFor();
    await misled.getByText("4 €").waitFor();
    await card("fine").getByRole("button", { name: "Expect nothing" }).click();
    await card("fine").getByRole("button", { name: "Undo edits" }).click();
    await card("fine").getByText("Yes, until nine.").waitFor();
    await add();
    const { expected: found } = await examplesIn("edited");
    expect(found).toMatchObject({
      "What does it cos": { output: "4 €" },
      "Is it open?": { output: "Yes, until nine." },
    });
  });

  test("one rule for all: the corrected output of an annotation, or nothing", async () => {
    const { dialog, card, add } = await openJudged("corrected");
    const rule = dialog.getByRole("combobox", { name: "What the examples expect" });
    await rule.selectOption("The corrected output in annotations named better answer");
    await card("misled").getByText("It is 4 €.").waitFor();
    await card("fine").getByText("no annotation of this name corrects it").waitFor();
    await add();
    expect((await examplesIn("corrected")).expected).toMatchObject({
      "How much is it?": { output: "It is 4 €." },
      "Is it open?": {},
    });
    const second = await openJudged("empty");
    await second.dialog.getByRole("combobox", { name: "What the examples expect" }).selectOption("Nothing");
    await second.card("fine").getByText("Nothing is expected.").waitFor();
    await second.add();
    expect(Object.values((await examplesIn("empty")).expected)).toEqual([{}, {}, {}, {}, {}]);
  });

  test("of many the first are shown, and the rule holds for all", async () => {
    const page = await pages.open(await listOf("spans", "", MANY));
    await page.getByRole("checkbox").nth(1).click();
    await page.getByRole("button", { name: "Add to dataset" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("All 60 that match").click();
    await dialog.getByRole("textbox", { name: "Dataset" }).fill("many");
    await dialog.getByRole("radio", { name: "New dataset “many”", checked: true }).waitFor();
    await dialog.getByRole("button", { name: "Check the examples" }).click();
    await dialog.getByText("The first 50 examples are shown; the rule holds for all.").waitFor();
    expect(await dialog.getByRole("listitem", { name: /^\d+\. step/ }).count()).toBe(50);
    await dialog.getByRole("combobox", { name: "What the examples expect" }).selectOption("Nothing");
    await dialog.getByRole("listitem", { name: "50. step 49" }).getByText("Nothing is expected.").waitFor();
    await dialog
      .getByRole("listitem", { name: "50. step 49" })
      .getByRole("button", { name: /^Expect the/ })
      .click();
    await dialog.getByRole("button", { name: "Add 60 spans" }).click();
    await page.getByText("60 examples are added to many").waitFor();
    const { expected } = await examplesIn("many");
    const filled = Object.entries(expected).filter(([, output]) => Object.keys(output).length > 0);
    expect(filled).toEqual([["Input 49", { output: "Output 49" }]]);
    expect(Object.keys(expected)).toHaveLength(60);
  });

  test("what the server refuses leaves no dataset behind, and can be sent again", async () => {
    const { page, dialog, add } = await openJudged("refused");
    let isRefused = false;
    await page.route("**/graphql", (route) => {
      if (isRefused || !route.request().postData()?.includes("mutation AddSelectionToDataset")) return route.fallback();
      isRefused = true;
      return route.fulfill({ json: { data: null, errors: [{ message: "The span is gone." }] } });
    });
    await dialog.getByRole("button", { name: "Add 5 traces" }).click();
    await dialog.getByText("The span is gone.").waitFor();
    const { data } = (await pages.client().get("/v1/datasets?name=refused")).json<{ data: unknown[] }>();
    expect(data).toEqual([]);
    await add();
  });

  for (const theme of ["light", "dark"] as const) {
    for (const width of ["desktop", "phone"] as const) {
      test(`the examples of an addition look well (${width}, ${theme})`, async () => {
        const { page, card } = await openJudged(`looks-${theme}-${width}`, { theme, width });
        await card("long").getByRole("button", { name: /^Show/ }).first().waitFor();
        await pages.picture(page, `addition-step-${theme}`);
        await card("failed")
          .getByRole("button", { name: /^Edit example/ })
          .click();
        await card("failed").getByRole("textbox", { name: "Expected" }).waitFor();
        await pages.picture(page, `addition-examples-${theme}`);
        await pages.expectAccessible(page);
        const isTooWide = await page.getByRole("dialog").evaluate((dialog) => dialog.scrollWidth > dialog.clientWidth);
        expect(isTooWide).toBe(false);
      });
    }
  }
});

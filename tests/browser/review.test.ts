// Judging in a browser, on a desk and on a phone: by keys from trace to trace, and what the server refuses stays a draft.
import { expect, test } from "bun:test";
import { exportTo, sendSpans } from "../support/dataset.ts";
import type { HttpClient } from "../support/http.ts";
import { forPages } from "../support/pages.ts";
import { agentTrace, hexId, traceOf } from "../support/panel-traces.ts";
import { until } from "../support/until.ts";

const PROJECT = "support-bot";
const BEGIN_MS = Date.now() - 3 * 3_600_000;
const TRACES = 10;
const traceId = (number: number) => hexId(`judged-${number}`, 32);

/** One more than a page of the list. */
const LONG_LIST = 101;
const longTrace = (number: number) => `long-${number}`;

async function seed(client: HttpClient): Promise<void> {
  const send = exportTo(client);
  for (let number = 1; number <= TRACES; number++)
    await sendSpans(send, PROJECT, agentTrace(`judged-${number}`, BEGIN_MS - number * 60_000));
  for (let number = 1; number <= LONG_LIST; number++) {
    const root = { id: "root", name: `answer ${number}`, kind: "CHAIN", from: 0, to: 10 };
    await sendSpans(send, "long-list", traceOf(longTrace(number), BEGIN_MS - number * 60_000, [root]));
  }
  const labels = (...names: string[]) => names.map((label, index) => ({ label, score: 1 - index }));
  const common = { optimization_direction: "MAXIMIZE" };
  const configs = [
    { ...common, name: "helpful", type: "CATEGORICAL", values: labels("yes", "no") },
    { ...common, name: "correctness", type: "CONTINUOUS", lower_bound: 0, upper_bound: 1 },
  ];
  for (const json of configs) {
    expect((await client.post("/v1/annotation_configs", { json })).status).toBeLessThan(300);
    const path = `/v1/projects/${PROJECT}/annotation_configs/${json.name}`;
    expect((await client.put(path)).status).toBeLessThan(300);
  }
  const judge = { name: "helpful", annotator_kind: "LLM", result: { label: "yes", score: 1, explanation: "Polite." } };
  const data = [{ ...judge, trace_id: traceId(1) }];
  expect((await client.post("/v1/trace_annotations?sync=true", { json: { data } })).status).toBe(200);
}

forPages("review", { seed }, (pages) => {
  for (const theme of ["light", "dark"] as const) {
    for (const width of ["desktop", "phone"] as const) {
      test(`sees the pane (${width}, ${theme}) and keeps what the server refuses`, async () => {
        const page = await pages.open(`/redirects/traces/${traceId(1)}`, {
          theme,
          width,
          expected: [/Failed to load/],
        });
        await page.getByRole("button", { name: "Review" }).first().click();
        await page.locator("label").filter({ hasText: "yes" }).first().click();
        await page.route("**/graphql", (route) =>
          route.request().postData()?.includes("mutation SayTrace") ? route.abort() : route.fallback(),
        );
        const note = page.getByLabel("Note");
        await note.fill("Look at the second answer.");
        await page.getByRole("button", { name: "Save", exact: true }).click();
        await page.getByText(/^Not saved: /).waitFor();
        expect(await note.inputValue()).toBe("Look at the second answer.");
        await pages.picture(page, `review-${theme}`);
        await pages.expectAccessible(page);
      });
    }
  }

  test("judges ten traces by keys alone, and finds them by their annotations", async () => {
    const answer = await pages.client().get(`/v1/projects/${PROJECT}`);
    const { data } = (await answer.json()) as { data: { id: string } };
    const path = `/projects/${data.id}/traces`;
    const page = await pages.open(path);
    const rows = page.locator("[role=row][data-index]");
    await until(async () => (await rows.count()) === TRACES);
    const review = page.getByRole("complementary", { name: "Review" });
    const chosen = (label: string | RegExp) => review.getByRole("radio", { name: label, checked: true });
    const choices = review.getByRole("radio", { name: /yes|no/ });
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("treeitem").first().waitFor();
    // Its script comes with the first opened trace.
    await review.waitFor();
    await page.keyboard.press("e");
    await review.getByRole("button", { name: "Save & next" }).waitFor();
    for (let number = 1; number <= TRACES; number++) {
      await until(async () => page.url().includes(traceId(number)));
      await until(async () => (await choices.count()) === 2 && (await chosen(/yes|no/).count()) === 0);
      await page.keyboard.press(number % 5 === 0 ? "2" : "1");
      await chosen(number % 5 === 0 ? "no" : "yes").waitFor();
      await page.keyboard.press("Control+Enter");
    }
    const said = async () => {
      const keys = Array.from({ length: TRACES }, (_, at) => `trace_ids=${traceId(at + 1)}`).join("&");
      const found = await pages.client().get(`/v1/projects/${PROJECT}/trace_annotations?${keys}&limit=100`);
      const annotations = ((await found.json()) as { data: { source: string; annotator_kind: string }[] }).data;
      return annotations.filter(({ source, annotator_kind }) => source === "APP" && annotator_kind === "HUMAN").length;
    };
    await until(async () => (await said()) === TRACES);
    const condition = encodeURIComponent("trace_annotations['helpful'].label == 'no'");
    const filtered = await pages.open(`${path}?filter=${condition}`);
    await until(async () => (await filtered.locator("[role=row][data-index]").count()) === 2);
  });

  test("goes on behind the last trace that the list has loaded", async () => {
    const answer = await pages.client().get("/v1/projects/long-list");
    const { data } = (await answer.json()) as { data: { id: string } };
    const page = await pages.open(`/projects/${data.id}/traces/${hexId(longTrace(LONG_LIST - 1), 32)}`);
    const review = page.getByRole("complementary", { name: "Review" });
    await review.waitFor();
    await page.getByRole("button", { name: "Next trace" }).and(page.locator(":enabled")).waitFor();
    await page.keyboard.press("n");
    await review.getByLabel("Note", { exact: true }).fill("The last of the page.");
    await page.keyboard.press("Control+Enter");
    await page.waitForURL(`**/${hexId(longTrace(LONG_LIST), 32)}*`);
    await until(async () => page.getByRole("button", { name: "Next trace" }).isDisabled());
  });

  test("changes a note of one's own, and deletes it", async () => {
    const page = await pages.open(`/redirects/traces/${traceId(2)}`);
    const review = page.getByRole("complementary", { name: "Review" });
    await review.waitFor();
    await page.keyboard.press("n");
    await review.getByLabel("Note", { exact: true }).fill("The first word.");
    await review.getByRole("button", { name: "Save", exact: true }).click();
    await review.getByText("The first word.").waitFor();
    await review.getByRole("button", { name: "Change the note" }).click();
    await review.getByLabel("Change the note").fill("The second word.");
    await pages.picture(page, "review-note");
    await review.getByRole("button", { name: "Save the note" }).click();
    await review.getByText("The second word.").waitFor();
    expect(await review.getByText("The first word.").count()).toBe(0);
    await review.getByRole("button", { name: "Delete the note" }).click();
    await pages.picture(page, "review-note-delete");
    await review.getByRole("button", { name: "Delete the note" }).click();
    await until(async () => (await review.getByText("The second word.").count()) === 0);
    const found = await pages
      .client()
      .get(`/v1/projects/${PROJECT}/trace_annotations?trace_ids=${traceId(2)}&limit=100`);
    const { data } = (await found.json()) as { data: { name: string }[] };
    expect(data.filter(({ name }) => name === "note")).toEqual([]);
  });

  test("creates a configuration from the review, which asks it at once, and the project offers it", async () => {
    const page = await pages.open(`/redirects/traces/${hexId(longTrace(1), 32)}`);
    const review = page.getByRole("complementary", { name: "Review" });
    await review.waitFor();
    await page.keyboard.press("e");
    await review.getByText("This project asks no questions yet.").waitFor();
    await review.getByRole("button", { name: "New configuration" }).click();
    const dialog = page.getByRole("dialog", { name: "New configuration" });
    const fill = async (name: string) => {
      await dialog.getByLabel("Name", { exact: true }).fill(name);
      await dialog.getByLabel("Label 1", { exact: true }).fill("polite");
      await dialog.getByLabel("Label 2", { exact: true }).fill("rude");
    };
    await fill("tone");
    await pages.picture(page, "review-new-configuration");
    await pages.expectAccessible(page);
    // The project refuses it once: the second try must not stumble over what the first one stored.
    let refused = false;
    await page.route("**/graphql", (route) => {
      if (refused || !route.request().postData()?.includes("AssignAnnotationConfig")) return route.fallback();
      refused = true;
      return route.fulfill({ json: { data: null, errors: [{ message: "The project is busy." }] } });
    });
    await dialog.getByRole("button", { name: "Create", exact: true }).click();
    await dialog.getByText("The project is busy.").waitFor();
    await dialog.getByRole("button", { name: "Create", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    await review.getByRole("radio", { name: "polite" }).waitFor();
    // Where the dialog was opened, the keys go on.
    await review.getByRole("button", { name: "New configuration" }).and(page.locator(":focus")).waitFor();
    const offered = await pages.client().get("/v1/projects/long-list/annotation_configs");
    const { data } = (await offered.json()) as { data: { name: string }[] };
    expect(data.map(({ name }) => name)).toEqual(["tone"]);
    // Another one, where there are questions already.
    await review.getByRole("button", { name: "New configuration" }).click();
    await fill("manner");
    await dialog.getByRole("button", { name: "Create", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    await review.getByRole("group", { name: "manner" }).waitFor();
    expect(await review.getByRole("radio", { name: "polite" }).count()).toBe(2);
    await pages.picture(page, "review-questions");
  });

  test("creates a configuration from the sheet of a phone", async () => {
    const page = await pages.open(`/redirects/traces/${hexId(longTrace(2), 32)}`, { width: "phone" });
    await page.getByRole("button", { name: "Review" }).first().click();
    await page.getByRole("button", { name: "New configuration" }).click();
    const dialog = page.getByRole("dialog", { name: "New configuration" });
    await dialog.getByText("Text", { exact: true }).click();
    // The preview has a field of that name, too.
    await dialog.getByLabel("Name", { exact: true }).first().fill("better answer");
    await pages.picture(page, "review-new-configuration");
    await dialog.getByRole("button", { name: "Create", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("textbox", { name: "better answer" }).waitFor();
  });
});

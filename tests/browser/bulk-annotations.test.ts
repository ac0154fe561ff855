// Many rows annotated from their list in a browser: a selection, and all that match the filter.
import { expect, test } from "bun:test";
import { exportTo, sendSpans } from "../support/dataset.ts";
import type { HttpClient } from "../support/http.ts";
import { forPages } from "../support/pages.ts";
import { hexId, traceOf } from "../support/panel-traces.ts";
import { until } from "../support/until.ts";

const PROJECT = "support-bot";
const TRACES = 12;
const BEGIN_MS = Date.now() - 3_600_000;
const traceId = (number: number) => hexId(`bulk ${number}`, 32);

async function seed(client: HttpClient): Promise<void> {
  for (let number = 0; number < TRACES; number++) {
    const attributes = { "session.id": `chat-${number % 3}`, "input.value": `Question ${number}` };
    const to = number % 2 === 0 ? 400 : 900;
    const root = { id: "root", name: "agent", kind: "AGENT", from: 0, to, attributes };
    await sendSpans(exportTo(client), PROJECT, traceOf(`bulk ${number}`, BEGIN_MS + number * 60_000, [root]));
  }
  const values = [
    { label: "yes", score: 1 },
    { label: "no", score: 0 },
  ];
  const json = { name: "helpful", type: "CATEGORICAL", optimization_direction: "MAXIMIZE", values };
  expect((await client.post("/v1/annotation_configs", { json })).status).toBeLessThan(300);
  expect((await client.put(`/v1/projects/${PROJECT}/annotation_configs/helpful`)).status).toBeLessThan(300);
}

forPages("bulk annotation", { seed }, (pages) => {
  const listOf = async (tab: string, condition = "") => {
    const answer = await pages.client().get(`/v1/projects/${PROJECT}`);
    const { data } = (await answer.json()) as { data: { id: string } };
    return `/projects/${data.id}/${tab}${condition === "" ? "" : `?filter=${encodeURIComponent(condition)}`}`;
  };
  const annotated = async () => {
    const keys = Array.from({ length: TRACES }, (_, number) => `trace_ids=${traceId(number)}`).join("&");
    const found = await pages.client().get(`/v1/projects/${PROJECT}/trace_annotations?${keys}&limit=100`);
    const { data } = (await found.json()) as { data: { result: { label: string }; identifier: string }[] };
    return data.map(({ result }) => result.label);
  };

  for (const theme of ["light", "dark"] as const) {
    test(`of all traces that match, and back (${theme})`, async () => {
      const page = await pages.open(await listOf("traces", "latency_ms < 500"), {
        theme,
        expected: [/Failed to load/],
      });
      await page.getByRole("checkbox").nth(1).click();
      await page.getByRole("button", { name: "Annotate" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText("All 6 that match").click();
      await dialog.locator("label").filter({ hasText: "yes" }).first().click();
      await pages.picture(page, `bulk-${theme}`);
      await pages.expectAccessible(page);
      // A phone has no boxes to choose rows by; a window may be as narrow.
      await page.setViewportSize({ width: 390, height: 844 });
      await pages.picture(page, `bulk-${theme}`);
      await pages.expectAccessible(page);
      await page.setViewportSize({ width: 1440, height: 900 });
      // The first batch does not get through.
      await page.route("**/graphql", (route) =>
        route.request().postData()?.includes("mutation AnnotateMatching") ? route.abort() : route.fallback(),
      );
      await dialog.getByRole("button", { name: "Annotate", exact: true }).click();
      await dialog.getByText("0 of 6 annotated").waitFor();
      await pages.picture(page, `bulk-stopped-${theme}`);
      await page.unroute("**/graphql");
      await dialog.getByRole("button", { name: "Go on" }).click();
      await dialog.getByText("6 annotated: helpful: yes").waitFor();
      await pages.picture(page, `bulk-done-${theme}`);
      await pages.expectAccessible(page);
      expect(await annotated()).toEqual(Array.from({ length: 6 }, () => "yes"));
      await dialog.getByRole("button", { name: "Take all back" }).click();
      await dialog.getByText("6 taken back").waitFor();
      expect(await annotated()).toEqual([]);
    });
  }

  test.each(["spans", "sessions"])("of selected %s", async (tab) => {
    const page = await pages.open(await listOf(tab));
    await page.getByRole("checkbox").nth(1).click();
    await page.getByRole("checkbox").nth(2).click();
    await page.getByRole("button", { name: "Annotate" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.locator("label").filter({ hasText: "yes" }).first().click();
    await pages.picture(page, `bulk-${tab}`);
    await page.keyboard.press("Control+Enter");
    await dialog.getByText("2 annotated: helpful: yes").waitFor();
    await dialog.getByRole("button", { name: "Take all back" }).click();
    await dialog.getByText("2 taken back").waitFor();
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await until(async () => (await page.getByRole("dialog").count()) === 0);
  });
});

// Annotations of the rows of the lists: figures, facets that lead to as many rows as they say, columns; they come behind the list.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { exportTo, sendSpans } from "../support/dataset.ts";
import { trace } from "../support/explorer-traces.ts";
import type { HttpClient } from "../support/http.ts";
import type { OtlpSpan } from "../support/otlp-encode.ts";
import { forPages, type PagesUnderTest } from "../support/pages.ts";
import { until } from "../support/until.ts";

/** Where traces and sessions are judged, and where their root spans are. */
const JUDGED = "judged-bot";
const ROOTED = "rooted-bot";
const TRACES = 12;
const BEGIN_MS = Date.now() - 3 * 3_600_000;

function inSession(spans: OtlpSpan[], at: number): OtlpSpan[] {
  const session = { key: "session.id", value: { stringValue: `talk-${at}` } };
  return spans.map((span) => ({ ...span, attributes: [...(span.attributes ?? []), session] }));
}

const tracesFrom = (beginMs: number) =>
  Array.from({ length: TRACES }, (_, at) => inSession(trace(at, beginMs + at * 60_000), at));

/** People judge the first eight, a program all: of two they say different things. Traces and sessions alike, and spans, those the roots
 *  of other traces. */
async function seed(client: HttpClient): Promise<void> {
  await judge(client, JUDGED, tracesFrom(BEGIN_MS), ["trace", "session"]);
  await judge(client, ROOTED, tracesFrom(BEGIN_MS + 7), ["span"]);
}

async function judge(client: HttpClient, project: string, listed: OtlpSpan[][], targets: readonly string[]) {
  const send = exportTo(client);
  for (const spans of listed) await sendSpans(send, project, spans);
  const said = listed.flatMap(([root], at) => {
    const of = { trace_id: root!.traceId, span_id: root!.spanId, session_id: `talk-${at}` };
    const person = { ...of, name: "helpful", annotator_kind: "HUMAN", result: { label: at < 4 ? "no" : "yes" } };
    const program = {
      ...{ ...of, name: "helpful", identifier: "judge", annotator_kind: "LLM" },
      result: { label: at < 2 || at > 3 ? "yes" : "no", score: at / 11 },
    };
    return at < 8 ? [person, program] : [program];
  });
  for (const target of targets) {
    const answer = await client.post(`/v1/${target}_annotations?sync=true`, { json: { data: said } });
    expect(answer.status).toBe(200);
  }
}

const rows = (page: Page) => page.locator("[role=row][data-index]");
const count = (page: Page, expected: number) => until(async () => (await rows(page).count()) === expected);

async function open(
  pages: PagesUnderTest,
  list: string,
  { project = JUDGED, ...options }: Parameters<PagesUnderTest["open"]>[1] & { project?: string } = {},
) {
  const answer = await pages.client().get(`/v1/projects/${project}`);
  const { data } = (await answer.json()) as { data: { id: string } };
  return pages.open(`/projects/${data.id}/${list}`, options);
}

forPages("annotations of the rows of a list", { seed }, (pages) => {
  const cases = [
    { list: "traces", project: JUDGED, name: "helpful" },
    { list: "spans", project: ROOTED, name: "helpful" },
    { list: "sessions", project: JUDGED, name: "helpful" },
    { list: "traces", project: ROOTED, name: "helpful (root span)" },
  ] as const;
  for (const { list, project, name } of cases) {
    test(`stands beside ${list}, and each number leads to as many: ${name}`, async () => {
      const page = await open(pages, list, { project });
      const facets = page.getByRole("complementary", { name: "Facets" });
      await facets.getByRole("heading", { name: `${name} mean 0.5` }).waitFor();
      await page.getByText("yes 75 % · 0.5").waitFor();
      const all = await rows(page).count();
      await facets.getByRole("button", { name: "People ≠ programs 2", exact: true }).click();
      await count(page, 2);
      await page.getByText("no 50 % · 0.0455").waitFor();
      await facets.getByRole("button", { name: "People ≠ programs 2", exact: true }).click();
      await count(page, all);
      await facets.getByRole("button", { name: "no 4", exact: true }).click();
      await count(page, 4);
      await facets.getByRole("button", { name: "no 4", exact: true }).click();
      await facets.getByRole("button", { name: "≥ 0.75 3", exact: true }).click();
      await count(page, 3);
    });

    test(`is a column of ${list}: ${name}`, async () => {
      const page = await open(pages, list, { project });
      await rows(page).first().waitFor();
      await page.getByRole("button", { name: "Columns" }).click();
      await page
        .getByRole("region", { name: "Columns of annotations" })
        .getByRole("button", { name, exact: true })
        .click();
      await page.keyboard.press("Escape");
      await page.getByRole("columnheader").filter({ hasText: name }).waitFor();
      await page.getByRole("row").filter({ hasText: "no, yes 0.0909" }).first().waitFor();
      await page.reload();
      await page.getByRole("row").filter({ hasText: "no, yes 0.0909" }).first().waitFor();
      await pages.picture(page, `verdict-column-${list}-${project}`);
    });
  }

  test("a list does not wait for it", async () => {
    const page = await open(pages, "metrics");
    let held = 0;
    await page.route("**/graphql", (route) => {
      if (!route.request().postData()?.includes("TraceVerdicts")) return route.fallback();
      held++;
      return undefined;
    });
    await page.getByRole("link", { name: "Traces", exact: true }).click();
    await rows(page)
      .nth(TRACES - 1)
      .waitFor();
    await until(async () => held > 0);
    await page.getByRole("button", { name: "With errors 1" }).click();
    await count(page, 1);
    expect(await page.getByText(/^mean /).count()).toBe(0);
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });

  for (const theme of ["light", "dark"] as const) {
    for (const width of ["desktop", "phone"] as const) {
      test(`looks well (${width}, ${theme})`, async () => {
        const page = await open(pages, "traces", { project: ROOTED, theme, width });
        if (width === "phone") await page.getByRole("button", { name: "Facets" }).click();
        const heading = page.getByRole("heading", { name: "helpful (root span) mean 0.5" });
        await heading.waitFor();
        await heading.scrollIntoViewIfNeeded();
        await pages.picture(page, `verdicts-${theme}`);
        await pages.expectAccessible(page);
      });
    }
  }
});

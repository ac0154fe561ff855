// Judging retrieved documents in a browser, on a desk and on a phone: the annotations of each stand below it, and by keys it goes on from
// document to document.
import { expect, test } from "bun:test";
import { exportTo, sendSpans } from "../support/dataset.ts";
import type { HttpClient } from "../support/http.ts";
import { forPages } from "../support/pages.ts";
import { agentTrace, hexId } from "../support/panel-traces.ts";
import { until } from "../support/until.ts";

const PROJECT = "support-bot";
const TRACE = "documents";
const spanKey = hexId(`${TRACE}/retrieve`, 16);

async function seed(client: HttpClient): Promise<void> {
  await sendSpans(exportTo(client), PROJECT, agentTrace(TRACE, Date.now() - 3_600_000));
  const json = {
    ...{ name: "relevance", type: "CATEGORICAL", optimization_direction: "MAXIMIZE" },
    values: [
      { label: "relevant", score: 1 },
      { label: "unrelated", score: 0 },
    ],
  };
  expect((await client.post("/v1/annotation_configs", { json })).status).toBeLessThan(300);
  expect((await client.put(`/v1/projects/${PROJECT}/annotation_configs/relevance`)).status).toBeLessThan(300);
  const result = { label: "unrelated", score: 0, explanation: "Another topic." };
  const data = [{ span_id: spanKey, document_position: 1, name: "relevance", annotator_kind: "LLM", result }];
  expect((await client.post("/v1/document_annotations?sync=true", { json: { data } })).status).toBe(200);
}

forPages("review of documents", { seed }, (pages) => {
  const openSpan = async (options: Parameters<typeof pages.open>[1]) => {
    const page = await pages.open(`/redirects/spans/${spanKey}`, options);
    await page.getByText("relevance", { exact: true }).first().waitFor();
    return page;
  };

  for (const theme of ["light", "dark"] as const) {
    for (const width of ["desktop", "phone"] as const) {
      test(`sees the annotations of a document (${width}, ${theme})`, async () => {
        const page = await openSpan({ theme, width });
        await page.getByRole("button", { name: "Judge document 2" }).click();
        const form = page.getByRole("group", { name: "document 2" });
        await form.getByRole("radio", { name: "relevant" }).waitFor();
        await pages.picture(page, `document-review-${theme}`);
        await pages.expectAccessible(page);
      });
    }
  }

  test("judges one document after the other by keys, and sees what it comes to", async () => {
    const page = await openSpan({});
    await page.getByRole("button", { name: "Judge document 1" }).click();
    for (const number of [1, 2, 3]) {
      await page.getByRole("group", { name: `document ${number}` }).waitFor();
      await page.keyboard.press(number === 2 ? "2" : "1");
      await page.keyboard.press("Control+Enter");
    }
    await page.getByText("relevance: NDCG 0.92 · precision 0.67 · first hit at place 1").waitFor();
    await until(async () => (await page.getByRole("group", { name: /^document/ }).count()) === 0);
    const client = pages.client();
    const said = async () => {
      const query = `{ getSpanByOtelId(spanId: "${spanKey}") { documentEvaluations { documentPosition label source annotatorKind } } }`;
      const answer = await client.post("/graphql", { json: { query } });
      const { data } = (await answer.json()) as { data: { getSpanByOtelId: { documentEvaluations: object[] } } };
      return data.getSpanByOtelId.documentEvaluations;
    };
    const own = { source: "APP", annotatorKind: "HUMAN" };
    // Each verdict is sent by itself: they may arrive in any order.
    const verdicts = await said();
    expect(verdicts).toHaveLength(4);
    expect(verdicts).toEqual(
      expect.arrayContaining([
        { documentPosition: 1, label: "unrelated", source: "API", annotatorKind: "LLM" },
        { documentPosition: 0, label: "relevant", ...own },
        { documentPosition: 1, label: "unrelated", ...own },
        { documentPosition: 2, label: "relevant", ...own },
      ]),
    );
    // The chosen one again takes the verdict back.
    await page.getByRole("button", { name: "Judge document 3" }).click();
    await page.getByRole("radio", { name: "relevant", checked: true }).waitFor();
    await page.keyboard.press("1");
    await page.keyboard.press("Control+Enter");
    await page.getByText("relevance: not every document has a score · first hit at place 1").waitFor();
    expect(await said()).toHaveLength(3);
  });
});

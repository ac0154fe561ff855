// Verdicts on the rows of an open trace in a browser, on a desk and on a phone.
import { expect, test } from "bun:test";
import { exportTo, sendSpans } from "../support/dataset.ts";
import type { HttpClient } from "../support/http.ts";
import { forPages } from "../support/pages.ts";
import { agentTrace, hexId } from "../support/panel-traces.ts";

const PROJECT = "support-bot";
const TRACE = "marked";
const spanKey = (span: string) => hexId(`${TRACE}/${span}`, 16);

async function seed(client: HttpClient): Promise<void> {
  await sendSpans(exportTo(client), PROJECT, agentTrace(TRACE, Date.now() - 3_600_000));
  const json = {
    ...{ name: "correctness", type: "CONTINUOUS", optimization_direction: "MAXIMIZE" },
    ...{ lower_bound: 0, upper_bound: 1 },
  };
  expect((await client.post("/v1/annotation_configs", { json })).status).toBeLessThan(300);
  expect((await client.put(`/v1/projects/${PROJECT}/annotation_configs/correctness`)).status).toBeLessThan(300);
  const say = (span: string, name: string, result: object) => ({
    ...{ span_id: spanKey(span), name, annotator_kind: "LLM", result },
  });
  const data = [
    say("agent", "correctness", { score: 0.9 }),
    ...["tone", "length", "speed"].map((name) => say("agent", name, { label: "fine" })),
    say("retrieve", "correctness", { score: 0.1, explanation: "Two of three are about other things." }),
  ];
  expect((await client.post("/v1/span_annotations?sync=true", { json: { data } })).status).toBe(200);
}

forPages("verdicts on spans", { seed }, (pages) => {
  for (const theme of ["light", "dark"] as const) {
    for (const width of ["desktop", "phone"] as const) {
      test(`stand on their rows (${width}, ${theme})`, async () => {
        const page = await pages.open(`/redirects/traces/${hexId(TRACE, 32)}`, { theme, width });
        const row = (name: string) => page.getByRole("treeitem").filter({ hasText: name }).first();
        await row("retrieve_docs").getByRole("img", { name: "correctness: 0.1 (A model)" }).waitFor();
        expect(await row("support_agent").getByRole("img", { name: "A model" }).count()).toBe(3);
        expect(await row("support_agent").getByText("+1").count()).toBeGreaterThan(0);
        expect(await row("embed_query").getByRole("img", { name: "A model" }).count()).toBe(0);
        // Chips give way to the last dot before a name is cut.
        const squeezed = await page.getByRole("treeitem").evaluateAll((all) =>
          all.flatMap((item) => {
            const name = item.querySelector("bdi[title]")!;
            const chips = item.querySelector("i[role=img]")?.closest("span[title]");
            const isCut = name.scrollWidth > name.clientWidth;
            return isCut && chips && chips.clientWidth > 10 ? [name.textContent] : [];
          }),
        );
        expect(squeezed).toEqual([]);
        await pages.picture(page, `span-verdicts-${theme}`);
        await pages.expectAccessible(page);
      });
    }
  }

  test("change as soon as there is an annotation", async () => {
    const page = await pages.open(`/redirects/spans/${spanKey("embed")}`);
    await page.getByRole("treeitem").first().waitFor();
    const review = page.getByRole("complementary", { name: "Review" });
    await review.waitFor();
    await page.keyboard.press("e");
    // The span was opened, so it is what is judged.
    expect(await review.getByRole("radio", { name: "Span" }).isChecked()).toBe(true);
    await review.getByText("No annotations yet.").waitFor();
    await review.getByLabel("correctness").focus();
    await page.keyboard.press("End");
    await review.getByRole("button", { name: "Save", exact: true }).click();
    const row = page.getByRole("treeitem").filter({ hasText: "embed_query" });
    await row.getByRole("img", { name: /^correctness: 1 / }).waitFor();
    // Beside the reader's own annotation nothing says that there are none.
    await review.getByText("No annotations yet.").waitFor({ state: "hidden" });
    const whole = await pages.open(`/redirects/traces/${hexId(TRACE, 32)}`);
    await whole.getByRole("button", { name: "Review" }).first().click();
    expect(await whole.getByRole("radio", { name: "Trace" }).isChecked()).toBe(true);
  });
});

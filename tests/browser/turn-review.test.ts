// Thumbs and verdicts on the turns of a session in a browser, on a desk and on a phone.
import { expect, test } from "bun:test";
import { exportTo, sendSpans } from "../support/dataset.ts";
import type { HttpClient } from "../support/http.ts";
import { forPages } from "../support/pages.ts";
import { hexId, traceOf } from "../support/panel-traces.ts";
import { until } from "../support/until.ts";

const PROJECT = "support-bot";
const SESSION = "chat-judged";
const BEGIN_MS = Date.now() - 3_600_000;
const traceId = (turn: number) => hexId(`${SESSION} ${turn}`, 32);

async function seed(client: HttpClient): Promise<void> {
  for (const turn of [1, 2, 3]) {
    const attributes = { "session.id": SESSION, "input.value": `Question ${turn}`, "output.value": `Answer ${turn}` };
    const root = { id: "root", name: "agent", kind: "AGENT", from: 0, to: 900, attributes };
    await sendSpans(exportTo(client), PROJECT, traceOf(`${SESSION} ${turn}`, BEGIN_MS + turn * 60_000, [root]));
  }
  const result = { label: "impolite", score: 0, explanation: "It says no twice." };
  const data = [{ trace_id: traceId(2), name: "tone", annotator_kind: "LLM", result }];
  expect((await client.post("/v1/trace_annotations?sync=true", { json: { data } })).status).toBe(200);
}

forPages("review of turns", { seed }, (pages) => {
  const verdicts = async (turn: number) => {
    const found = await pages.client().get(`/v1/projects/${PROJECT}/trace_annotations?trace_ids=${traceId(turn)}`);
    const { data } = (await found.json()) as { data: { name: string; result: object; source: string }[] };
    return data.filter(({ name }) => name === "user_feedback").map(({ result, source }) => ({ ...result, source }));
  };

  for (const theme of ["light", "dark"] as const) {
    for (const width of ["desktop", "phone"] as const) {
      test(`gives thumbs and sees what others say (${width}, ${theme})`, async () => {
        const page = await pages.open(`/redirects/sessions/${SESSION}`, { theme, width });
        const turn = page.getByRole("article", { name: "Turn 2" });
        await turn.getByText("impolite").waitFor();
        const up = turn.getByRole("button", { name: "Turn 2 is good" });
        await up.click();
        await until(async () => (await verdicts(2)).length === 1);
        expect(await verdicts(2)).toMatchObject([{ label: "positive", score: 1, explanation: null, source: "APP" }]);
        expect(await up.getAttribute("aria-pressed")).toBe("true");
        await pages.picture(page, `turn-review-${theme}`);
        await pages.expectAccessible(page);
        await turn.getByRole("button", { name: "Turn 2 is bad" }).click();
        await until(async () => JSON.stringify(await verdicts(2)).includes("negative"));
        expect(await verdicts(2)).toHaveLength(1);
        // The given one again takes it back.
        await turn.getByRole("button", { name: "Turn 2 is bad" }).click();
        await until(async () => (await verdicts(2)).length === 0);
        expect(await verdicts(1)).toEqual([]);
      });
    }
  }
});

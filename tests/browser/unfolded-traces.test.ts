// Traces that are unfolded in their list: their spans below the row, by the mouse, the keys and on a phone.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { exportTo, sendSpans } from "../support/dataset.ts";
import { BEGIN_MS } from "../support/explorer-traces.ts";
import type { HttpClient } from "../support/http.ts";
import type { OtlpSpan } from "../support/otlp-encode.ts";
import { forPages } from "../support/pages.ts";
import { until } from "../support/until.ts";

const SPANS_OF_LARGE = 70;
const MOST_SHOWN = 50;

/** A span by the names of its trace, itself and its parent. */
function span(trace: number, id: number, parent: number | null, name: string, kind: string, failed = false): OtlpSpan {
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, "0");
  const nanoseconds = (ms: number) => `${BEGIN_MS + trace * 60_000 + ms}000000`;
  return {
    traceId: hex(trace, 32),
    spanId: hex(trace * 1000 + id, 16),
    ...(parent === null ? {} : { parentSpanId: hex(trace * 1000 + parent, 16) }),
    name,
    startTimeUnixNano: nanoseconds(id),
    endTimeUnixNano: nanoseconds(parent === null ? 2000 : 1000),
    status: failed ? { code: 2, message: "too slow" } : { code: 1 },
    events: failed
      ? [
          {
            name: "exception",
            timeUnixNano: nanoseconds(id),
            attributes: [{ key: "exception.type", value: { stringValue: "SearchTimeout" } }],
          },
        ]
      : [],
    attributes: [
      { key: "input.value", value: { stringValue: `question of ${name}` } },
      { key: "llm.model_name", value: { stringValue: kind === "LLM" ? "gpt-4o" : "" } },
      { key: "openinference.span.kind", value: { stringValue: kind } },
      { key: "llm.token_count.prompt", value: { intValue: kind === "LLM" ? "1234" : "0" } },
    ],
  };
}

async function seed(client: HttpClient): Promise<void> {
  const small = [
    span(1, 1, null, "answer", "AGENT"),
    span(1, 2, 1, "research", "CHAIN"),
    span(1, 3, 2, "ask the model", "LLM"),
    span(1, 4, 1, "look it up", "TOOL", true),
  ];
  const alone = [span(2, 1, null, "ping", "CHAIN")];
  const large = Array.from({ length: SPANS_OF_LARGE }, (_, at) =>
    span(3, at + 1, at === 0 ? null : 1, at === 0 ? "crawl" : `read page ${at}`, at === 0 ? "AGENT" : "TOOL"),
  );
  await sendSpans(exportTo(client), "unfolding", [...small, ...alone, ...large]);
}

const rows = (page: Page) => page.locator("[role=row][data-index]");
const named = (page: Page, name: string) => rows(page).filter({ hasText: name });
const count = (page: Page) => page.getByRole("treegrid").getAttribute("aria-rowcount");

forPages("unfolded traces", { seed }, (pages) => {
  async function openList(options: Parameters<typeof pages.open>[1] = {}) {
    const answer = await pages.client().get("/v1/projects/unfolding");
    const { data } = (await answer.json()) as { data: { id: string } };
    const page = await pages.open(`/projects/${data.id}/traces`, options);
    await named(page, "ping").waitFor();
    return page;
  }
  const unfold = (page: Page, name: string) =>
    named(page, name).getByRole("button", { name: "Show what is below this row" }).click();

  for (const width of ["desktop", "phone"] as const) {
    for (const theme of ["light", "dark"] as const) {
      test(`shows the spans as a tree below the row, ${width}, ${theme}`, async () => {
        const page = await openList({ width, theme });
        await unfold(page, "answer");
        await named(page, "ask the model").waitFor();
        const found = await rows(page).evaluateAll((all) =>
          all.map((row) => [row.getAttribute("aria-level"), row.getAttribute("aria-expanded")]),
        );
        expect(found).toEqual([
          ["1", "false"],
          ["1", null],
          ["1", "true"],
          ["2", null],
          ["3", null],
          ["2", null],
        ]);
        expect(await rows(page).nth(3).textContent()).toContain("research");
        expect(await rows(page).nth(4).textContent()).toContain("ask the model");
        expect(await rows(page).nth(4).textContent()).toContain("question of ask the model");
        expect(await rows(page).nth(5).textContent()).toContain("SearchTimeout");
        if (width === "desktop") expect(await rows(page).nth(4).textContent()).toContain("$0.0031");
        await rows(page).nth(4).getByRole("img", { name: "LLM" }).waitFor();
        if (width === "desktop") expect(await rows(page).nth(4).textContent()).toMatch(/1[.,]2/);
        await pages.expectAccessible(page);
        await pages.picture(page, `unfolded-${theme}`);
        await page.getByRole("button", { name: "Hide what is below this row" }).click();
        await until(async () => (await rows(page).count()) === 3);
      });
    }
  }

  test("has previews below rows that are shown without their name", async () => {
    const page = await openList();
    const only = await pages.open(`${new URL(page.url()).pathname}?filter=num_spans+%3D%3D+4`);
    await until(async () => (await rows(only).count()) === 1);
    await rows(only).getByRole("button", { name: "Show what is below this row" }).click();
    await named(only, "ask the model").waitFor();
    expect(await named(only, "ask the model").textContent()).toContain("question of ask the model");
    expect(await named(only, "look it up").textContent()).toContain("SearchTimeout");
    await pages.picture(only, "unfolded-without-names");
  });

  test("opens the trace at the span, and marks the span", async () => {
    const page = await openList();
    await unfold(page, "answer");
    await named(page, "look it up").click();
    await page.waitForURL(/\/traces\/0+1\?.*selected/);
    await until(async () => (await named(page, "look it up").first().getAttribute("aria-selected")) === "true");
  });

  test("shows the first spans of a large trace, and leads to the rest", async () => {
    const page = await openList();
    await unfold(page, "crawl");
    await until(async () => (await count(page)) === String(1 + 3 + MOST_SHOWN + 1));
    await rows(page).first().focus();
    await page.keyboard.press("End");
    const more = `${SPANS_OF_LARGE - 1 - MOST_SHOWN} more: open the trace`;
    await page.keyboard.press("Home");
    for (let at = 0; at < 3; at++) await page.keyboard.press("PageDown");
    await named(page, more).click();
    await page.waitForURL(/\/traces\/0+3$/);
  });

  test("is walked by the keys, and only traces are selected", async () => {
    const page = await openList();
    const focused = async () => (await page.locator("[role=row]:focus").textContent()) ?? "";
    await named(page, "answer").focus();
    await page.keyboard.press("ArrowRight");
    await named(page, "ask the model").waitFor();
    await page.keyboard.press("ArrowRight");
    expect(await focused()).toContain("research");
    await page.keyboard.press("x");
    await page.keyboard.press("ArrowDown");
    expect(await focused()).toContain("ask the model");
    await page.keyboard.press("ArrowLeft");
    expect(await focused()).toContain("answer");
    await page.keyboard.press("x");
    await page.getByText("1 selected").waitFor();
    await page.keyboard.press("ArrowLeft");
    await until(async () => (await count(page)) === "4");
    expect(await focused()).toContain("answer");
    // What has nothing below it stays as it is.
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowRight");
    expect(await focused()).toContain("ping");
    expect(await count(page)).toBe("4");
  });
});

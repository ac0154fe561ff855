// The metrics of a project in a browser: charts that share range and pointer, and lists that lead to the rows.
import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { exportTo, sendSpans } from "../support/dataset.ts";
import type { HttpClient } from "../support/http.ts";
import { type OtlpSpan, otlpAttributes } from "../support/otlp-encode.ts";
import { forEachPages, type PagesUnderTest } from "../support/pages.ts";

const HOUR_MS = 3_600_000;
/** The whole hour three hours ago: bins of hours hold what they are meant to hold. */
const BEGIN_MS = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 3 * HOUR_MS;
const hex = (text: string, digits: number) => Bun.hash(text).toString(16).padStart(16, "0").padEnd(digits, "a");

const failed = (timeUnixNano: string): Partial<OtlpSpan> => ({
  status: { code: 2, message: "too slow" },
  events: [{ name: "exception", timeUnixNano, attributes: otlpAttributes({ "exception.type": "TimeoutError" }) }],
});

/** Eight traces an hour over three hours: an agent that calls a model and a tool; in every fourth the tool failed. */
function traces(): OtlpSpan[] {
  return Array.from({ length: 24 }, (_, at): OtlpSpan[] => {
    const startMs = BEGIN_MS + Math.floor(at / 8) * HOUR_MS + (at % 8) * 60_000;
    const nanoseconds = (ms: number) => `${startMs + ms}000000`;
    const span = (name: string, kind: string, ms: number, more: Partial<OtlpSpan>): OtlpSpan => ({
      traceId: hex(`metrics ${at}`, 32),
      spanId: hex(`${name} ${at}`, 16),
      parentSpanId: hex(`agent ${at}`, 16),
      name,
      startTimeUnixNano: nanoseconds(0),
      endTimeUnixNano: nanoseconds(ms),
      attributes: otlpAttributes({ "openinference.span.kind": kind }),
      ...more,
    });
    const region = at % 3 === 0 ? {} : { metadata: JSON.stringify({ region: at % 3 === 1 ? "eu" : "us" }) };
    const { parentSpanId: _none, ...agent } = span("agent", "AGENT", 400 + at * 100, {
      attributes: otlpAttributes({ "openinference.span.kind": "AGENT", ...region }),
    });
    return [
      agent,
      span("ChatCompletion", "LLM", 200, {
        attributes: otlpAttributes({
          "openinference.span.kind": "LLM",
          "llm.model_name": at % 3 === 0 ? "claude" : "gpt-4o",
          "llm.token_count.prompt": 100,
          "llm.token_count.completion": 10,
        }),
      }),
      span("lookup", "TOOL", 50, at % 4 === 0 ? failed(nanoseconds(40)) : {}),
    ];
  }).flat();
}

async function seed(client: HttpClient): Promise<void> {
  await sendSpans(exportTo(client), "support-bot", traces());
  // Of the eight traces of the first hour two were judged, of the second one.
  const say = (at: number, label: string, score: number) => ({
    ...{ trace_id: hex(`metrics ${at}`, 32), name: "helpful", annotator_kind: "HUMAN", result: { label, score } },
  });
  const judge = { trace_id: hex("metrics 1", 32), name: "helpful", annotator_kind: "LLM", identifier: "judge" };
  const data = [
    ...[say(0, "yes", 1), say(1, "no", 0), say(8, "yes", 1)],
    { ...judge, result: { score: 0.25 } },
    { ...judge, name: "polite", result: { score: 0.75 } },
  ];
  expect((await client.post("/v1/trace_annotations?sync=true", { json: { data } })).status).toBe(200);
  // Of six answers a person and a program said whether they help: they differ in two.
  const both = [...solved.entries()].flatMap(([at, labels]) =>
    (["HUMAN", "LLM"] as const).map((annotator_kind, by) => ({
      ...{ span_id: hex(`agent ${at}`, 16), name: "solved", annotator_kind, identifier: annotator_kind },
      result: { label: labels[by] },
    })),
  );
  expect((await client.post("/v1/span_annotations?sync=true", { json: { data: both } })).status).toBe(200);
}

const solved = ["yes yes", "yes no", "no no", "no yes", "yes yes", "no no"].map((labels) => labels.split(" "));

const chart = (page: Page, name: string) => page.getByRole("slider", { name, exact: true });

/** Charts are asked for when they come into sight. */
async function shown(page: Page, name: string): Promise<void> {
  await page.getByRole("region", { name, exact: true }).scrollIntoViewIfNeeded();
  await chart(page, name).waitFor();
}

async function open(pages: PagesUnderTest, path: string, options: Parameters<PagesUnderTest["open"]>[1] = {}) {
  const answer = await pages.client().get("/v1/projects/support-bot");
  const { data } = (await answer.json()) as { data: { id: string } };
  return pages.open(path.replace("{id}", data.id), options);
}

forEachPages("metrics", { seed }, (pages) => {
  test("shows the figures of the range and a chart of each kind", async () => {
    const page = await open(pages, "/projects/{id}/metrics?range=1d");
    await chart(page, "Traces").waitFor();
    for (const name of ["Latency of traces", "Cost", "Tokens", "Spans", "Model calls", "Tool calls"]) {
      await shown(page, name);
    }
    const legend = (name: string) => page.getByRole("region", { name, exact: true }).getByRole("listitem");
    expect(await legend("Traces").allTextContents()).toEqual(["With errors6", "Without errors18"]);
    expect(await legend("Tokens").allTextContents()).toEqual(["Prompt2,400", "Completion240"]);
    expect(await legend("Spans").allTextContents()).toEqual(["With errors6", "Without errors66"]);
    expect(await legend("Model calls").allTextContents()).toEqual(["With errors0", "Without errors24"]);
    expect(await legend("Tool calls").allTextContents()).toEqual(["With errors6", "Without errors18"]);
    await page.getByRole("button", { name: "25 %" }).waitFor();
    expect(await page.title()).toBe("Metrics · support-bot · Projects · Spanlight");
  });

  test("compares large figures with the period before, two charts beside each other, and lists what stands out above the fold", async () => {
    const [from, to] = [BEGIN_MS + HOUR_MS, BEGIN_MS + 3 * HOUR_MS].map((ms) => new Date(ms).toISOString());
    const page = await open(pages, `/projects/{id}/metrics?from=${from}&to=${to}`);
    const figure = (name: string) => page.getByRole("group", { name, exact: true });
    // Eight in the two hours before, sixteen now.
    await figure("Traces").getByText("More than before, 100 %").waitFor();
    await figure("Errors").getByText("As before").waitFor();
    await figure("Tokens").getByText("More than before, 100 %").waitFor();
    await figure("Latency, P99").getByText("More than before,").waitFor();
    const box = async (name: string) => (await page.getByRole("region", { name, exact: true }).boundingBox())!;
    const [traces, latency] = [await box("Traces"), await box("Latency of traces")];
    expect(latency.y).toBe(traces.y);
    expect(latency.x).toBeGreaterThan(traces.x + traces.width - 1);
    const heading = (await page.getByRole("heading", { name: "Errors by type" }).boundingBox())!;
    expect(heading.y + heading.height).toBeLessThanOrEqual(page.viewportSize()!.height);
  });

  pages.onOneDatabase(() => {
    for (const theme of ["light", "dark"] as const) {
      for (const width of ["desktop", "phone"] as const) {
        test(`shows scores and shares of labels over time (${width}, ${theme})`, async () => {
          const [from, to] = [BEGIN_MS - HOUR_MS, BEGIN_MS + 3 * HOUR_MS].map((ms) => new Date(ms).toISOString());
          const page = await open(pages, `/projects/{id}/metrics?from=${from}&to=${to}`, { theme, width });
          // What is asked for when it comes into sight lies at the end of the page.
          await page.getByRole("region", { name: "Tool calls", exact: true }).evaluate((element) => {
            for (let at: Element | null = element; at !== null; at = at.parentElement) at.scrollTop = at.scrollHeight;
          });
          await chart(page, "helpful: labels of traces").scrollIntoViewIfNeeded({ timeout: 10_000 });
          await pages.picture(page, `metrics-annotations-${theme}`);
          if (width === "desktop" && theme === "light") await pages.expectAccessible(page);
          const values = async (name: string) => {
            const region = page.getByRole("region", { name, exact: true });
            await region.getByRole("button", { name: "Show as a table" }).click();
            const cells = region.locator("tbody td");
            return (await cells.allTextContents()).filter((cell) => /\d/.test(cell));
          };
          // The newest first.
          expect(await values("Scores of traces")).toEqual(["1", "0.563", "0.75"]);
          expect(await values("helpful: scores of traces")).toEqual(["1", "0.5", "0.25"]);
          expect(await values("polite: scores of traces")).toEqual(["0.75"]);
          expect(await values("helpful: labels of traces")).toEqual(["0 %", "100 %", "50 %", "50 %"]);
          expect(await page.getByRole("region", { name: "Scores of spans" }).count()).toBe(0);
        });
      }
    }
  });

  pages.onOneDatabase(() => {
    for (const theme of ["light", "dark"] as const) {
      for (const width of ["desktop", "phone"] as const) {
        test(`shows how latency, tokens and scores spread (${width}, ${theme})`, async () => {
          const [from, to] = [BEGIN_MS - HOUR_MS, BEGIN_MS + 3 * HOUR_MS].map((ms) => new Date(ms).toISOString());
          const page = await open(pages, `/projects/{id}/metrics?from=${from}&to=${to}`, { theme, width });
          for (const name of ["Traces by latency", "Traces by tokens", "helpful: traces by score"])
            await shown(page, name);
          await pages.picture(page, `metrics-histograms-${theme}`);
          expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
          if (width === "desktop") await pages.expectAccessible(page);
          const scores = page.getByRole("region", { name: "helpful: traces by score", exact: true });
          await scores.getByRole("button", { name: "Show as a table" }).click();
          const row = async (name: string) => scores.getByRole("row", { name }).getByRole("cell").allTextContents();
          // Of people two ones and a nought, of a program a quarter.
          expect(await row("0.95 to 1")).toEqual(["2", "0"]);
          expect(await row("0 to 0.05")).toEqual(["1", "0"]);
          expect(await row("0.25 to 0.3")).toEqual(["0", "1"]);
        });
      }
    }
  });

  pages.onOneDatabase(() => {
    test("a bar of a histogram is walked to by keys, and leads to the traces that it counts", async () => {
      const page = await open(pages, "/projects/{id}/metrics?range=1d");
      await shown(page, "Traces by latency");
      const latencies = chart(page, "Traces by latency");
      await latencies.focus();
      await page.keyboard.press("End");
      expect(await latencies.getAttribute("aria-valuetext")).toBe("2.60 s to 2.70 s: Traces 2");
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/traces\?/);
      const { searchParams } = new URL(page.url());
      expect(searchParams.get("filter")).toBe("latency_ms >= 2600 and latency_ms <= 2700");
      await page.locator("[role=row][data-index]").nth(1).waitFor();
      expect(await page.locator("[role=row][data-index]").count()).toBe(2);
      await page.goBack();
      await shown(page, "Traces by latency");
    });
  });

  pages.onOneDatabase(() => {
    for (const theme of ["light", "dark"] as const) {
      for (const width of ["desktop", "phone"] as const) {
        test(`every chart over time is grouped by an attribute (${width}, ${theme})`, async () => {
          const page = await open(pages, "/projects/{id}/metrics?range=1d", { theme, width });
          await shown(page, "Traces");
          await page.getByRole("button", { name: "Group by", exact: true }).click();
          await page.getByRole("textbox", { name: "Attribute of spans" }).fill("region");
          await page.getByRole("button", { name: "metadata['region']" }).waitFor();
          await pages.picture(page, `metrics-group-${theme}`);
          await pages.expectAccessible(page);
          await page.keyboard.press("Tab");
          await page.keyboard.press("Enter");
          await shown(page, "Traces by region");
          await page.getByRole("button", { name: "By region", exact: true }).waitFor();
          expect(new URL(page.url()).searchParams.get("group")).toBe("metadata['region']");
          const legend = page.getByRole("region", { name: "Traces by region", exact: true }).getByRole("listitem");
          expect(await legend.allTextContents()).toEqual(["Without a value8", "eu8", "us8"]);
          for (const title of ["Latency of traces by region, P95", "Tokens by region", "Spans by region"])
            await shown(page, title);
          await shown(page, "Tool calls by region");
          const tools = page.getByRole("region", { name: "Tool calls by region", exact: true }).getByRole("listitem");
          expect(await tools.allTextContents()).toEqual(["Without a value24"]);
          await pages.expectAccessible(page);
          await page.getByRole("region", { name: "Traces by region", exact: true }).scrollIntoViewIfNeeded();
          await pages.picture(page, `metrics-grouped-${theme}`);
          expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
          await page.reload();
          await shown(page, "Traces by region");
          await page.getByRole("button", { name: "By region", exact: true }).click();
          await page.getByRole("button", { name: "Do not group" }).click();
          await shown(page, "Traces");
        });
      }
    }
  });

  pages.onOneDatabase(() => {
    for (const theme of ["light", "dark"] as const) {
      for (const width of ["desktop", "phone"] as const) {
        test(`what people and programs say is a matrix that leads to where they differ (${width}, ${theme})`, async () => {
          const page = await open(pages, "/projects/{id}/metrics?range=1d", { theme, width });
          const matrix = page.getByRole("region", { name: "solved of spans", exact: true });
          /** What is asked for when it comes near the window moves what is below it. */
          const intoView = async () => {
            await shown(page, "Traces by latency");
            await page.getByRole("region", { name: "Traces by tokens", exact: true }).scrollIntoViewIfNeeded();
            await matrix.scrollIntoViewIfNeeded();
          };
          await intoView();
          await matrix.getByText("66.7 % of 6 pairs agree").waitFor();
          await matrix.getByText("Cohen's κ 0.333").waitFor();
          await pages.picture(page, `metrics-agreement-${theme}`);
          await pages.expectAccessible(page);
          const cells = await matrix.getByRole("row").allTextContents();
          expect(cells).toEqual(["People ↓ programs →noyes", "no21", "yes12"]);
          const rows = page.locator("[role=row][data-index]");
          await matrix.getByRole("link", { name: "People yes, programs no: 1" }).focus();
          await page.keyboard.press("Enter");
          await page.waitForURL(/\/traces\?/);
          await rows.first().waitFor();
          expect(await rows.count()).toBe(1);
          await page.goBack();
          await intoView();
          await matrix.getByRole("link", { name: "Show the disagreements" }).click();
          await page.waitForURL(/\/traces\?/);
          await rows.nth(1).waitFor();
          expect(await rows.count()).toBe(2);
        });
      }
    }
  });

  pages.onOneDatabase(() => {
    test("is found under the address that others print", async () => {
      const page = await open(pages, "/dashboards/projects/{id}?range=1d");
      await page.waitForURL(/\/projects\/[^/]+\/metrics\?range=1d$/);
      await chart(page, "Traces").waitFor();
    });
  });

  pages.onOneDatabase(() => {
    test("is walked by keys: values are read, others follow, and a selection becomes the range", async () => {
      const page = await open(pages, "/projects/{id}/metrics?range=1d");
      const latencies = page.getByRole("region", { name: "Latency of traces" });
      await chart(page, "Latency of traces").waitFor();
      await chart(page, "Traces").focus();
      const value = () => chart(page, "Traces").getAttribute("aria-valuetext");
      const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
      const clock = (ms: number) => new Date(ms).toISOString().slice(11, 16);
      const hour = (ms: number) => `${day.format(ms)}, ${clock(ms)} – ${clock(ms + HOUR_MS)}`;
      await page.keyboard.press("End");
      for (let steps = 0; steps < 4 && !(await value())?.startsWith(hour(BEGIN_MS)); steps++) {
        await page.keyboard.press("ArrowLeft");
      }
      expect(await value()).toBe(`${hour(BEGIN_MS)}: With errors 2, Without errors 6`);
      await latencies.getByRole("button", { name: "P50 750 ms" }).waitFor();
      await page.keyboard.press("Shift+ArrowRight");
      await page.keyboard.press("Enter");
      await page.waitForURL(/[?&]from=/);
      const { searchParams } = new URL(page.url());
      expect([searchParams.get("from"), searchParams.get("to")]).toEqual([
        new Date(BEGIN_MS).toISOString(),
        new Date(BEGIN_MS + 2 * HOUR_MS).toISOString(),
      ]);
      await page.getByRole("region", { name: "Traces", exact: true }).getByText("Without errors12").waitFor();
      await page.goBack();
      await page.waitForURL(/range=1d/);
      await page.getByRole("region", { name: "Traces", exact: true }).getByText("Without errors18").waitFor();
    });
  });

  pages.onOneDatabase(() => {
    test("sets the range by dragging, and shows the values under the pointer", async () => {
      const page = await open(
        pages,
        `/projects/{id}/metrics?from=${new Date(BEGIN_MS - HOUR_MS).toISOString()}&to=${new Date(BEGIN_MS + 3 * HOUR_MS).toISOString()}`,
      );
      const place = page.getByRole("region", { name: "Spans", exact: true });
      // What comes above it moves it.
      await page.getByRole("region", { name: "Users by cost" }).getByRole("listitem").first().waitFor();
      await shown(page, "Spans");
      const box = (await place.locator(".u-over").boundingBox())!;
      const x = (share: number) => box.x + box.width * share;
      const y = box.y + box.height / 2;
      // Four bins of an hour, the first of them empty.
      await page.mouse.move(x(0.3), y);
      await place.getByText(/:00 – \d\d:00$/).waitFor();
      await page.mouse.down();
      await page.mouse.move(x(0.45), y, { steps: 4 });
      await place.locator(".u-select").waitFor();
      const selected = (await place.locator(".u-select").boundingBox())!;
      expect(selected.width / box.width).toBeCloseTo(0.15, 1);
      await page.mouse.up();
      await page.waitForURL((url) => url.searchParams.get("from") === new Date(BEGIN_MS).toISOString());
      expect(new URL(page.url()).searchParams.get("to")).toBe(new Date(BEGIN_MS + HOUR_MS).toISOString());
      await place.getByText("Without errors22").waitFor();
      await page.goBack();
      await page.waitForURL((url) => url.searchParams.get("from") === new Date(BEGIN_MS - HOUR_MS).toISOString());
      await place.getByText("Without errors66").waitFor();
    });
  });

  pages.onOneDatabase(() => {
    test("tells a chart as a table, and leaves a series out", async () => {
      const page = await open(pages, "/projects/{id}/metrics?range=1d");
      const place = page.getByRole("region", { name: "Tool calls", exact: true });
      await shown(page, "Tool calls");
      await place.getByRole("button", { name: "Show as a table" }).click();
      const rows = place.getByRole("table").getByRole("row");
      expect(await rows.count()).toBe(4);
      expect((await rows.nth(1).getByRole("cell").allTextContents()).slice(-2)).toEqual(["2", "6"]);
      await pages.expectAccessible(page);
      await place.getByRole("button", { name: /^Without errors/ }).click();
      expect(await place.getByRole("columnheader").allTextContents()).toEqual(["Time", "With errors"]);
      await place.getByRole("button", { name: "Show as a chart" }).click();
      await chart(page, "Tool calls").waitFor();
    });
  });

  test("leads from what stands out to the spans behind it", async () => {
    const page = await open(pages, "/projects/{id}/metrics?range=1d");
    await page.getByRole("link", { name: /^gpt-4o\s*16$/ }).waitFor();
    const errors = page.getByRole("region", { name: "Errors by type" });
    expect(await errors.getByRole("listitem").allTextContents()).toEqual(["TimeoutError6"]);
    await page
      .getByRole("region", { name: /^Slow spans/ })
      .getByRole("link")
      .first()
      .waitFor();
    await page
      .getByRole("region", { name: "Spans that failed most" })
      .getByRole("link", { name: /^lookup\s*6$/ })
      .click();
    await page.waitForURL(/\/spans\?/);
    const { searchParams } = new URL(page.url());
    expect(searchParams.get("filter")).toBe("status_code == 'ERROR' and name == 'lookup'");
    expect(searchParams.get("range")).toBe("1d");
    await page.locator("[role=row][data-index]").nth(5).waitFor();
    expect(await page.locator("[role=row][data-index]").count()).toBe(6);
  });

  describe("when something is missing", () => {
    pages.onOneDatabase(() => {
      test("a chart that fails does so alone, and can be asked again", async () => {
        const page = await open(pages, "/projects", { expected: [/status of 500/] });
        let broken = true;
        await page.route("**/graphql", (route) =>
          broken && (route.request().postData() ?? "").includes("TokenSeries")
            ? route.fulfill({ status: 500, contentType: "text/plain", body: "The tokens are lost" })
            : route.continue(),
        );
        await page.getByText("support-bot").click();
        await page.getByRole("link", { name: "Metrics" }).click();
        const place = page.getByRole("region", { name: "Tokens", exact: true });
        await place.getByRole("alert").waitFor();
        await chart(page, "Traces").waitFor();
        broken = false;
        await place.getByRole("button", { name: "Try again" }).click();
        await chart(page, "Tokens").waitFor();
      });
    });

    test("says that there is nothing in the range, and how to send the first trace", async () => {
      const old = await open(pages, "/projects/{id}/metrics?from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z");
      await old.getByRole("region", { name: "Traces", exact: true }).getByText("Nothing in this range").waitFor();
      const answer = await pages.client().get("/v1/projects/default");
      const { data } = (await answer.json()) as { data: { id: string } };
      const empty = await pages.open(`/projects/${data.id}/metrics`);
      await empty.getByText("Send your first trace").waitFor();
    });
  });

  pages.onOneDatabase(() => {
    for (const theme of ["light", "dark"] as const) {
      for (const width of ["desktop", "phone"] as const) {
        test(`is accessible on a ${width} in ${theme}, and nothing is wider than the window`, async () => {
          const page = await open(pages, "/projects/{id}/metrics?range=1d", { theme, width });
          await chart(page, "Traces").waitFor();
          await page.getByRole("region", { name: "Tool calls", exact: true }).scrollIntoViewIfNeeded();
          await chart(page, "Tool calls").waitFor();
          const models = page.getByRole("region", { name: "Models by calls" });
          await models.scrollIntoViewIfNeeded();
          await models.getByRole("link", { name: /^gpt-4o/ }).waitFor();
          await pages.expectAccessible(page);
          expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
          await pages.picture(page, `metrics-${theme}`);
        });
      }
    }
  });
});

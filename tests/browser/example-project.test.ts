// The example project: there by one click or one command, full of traces that lists, sessions and metrics can show, and gone again.
import { describe, expect, test } from "bun:test";
import { exampleExports } from "../../src/demo-data/example-project.ts";
import { forPages } from "../support/pages.ts";
import { runCommand } from "../support/server.ts";

const NAME = "example-support-agent";

forPages("the example project", {}, (pages) => {
  const projects = async () => (await pages.client().get("/v1/projects")).text;
  const demo = (...words: string[]) => runCommand(["demo", "--url", pages.url(), ...words]);

  test("comes by one click on a fresh server, and goes by another", async () => {
    const page = await pages.open("/");
    // A fresh server opens where the first trace is awaited.
    await page.getByText("Send your first trace").waitFor();
    await page.getByRole("button", { name: "Open the example project" }).click();
    await page.getByText("This is the example project. Its traces are made up.").waitFor();
    await page.locator("[role=row][data-index]", { hasText: "support_agent" }).first().waitFor();
    await pages.expectAccessible(page);
    await pages.picture(page, "example-traces");

    await page.getByRole("link", { name: "Sessions", exact: true }).click();
    await page.locator("[role=row][data-index]", { hasText: "chat-" }).first().waitFor();
    await page.getByRole("button", { name: "Remove the example project" }).click();
    await page.waitForURL("**/projects");
    await page.getByText("The example project is gone").waitFor();
    expect(await projects()).not.toContain(NAME);
  });

  test("comes and goes by a command, which says what it did", async () => {
    const made = await demo();
    expect(made).toMatchObject({ exitCode: 0, output: expect.stringContaining("The example project is there") });
    expect(await demo()).toMatchObject({ exitCode: 0, output: expect.stringContaining("there already") });
    const spans = JSON.parse((await pages.client().get(`/v1/projects/${NAME}/spans?limit=1000`)).text);
    expect(spans.data.length).toBeGreaterThan(200);
    expect(await demo("--remove")).toEqual({ exitCode: 0, output: "The example project is gone.\n" });
    expect(await demo("--remove")).toEqual({ exitCode: 0, output: "There is no example project.\n" });
    expect(await projects()).not.toContain(NAME);
    const nobody = await runCommand(["demo", "--url", "http://127.0.0.1:9"]);
    expect(nobody).toMatchObject({ exitCode: 1, output: expect.stringContaining("No service answers") });
  });
});

describe("its traces", () => {
  const nowMs = Date.UTC(2026, 10, 22, 12);
  interface Span {
    readonly traceId: string;
    readonly spanId: string;
    readonly parentSpanId?: string;
    readonly startTimeUnixNano: string;
    readonly endTimeUnixNano: string;
    readonly status: { readonly code: number };
    readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[];
  }
  const spans = JSON.parse(JSON.stringify(exampleExports(nowMs)))
    .flatMap((body: { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }) => body.resourceSpans)
    .flatMap(({ scopeSpans }: { scopeSpans: { spans: Span[] }[] }) =>
      scopeSpans.flatMap((scope) => scope.spans),
    ) as Span[];

  test("are whole, of the last week, and of every kind that people look for", () => {
    const ids = new Set(spans.map(({ spanId }) => spanId));
    expect(ids.size).toBe(spans.length);
    for (const span of spans) {
      if (span.parentSpanId !== undefined) expect(ids.has(span.parentSpanId)).toBe(true);
      expect(BigInt(span.startTimeUnixNano)).toBeLessThan(BigInt(span.endTimeUnixNano));
      expect(Number(BigInt(span.endTimeUnixNano) / 1_000_000n)).toBeLessThan(nowMs);
      expect(Number(BigInt(span.startTimeUnixNano) / 1_000_000n)).toBeGreaterThan(nowMs - 7 * 86_400_000);
    }
    const values = (key: string) =>
      new Set(
        spans.flatMap(({ attributes }) =>
          attributes.filter((each) => each.key === key).map(({ value }) => value.stringValue),
        ),
      );
    expect(values("openinference.span.kind").size).toBeGreaterThanOrEqual(8);
    expect(values("session.id").size).toBeGreaterThanOrEqual(20);
    expect(spans.filter(({ status }) => status.code === 2).length).toBeGreaterThanOrEqual(3);
  });

  test("are the same for the same time", () => {
    expect(exampleExports(nowMs)).toEqual(exampleExports(nowMs));
  });
});

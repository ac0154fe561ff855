// The trace panel in a browser: an agent at work, thousands of spans, megabytes of text, what is still missing, circles, and what
// somebody hostile would send.
import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { exportTo, sendSpans } from "../support/dataset.ts";
import type { HttpClient } from "../support/http.ts";
import { forPages, type PagesUnderTest } from "../support/pages.ts";
import { agentTrace, hexId, hostileTrace, largeTrace, traceOf, wideTrace } from "../support/panel-traces.ts";
import { until } from "../support/until.ts";

const PROJECT = "support-bot";
const BEGIN_MS = Date.now() - 3 * 3_600_000;
const SPANS = 2000;
const LARGE = 1_500_000;

async function seed(client: HttpClient): Promise<void> {
  const send = exportTo(client);
  await sendSpans(send, PROJECT, agentTrace("older", BEGIN_MS - 60_000));
  await sendSpans(send, PROJECT, agentTrace("agent", BEGIN_MS));
  await sendSpans(send, PROJECT, agentTrace("newer", BEGIN_MS + 60_000));
  await sendSpans(send, "wide", wideTrace("wide", BEGIN_MS, SPANS));
  await sendSpans(send, "large", largeTrace("large", BEGIN_MS, LARGE));
  await sendSpans(send, "hostile", hostileTrace("hostile", BEGIN_MS));
}

const trace = (name: string, parameters = "") => `/redirects/traces/${hexId(name, 32)}${parameters}`;
const rows = (page: Page) => page.getByRole("treeitem");
const row = (page: Page, name: string) => rows(page).filter({ has: page.getByText(name, { exact: true }) });
const selected = (page: Page) => page.locator("[role=treeitem][aria-selected=true]");
const card = (page: Page, id: string) => page.locator(`[data-card=${id}]`);

async function names(page: Page): Promise<string[]> {
  await rows(page).first().waitFor();
  return rows(page).locator("bdi").allTextContents();
}

const KEY_SPANS = [
  "support_agent",
  "retrieve_docs",
  "embed_query",
  "rerank",
  "guard_input",
  "ChatPromptTemplate",
  "ChatCompletion",
  "lookup_account",
  "ChatCompletion",
  "judge_answer",
];

forPages("trace panel", { seed }, (pages) => {
  describe("an agent at work", () => {
    test("shows its key spans in true time, the failure marked, the wrappers folded", async () => {
      const page = await pages.open(trace("agent"));
      expect(await names(page)).toEqual(KEY_SPANS);
      await page.getByText("10 of 14 spans").waitFor();
      await row(page, "lookup_account").getByText("TimeoutError").waitFor();
      expect(await page.getByRole("heading", { level: 2 }).textContent()).toBe("support_agent");
      for (const fact of ["TimeoutError · 1 error", "4,120 tokens", "user-12"])
        await page.locator("header").getByText(fact).waitFor();
      const left = async (name: string) => (await row(page, name).first().locator("i").boundingBox())!;
      const [guard, lookup] = [await left("guard_input"), await left("lookup_account")];
      expect(lookup.x).toBeGreaterThan(guard.x + guard.width);
      expect(lookup.width).toBeGreaterThan(guard.width * 4);
      await selected(page).getByText("lookup_account").waitFor();
      await pages.expectAccessible(page);
      await pages.picture(page, "trace-root");
    });

    test("shows in this order: errors, messages, parameters", async () => {
      const page = await pages.open(trace("agent"));
      await row(page, "lookup_account").click();
      await card(page, "error").getByText('File "client.py", line 88, in get').waitFor();
      const ids = await page
        .locator("[data-card]")
        .evaluateAll((cards) => cards.map((each) => each.getAttribute("data-card")));
      expect(ids).toEqual(["error", "input", "tools", "events", "attributes"]);
      expect(await card(page, "error").getByRole("heading").first().textContent()).toBe("TimeoutError");
      await card(page, "input").getByText('"user_id"').waitFor();
      await pages.expectAccessible(page);
      await pages.picture(page, "trace-error");
    });

    test("folds the history that a call repeats, and knows which call a result answers", async () => {
      const page = await pages.open(trace("agent"));
      await row(page, "ChatCompletion").first().click();
      await selected(page).getByRole("img", { name: "first token 410 ms" }).waitFor();
      await row(page, "ChatCompletion").nth(1).click();
      const input = card(page, "input");
      await input.getByRole("button", { name: /^Since then \d+ B · same as in the previous call/ }).click();
      await input.getByText("Let me look at your account first.").waitFor();
      await input.getByText("answers lookup_account").waitFor();
      const system = input.getByText("You are a helpful support agent.");
      expect(await system.and(page.locator("p")).count()).toBe(0);
      await input.getByRole("button", { name: /^System \d+ B/ }).click();
      await system.and(page.locator("p")).waitFor();
      await card(page, "output").locator("strong").getByText("second key first").waitFor();
      await pages.picture(page, "trace-messages");
    });

    test("keeps what is chosen in the address: the span, the wrappers, the kinds, the words", async () => {
      const page = await pages.open(trace("agent"));
      await row(page, "guard_input").click();
      await page.getByRole("button", { name: "show wrappers" }).click();
      await page.getByText("14 spans · key spans only").waitFor();
      const address = page.url();
      expect(new URL(address).searchParams.get("steps")).toBe("all");
      const again = await pages.open(address.slice(pages.url().length));
      await selected(again).getByText("guard_input").waitFor();
      expect(await rows(again).count()).toBe(14);
      await again.getByRole("button", { name: "Kinds" }).click();
      await again.getByRole("checkbox", { name: "LLM" }).click();
      await again.getByText("2 of 14 spans").waitFor();
      expect(new URL(again.url()).searchParams.get("kinds")).toBe("llm");
    });

    test("is walked by keys", async () => {
      const page = await pages.open(trace("agent"));
      await rows(page).first().waitFor();
      await page.getByRole("tree").focus();
      await page.keyboard.press("Home");
      await page.keyboard.press("ArrowDown");
      await selected(page).getByText("retrieve_docs").waitFor();
      await page.keyboard.press("ArrowLeft");
      await until(async () => (await rows(page).count()) === 8);
      await page.keyboard.press("j");
      await selected(page).getByText("guard_input").waitFor();
      await page.keyboard.press("k");
      await page.keyboard.press("ArrowRight");
      await until(async () => (await rows(page).count()) === 10);
      await page.keyboard.press("!");
      await selected(page).getByText("lookup_account").waitFor();
      await page.keyboard.press("/");
      await page.keyboard.type("embed");
      await until(async () => (await rows(page).count()) === 3);
      expect(await row(page, "embed_query").count()).toBe(1);
      await page.keyboard.press("Escape");
      await until(async () => (await rows(page).count()) === 10);
    });

    test("finds words inside inputs and outputs", async () => {
      const page = await pages.open(trace("agent"));
      await rows(page).first().waitFor();
      await page.getByRole("searchbox", { name: "Find in spans" }).fill('"second key first"');
      await row(page, "support_agent").waitFor();
      await until(async () => (await rows(page).count()) === 2);
      await page.getByRole("searchbox", { name: "Find in spans" }).fill("nothing like it");
      await page.getByText("No span matches").waitFor();
    });

    test("leads to its neighbours in the list, and back to it", async () => {
      const page = await pages.open(trace("agent"));
      await page.getByRole("button", { name: "Next trace" }).click();
      await page.waitForURL(new RegExp(hexId("older", 32)));
      await page.keyboard.press("[");
      await page.waitForURL(new RegExp(hexId("agent", 32)));
      await rows(page).first().waitFor();
      await page.keyboard.press("Escape");
      await page.waitForURL(/\/traces$/);
    });

    test("goes out as OpenTelemetry JSON that can be sent in again", async () => {
      const page = await pages.open(trace("agent"));
      await page.getByRole("button", { name: "More", exact: true }).click();
      const download = page.waitForEvent("download");
      await page.getByRole("menuitem", { name: "Download as OpenTelemetry JSON" }).click();
      const body = (await Bun.file(await (await download).path()).text())
        .replaceAll(hexId("agent", 32), hexId("again", 32))
        .replaceAll(`"${PROJECT}"`, '"again"');
      const sent = await pages.client().post("/v1/traces", { body, headers: { "content-type": "application/json" } });
      expect([sent.status, sent.text]).toEqual([200, "{}"]);
      const again = await pages.open(trace("again"));
      expect(await names(again)).toEqual(KEY_SPANS);
      await row(again, "lookup_account").click();
      await card(again, "error").getByText('File "client.py", line 88, in get').waitFor();
    });

    test("zooms to a span and shows the whole time again", async () => {
      const page = await pages.open(trace("agent"));
      await row(page, "judge_answer").click();
      const width = async () => (await row(page, "judge_answer").locator("i").boundingBox())!.width;
      const before = await width();
      await page.getByRole("button", { name: "Zoom to the selected span" }).click();
      await until(async () => (await width()) > before * 10);
      await page.getByRole("button", { name: "Show the whole time" }).click();
      await until(async () => Math.abs((await width()) - before) < 1);
    });

    test("reads on a phone: spans first, details over them, nothing sideways", async () => {
      const page = await pages.open(trace("agent"), { width: "phone", theme: "dark" });
      expect(await names(page)).toEqual(KEY_SPANS);
      await row(page, "lookup_account").click();
      const detail = await page.getByRole("heading", { level: 3, name: "lookup_account" }).boundingBox();
      expect(detail!.y).toBeLessThan(844);
      expect(await page.evaluate(() => document.scrollingElement!.scrollWidth)).toBe(390);
      const wide = await page
        .locator("[role=tree], [data-card]")
        .evaluateAll((boxes) => boxes.filter((box) => box.getBoundingClientRect().right > 391).length);
      expect(wide).toBe(0);
      await pages.expectAccessible(page);
      await pages.picture(page, "trace-phone");
    });
  });

  test("thousands of spans: few are drawn, all can be reached, the server searches them", async () => {
    const page = await pages.open(trace("wide", "?steps=all"));
    await page
      .getByText(`${SPANS.toLocaleString("en-US")} spans`)
      .first()
      .waitFor();
    expect(await rows(page).count()).toBeLessThan(80);
    await page.getByRole("tree").focus();
    await page.keyboard.press("End");
    await until(async () => (await selected(page).getByText("batch").count()) === 0);
    await page.getByRole("searchbox", { name: "Find in spans" }).fill("needle in the stack");
    await row(page, `step ${SPANS - 7}`).waitFor();
    await pages.picture(page, "trace-wide");
  });

  test("megabytes of text: the beginning at once, the rest at a click or as a file", async () => {
    const page = await pages.open(trace("large"));
    const output = card(page, "output");
    await output.getByRole("button", { name: "Load all (1.5 MB)" }).waitFor();
    const shown = async () => (await output.textContent())!.length;
    expect(await shown()).toBeLessThan(25_000);
    const download = page.waitForEvent("download");
    await output.getByRole("link", { name: "Download" }).click();
    expect((await download).suggestedFilename()).toBe("value.txt");
    await output.getByRole("button", { name: "Load all (1.5 MB)" }).click();
    await output.getByText("the end of it").waitFor();
    expect(await shown()).toBeGreaterThan(LARGE * 0.99);
    await row(page, "read_table").click();
    await card(page, "output")
      .getByRole("button", { name: /^Load all/ })
      .click();
    await card(page, "output").getByRole("button", { name: "rows 30,000 items" }).waitFor();
    await row(page, "draw").click();
    await until(() =>
      card(page, "output")
        .locator("img")
        .evaluate((image: HTMLImageElement) => image.naturalWidth === 160),
    );
  });

  test("what has not arrived is marked, and taken in when it comes", async () => {
    const send = exportTo(pages.client());
    const now = Date.now();
    const begun = { id: "child", parent: "root", name: "first call", kind: "LLM", from: 10, to: 500 };
    await sendSpans(send, "unfinished", traceOf("unfinished", now, [begun]));
    const page = await pages.open(trace("unfinished"));
    await rows(page).getByText("not received").waitFor();
    await page.getByText("This trace is still arriving").waitFor();
    await selected(page).getByText("first call").waitFor();
    await pages.picture(page, "trace-unfinished");
    await sendSpans(
      send,
      "unfinished",
      traceOf("unfinished", now, [{ id: "root", name: "late_agent", kind: "AGENT", from: 0, to: 900 }]),
    );
    await row(page, "late_agent").waitFor();
    expect(await rows(page).count()).toBe(2);
    await selected(page).getByText("first call").waitFor();
    expect(await page.getByText("not received").count()).toBe(0);
  });

  test("parents in a circle stand at the top and say so", async () => {
    const circle = [
      { id: "a", parent: "b", name: "hen", kind: "CHAIN", from: 0, to: 50 },
      { id: "b", parent: "a", name: "egg", kind: "CHAIN", from: 5, to: 40 },
      { id: "c", parent: "b", name: "chick", kind: "LLM", from: 10, to: 30 },
    ];
    await sendSpans(exportTo(pages.client()), "circle", traceOf("circle", BEGIN_MS, circle));
    const page = await pages.open(trace("circle"));
    expect(await names(page)).toEqual(["hen", "egg", "chick"]);
    expect(await rows(page).getByText("circular parents").count()).toBe(2);
  });

  test("hostile content stays content", async () => {
    const page = await pages.open(trace("hostile"));
    expect(await names(page)).toContain("<img src=x onerror=alert(1)>");
    const output = card(page, "output");
    await output.getByText("<script>alert(1)</script>").waitFor();
    // Drawn as Markdown by now.
    await output.getByRole("link", { name: "page" }).waitFor();
    expect(await output.locator("script, img, iframe, [onerror]").count()).toBe(0);
    expect(await output.locator("a").evaluateAll((links) => links.map((link) => link.getAttribute("href")))).toEqual([
      "https://example.invalid/page",
      "https://example.invalid/pixel.png",
    ]);
    await row(page, "deep").click();
    await card(page, "input").getByRole("button", { name: "JSON" }).click();
    await card(page, "input").locator("pre").waitFor();
    await card(page, "input").getByRole("button", { name: "Formatted" }).click();
    await row(page, "שלום").click();
    await card(page, "input").getByText("مرحبا بالعالم").waitFor();
    expect(
      await card(page, "input")
        .locator("[dir=auto]")
        .first()
        .evaluate((text) => getComputedStyle(text).direction),
    ).toBe("rtl");
    await row(page, "odd shapes").click();
    await card(page, "attributes").getByRole("button").first().click();
    await pages.expectAccessible(page);
    await pages.picture(page, "trace-hostile");
  });

  describe("when there is nothing to show", () => {
    const project = async () => (await opened(pages)).replace(/\/traces\/.*/, "");

    test("an unknown trace is shown as unknown", async () => {
      const page = await pages.open(`${await project()}/traces/${hexId("nobody", 32)}`);
      await page.getByText("Trace not found").waitFor();
      await page.getByRole("button", { name: "Go to the traces of the project" }).click();
      await page.waitForURL(/\/traces$/);
    });

    test("a refusal and a failure say what happened, and the latter can be tried again", async () => {
      const page = await pages.open(`${await project()}/traces`, { expected: [/403|500/] });
      await page.getByRole("row").nth(1).waitFor();
      let answer = 500;
      await page.route("**/graphql", (route) =>
        route.request().postData()?.includes("TraceStructure") && answer !== 200
          ? route.fulfill({
              status: answer,
              contentType: "text/plain",
              body: answer === 403 ? "Not for you" : "It broke",
            })
          : route.continue(),
      );
      await page.goto(pages.url() + (await opened(pages)));
      await page.getByText("It broke").waitFor();
      answer = 200;
      await page.getByRole("button", { name: "Try again" }).click();
      await rows(page).first().waitFor();
      answer = 403;
      await page.reload();
      await page.getByText("Not for you").waitFor();
    });
  });
});

/** Path of the agent's trace. */
async function opened(pages: PagesUnderTest): Promise<string> {
  const page = await pages.open(trace("agent"));
  await rows(page).first().waitFor();
  return new URL(page.url()).pathname;
}

// Sessions in a browser: the list with its facets, and a conversation read turn by turn.
import { describe, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { exportTo, sendSpans } from "../support/dataset.ts";
import type { HttpClient } from "../support/http.ts";
import type { OtlpSpan } from "../support/otlp-encode.ts";
import { forPages, type PagesUnderTest } from "../support/pages.ts";
import { hexId, type PanelSpan, traceOf } from "../support/panel-traces.ts";
import { pictureTrace } from "../support/reading-traces.ts";
import { until } from "../support/until.ts";

const PROJECT = "support-bot";
const BEGIN_MS = Date.now() - 3 * 3_600_000;
const LONG_TURNS = 400;
const LONG_TEXT = "A very long story without an end. ".repeat(120);

interface Spoken {
  readonly asked: string;
  /** None where the turn failed. */
  readonly answered?: string;
  readonly rootless?: boolean;
}

function turn(session: string, at: number, { asked, answered, rootless = false }: Spoken): OtlpSpan[] {
  const common = { "session.id": session, "user.id": "ada" };
  const failed = answered === undefined ? { error: "TimeoutError: upstream took too long" } : {};
  const said = answered === undefined ? {} : { "output.value": answered };
  const spans: PanelSpan[] = [
    {
      id: "root",
      name: "agent",
      kind: "AGENT",
      from: 0,
      to: 900,
      ...failed,
      attributes: { ...common, "input.value": asked, ...said },
    },
    { id: "wrap", parent: "root", name: "Sequence", kind: "CHAIN", from: 1, to: 890, attributes: common },
    {
      id: "docs",
      parent: "wrap",
      name: "retrieve",
      kind: "RETRIEVER",
      from: 5,
      to: 90,
      attributes: { ...common, "input.value": `docs for ${asked}` },
    },
    { id: "one", parent: "wrap", name: "embed", kind: "EMBEDDING", from: 91, to: 95, attributes: common },
    { id: "two", parent: "wrap", name: "embed", kind: "EMBEDDING", from: 96, to: 100, attributes: common },
    {
      id: "call",
      parent: "wrap",
      name: "ChatCompletion",
      kind: "LLM",
      from: 100,
      to: 800,
      attributes: { ...common, "llm.token_count.prompt": 40, "llm.token_count.completion": 2 },
    },
    { id: "tool", parent: "wrap", name: "lookup", kind: "TOOL", from: 810, to: 880, ...failed, attributes: common },
  ];
  return traceOf(`${session} ${at}`, BEGIN_MS + at * 60_000, rootless ? spans.slice(1) : spans);
}

const history = (asked: string) =>
  JSON.stringify({
    messages: [
      { role: "user", content: "Hello" },
      { role: "assistant", content: "Hello." },
      { role: "user", content: asked },
    ],
  });

const talk: readonly Spoken[] = [
  { asked: "How do I rotate a key?", answered: "Create **the second** key first." },
  { asked: history("And the old one?"), answered: JSON.stringify({ answer: "It is revoked." }) },
  { asked: "Look me up." },
  { asked: LONG_TEXT, answered: "That was long." },
  { asked: "Anybody there?", answered: "Nobody", rootless: true },
];

async function seed(client: HttpClient): Promise<void> {
  const send = exportTo(client);
  await sendSpans(
    send,
    PROJECT,
    talk.flatMap((spoken, at) => turn("talk", at, spoken)),
  );
  await sendSpans(send, PROJECT, turn("brief", 30, { asked: "One question", answered: "One answer" }));
  const robot = (at: number) =>
    turn("robot", at, { asked: `Order ${at}?`, ...(at === 250 ? {} : { answered: `Sent ${at}` }) });
  await sendSpans(send, "orders", Array.from({ length: LONG_TURNS }, (_, at) => robot(at)).flat());
  await sendSpans(send, "silent", traceOf("silent", BEGIN_MS, [{ id: "a", name: "ask", kind: "LLM", from: 0, to: 9 }]));
}

const rows = (page: Page) => page.locator("[role=row][data-index]");
const turnOf = (page: Page, number: number) => page.getByRole("article", { name: `Turn ${number}`, exact: true });
const hasFocus = (of: Locator) => of.evaluate((element) => element === document.activeElement);
const sideways = (page: Page) =>
  page.evaluate<boolean>(
    "document.documentElement.scrollWidth > innerWidth || [...document.querySelectorAll('[role=feed]')].some((e) => e.scrollWidth > e.clientWidth)",
  );

async function openList(
  pages: PagesUnderTest,
  project: string,
  options: Parameters<PagesUnderTest["open"]>[1] = {},
  parameters = "",
) {
  const answer = await pages.client().get(`/v1/projects/${project}`);
  const { data } = (await answer.json()) as { data: { id: string } };
  return pages.open(`/projects/${data.id}/sessions${parameters}`, options);
}

forPages("sessions", { seed }, (pages) => {
  describe("the list", () => {
    test("shows figures, facets and sessions, the last active first", async () => {
      const page = await openList(pages, PROJECT);
      await rows(page).first().waitFor();
      expect(await rows(page).allTextContents()).toEqual([
        expect.stringContaining("One question"),
        expect.stringContaining("How do I rotate a key?"),
      ]);
      expect(await rows(page).nth(1).textContent()).toMatch(/1 failed.*5.*talk.*210.*ada/);
      await page.getByRole("button", { name: "50 %" }).waitFor();
      await page.getByRole("button", { name: "2 – 5 1" }).waitFor();
      expect(await page.title()).toBe("Sessions · support-bot · Projects · Spanlight");
      await pages.picture(page, "sessions");
      await pages.expectAccessible(page);
    });

    test("is narrowed by a facet, and by a condition that is checked", async () => {
      const page = await openList(pages, PROJECT);
      await page.getByRole("button", { name: "With errors 1" }).click();
      await until(async () => (await rows(page).count()) === 1);
      expect(new URL(page.url()).searchParams.get("filter")).toBe("num_traces_with_error > 0");
      const field = page.getByRole("combobox", { name: "Filter" });
      await field.click();
      await page.keyboard.type("num_tra");
      await page
        .getByRole("option", { name: /^num_traces/ })
        .first()
        .waitFor();
      await field.fill("no_such_word > 1");
      await page.getByRole("alert").getByText("no_such_word").waitFor();
    });

    test("sorts by turns", async () => {
      const page = await openList(pages, PROJECT);
      await page.getByRole("columnheader", { name: "Turns" }).getByRole("button").first().click();
      await page.waitForURL(/sort=-numTraces/);
      await until(async () => (await rows(page).first().textContent())?.includes("rotate") === true);
    });

    test("finds words of any turn", async () => {
      const page = await openList(pages, PROJECT);
      await rows(page).nth(1).waitFor();
      await page.keyboard.press("/");
      await page.keyboard.type("Look me");
      await page.keyboard.press("Enter");
      await until(async () => (await rows(page).count()) === 1);
      expect(await rows(page).first().textContent()).toContain("rotate");
      expect(new URL(page.url()).searchParams.get("search")).toBe("Look me");
    });

    test("explains sessions where a project has none", async () => {
      const page = await openList(pages, "silent");
      await page.getByText("No sessions in this project yet").waitFor();
    });

    test("reads on a phone", async () => {
      const page = await openList(pages, PROJECT, { width: "phone", theme: "dark" });
      await rows(page).first().waitFor();
      expect(await sideways(page)).toBe(false);
      await pages.expectAccessible(page);
    });
  });

  describe("a session", () => {
    test("reads like a script: what was asked, what was done, what was answered", async () => {
      const page = await pages.open("/redirects/sessions/talk");
      await page.getByRole("heading", { level: 2, name: "talk" }).waitFor();
      await turnOf(page, 1).getByText("How do I rotate a key?").waitFor();
      await turnOf(page, 1).locator("strong", { hasText: "the second" }).waitFor();
      const spans = page.getByRole("list", { name: "Spans of turn 1" });
      expect(await spans.locator("bdi").allTextContents()).toEqual(["retrieve", "embed", "ChatCompletion", "lookup"]);
      await spans.getByText("×2").waitFor();
      await spans.getByText("1 wrapper").waitFor();
      // Out of the conversation that is sent along, and out of its envelope.
      await turnOf(page, 2).getByText("And the old one?", { exact: true }).waitFor();
      await turnOf(page, 2).getByText("It is revoked.", { exact: true }).waitFor();
      await turnOf(page, 3).getByText("TimeoutError: upstream took too long").waitFor();
      await turnOf(page, 3).getByRole("listitem").getByText("TimeoutError").waitFor();
      await pages.picture(page, "session");
      await pages.expectAccessible(page);
    });

    test("cuts long texts, and speaks through its spans where the root is missing", async () => {
      const page = await pages.open("/redirects/sessions/talk");
      await turnOf(page, 4)
        .getByRole("button", { name: /Show all/ })
        .click();
      expect((await turnOf(page, 4).textContent())?.length).toBeGreaterThan(LONG_TEXT.length);
      await page.getByRole("feed").press("End");
      await turnOf(page, 5)
        .getByText("agent is shown instead")
        .or(turnOf(page, 5).getByText("Sequence is shown instead"))
        .waitFor();
      await turnOf(page, 5).getByText("docs for Anybody there?").waitFor();
    });

    test("opens by the exporter's id, walks by keys, and leads to the trace and back", async () => {
      const page = await openList(pages, PROJECT, {}, "/talk");
      await turnOf(page, 1).waitFor();
      await page.keyboard.press("j");
      await page.waitForURL(/turn=/);
      await page.keyboard.press("j");
      await page.waitForURL(new RegExp(hexId("talk 1", 32)));
      expect(await turnOf(page, 2).getAttribute("aria-current")).toBe("true");
      await page.keyboard.press("k");
      await page.waitForURL(new RegExp(hexId("talk 0", 32)));
      await page.keyboard.press("!");
      await page.waitForURL(new RegExp(hexId("talk 2", 32)));
      await until(() => hasFocus(turnOf(page, 3)));
      await page.keyboard.press("Enter");
      await page.waitForURL(new RegExp(`/traces/${hexId("talk 2", 32)}$`));
      await page.getByRole("treeitem").first().waitFor();
      await page.goBack();
      await until(() => hasFocus(turnOf(page, 3)));
      await turnOf(page, 3)
        .getByRole("link", { name: /lookup/ })
        .click();
      await page.waitForURL(/selectedSpanNodeId=/);
    });

    test("has neighbours in the list, and closes", async () => {
      const page = await openList(pages, PROJECT);
      await rows(page).first().click();
      await page.getByRole("heading", { level: 2, name: "brief" }).waitFor();
      await page.keyboard.press("]");
      await page.getByRole("heading", { level: 2, name: "talk" }).waitFor();
      await page.getByRole("button", { name: "Previous session" }).click();
      await page.getByRole("heading", { level: 2, name: "brief" }).waitFor();
      await page.keyboard.press("Escape");
      await page.waitForURL(/\/sessions$/);
    });

    test("of many turns asks for what is seen only, and jumps to a failed one", async () => {
      const page = await openList(pages, "orders", {}, "/robot");
      let questions = 0;
      page.on("request", (request) => {
        if (/TurnContents/.test(request.postData() ?? "")) questions++;
      });
      await turnOf(page, 1).getByText("Sent 0").waitFor();
      const begun = questions;
      await page.getByRole("button", { name: "1 failed", exact: true }).click();
      await turnOf(page, 251).getByText("TimeoutError: upstream took too long").waitFor();
      expect(questions - begun).toBeLessThan(8);
      expect(await page.getByRole("article").count()).toBeLessThan(30);
    });

    test("has its turns beside it, each a way to itself", async () => {
      const page = await openList(pages, "orders", {}, "/robot");
      const turns = page.getByRole("navigation", { name: "Turns" });
      await turns.getByRole("button", { name: "1 Order 0?" }).waitFor();
      expect(await turns.getByRole("button").count()).toBeLessThan(60);
      await turns.getByRole("button", { name: "8 Order 7?" }).click();
      await page.waitForURL(new RegExp(hexId("robot 7", 32)));
      await until(() => hasFocus(turnOf(page, 8)));
      expect(await turns.getByRole("button", { name: "8 Order 7?" }).getAttribute("aria-current")).toBe("true");
      await page.getByRole("button", { name: "1 failed", exact: true }).click();
      await turns.getByRole("button", { name: /^251 Order 250\?.*errors?$/ }).waitFor();
      await pages.expectAccessible(page);
    });

    const marks = (page: Page) =>
      page.evaluate(() => [...(CSS.highlights.get("found") ?? [])].map((range) => String(range)));

    test("shows what the list was searched for: marked, and scrolled to", async () => {
      const page = await openList(pages, "orders", {}, "/robot?search=%22Sent+31%22");
      // Turn 32 and those of 310 to 319.
      await turnOf(page, 32).getByText("Sent 31", { exact: true }).waitFor();
      await page.getByText("1 of 11").waitFor();
      await until(async () => (await marks(page)).includes("Sent 31"));
      const field = page.getByRole("searchbox", { name: "Find in turns" });
      expect(await field.inputValue()).toBe('"Sent 31"');
      await field.press("Enter");
      await page.getByText("2 of 11").waitFor();
      await turnOf(page, 311).getByText("Sent 310").waitFor();
      expect(await hasFocus(field)).toBe(true);
      await pages.picture(page, "session-found");
      await field.press("Escape");
      await until(() => hasFocus(turnOf(page, 311)));
      await until(async () => (await marks(page)).length === 0);
    });

    test("finds what any span of a turn holds", async () => {
      const page = await openList(pages, "orders", {}, "/robot?search=%22docs+for+order+31%22");
      await page.getByText("1 of 11").waitFor();
      await turnOf(page, 32).getByText("Sent 31", { exact: true }).waitFor();
    });

    test.each(["desktop", "phone"] as const)("finds words behind the fold of a long text, %s", async (width) => {
      const page = await pages.open("/redirects/sessions/talk", { width });
      await turnOf(page, 1).waitFor();
      await page.keyboard.press("/");
      await page.keyboard.type("without an end");
      await page.getByText("1 of 1").or(page.getByText("1 found")).first().waitFor();
      await page.keyboard.press("Enter");
      await turnOf(page, 4).waitFor();
      await until(async () => (await marks(page)).length > 100);
      expect(await sideways(page)).toBe(false);
      await pages.expectAccessible(page);
    });

    test("shows the pictures of a turn", async () => {
      await sendSpans(exportTo(pages.client()), "pictures", pictureTrace("seen", BEGIN_MS, { "session.id": "seen" }));
      const page = await pages.open("/redirects/sessions/seen", { theme: "dark" });
      const picture = turnOf(page, 1).locator("img");
      await until(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth === 320));
      await pages.picture(page, "session-picture");
    });

    test("grows while it is open", async () => {
      const now = Date.now();
      const send = exportTo(pages.client());
      const at = (now - BEGIN_MS) / 60_000;
      await sendSpans(send, "growing", turn("growing", at, { asked: "First?", answered: "First." }));
      const page = await openList(pages, "growing", {}, "/growing");
      await turnOf(page, 1).getByText("First.").waitFor();
      await sendSpans(send, "growing", turn("growing", at + 0.01, { asked: "Second?", answered: "Second." }));
      await turnOf(page, 2).getByText("Second.").waitFor();
    });

    test("that is not there says so", async () => {
      const page = await openList(pages, PROJECT, {}, "/nobody");
      await page.getByText("Session not found").waitFor();
      await page.getByRole("button", { name: "Back to the sessions" }).click();
      await rows(page).first().waitFor();
    });

    test.each(["light", "dark"] as const)("reads on a phone, %s", async (theme) => {
      const page = await pages.open("/redirects/sessions/talk", { width: "phone", theme });
      await turnOf(page, 1).getByText("How do I rotate a key?").waitFor();
      await until(async () => !(await sideways(page)));
      await pages.picture(page, `session-${theme}`);
      await pages.expectAccessible(page);
    });

    test("is accessible in the dark", async () => {
      const page = await pages.open("/redirects/sessions/talk", { theme: "dark" });
      await turnOf(page, 3).getByText("TimeoutError: upstream took too long").waitFor();
      await pages.expectAccessible(page);
    });
  });
});

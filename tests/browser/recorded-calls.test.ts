// What programs record in their own ways, as a reader sees it: a call that two instrumentations recorded, the state that a graph gives
// back, tools without a name in their schema, a system text that came twice, JSON inside JSON.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { exportTo, sendSpans } from "../support/dataset.ts";
import { forPages } from "../support/pages.ts";
import { hexId, messages, traceOf } from "../support/panel-traces.ts";

const TEXT = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const message = (name: string, content: string, more: object = {}) => ({
  lc: 1,
  type: "constructor",
  id: ["langchain_core", "messages", name],
  kwargs: { content, ...more },
});
const state = {
  messages: [
    message("HumanMessage", "Is it raining in Bergen?"),
    message("AIMessage", "", { tool_calls: [{ id: "c1", name: "weather", args: { city: "Bergen" } }] }),
    message(
      "ToolMessage",
      JSON.stringify(JSON.stringify({ city: "Bergen", rain: 4.5, wind: "north", sources: [1, 2] })),
      {
        tool_call_id: "c1",
      },
    ),
    message("AIMessage", "Yes, **4.5 mm** an hour."),
  ],
};
const call = {
  "llm.model_name": "claude-sonnet-4-5",
  "llm.token_count.prompt": 1810,
  "llm.token_count.completion": 64,
  "llm.token_count.prompt_details.cache_read": 1200,
  "llm.token_count.prompt_details.cache_write": 400,
  "llm.token_count.completion_details.reasoning": 40,
};
const spans = traceOf("graph", Date.now() - 3_600_000, [
  {
    id: "asked",
    parent: "graph",
    name: "ask about {city}",
    kind: "TOOL",
    from: 10,
    to: 90,
    attributes: { "logfire.msg_template": "ask about {city}", "logfire.msg": "ask about Bergen" },
  },
  {
    id: "graph",
    name: "LangGraph",
    kind: "CHAIN",
    from: 0,
    to: 900,
    attributes: {
      "input.value": JSON.stringify({ messages: [["user", "Is it raining in Bergen?"]] }),
      "input.mime_type": "application/json",
      "output.value": JSON.stringify(state),
      "output.mime_type": "application/json",
    },
  },
  {
    id: "outer",
    parent: "graph",
    name: "ChatAnthropic",
    kind: "LLM",
    from: 100,
    to: 800,
    attributes: {
      ...call,
      "llm.tools.0.tool.name": "weather",
      "llm.tools.0.tool.description": "Weather of a city, now.",
      "llm.tools.0.tool.json_schema": JSON.stringify(TEXT),
      ...messages("input", [
        { role: "system", content: "You know the weather of all cities." },
        { role: "system", content: "You know the weather of all cities." },
        { role: "user", content: "Is it raining in Bergen?" },
      ]),
      ...messages("output", [{ role: "assistant", content: "Yes, **4.5 mm** an hour." }]),
    },
  },
  { id: "inner", parent: "outer", name: "Anthropic.messages", kind: "LLM", from: 110, to: 790, attributes: call },
]);

const row = (page: Page, name: string) =>
  page.getByRole("treeitem").filter({ has: page.getByText(name, { exact: true }) });
const card = (page: Page, id: string) => page.locator(`[data-card=${id}]`);

forPages(
  "calls as programs record them",
  { seed: (client) => sendSpans(exportTo(client), "graph", spans) },
  (pages) => {
    const open = (options: Parameters<typeof pages.open>[1] = {}) =>
      pages.open(`/redirects/traces/${hexId("graph", 32)}`, options);

    test.each(["light", "dark"] as const)(
      "a call that was recorded twice counts once, and says where, %s",
      async (theme) => {
        const page = await open({ theme });
        await row(page, "ChatAnthropic").click();
        await page.getByText("counted in the call below").waitFor();
        await page.getByText("1,874 tokens").waitFor();
        for (const fact of ["cached 1,200", "written to cache 400", "reasoning 40"])
          await page.getByText(fact).waitFor();
        await pages.picture(page, `recorded-call-${theme}`);
        await pages.expectAccessible(page);
        await row(page, "Anthropic.messages").click();
        await page.getByRole("heading", { level: 3, name: "Anthropic.messages" }).waitFor();
        expect(await page.getByText("counted in the call below").count()).toBe(0);
        await row(page, "LangGraph").click();
        await page.getByRole("gridcell", { name: "1,874" }).waitFor();
        await page.getByRole("region", { name: "Trace" }).getByText("1,874", { exact: true }).waitFor();
      },
    );

    test("a name that is a template is shown as its message, and found by itself", async () => {
      const page = await open();
      await row(page, "ask about Bergen").click();
      const heading = page.getByRole("heading", { level: 3, name: "ask about Bergen" });
      await heading.waitFor();
      expect(await heading.getAttribute("title")).toBe("ask about {city}");
      const { data } = (await (await pages.client().get("/v1/projects/graph")).json()) as { data: { id: string } };
      const list = await pages.open(`/projects/${data.id}/spans`);
      await list.getByRole("combobox", { name: "Filter" }).fill("name == 'ask about {city}'");
      await list.keyboard.press("Enter");
      await list.locator("[role=row][data-index]").filter({ hasText: "ask about Bergen" }).waitFor();
    });

    test("tools have their names, and a system text that came twice stands once", async () => {
      const page = await open();
      await row(page, "ChatAnthropic").click();
      await card(page, "tools")
        .getByRole("button", { name: /Tools.*weather/ })
        .click();
      await card(page, "tools").getByText("Weather of a city, now.").waitFor();
      expect(await card(page, "tools").locator("code").allTextContents()).toEqual(["weather", "string"]);
      await card(page, "input").getByText("2 messages").waitFor();
    });

    test.each(["light", "dark"] as const)(
      "of the state of a graph the answer is shown, the rest is folded, %s",
      async (theme) => {
        const page = await open({ theme });
        const output = card(page, "output");
        await row(page, "LangGraph").click();
        await output.getByText("4.5 mm", { exact: true }).waitFor();
        expect(await output.getByRole("button", { name: /Earlier/ }).getAttribute("aria-expanded")).toBe("false");
        await pages.picture(page, `recorded-graph-${theme}`);
        await output.getByRole("button", { name: /Since then/ }).click();
        await output.getByText("north").waitFor();
        await pages.expectAccessible(page);
      },
    );

    test.each(["light", "dark"] as const)("on a phone, %s", async (theme) => {
      const page = await open({ theme, width: "phone" });
      await row(page, "ChatAnthropic").click();
      await page.getByText("counted in the call below").waitFor();
      expect(await page.evaluate(() => document.scrollingElement!.scrollWidth)).toBe(390);
      await pages.picture(page, `recorded-phone-${theme}`);
    });
  },
);

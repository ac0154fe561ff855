// Prompts in a browser: found, read, tagged, edited, cloned and deleted.
import { expect, test } from "bun:test";
import { exportTo, sendSpans } from "../support/dataset.ts";
import type { HttpClient } from "../support/http.ts";
import { type OtlpSpan, otlpAttributes } from "../support/otlp-encode.ts";
import { forPages } from "../support/pages.ts";

const version = (model: string, system: string, temperature: number, more: object = {}) => ({
  description: `for ${model}`,
  model_provider: "OPENAI",
  model_name: model,
  template_type: "CHAT",
  template_format: "MUSTACHE",
  template: {
    type: "chat",
    messages: [
      { role: "system", content: system },
      { role: "user", content: [{ type: "text", text: "{{question}}" }] },
    ],
  },
  invocation_parameters: { type: "openai", openai: { temperature, max_tokens: 300 } },
  tools: {
    type: "tools",
    tools: [
      {
        type: "function",
        function: {
          name: "find_order",
          description: "Finds an order by its number.",
          parameters: { type: "object", properties: { number: { type: "string" } } },
        },
      },
    ],
    tool_choice: { type: "zero_or_more" },
  },
  ...more,
});

const answerFormat = { type: "json_schema", json_schema: { name: "answer", schema: { type: "object" } } };

/** Four answers of the first version, two of them failed, and two of the second, which were judged. */
async function sendAnswers(client: HttpClient, first: string, second: string): Promise<void> {
  const nowMs = Date.now();
  const answer = (at: number): OtlpSpan => {
    const old = at < 4;
    return {
      traceId: hex(`trace ${at}`, 32),
      spanId: hex(`answer ${at}`, 16),
      name: `answer of v${old ? 1 : 2}`,
      startTimeUnixNano: `${nowMs - 60_000}000000`,
      endTimeUnixNano: `${nowMs - 60_000 + (old ? 2000 : 1000)}000000`,
      attributes: otlpAttributes({
        "openinference.span.kind": "LLM",
        [at % 2 === 0 ? "prompt.id" : "llm.prompt_template.version"]: old ? first : second,
        "llm.token_count.prompt": 100,
        "llm.token_count.completion": old ? 40 : 10,
      }),
      ...(at < 2 && { status: { code: 2, message: "too slow" } }),
    };
  };
  await sendSpans(
    exportTo(client),
    "support-bot",
    Array.from({ length: 6 }, (_, at) => answer(at)),
  );
  const data = [4, 5].map((at) => ({
    ...{
      span_id: hex(`answer ${at}`, 16),
      name: "quality",
      annotator_kind: "HUMAN",
      result: { score: at === 4 ? 0.5 : 1 },
    },
  }));
  expect((await client.post("/v1/span_annotations?sync=true", { json: { data } })).status).toBe(200);
}

const hex = (text: string, digits: number) => Bun.hash(text).toString(16).padStart(16, "0").padEnd(digits, "a");

async function seed(client: HttpClient): Promise<void> {
  const create = async (name: string, body: object) => {
    const prompt = { name, description: "Sorts tickets of customers", metadata: { team: "support" } };
    const answer = await client.post("/v1/prompts", { json: { prompt, version: body } });
    return answer.json<{ readonly data: { readonly id: string } }>().data.id;
  };
  const first = await create("triage", version("gpt-4o", "Answer in {{language}}. Never promise refunds.", 0.2));
  const second = await create(
    "triage",
    version("gpt-4.1", "Answer in {{language}}. Never promise refunds above {{limit}} EUR.", 0, {
      response_format: answerFormat,
    }),
  );
  await client.post(`/v1/prompt_versions/${first}/tags`, { json: { name: "production", description: "approved" } });
  await sendAnswers(client, first, second);
  for (const name of ["to-delete", "to-clone"]) await create(name, version("gpt-4o", "Say {{what}}.", 1));
}

forPages("prompts", { seed }, (pages) => {
  const openPrompt = async (name: string, options = {}) => {
    const page = await pages.open("/prompts", options);
    await page.getByText(name, { exact: true }).first().click();
    await page.getByRole("heading", { name, level: 1 }).waitFor();
    return page;
  };

  test("are found by name", async () => {
    const page = await pages.open("/prompts");
    await page.getByRole("row", { name: /triage.*v2.*production.*gpt-4.1/ }).waitFor();
    await page.getByRole("searchbox", { name: "Search prompts" }).fill("clo");
    await page.getByRole("row", { name: /triage/ }).waitFor({ state: "detached" });
    await page.getByRole("row", { name: /to-clone/ }).waitFor();
  });

  test("show the latest version first, and any other at its own address", async () => {
    const page = await openPrompt("triage");
    const messages = page.getByRole("region", { name: "Messages" });
    await messages.getByText("above").waitFor();
    expect(await messages.locator("mark").allTextContents()).toEqual(["{{language}}", "{{limit}}", "{{question}}"]);
    await page.getByRole("row", { name: "Temperature 0" }).waitFor();
    await page.getByText("find_order").waitFor();
    await page.getByRole("region", { name: "Response format" }).waitFor();
    await page.getByRole("navigation", { name: "Versions" }).getByRole("button", { name: /^v1 / }).click();
    await page.getByRole("row", { name: "Temperature 0.2" }).waitFor();
    expect(page.url()).toMatch(/\/prompts\/[^/]+\/versions\/[^/]+$/);
    await page.reload();
    await page.getByRole("row", { name: "Temperature 0.2" }).waitFor();
    expect(await page.getByRole("region", { name: "Response format" }).count()).toBe(0);
  });

  test("a tag is set, moved and removed", async () => {
    const page = await openPrompt("triage");
    await page.getByRole("button", { name: "Set a tag" }).click();
    const dialog = page.getByRole("dialog", { name: "Set a tag on v2" });
    await dialog.getByLabel("Tag").fill("Not A Name");
    await dialog.getByRole("button", { name: "Set a tag" }).click();
    await dialog.getByText("a letter or digit first and last").waitFor();
    await dialog.getByRole("button", { name: "production (v1)" }).click();
    await dialog.getByRole("button", { name: "Set a tag" }).click();
    await page.getByText("production points at v2").waitFor();
    const versions = page.getByRole("navigation", { name: "Versions" });
    await versions.getByRole("button", { name: /^v2 production/ }).waitFor();
    await page.getByRole("button", { name: "Remove the tag production" }).click();
    const asked = page.getByRole("dialog", { name: "Remove the tag production?" });
    await asked.getByRole("button", { name: "Remove tag" }).click();
    await page.getByText("production is removed").waitFor();
    await versions.getByText("production").waitFor({ state: "detached" });
    const history = page.getByRole("region", { name: "Where tags pointed" }).getByRole("listitem");
    await history.nth(2).waitFor();
    expect((await history.allTextContents()).map((line) => line.replace(/(just now|\d+ \w+ ago)$/, ""))).toEqual([
      "productionremoved",
      "productionset on v2",
      "productionset on v1",
    ]);
    await pages.expectAccessible(page);
  });

  test("description and labels are changed, and the list is narrowed by a label", async () => {
    const page = await openPrompt("triage");
    await page.getByRole("button", { name: "More about triage" }).click();
    await page.getByRole("menuitem", { name: "Edit details" }).click();
    const dialog = page.getByRole("dialog", { name: "Edit details" });
    await dialog.getByLabel("Description").fill("Which team a ticket goes to");
    await dialog.getByLabel("New label").fill("reviewed");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("triage is saved").waitFor();
    const about = page.getByRole("region", { name: "About this prompt" });
    await about.getByText("Which team a ticket goes to").waitFor();
    await about.getByText("reviewed").waitFor();
    await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "Prompts" }).click();
    await page.getByRole("combobox", { name: "Labels" }).selectOption("reviewed");
    await page.getByRole("row", { name: /to-clone/ }).waitFor({ state: "detached" });
    await page.getByRole("row", { name: /triage/ }).waitFor();
  });

  test("a copy is made, and a prompt deleted", async () => {
    const page = await openPrompt("to-clone");
    await page.getByRole("button", { name: "More about to-clone" }).click();
    await page.getByRole("menuitem", { name: "Clone" }).click();
    await page.getByRole("dialog", { name: "Clone to-clone" }).getByRole("button", { name: "Clone" }).click();
    await page.getByRole("heading", { name: "to-clone-copy", level: 1 }).waitFor();
    await page.getByRole("link", { name: "to-clone", exact: true }).waitFor();
    const other = await openPrompt("to-delete");
    await other.getByRole("button", { name: "More about to-delete" }).click();
    await other.getByRole("menuitem", { name: "Delete" }).click();
    const asked = other.getByRole("dialog", { name: "Delete to-delete?" });
    await asked.getByRole("button", { name: "Delete prompt" }).click();
    await other.getByText("to-delete is deleted").waitFor();
    await other.getByRole("row", { name: /to-delete/ }).waitFor({ state: "detached" });
  });

  test("two versions stand side by side, their words and values compared", async () => {
    const latest = JSON.parse((await pages.client().get("/v1/prompts/triage/latest")).text) as { data: { id: string } };
    await pages.client().post(`/v1/prompt_versions/${latest.data.id}/tags`, { json: { name: "reviewed" } });
    const page = await openPrompt("triage");
    await page.getByRole("combobox", { name: "Compare with" }).selectOption("v1");
    const messages = page.getByRole("region", { name: "Messages" });
    await messages.locator("ins").waitFor();
    expect(await messages.locator("ins").allTextContents()).toEqual([" above {{limit}} EUR"]);
    expect(await messages.locator("del").count()).toBe(0);
    const sides = page.getByRole("paragraph");
    await sides.filter({ hasText: /^v1 .*\d+ \w+ \d{4}, \d\d:\d\d$/ }).waitFor();
    await sides.filter({ hasText: /^v2 .*reviewed · \d+ \w+ \d{4}, \d\d:\d\d$/ }).waitFor();
    await page.getByRole("row", { name: "Parameter v1 v2" }).waitFor();
    await page.getByRole("row", { name: "Model gpt-4o gpt-4.1" }).waitFor();
    await page.getByRole("row", { name: "Temperature 0.2 0" }).waitFor();
    expect(await page.getByRole("row", { name: /max.tokens/i }).count()).toBe(0);
    await pages.expectAccessible(page);
    await pages.picture(page, "prompt-compared");
  });

  test("a version is exported as a program", async () => {
    const page = await openPrompt("triage");
    await page.getByRole("button", { name: "Code", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Code for triage v2" });
    const program = dialog.getByRole("region", { name: "Program" });
    await program.getByText("toSDK").first().waitFor();
    await dialog.getByRole("combobox", { name: "Prompt" }).selectOption("Written into the program");
    await program.getByText(/above \$\{limit\} EUR/).waitFor();
    await pages.expectAccessible(page);
    await pages.picture(page, "prompt-code");
    await dialog.getByText("Python", { exact: true }).click();
    await program.getByText("def triage(*, language: str, limit: str, question: str):").waitFor();
    await dialog.getByRole("combobox", { name: "Library" }).selectOption("Anthropic");
    await program.getByText("# Not sent").waitFor({ state: "detached" });
    await program.getByText("client.messages.create(").waitFor();
    await dialog.getByRole("button", { name: "Copy" }).click();
    await dialog.getByRole("button", { name: "Copied" }).waitFor();
  });

  test("versions are compared by the spans that name them, and lead to them", async () => {
    const page = await openPrompt("triage");
    const usage = page.getByRole("region", { name: "Usage" });
    await usage.getByRole("row", { name: "Spans 4 2" }).waitFor();
    await usage.getByRole("row", { name: "Errors 50 % 0 % −100 %" }).waitFor();
    await usage.getByRole("row", { name: /^Latency P50 2(\.0+)? s 1(\.0+)? s −50 %$/ }).waitFor();
    await usage.getByRole("row", { name: "quality (mean) – 0.8" }).waitFor();
    await pages.expectAccessible(page);
    await usage.scrollIntoViewIfNeeded();
    await pages.picture(page, "prompt-usage");
    await usage.getByRole("link", { name: "Spans of v1" }).click();
    const rows = page.getByRole("row", { name: /2\.00 s/ });
    await rows.nth(3).waitFor();
    expect(await rows.count()).toBe(4);
    expect(await page.getByRole("row", { name: /1\.00 s/ }).count()).toBe(0);
    await pages.picture(page, "prompt-usage-spans");
    await rows.first().click();
    await page.getByRole("link", { name: "triage v1" }).click();
    await page.getByRole("heading", { name: "triage", level: 1 }).waitFor();
  });

  test("the address of a tag leads to the version that it points at", async () => {
    const page = await openPrompt("to-clone");
    await page.getByRole("button", { name: "Set a tag" }).click();
    const dialog = page.getByRole("dialog", { name: "Set a tag on v1" });
    await dialog.getByLabel("Tag").fill("staging");
    await dialog.getByRole("button", { name: "Set a tag" }).click();
    await page.getByText("staging points at v1").waitFor();
    await page.goto(`${pages.url()}/redirects/prompts/to-clone/tags/staging`);
    await page.getByRole("heading", { name: "to-clone", level: 1 }).waitFor();
    expect(page.url()).toMatch(/\/versions\/[^/]+$/);
  });

  test("what is no prompt is said", async () => {
    const page = await pages.open("/prompts/UHJvbXB0Ojk5OTk=");
    await page.getByText("No such prompt").waitFor();
  });

  for (const theme of ["light", "dark"] as const) {
    for (const width of ["desktop", "phone"] as const) {
      test(`are accessible on a ${width} in ${theme}, and nothing is wider than the window`, async () => {
        const page = await pages.open("/prompts", { theme, width });
        await page.getByText("triage", { exact: true }).first().waitFor();
        await pages.expectAccessible(page);
        await pages.picture(page, `prompts-${theme}`);
        await page.getByText("triage", { exact: true }).first().click();
        await page.getByText("find_order").waitFor();
        await pages.expectAccessible(page);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
        await pages.picture(page, `prompt-${theme}`);
      });
    }
  }
});

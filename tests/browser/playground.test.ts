// The playground in a browser: variants side by side against a scripted provider, from a span and a version, and back to them.
import { afterAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { CREATE, configs } from "../support/custom-providers.ts";
import type { HttpClient } from "../support/http.ts";
import { forPages } from "../support/pages.ts";
import { startScriptedModels } from "../support/scripted-models.ts";
import { until } from "../support/until.ts";

const models = await startScriptedModels();
afterAll(() => models.close());

const version = {
  description: "the first",
  model_provider: "DEEPSEEK",
  model_name: "echo",
  template_type: "CHAT",
  template_format: "F_STRING",
  template: { type: "chat", messages: [{ role: "user", content: "Which team answers {ticket}?" }] },
  invocation_parameters: { type: "openai", openai: { temperature: 0.2 } },
};

async function seed(client: HttpClient): Promise<void> {
  await client.post("/v1/prompts", { json: { prompt: { name: "triage" }, version } });
  const input = { name: "Gateway", provider: "in-house", clientConfig: configs(models.address).openai };
  await client.post("/graphql", { json: { query: CREATE, variables: { input } } });
  const json = {
    action: "create",
    name: "refunds",
    inputs: [{ question: "where is it" }, { question: "how much" }, { question: "when" }],
    outputs: [{ answer: "on its way" }, { answer: "10 EUR" }, { answer: "today" }],
  };
  await client.post("/v1/datasets/upload", { query: { sync: "true" }, json });
  await client.put("/v1/budgets", { json: { scope: "server", period: "day", max_tokens: 2_000_000 } });
}

const env = {
  OPENAI_API_KEY: "sk-playground",
  OPENAI_BASE_URL: models.openAi,
  DEEPSEEK_API_KEY: "sk-playground",
  DEEPSEEK_BASE_URL: models.openAi,
};
const PIXEL =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const variant = (page: Page, letter: string) => page.getByRole("region", { name: `Variant ${letter}`, exact: true });
const answers = (page: Page, letter: string) => page.getByRole("region", { name: `Answers of ${letter}`, exact: true });
const sent = () => models.requests.at(-1)!.body as { readonly messages: readonly { readonly content: unknown }[] };

forPages("the playground", { seed, service: { env } }, (pages) => {
  test("variants answer side by side, are stopped, and say what is wrong where it occurred", async () => {
    const page = await pages.open("/projects");
    await page.getByRole("link", { name: "Playground" }).click();
    await page.getByRole("heading", { name: "Playground", level: 1 }).waitFor();
    await page.getByLabel("Model of A").fill("");
    await page.keyboard.press("Control+Enter");
    await variant(page, "A").getByText("Name a model.").waitFor();
    await page.getByLabel("Model of A").fill("echo");
    await page.getByLabel("Text of message 1").fill("You are brief.");
    await page.getByLabel("Text of message 2").fill("Hello {{name}}");
    await page.getByLabel("name", { exact: true }).fill("Ada");
    await page.getByText(/^Budget left today: [\d.]+M tokens$/).waitFor();
    // Asked again when the run has ended.
    const budget = page.waitForResponse((answer) => answer.request().postData()?.includes("budgetLeft") === true);
    await page.keyboard.press("Control+Enter");
    await answers(page, "A").getByText("Hello Ada").waitFor();
    await budget;
    await answers(page, "A").getByText("11 → 7 tokens").waitFor();
    await page.getByRole("button", { name: "Add a variant" }).click();
    await page.getByLabel("Model of B").fill("e500");
    await page.getByRole("button", { name: "Add a variant" }).click();
    await page.getByLabel("Model of C").fill("slow");
    await page.getByRole("button", { name: "Run all" }).click();
    await answers(page, "B").getByText("500").waitFor();
    await answers(page, "C").getByText("first").waitFor();
    await pages.picture(page, "playground-running");
    await page.getByRole("button", { name: "Stop" }).click();
    await answers(page, "C").getByText("Stopped").waitFor();
    await pages.expectAccessible(page);
    await pages.picture(page, "playground-variants");
    await page.getByRole("button", { name: "More for variant C" }).click();
    await page.getByRole("menuitem", { name: "Remove" }).click();
    await variant(page, "C").waitFor({ state: "detached" });
    await page.locator("#content").focus();
    await page.keyboard.press("Control+z");
    expect(await variant(page, "C").getByLabel("Model of C").inputValue()).toBe("slow");
    await page.keyboard.press("Control+y");
    await variant(page, "C").waitFor({ state: "detached" });
    // What is not saved is there again, also after a reload.
    await page.reload();
    await page.getByText("These are your unsaved changes from before.").waitFor();
    expect(await page.getByLabel("Model of B").inputValue()).toBe("e500");
    expect(await page.getByLabel("name", { exact: true }).inputValue()).toBe("Ada");
    await page.getByRole("button", { name: "Drop them" }).click();
    await variant(page, "B").waitFor({ state: "detached" });
    expect(await page.getByLabel("Text of message 2").inputValue()).toBe("");
  });

  test("a version is tried, its answer gone on from, and saved as the next version with a tag", async () => {
    const page = await pages.open("/prompts");
    await page.getByText("triage", { exact: true }).first().click();
    await page.locator("#content").getByRole("link", { name: "Playground", exact: true }).click();
    await page.getByRole("link", { name: "triage v1" }).waitFor();
    expect(page.url()).toContain("/playground?version=");
    await page.getByLabel("ticket", { exact: true }).fill("a double charge");
    await page.getByRole("button", { name: "Run" }).click();
    await answers(page, "A").getByText("Which team answers a double charge?").waitFor();
    await answers(page, "A").getByRole("button", { name: "Continue" }).click();
    expect(await page.getByLabel("Role of message 2").inputValue()).toBe("assistant");
    await page.getByLabel("Text of message 3").fill("And {who} signs?");
    await page.getByLabel("who", { exact: true }).fill("Bob");
    await page.keyboard.press("Control+Enter");
    await answers(page, "A").getByText("And Bob signs?").waitFor();
    expect(sent().messages.map(({ content }) => content)).toEqual([
      "Which team answers a double charge?",
      "Which team answers a double charge?",
      "And Bob signs?",
    ]);
    await page.getByRole("button", { name: "More for variant A" }).click();
    await page.getByRole("menuitem", { name: "Save as a version" }).click();
    const dialog = page.getByRole("dialog", { name: "Save variant A" });
    await dialog.getByLabel("Tags").fill("staging");
    await pages.picture(page, "playground-save");
    await page.keyboard.press("Control+Enter");
    await page.getByText("v2 of triage is saved").waitFor();
    const saved = await pages.client().get("/v1/prompts/triage/tags/staging");
    expect(saved.json<{ data: { template: object } }>().data.template).toEqual({
      type: "chat",
      messages: [
        { role: "user", content: "Which team answers {ticket}?" },
        { role: "assistant", content: "Which team answers a double charge?" },
        { role: "user", content: "And {who} signs?" },
      ],
    });
  });

  test("calls of tools are answered, the trace is opened, and tried again with its whole context", async () => {
    const page = await pages.open("/playground");
    await page.getByLabel("Provider of A").selectOption("DEEPSEEK");
    await page.getByLabel("Model of A").fill("tool");
    await page.getByLabel("Text of message 2").fill("Where is it?");
    await page.getByRole("button", { name: "Tools none" }).click();
    await page.getByRole("button", { name: "Add tools" }).click();
    await page.getByRole("button", { name: "Response format none" }).click();
    await page.getByRole("button", { name: "Add a response format" }).click();
    await page.getByRole("button", { name: "Run" }).click();
    await answers(page, "A").getByText("Calls tool_name").waitFor();
    expect(models.requests.at(-1)!.body).toMatchObject({
      tools: [{ type: "function", function: { name: "tool_name" } }],
      response_format: { type: "json_schema", json_schema: { name: "answer" } },
    });
    await answers(page, "A").getByRole("button", { name: "Answer the calls" }).click();
    await page.getByLabel("Result in message 4").fill("on its way");
    await page.getByLabel("Model of A").fill("echo");
    await page.getByRole("button", { name: "Run" }).click();
    await answers(page, "A").getByText("on its way").waitFor();
    expect(sent().messages).toMatchObject([
      { role: "user", content: "Where is it?" },
      { role: "assistant", tool_calls: [{ function: { name: "tool_name" } }] },
      { role: "tool", content: "on its way" },
    ]);
    await answers(page, "A").getByRole("button", { name: "Open trace" }).click();
    await page.getByRole("button", { name: "Open in the playground" }).click();
    await page.waitForURL(/\/playground\/spans\//);
    expect(await page.getByLabel("Model of A").inputValue()).toBe("echo");
    expect(await page.getByLabel("Provider of A").inputValue()).toBe("DEEPSEEK");
    expect(await page.getByLabel("Result in message 3").inputValue()).toBe("on its way");
    await page.getByRole("button", { name: "Tools tool_name" }).waitFor();
    await page.getByRole("button", { name: "Response format answer" }).waitFor();
    await pages.picture(page, "playground-span");
    await page.getByRole("button", { name: "Run" }).click();
    await answers(page, "A").getByText("on its way").waitFor();
    await answers(page, "A").getByRole("button", { name: "Add to dataset" }).click();
    await page.getByRole("dialog", { name: /span/ }).waitFor();
  });

  test("a recorded call is tried again: calls of tools are answered with what its trace has", async () => {
    const tool = { type: "function", function: { name: "find_order", parameters: { type: "object" } } };
    const time = { start_time: "2026-01-01T00:00:00Z", end_time: "2026-01-01T00:00:01Z" };
    const span = (span_id: string, changes: object) => ({
      context: { trace_id: "ab".repeat(16), span_id },
      status_code: "OK",
      ...time,
      ...changes,
    });
    const attributes = {
      "llm.model_name": "tool",
      "llm.provider": "deepseek",
      "llm.input_messages.0.message.role": "user",
      "llm.input_messages.0.message.contents.0.message_content.type": "text",
      "llm.input_messages.0.message.contents.0.message_content.text": "Where is it?",
      "llm.input_messages.0.message.contents.1.message_content.type": "image",
      "llm.input_messages.0.message.contents.1.message_content.image.image.url": PIXEL,
      "llm.tools.0.tool.json_schema": JSON.stringify(tool),
      "llm.invocation_parameters": '{"temperature": 0.5, "tool_choice": "auto", "top_k": 3}',
    };
    const data = [
      span("cd".repeat(8), { name: "ask", span_kind: "LLM", attributes }),
      span("ef".repeat(8), { name: "find_order", span_kind: "TOOL", attributes: { "output.value": "on its way" } }),
    ];
    await pages.client().post("/v1/projects/default/spans", { json: { data } });
    const page = await pages.open(`/redirects/spans/${"cd".repeat(8)}`);
    await page.getByRole("button", { name: "Open in the playground" }).click();
    await page.getByText("Temperature 0.5").or(page.getByText("temperature 0.5")).first().waitFor();
    await page.getByLabel("Image in message 1").waitFor();
    await page.getByRole("button", { name: "Run" }).click();
    await answers(page, "A").getByText("Calls find_order").waitFor();
    expect(models.requests.at(-1)!.body).toMatchObject({ temperature: 0.5, top_k: 3, tool_choice: "auto" });
    expect(models.requests.at(-1)!.text).toContain(PIXEL);
    await answers(page, "A").getByRole("button", { name: "Answer the calls" }).click();
    expect(await page.getByLabel("Result in message 3").inputValue()).toBe("on its way");
  });

  test("a version that is saved is for the custom provider that was called", async () => {
    const page = await pages.open("/playground");
    await page.getByLabel("Provider of A").selectOption({ label: "Gateway (custom)" });
    await page.getByLabel("Model of A").fill("echo");
    await page.getByLabel("Text of message 2").fill("Hello {{name}}");
    await page.getByRole("button", { name: "Tools none" }).click();
    await page.getByRole("button", { name: "Add tools" }).click();
    await page.getByRole("button", { name: "More for variant A" }).click();
    await page.getByRole("menuitem", { name: "Save as a version" }).click();
    const dialog = page.getByRole("dialog", { name: "Save variant A" });
    await dialog.getByLabel("Name", { exact: true }).fill("for-gateway");
    await page.keyboard.press("Control+Enter");
    await page.getByText("v1 of for-gateway is saved").waitFor();
    await page.getByRole("link", { name: "for-gateway v1" }).click();
    await page.locator("#content").getByRole("link", { name: "Playground", exact: true }).click();
    await page.getByRole("button", { name: "Tools tool_name" }).waitFor();
    expect(await page.getByLabel("Provider of A").locator("option:checked").textContent()).toBe("Gateway (custom)");
    expect(await page.getByLabel("Text of message 2").inputValue()).toBe("Hello {{name}}");
  });

  test("runs over a dataset are estimated, started, paused or done, and end in a comparison", async () => {
    const page = await pages.open("/datasets", { expected: [/409/] });
    await page.getByText("refunds", { exact: true }).click();
    await page.getByRole("link", { name: "Experiments" }).click();
    await page.getByRole("link", { name: "Run a prompt over it" }).click();
    await page.getByLabel("Provider of A").selectOption("DEEPSEEK");
    await page.getByLabel("Model of A").fill("echo");
    await page.getByLabel("Text of message 2").fill("Answer {{question}}");
    await page.getByRole("button", { name: "Add a variant" }).click();
    await page.getByLabel("Model of B").fill("slow-first-byte-2000");
    await page.getByRole("option", { name: "Over refunds (3)" }).waitFor({ state: "attached" });
    expect(page.url()).toContain("dataset=");
    await page.getByText("Estimate: 6 calls").waitFor();
    await page.getByText(/^Budget left today: /).waitFor();
    await page.getByLabel("Variables come from").fill("input.nothing");
    await page.getByText("Some examples cannot be run").waitFor();
    await page.getByLabel("Variables come from").fill("input");
    await page.getByText("Some examples cannot be run").waitFor({ state: "detached" });
    await page.getByLabel("Calls at once").fill("1");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Completed", { exact: true }).waitFor();
    await page.getByText("3 of 3 runs").waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByText("Stopped", { exact: true }).waitFor();
    await pages.expectAccessible(page);
    await pages.picture(page, "playground-dataset");
    // What runs on the server is found again.
    await page.reload();
    await page.getByText("3 of 3 runs").waitFor();
    const resume = page.getByRole("button", { name: "Resume" });
    // Refused for some seconds after a stop.
    await until(async () => {
      await resume.click({ timeout: 500 }).catch(() => undefined);
      return (await page.getByText("3 of 3 runs").count()) === 2;
    });
    await page.getByRole("link", { name: "Compare the experiments" }).click();
    await page.getByRole("heading", { name: "Compare experiments", level: 1 }).waitFor();
    await page.getByText("Answer where is it").first().waitFor();
  });

  for (const width of ["desktop", "phone"] as const) {
    for (const theme of ["light", "dark"] as const) {
      test(`is accessible on a ${width} in ${theme}`, async () => {
        const page = await pages.open("/playground", { width, theme });
        await page.getByLabel("Model of A").fill("echo");
        await page.getByLabel("Text of message 2").fill("Compare {{one}} and {{other}}.");
        await page.getByLabel("one", { exact: true }).fill("a refund");
        await page.getByRole("button", { name: "Run" }).click();
        await answers(page, "A").getByText("tokens").waitFor();
        await pages.picture(page, `playground-one-${theme}`);
        await page.getByRole("button", { name: "Add a variant" }).click();
        await page.getByRole("button", { name: "Parameters of the provider" }).first().click();
        await pages.expectAccessible(page);
        await pages.picture(page, `playground-two-${theme}`);
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      });
    }
  }
});

forPages("the playground without a provider", {}, (pages) => {
  test("says three ways, and calls a model on this machine at once", async () => {
    const page = await pages.open("/playground");
    await page.getByText("No model can be called yet").waitFor();
    await pages.expectAccessible(page);
    await pages.picture(page, "playground-none");
    await page.getByLabel("Address").fill(models.openAi);
    await page.getByLabel("Model", { exact: true }).fill("text");
    await page.keyboard.press("Enter");
    await page.getByLabel("Text of message 2").fill("Say hello");
    await page.keyboard.press("Control+Enter");
    await answers(page, "A").getByText("Hello world").waitFor();
  });
});

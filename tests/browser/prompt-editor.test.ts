// The editor of prompts in a browser: new prompts and versions, errors at their place, nothing lost unasked.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { HttpClient } from "../support/http.ts";
import { forPages } from "../support/pages.ts";

const version = {
  description: "the first",
  model_provider: "OPENAI",
  model_name: "gpt-4.1",
  template_type: "CHAT",
  template_format: "MUSTACHE",
  template: {
    type: "chat",
    messages: [
      { role: "system", content: "Answer in {{language}}. Never promise refunds." },
      { role: "user", content: [{ type: "text", text: "{{question}}" }] },
      {
        role: "assistant",
        content: [
          {
            type: "tool_call",
            tool_call_id: "1",
            tool_call: { type: "function", name: "find_order", arguments: "{}" },
          },
        ],
      },
    ],
  },
  invocation_parameters: { type: "openai", openai: { temperature: 0.2, max_tokens: 300, stop: ["END"] } },
  tools: {
    type: "tools",
    tools: [{ type: "function", function: { name: "find_order", parameters: { type: "object" } } }],
  },
  metadata: { reviewed: true },
};

async function seed(client: HttpClient): Promise<void> {
  for (const name of ["triage", "tagged", "guarded", "pictured"]) {
    const answer = await client.post("/v1/prompts", { json: { prompt: { name }, version } });
    const { id } = answer.json<{ readonly data: { readonly id: string } }>().data;
    await client.post(`/v1/prompt_versions/${id}/tags`, { json: { name: "staging" } });
  }
}

forPages("the editor of prompts", { seed }, (pages) => {
  const latest = async (name: string) => {
    const answer = await pages.client().get(`/v1/prompts/${name}/latest`);
    const { id: _id, ...content } = answer.json<{ readonly data: Record<string, unknown> }>().data;
    return content;
  };
  const edit = async (name: string, options = {}): Promise<Page> => {
    const page = await pages.open("/prompts", options);
    await page.getByText(name, { exact: true }).first().click();
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await page.getByRole("heading", { name: `New version of ${name}`, level: 1 }).waitFor();
    return page;
  };

  test("a new prompt is written, with its first version and a tag", async () => {
    const page = await pages.open("/prompts");
    await page.getByRole("link", { name: "New prompt" }).click();
    await page.getByRole("heading", { name: "New prompt", level: 1 }).waitFor();
    await page.getByLabel("Name", { exact: true }).fill("support");
    await page.getByLabel("Description").fill("Answers customers");
    await page.getByLabel("Text of message 1").fill("You speak {{language}}.");
    await page.getByLabel("Text of message 2").fill("{{question}}");
    expect(await page.locator("mark").allTextContents()).toEqual(["{{language}}", "{{question}}"]);
    await page.getByRole("button", { name: "Add a message" }).click();
    await page.getByLabel("Text of message 3").fill("Certainly.");
    await page.getByRole("button", { name: "Move message 3 up" }).click();
    await page.getByRole("button", { name: "Remove message 3" }).click();
    await page.getByLabel("Role of message 1").selectOption("developer");
    await page.getByLabel("Provider").selectOption("ANTHROPIC");
    await page.getByLabel("Name of the model").fill("claude-sonnet-4-5");
    await page.getByLabel("temperature").fill("0.50");
    await page.getByLabel("What is different").fill("begun in the pages");
    await page.getByLabel("Tags").fill("staging");
    await page.keyboard.press("Control+Enter");
    await page.getByText("This provider needs a value.").waitFor();
    await page.getByLabel("Max tokens").fill("2000");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("heading", { name: "support", level: 1 }).waitFor();
    await page.getByText("A version of support is saved").waitFor();
    expect(await latest("support")).toEqual({
      description: "begun in the pages",
      model_provider: "ANTHROPIC",
      model_name: "claude-sonnet-4-5",
      template_type: "CHAT",
      template_format: "MUSTACHE",
      template: {
        type: "chat",
        messages: [
          { role: "developer", content: "You speak {{language}}." },
          { role: "assistant", content: "Certainly." },
        ],
      },
      invocation_parameters: { type: "anthropic", anthropic: { max_tokens: 2000, temperature: 0.5 } },
    });
    expect((await pages.client().get("/v1/prompts/support/tags/staging")).status).toBe(200);
  });

  test("a name that is taken is refused at its place", async () => {
    const page = await pages.open("/prompts/new", { expected: [/409/] });
    await page.getByLabel("Name", { exact: true }).fill("Not One");
    await page.getByText("a letter or digit first and last").waitFor();
    await page.getByLabel("Name", { exact: true }).fill("triage");
    await page.keyboard.press("Control+Enter");
    await page.getByText('A prompt named "triage" exists').waitFor();
    expect(await page.getByLabel("Name", { exact: true }).getAttribute("aria-invalid")).toBe("true");
  });

  test("the next version keeps what is not touched, moves a tag, and its changes are read before", async () => {
    const page = await edit("tagged");
    await page
      .getByLabel("Text of message 1")
      .fill("Answer in {{language}}. Never promise refunds above {{limit}} EUR.");
    await page.getByLabel("temperature").fill("0");
    await page.getByRole("button", { name: "Changes", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "What this version changes" });
    await dialog.locator("ins").waitFor();
    expect(await dialog.locator("ins").allTextContents()).toEqual([" above {{limit}} EUR"]);
    await dialog.getByRole("row", { name: "Temperature 0.2 0" }).waitFor();
    await pages.expectAccessible(page);
    await pages.picture(page, "prompt-editor-changes");
    await dialog.getByRole("button", { name: "Back to the editor" }).click();
    await page.getByRole("button", { name: "staging (v1)" }).click();
    await page.getByLabel("Tags").press("Control+Enter");
    await page
      .getByRole("navigation", { name: "Versions" })
      .getByRole("button", { name: /^v2 staging/ })
      .waitFor();
    const { messages } = version.template;
    expect(await latest("tagged")).toEqual({
      ...version,
      description: "",
      template: {
        type: "chat",
        messages: [
          { role: "system", content: "Answer in {{language}}. Never promise refunds above {{limit}} EUR." },
          ...messages.slice(1),
        ],
      },
      invocation_parameters: { type: "openai", openai: { temperature: 0, max_tokens: 300, stop: ["END"] } },
    });
  });

  test("errors are shown where they are, by the page or by the server", async () => {
    const page = await edit("triage", { expected: [/422/] });
    await page.getByLabel("Text of message 1").fill("Answer in {{language");
    await page.getByText("The variable {{language is never closed.").first().waitFor();
    await page.getByLabel("temperature").fill("warm");
    await page.getByText("A number, such as 0.7.").waitFor();
    const tools = page.getByRole("region", { name: "Tools" });
    await tools.getByRole("textbox", { name: "Tools" }).fill('{"type": "tools", "tools": [');
    await tools.getByText("the text ends too early").waitFor();
    await page.keyboard.press("Control+Enter");
    await page.getByText("Nothing is saved yet").waitFor();
    await page.getByLabel("Text of message 1").fill("Answer.");
    await page.getByLabel("temperature").fill("1");
    await tools
      .getByRole("textbox", { name: "Tools" })
      .fill('{"type": "tools", "tools": [{"type": "function", "function": {"name": "f", "parameters": "none"}}]}');
    await page.getByLabel("Other parameters").fill('{"top_k": 3}');
    await page.keyboard.press("Control+Enter");
    await tools.getByText("tools.0.function.parameters: Must be an object").waitFor();
    await page
      .getByRole("region", { name: "Parameters" })
      .getByText(/^top_k: /)
      .waitFor();
    expect(await latest("triage")).toEqual(version);
  });

  test("the preview fills the variables, in either way of writing them", async () => {
    const page = await edit("triage");
    const preview = page.getByRole("complementary", { name: "Preview" });
    await preview.getByText("Answer in {{language}}. Never promise refunds.").waitFor();
    await preview.getByLabel("language").fill("Danish");
    await preview.getByText("Answer in Danish. Never promise refunds.").waitFor();
    await page.getByText("F-string", { exact: true }).click();
    await preview.getByText("Answer in {language}. Never").waitFor();
    await page.getByLabel("Text of message 1").fill("Answer in {language}. Keep {{braces}}.");
    await preview.getByText("Answer in Danish. Keep {braces}.").waitFor();
  });

  test("nothing is lost unasked: links and the back button ask first", async () => {
    const page = await edit("guarded");
    const address = page.url();
    await page.getByLabel("Text of message 1").fill("changed");
    await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "Prompts" }).click();
    const asked = page.getByRole("dialog", { name: "Leave without saving?" });
    await asked.getByRole("button", { name: "Keep editing" }).click();
    expect(await page.getByLabel("Text of message 1").inputValue()).toBe("changed");
    await page.evaluate(() => history.back());
    await asked.getByRole("button", { name: "Keep editing" }).click();
    expect(page.url()).toBe(address);
    expect(await page.getByLabel("Text of message 1").inputValue()).toBe("changed");
    await page.evaluate(() => history.back());
    await asked.getByRole("button", { name: "Discard" }).click();
    await page.getByRole("heading", { name: "guarded", level: 1 }).waitFor();
    expect((await latest("guarded")).template).toEqual(version.template);
    // Nothing is changed: nobody is asked.
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await page.getByRole("heading", { name: "New version of guarded" }).waitFor();
    await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "Prompts" }).click();
    await page.getByRole("heading", { name: "Prompts", level: 1 }).waitFor();
  });

  test("a call of a model becomes a prompt", async () => {
    const time = { start_time: "2026-01-01T00:00:00Z", end_time: "2026-01-01T00:00:01Z" };
    const [traceId, spanId] = ["ab".repeat(16), "cd".repeat(8)];
    const attributes = {
      "llm.model_name": "gpt-5",
      "llm.input_messages.0.message.role": "user",
      "llm.input_messages.0.message.content": "What is a span?",
    };
    const span = { name: "ask", context: { trace_id: traceId, span_id: spanId }, span_kind: "LLM", ...time };
    const sent = { ...span, status_code: "OK", attributes };
    await pages.client().post("/v1/projects/default/spans", { json: { data: [sent] } });
    const page = await pages.open(`/redirects/spans/${spanId}`);
    await page.getByRole("button", { name: "Save as a prompt" }).click();
    await page.getByRole("heading", { name: "New prompt", level: 1 }).waitFor();
    expect(await page.getByLabel("Text of message 1").inputValue()).toBe("What is a span?");
    expect(await page.getByLabel("Name of the model").inputValue()).toBe("gpt-5");
    await page.getByLabel("Name", { exact: true }).fill("from-span");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("heading", { name: "from-span", level: 1 }).waitFor();
    expect(await latest("from-span")).toMatchObject({
      model_name: "gpt-5",
      template_format: "NONE",
      template: { type: "chat", messages: [{ role: "user", content: "What is a span?" }] },
    });
  });

  for (const theme of ["light", "dark"] as const) {
    for (const width of ["desktop", "phone"] as const) {
      test(`is accessible on a ${width} in ${theme}, and nothing is wider than the window`, async () => {
        const page = await edit("pictured", { theme, width });
        await page.getByLabel("Text of message 2").fill("{{question}} and {{more");
        await page.getByText("is never closed").first().waitFor();
        await page.locator(".cm-editor").first().waitFor();
        await pages.expectAccessible(page);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
        await pages.picture(page, `prompt-editor-${theme}`);
      });
    }
  }
});

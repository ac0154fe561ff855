// The programs that the pages export are run with the libraries as they are, and what arrives at a provider is compared with the prompt.
import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import type { Json } from "../../src/kernel/json.ts";
import { exportedCode, type Library, type PromptSource } from "../../src/web/pages/prompts/code/exported-code.ts";
import type { VersionContent } from "../../src/web/pages/prompts/code/provider-requests.ts";
import { forAnthropic, forOpenAi, HOSTILE } from "../support/exported-prompts.ts";
import { type RecordingProvider, startRecordingProvider } from "../support/recording-provider.ts";
import { forEachService } from "../support/services.ts";

const values = { language: "German", the_limit: "5`{}", question: "Wo ist {{es}}?" };
const tool = forOpenAi.tools?.tools[0] as { readonly function: { readonly parameters: object } };

const openAiMessages = [
  { role: "system", content: "Answer in German.\nNever promise `refunds` above 5`{} EUR." },
  { role: "user", content: "Wo ist {{es}}?" },
  {
    role: "assistant",
    tool_calls: [{ id: "call_1", type: "function", function: { name: "find_order", arguments: '{"number":"7"}' } }],
  },
  { role: "tool", tool_call_id: "call_1", content: '{"state":"sent"}' },
  { role: "user", content: HOSTILE },
];
const openAiRest = {
  model: "gpt-4.1",
  temperature: 0.2,
  max_tokens: 300,
  seed: 7,
  stop: ["END"],
  tools: [
    {
      type: "function",
      function: { name: "find_order", description: "Finds an order.", parameters: tool.function.parameters },
    },
  ],
  tool_choice: "auto",
  parallel_tool_calls: false,
  response_format: forOpenAi.response_format,
};
const anthropicTool = { name: "find_order", description: "Finds an order.", input_schema: tool.function.parameters };
const anthropicRest = {
  model: "claude-haiku-4-5",
  max_tokens: 500,
  temperature: 0.5,
  stop_sequences: ["END"],
  tools: [anthropicTool],
  tool_choice: { type: "auto", disable_parallel_tool_use: true },
};

// One for all: the Vercel AI SDK keeps the address that it read first.
let provider: RecordingProvider;
beforeAll(async () => {
  provider = await startRecordingProvider();
});
afterAll(() => provider.close());

// The official client warns of what it leaves out for the Vercel AI SDK.
const silent = spyOn(console, "warn").mockImplementation(() => undefined);
afterAll(() => silent.mockRestore());

forEachService("exported code", (service) => {
  const versionIds = new Map<VersionContent, string>();
  beforeAll(async () => {
    for (const [name, content] of [
      ["triage", forOpenAi],
      ["triage-claude", forAnthropic],
    ] as const) {
      await provider.load(code(name, content, "client", { kind: "inline" }));
      const made = (await read(`/v1/prompts/${name}/latest`)) as { readonly id: string };
      versionIds.set(content, made.id);
      await fetch(`${service.running.url}/v1/prompt_versions/${made.id}/tags`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ name: "production" }),
      });
    }
  });

  const read = async (path: string) =>
    ((await (await fetch(`${service.running.url}${path}`)).json()) as { readonly data: Json }).data;
  const code = (
    name: string,
    content: VersionContent & { description: string },
    library: Library,
    source: PromptSource,
  ) =>
    exportedCode(
      { name, description: "sorts", number: 1, content, address: service.running.url },
      { language: "typescript", library, source },
    );
  const saying = (content: string): typeof forOpenAi => ({
    ...forOpenAi,
    template: { type: "chat", messages: [{ role: "user", content }] },
  });
  const tagged: PromptSource = { kind: "tag", tag: "production" };
  const inline: PromptSource = { kind: "inline" };

  test("the official client creates the same prompt, and fetches it", async () => {
    const { id, ...kept } = (await read("/v1/prompts/triage/latest")) as unknown as VersionContent & {
      readonly id: string;
    };
    expect<unknown>(kept).toEqual({ ...forOpenAi, template_type: "CHAT" });
    const { triage } = await provider.load(code("triage", forOpenAi, "client", tagged));
    expect(await triage!({})).toMatchObject({ id, model_name: "gpt-4.1" });
  });

  test("OpenAI: written into the program", async () => {
    const sent = await provider.run(code("triage", forOpenAi, "openai", inline), "triage", values);
    expect(sent).toEqual({ ...openAiRest, messages: openAiMessages });
  });

  test("OpenAI: asked for by tag and by version", async () => {
    for (const source of [tagged, { kind: "version", versionId: versionIds.get(forOpenAi)! } as const]) {
      const sent = await provider.run(code("triage", forOpenAi, "openai", source), "triage", values);
      const { messages, ...rest } = sent as { readonly messages: readonly object[] };
      expect(rest).toEqual(openAiRest);
      expect(messages.at(0)).toEqual(openAiMessages[0]);
      expect(messages.at(1)).toEqual({ role: "user", content: [{ type: "text", text: "Wo ist {{es}}?" }] });
      expect(messages.at(-1)).toEqual(openAiMessages.at(-1)!);
    }
  });

  test("Anthropic: written into the program, and asked for", async () => {
    const messages = [{ role: "user", content: [{ type: "text", text: "Wo ist {{es}}?" }] }];
    const written = await provider.run(
      code("triage-claude", forAnthropic, "anthropic", inline),
      "triage_claude",
      values,
    );
    expect(written).toEqual({ ...anthropicRest, system: "Answer in German, as {json}.", messages });
    const asked = await provider.run(code("triage-claude", forAnthropic, "anthropic", tagged), "triage_claude", values);
    expect(asked).toMatchObject({ model: "claude-haiku-4-5", max_tokens: 500, temperature: 0.5, messages });
    // The client leaves a brace that is written twice as it stands.
    expect(asked.system).toEqual([{ type: "text", text: "Answer in German, as {{json}}." }]);
    expect(asked.tools).toEqual([anthropicTool]);
  });

  test("the Vercel AI SDK with OpenAI: written into the program, and asked for", async () => {
    const { tool_choice: _choice, ...rest } = openAiRest;
    const { response_format: format, ...others } = await provider.run(
      code("triage", forOpenAi, "ai", inline),
      "triage",
      values,
    );
    const { tool_choice, messages, ...known } = others;
    expect({ ...known, response_format: format }).toEqual({
      ...rest,
      response_format: { type: "json_schema", json_schema: { ...(rest.response_format?.json_schema as object) } },
    });
    expect(tool_choice).toBe("auto");
    expect(messages).toMatchObject(openAiMessages);
    const plain = saying("{{question}}");
    await provider.load(code("plain", plain, "client", inline));
    const asked = await provider.run(
      code("plain", plain, "ai", {
        kind: "version",
        versionId: ((await read("/v1/prompts/plain/latest")) as { id: string }).id,
      }),
      "plain",
      values,
    );
    expect(asked).toMatchObject({
      ...rest,
      messages: [{ role: "user", content: "Wo ist {{es}}?" }],
    });
  });

  test("the Vercel AI SDK with Anthropic", async () => {
    for (const source of [inline, tagged]) {
      const sent = await provider.run(code("triage-claude", forAnthropic, "ai", source), "triage_claude", values);
      expect(sent).toMatchObject({
        model: "claude-haiku-4-5",
        max_tokens: 500,
        temperature: 0.5,
        stop_sequences: ["END"],
        messages: [{ role: "user", content: [{ type: "text", text: "Wo ist {{es}}?" }] }],
        tools: [anthropicTool],
        tool_choice: { type: "auto", disable_parallel_tool_use: true },
      });
    }
  });

  test("a template of 100 kB arrives as it is", async () => {
    const long = `${HOSTILE}\n${"x`\\ {y} $".repeat(15_000)}`;
    const content = saying(long);
    const sent = await provider.run(code("triage", content, "openai", inline), "triage", {});
    expect((sent.messages as readonly { content: string }[])[0]?.content).toBe(long);
  });
});

// The official TypeScript client, unmodified, against the real service: prompts, their versions and tags, and what the programming
// interfaces of providers are called with.
import { beforeAll, expect, spyOn, test } from "bun:test";
import { createClient, type PhoenixClient } from "@arizeai/phoenix-client";
import { createPrompt, getPrompt, listPrompts, promptVersion, toSDK } from "@arizeai/phoenix-client/prompts";
import { forEachService } from "../support/services.ts";

const triage = (modelName: string) =>
  promptVersion({
    modelProvider: "OPENAI",
    modelName,
    description: `for ${modelName}`,
    template: [
      { role: "system", content: "Answer in {{language}}." },
      { role: "user", content: [{ type: "text", text: "{{question}}" }] },
    ],
    invocationParameters: { temperature: 0.2, max_tokens: 300 },
  });

const variables = { language: "German", question: "Wo ist {{es}}?" };

forEachService("prompts of phoenix-client", (service) => {
  let client: PhoenixClient;
  let firstId = "";
  let secondId = "";
  beforeAll(async () => {
    client = createClient({ options: { baseUrl: service.running.url } });
    const made = { client, name: "triage", description: "sorts tickets", metadata: { team: "support" } };
    ({ id: firstId } = await createPrompt({ ...made, version: triage("gpt-4o") }));
    ({ id: secondId } = await createPrompt({ ...made, version: triage("gpt-4.1") }));
  });

  const tag = (versionId: string, name: string) =>
    client.POST("/v1/prompt_versions/{prompt_version_id}/tags", {
      params: { path: { prompt_version_id: versionId } },
      body: { name },
    });

  test("createPrompt and getPrompt: the latest by name, each by its id, one by a tag that moves", async () => {
    expect(await getPrompt({ client, prompt: { name: "triage" } })).toMatchObject({
      id: secondId,
      model_name: "gpt-4.1",
    });
    const first = await getPrompt({ client, prompt: { versionId: firstId } });
    expect(first).toEqual({ ...triage("gpt-4o"), id: firstId });
    await tag(firstId, "production");
    expect((await getPrompt({ client, prompt: { name: "triage", tag: "production" } }))?.id).toBe(firstId);
    await tag(secondId, "production");
    expect((await getPrompt({ client, prompt: { name: "triage", tag: "production" } }))?.id).toBe(secondId);
  });

  test("getPrompt of what is not there is null", async () => {
    const silent = spyOn(console, "error").mockImplementation(() => undefined);
    try {
      expect(await getPrompt({ client, prompt: { name: "nobody" } })).toBeNull();
      expect(await getPrompt({ client, prompt: { name: "triage", tag: "nowhere" } })).toBeNull();
    } finally {
      silent.mockRestore();
    }
  });

  test("listPrompts: every prompt once, with its description", async () => {
    const found = (await listPrompts({ client })).filter(({ name }) => name === "triage");
    expect(found).toMatchObject([{ name: "triage", description: "sorts tickets", metadata: { team: "support" } }]);
  });

  test("toSDK for OpenAI, Anthropic and the Vercel AI SDK, with the values in their places", async () => {
    const prompt = (await getPrompt({ client, prompt: { versionId: firstId } }))!;
    expect<unknown>(toSDK({ sdk: "openai", prompt, variables })).toEqual({
      model: "gpt-4o",
      temperature: 0.2,
      max_tokens: 300,
      messages: [
        { role: "system", content: "Answer in German." },
        { role: "user", content: [{ type: "text", text: "Wo ist {{es}}?" }] },
      ],
    });
    const { id: claudeId } = await createPrompt({
      client,
      name: "triage-claude",
      version: promptVersion({
        modelProvider: "ANTHROPIC",
        modelName: "claude-sonnet-4",
        template: [{ role: "user", content: [{ type: "text", text: "{{question}}" }] }],
        invocationParameters: { max_tokens: 500, temperature: 0 },
      }),
    });
    const claude = (await getPrompt({ client, prompt: { versionId: claudeId } }))!;
    expect(toSDK({ sdk: "anthropic", prompt: claude, variables })).toMatchObject({
      model: "claude-sonnet-4",
      max_tokens: 500,
      temperature: 0,
      messages: [{ role: "user", content: [{ type: "text", text: "Wo ist {{es}}?" }] }],
    });
    const silent = spyOn(console, "warn").mockImplementation(() => undefined);
    try {
      expect(toSDK({ sdk: "ai", prompt, variables })).toEqual({
        messages: [
          { role: "system", content: "Answer in German." },
          { role: "user", content: [{ type: "text", text: "Wo ist {{es}}?" }] },
        ],
      });
    } finally {
      silent.mockRestore();
    }
  });

  test("tags and the deletion, for which the client has no function", async () => {
    const { id } = await createPrompt({ client, name: "short-lived", version: triage("gpt-4o") });
    await tag(id, "staging");
    const path = { prompt_version_id: id };
    const tags = await client.GET("/v1/prompt_versions/{prompt_version_id}/tags", { params: { path } });
    expect(tags.data?.data.map(({ name }) => name)).toEqual(["staging"]);
    const answer = await fetch(`${service.running.url}/v1/prompts/short-lived`, { method: "DELETE" });
    expect(answer.status).toBe(204);
    expect((await listPrompts({ client })).map(({ name }) => name)).not.toContain("short-lived");
  });
});

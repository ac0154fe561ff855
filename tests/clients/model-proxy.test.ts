// Programs of others against the model proxy of the real service: OpenAI's client and the AI SDK, with streams, tools, JSON schemas and errors.
import { afterAll, expect, test } from "bun:test";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateObject, generateText, streamText, tool } from "ai";
import OpenAI from "openai";
import { z } from "zod";
import { startScriptedModels } from "../support/scripted-models.ts";
import { forEachService } from "../support/services.ts";

const models = await startScriptedModels();
afterAll(() => models.close());
const variables = { OLLAMA_BASE_URL: models.openAi, SERVICE_ALLOW_PRIVATE_PROVIDERS: "true" };
const messages = [{ role: "user" as const, content: "hi" }];
/** A model that answers with an object, over the arguments of no tool: the scripted one echoes the last message. */
const WEATHER = '{"city":"Malmö"}';

forEachService(
  "clients of the model proxy",
  (service) => {
    const client = () => new OpenAI({ baseURL: `${service.running.url}/v1`, apiKey: "unused", maxRetries: 0 });
    const ollama = () =>
      createOpenAICompatible({
        name: "spanlight",
        baseURL: `${service.running.url}/v1`,
        includeUsage: true,
        supportsStructuredOutputs: true,
      });

    test("OpenAI's client reads answers, streams and models", async () => {
      const answer = await client().chat.completions.create({ model: "ollama:text", messages });
      expect(answer.choices[0]!.message.content).toBe("Hello world");
      expect(answer.usage).toMatchObject({ prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 });
      const stream = client().chat.completions.stream({
        model: "ollama:text",
        messages,
        stream_options: { include_usage: true },
      });
      const pieces: string[] = [];
      stream.on("content", (piece) => pieces.push(piece));
      expect(await stream.finalContent()).toBe("Hello world");
      expect(pieces.filter((piece) => piece !== "")).toEqual(["Hello ", "world"]);
      expect((await stream.totalUsage()).total_tokens).toBe(18);
      const listed = await Array.fromAsync(await client().models.list());
      expect(listed.map(({ id }) => id)).toContain("ollama:llama3.2");
    });

    test("OpenAI's client runs tools, with their results in the next message", async () => {
      const cities: unknown[] = [];
      const runner = client().chat.completions.runTools(
        {
          model: "ollama:tool",
          messages,
          tools: [
            {
              type: "function",
              function: {
                name: "weather",
                description: "Weather of a city",
                parameters: { type: "object", properties: { city: { type: "string" } } },
                parse: JSON.parse,
                function: (given: { city: string }) => {
                  cities.push(given.city);
                  return "rain";
                },
              },
            },
          ],
        },
        { maxChatCompletions: 2 },
      );
      await runner.done();
      expect(cities).toEqual(["because hi", "because rain"]);
      expect(models.requests.at(-1)!.body.messages).toMatchObject([
        { role: "user" },
        { role: "assistant", tool_calls: [{ type: "function" }] },
        { role: "tool", content: "rain" },
      ]);
    });

    test("OpenAI's client sends schemas, and throws its own errors", async () => {
      const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
      const parsed = await client().chat.completions.parse({
        model: "ollama:echo",
        messages: [{ role: "user", content: WEATHER }],
        response_format: { type: "json_schema", json_schema: { name: "weather", schema, strict: true } },
      });
      expect(JSON.parse(parsed.choices[0]!.message.content!)).toEqual({ city: "Malmö" });
      expect(models.requests.at(-1)!.body.response_format).toMatchObject({ json_schema: { name: "weather", schema } });
      const refused = (model: string) =>
        client()
          .chat.completions.create({ model, messages })
          .then(
            () => null,
            (error: InstanceType<typeof OpenAI.APIError>) => error,
          );
      expect(await refused("gpt-4o")).toMatchObject({
        status: 404,
        code: "model_not_found",
        type: "invalid_request_error",
      });
      expect(await refused("ollama:e401")).toMatchObject({ status: 502, type: "provider_error" });
      expect(await refused("ollama:e400")).toBeInstanceOf(OpenAI.BadRequestError);
      const broken = await client().chat.completions.create({ model: "ollama:cut", messages, stream: true });
      expect(Array.fromAsync(broken)).rejects.toThrow();
    });

    test("the AI SDK generates, streams, calls tools, makes objects and tells errors", async () => {
      const { text, usage } = await generateText({ model: ollama()("ollama:text"), prompt: "hi" });
      expect([text, usage.totalTokens]).toEqual(["Hello world", 18]);
      const streamed = streamText({ model: ollama()("ollama:text"), prompt: "hi" });
      expect((await Array.fromAsync(streamed.textStream)).filter((piece) => piece !== "")).toEqual(["Hello ", "world"]);
      expect((await streamed.usage).totalTokens).toBe(18);
      const weather = tool({ inputSchema: z.object({ city: z.string() }), execute: async () => "rain" });
      const called = await generateText({ model: ollama()("ollama:tool"), prompt: "hi", tools: { weather } });
      expect(called.toolResults).toMatchObject([
        { toolName: "weather", input: { city: "because hi" }, output: "rain" },
      ]);
      const pieces = streamText({ model: ollama()("ollama:tool"), prompt: "hi", tools: { weather } });
      expect(await pieces.toolCalls).toMatchObject([{ toolName: "weather", input: { city: "because hi" } }]);
      const { object } = await generateObject({
        model: ollama()("ollama:echo"),
        schema: z.object({ city: z.string() }),
        prompt: WEATHER,
      });
      expect(object).toEqual({ city: "Malmö" });
      const refused = generateText({ model: ollama()("ollama:e400"), prompt: "hi", maxRetries: 0 });
      expect(refused).rejects.toMatchObject({ statusCode: 400, message: expect.stringContaining("fake error 400") });
    });
  },
  variables,
);

// A program of the Vercel AI SDK, with the telemetry that it brings along and no add-on: text with a tool, an object, a stream,
// an embedding. Runs in a folder that has the packages `ai`, `zod`, and of version 7 on `@ai-sdk/otel`.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(`${process.cwd()}/program.mjs`);
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const { OTLPTraceExporter } = await load("@opentelemetry/exporter-trace-otlp-http");
const { NodeTracerProvider, SimpleSpanProcessor } = await load("@opentelemetry/sdk-trace-node");
const ai = await load("ai");
const test = await load("ai/test");
const { z } = await load("zod");

const exporter = new OTLPTraceExporter({ url: `${process.env.COLLECTOR_URL}/v1/traces` });
// Third argument `openinference`: with the processor that writes OpenInference.
const processor =
  process.argv[3] === "openinference"
    ? new (await import("@arizeai/openinference-vercel")).OpenInferenceSimpleSpanProcessor({ exporter })
    : new SimpleSpanProcessor(exporter);
const provider = new NodeTracerProvider({ spanProcessors: [processor] });
provider.register();
if (ai.registerTelemetry) {
  const { OpenTelemetry, LegacyOpenTelemetry } = await load("@ai-sdk/otel");
  ai.registerTelemetry(process.argv[2] === "legacy" ? new LegacyOpenTelemetry() : new OpenTelemetry());
}

const isNewest = test.MockLanguageModelV4 !== undefined;
const isFirst = test.MockLanguageModelV3 === undefined;
const Model = test.MockLanguageModelV4 ?? test.MockLanguageModelV3 ?? test.MockLanguageModelV2;
const EmbeddingModel = test.MockEmbeddingModelV4 ?? test.MockEmbeddingModelV3 ?? test.MockEmbeddingModelV2;
const usage = isFirst
  ? { inputTokens: 20, outputTokens: 7, totalTokens: 27, reasoningTokens: 2, cachedInputTokens: 5 }
  : {
      inputTokens: { total: 20, noCache: 12, cacheRead: 5, cacheWrite: 3 },
      outputTokens: { total: 7, text: 5, reasoning: 2 },
    };
const finish = (reason) => (isFirst ? reason : { unified: reason, raw: reason });
const answer = (content, reason = "stop") => ({ content, finishReason: finish(reason), usage, warnings: [] });
const common = { provider: "example.chat", modelId: "example-1" };
const telemetry = (functionId) => {
  const options = { isEnabled: true, functionId };
  const metadata = { sessionId: "session-1", userId: "user-1", tier: "gold", tries: 2 };
  return isNewest ? { telemetry: options } : { experimental_telemetry: { ...options, metadata } };
};

const asked = new Model({
  ...common,
  doGenerate: async ({ prompt }) =>
    prompt.some(({ role }) => role === "tool")
      ? answer([
          { type: "reasoning", text: "The tool says rain." },
          { type: "text", text: "It rains in Malmö." },
        ])
      : answer(
          [{ type: "tool-call", toolCallId: "call-1", toolName: "weather", input: '{"city":"Malmö"}' }],
          "tool-calls",
        ),
});
await ai.generateText({
  model: asked,
  system: "Be brief.",
  prompt: "How is the weather in Malmö?",
  temperature: 0.5,
  tools: {
    weather: ai.tool({
      description: "The weather of a city",
      inputSchema: z.object({ city: z.string() }),
      execute: async ({ city }) => ({ city, weather: "rain" }),
    }),
  },
  stopWhen: (ai.stepCountIs ?? ai.isStepCount)(3),
  ...telemetry("ask-weather"),
});
await ai.generateObject({
  model: new Model({ ...common, doGenerate: async () => answer([{ type: "text", text: '{"city":"Malmö"}' }]) }),
  schema: z.object({ city: z.string() }),
  messages: [{ role: "user", content: [{ type: "text", text: "Which city?" }] }],
  ...telemetry("find-city"),
});
const parts = [
  { type: "stream-start", warnings: [] },
  { type: "text-start", id: "1" },
  { type: "text-delta", id: "1", delta: "Rain." },
  { type: "text-end", id: "1" },
  { type: "finish", finishReason: finish("stop"), usage },
];
const streaming = new Model({
  ...common,
  doStream: async () => ({
    stream: new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(part);
        controller.close();
      },
    }),
  }),
});
const stream = ai.streamText({ model: streaming, prompt: "In a word?", ...telemetry("one-word") });
for await (const _ of stream.textStream);
const embedding = new EmbeddingModel({
  provider: "example.embedding",
  modelId: "example-embed",
  doEmbed: async ({ values }) => ({ embeddings: values.map(() => [0.1, 0.2]), usage: { tokens: 3 }, warnings: [] }),
});
await ai.embed({ model: embedding, value: "rain", ...telemetry("embed") });
await ai.embedMany({ model: embedding, values: ["rain", "sun"], ...telemetry("embed-all") });
await provider.forceFlush();
await provider.shutdown();

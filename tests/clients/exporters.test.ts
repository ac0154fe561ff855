// The standard exporters, unmodified, send to the real service; what they sent is read back in the next line, without waiting.
import { describe, expect, test } from "bun:test";
import { createClient } from "@arizeai/phoenix-client";
import { getSession } from "@arizeai/phoenix-client/sessions";
import { getSpans } from "@arizeai/phoenix-client/spans";
import { getTraces } from "@arizeai/phoenix-client/traces";
import { register } from "@arizeai/phoenix-otel";
import { OTLPTraceExporter as GrpcExporter } from "@opentelemetry/exporter-trace-otlp-grpc";
import { OTLPTraceExporter as JsonExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter as ProtobufExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import type { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { answerQuestion, providerFor } from "../support/instrumented-program.ts";
import type { RunningService } from "../support/server.ts";
import { forEachService } from "../support/services.ts";

type Compression = NonNullable<NonNullable<ConstructorParameters<typeof ProtobufExporter>[0]>["compression"]>;
const gzip = "gzip" as Compression;

type MakeProvider = (service: RunningService, project: string) => NodeTracerProvider;

const http = (service: RunningService) => ({ url: `${service.url}/v1/traces` });
const grpc = (service: RunningService) => ({ url: `http://127.0.0.1:${service.grpcPort}` });

const exporters: readonly { readonly name: string; readonly provider: MakeProvider }[] = [
  {
    name: "OTLP protobuf over HTTP",
    provider: (service, project) => providerFor(new ProtobufExporter(http(service)), project),
  },
  {
    name: "OTLP protobuf over HTTP, gzip",
    provider: (service, project) => providerFor(new ProtobufExporter({ ...http(service), compression: gzip }), project),
  },
  {
    name: "OTLP JSON over HTTP",
    provider: (service, project) => providerFor(new JsonExporter(http(service)), project),
  },
  {
    name: "OTLP JSON over HTTP, gzip",
    provider: (service, project) => providerFor(new JsonExporter({ ...http(service), compression: gzip }), project),
  },
  { name: "OTLP over gRPC", provider: (service, project) => providerFor(new GrpcExporter(grpc(service)), project) },
  {
    name: "OTLP over gRPC, gzip",
    provider: (service, project) => providerFor(new GrpcExporter({ ...grpc(service), compression: gzip }), project),
  },
  {
    name: "phoenix-otel, span by span",
    provider: (service, project) => register({ projectName: project, url: service.url, batch: false, global: false }),
  },
  {
    name: "phoenix-otel, in batches",
    provider: (service, project) => register({ projectName: project, url: service.url, batch: true, global: false }),
  },
];

forEachService("exporters", (service) => {
  for (const { name, provider: makeProvider } of exporters) {
    describe(name, () => {
      test("a program exports and reads its own trace back in the next line", async () => {
        const project = `exported by ${name.replaceAll(",", "")}`;
        const sessionId = `session of ${name}`;
        const client = createClient({ options: { baseUrl: service.running.url } });
        const provider = makeProvider(service.running, project);
        const answer = answerQuestion(provider, sessionId);
        await provider.forceFlush();
        const { spans } = await getSpans({ client, project: { project } });
        const { traces } = await getTraces({ client, project: { project }, includeSpans: true });
        const session = await getSession({ client, sessionId });
        await provider.shutdown();

        const byName = Object.fromEntries(spans.map((span) => [span.name, span]));
        expect(Object.keys(byName).sort()).toEqual(["answer question", "ask model", "look up weather"]);
        const [chain, model, tool] = [byName["answer question"], byName["ask model"], byName["look up weather"]];
        expect(chain).toMatchObject({
          context: { trace_id: answer.traceId, span_id: answer.rootSpanId },
          parent_id: null,
          span_kind: "CHAIN",
          status_code: "UNSET",
        });
        expect(chain?.attributes).toMatchObject({
          "session.id": sessionId,
          "input.value": "What is the weather in Malmö? 🌦",
          "output.value": "I could not find out.",
          "metadata.tier": "gold",
        });
        expect(model).toMatchObject({ parent_id: answer.rootSpanId, span_kind: "LLM", status_code: "OK" });
        expect(model?.attributes).toMatchObject({
          "llm.token_count.prompt": 12,
          "llm.input_messages.0.message.content": "What is the weather in Malmö? 🌦",
        });
        expect(tool).toMatchObject({
          parent_id: model?.context.span_id,
          span_kind: "TOOL",
          status_code: "ERROR",
          status_message: "No weather today",
        });
        expect(tool?.events).toMatchObject([{ name: "exception", attributes: { "exception.type": "TypeError" } }]);

        expect(traces).toHaveLength(1);
        expect(traces[0]).toMatchObject({
          trace_id: answer.traceId,
          token_count_prompt: 12,
          token_count_completion: 5,
        });
        expect(traces[0]?.spans?.map((span) => span.name).sort()).toEqual([
          "answer question",
          "ask model",
          "look up weather",
        ]);
        expect(session.traces.map((trace) => trace.traceId)).toEqual([answer.traceId]);
      });
    });
  }

  test("what several exporters send at once is all there when the last one is answered", async () => {
    const project = "exported at once";
    const client = createClient({ options: { baseUrl: service.running.url } });
    const providers = exporters.map(({ provider }) => provider(service.running, project));
    const answers = providers.map((provider) => answerQuestion(provider, "shared session"));
    await Promise.all(providers.map((provider) => provider.forceFlush()));
    const session = await getSession({ client, sessionId: "shared session" });
    const { spans } = await getSpans({ client, project: { project }, limit: 1000 });
    await Promise.all(providers.map((provider) => provider.shutdown()));
    expect(session.traces.map((trace) => trace.traceId).sort()).toEqual(answers.map(({ traceId }) => traceId).sort());
    expect(spans).toHaveLength(3 * providers.length);
  });
});

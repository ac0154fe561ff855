// A small instrumented program, as a user would write one: it answers a question with a model and a tool that fails.
import { context, type Span, SpanStatusCode, trace } from "@opentelemetry/api";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { NodeTracerProvider, SimpleSpanProcessor, type SpanExporter } from "@opentelemetry/sdk-trace-node";

/** A provider that sends every span to `exporter` and files it under `project`. */
export function providerFor(exporter: SpanExporter, project: string): NodeTracerProvider {
  return new NodeTracerProvider({
    resource: resourceFromAttributes({ "openinference.project.name": project, "service.name": "example" }),
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  });
}

export interface Answer {
  readonly traceId: string;
  readonly rootSpanId: string;
}

/** Three spans: a chain, a model call below it with 12 + 5 tokens, and a tool call below that, which fails. */
export function answerQuestion(provider: NodeTracerProvider, sessionId: string): Answer {
  const tracer = provider.getTracer("example");
  const begin = (name: string, kind: string, parent: Span | null) =>
    tracer.startSpan(
      name,
      { attributes: { "openinference.span.kind": kind, "session.id": sessionId } },
      parent === null ? context.active() : trace.setSpan(context.active(), parent),
    );

  const chain = begin("answer question", "CHAIN", null);
  chain.setAttributes({ "input.value": "What is the weather in Malmö? 🌦", metadata: '{"tier":"gold"}' });
  const model = begin("ask model", "LLM", chain);
  model.setAttributes({
    "llm.model_name": "example-1",
    "llm.token_count.prompt": 12,
    "llm.token_count.completion": 5,
    "llm.input_messages.0.message.role": "user",
    "llm.input_messages.0.message.content": "What is the weather in Malmö? 🌦",
  });
  const tool = begin("look up weather", "TOOL", model);
  tool.recordException(new TypeError("No weather today"));
  tool.setStatus({ code: SpanStatusCode.ERROR, message: "No weather today" });
  tool.end();
  model.setStatus({ code: SpanStatusCode.OK });
  model.end();
  chain.setAttribute("output.value", "I could not find out.");
  chain.end();
  const { traceId, spanId } = chain.spanContext();
  return { traceId, rootSpanId: spanId };
}

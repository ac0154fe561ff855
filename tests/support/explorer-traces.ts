// Traces for the tests of the explorer: some that failed, and model calls that hold conversations.
import { exportTo, sendSpans } from "./dataset.ts";
import type { HttpClient } from "./http.ts";
import type { OtlpSpan } from "./otlp-encode.ts";
export const BEGIN_MS = Date.now() - 3_600_000;
const TRACES = 30;
const hex = (text: string, digits: number) => Bun.hash(text).toString(16).padStart(16, "0").padEnd(digits, "a");
const texts = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([key, stringValue]) => ({ key, value: { stringValue } }));

/** A root of kind AGENT and a model call below it; every tenth trace failed in the call. */
export function trace(at: number, startMs = BEGIN_MS + at * 60_000): OtlpSpan[] {
  const traceId = hex(`trace ${at} ${startMs}`, 32);
  const spanId = (name: string) => hex(`${name} ${at} ${startMs}`, 16);
  const failed = at % 10 === 5;
  const nanoseconds = (ms: number) => `${startMs + ms}000000`;
  const question = at === 7 ? "Where is the Straße der Pariser Kommune?" : `Question ${at}`;
  return [
    {
      traceId,
      spanId: spanId("root"),
      name: "support_agent",
      startTimeUnixNano: nanoseconds(0),
      endTimeUnixNano: nanoseconds(100 * (at + 1)),
      status: { code: 1 },
      attributes: texts({
        "openinference.span.kind": "AGENT",
        "input.value": question,
        "output.value": `Answer ${at}`,
      }),
    },
    {
      traceId,
      spanId: spanId("call"),
      parentSpanId: spanId("root"),
      name: "ChatCompletion",
      startTimeUnixNano: nanoseconds(10),
      endTimeUnixNano: nanoseconds(90),
      status: failed ? { code: 2, message: "too slow" } : { code: 1 },
      attributes: texts({ "openinference.span.kind": "LLM", "llm.model_name": at % 2 ? "gpt-4o" : "claude" }),
      events: failed
        ? [
            {
              name: "exception",
              timeUnixNano: nanoseconds(90),
              attributes: texts({ "exception.type": "TimeoutError" }),
            },
          ]
        : [],
    },
  ];
}

/** Two model calls that hold a conversation behind a long system message, in the two conventions. */
function conversations(): OtlpSpan[] {
  const system = "You help the customers of a shop. ".repeat(20);
  const span = (name: string, at: number, attributes: Readonly<Record<string, string>>): OtlpSpan => ({
    traceId: hex(name, 32),
    spanId: hex(name, 16),
    name,
    startTimeUnixNano: `${BEGIN_MS + at}000000`,
    endTimeUnixNano: `${BEGIN_MS + at + 1000}000000`,
    attributes: texts(attributes),
  });
  const part = (role: string, content: string) => ({ role, parts: [{ type: "text", content }] });
  return [
    span("openinference", 0, {
      "openinference.span.kind": "LLM",
      "input.value": JSON.stringify({ messages: [{ role: "system", content: system }] }),
      "output.value": JSON.stringify({ id: "chatcmpl-1", choices: [] }),
      "llm.input_messages.0.message.role": "system",
      "llm.input_messages.0.message.content": system,
      "llm.input_messages.1.message.role": "user",
      "llm.input_messages.1.message.content": "Where is **my order**?",
      "llm.output_messages.0.message.role": "assistant",
      "llm.output_messages.0.message.content": "# Found\n- It is on `its way`",
    }),
    span("gen_ai", 1, {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "gpt-4o",
      "gen_ai.input.messages": JSON.stringify([part("system", system), part("user", "أين طلبي؟")]),
      "gen_ai.output.messages": JSON.stringify([{ ...part("assistant", "It has arrived."), finish_reason: "stop" }]),
    }),
  ];
}

export async function seed(client: HttpClient): Promise<void> {
  await sendSpans(exportTo(client), "talks", conversations());
  const spans = Array.from({ length: TRACES }, (_, at) => trace(at)).flat();
  await sendSpans(exportTo(client), "support-bot", spans);
}

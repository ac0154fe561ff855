// Traces that are hard to read: a system prompt of 21 kB, a crew of twelve agents with a thousand equal calls, a failure far below,
// pictures, and a stack of library frames.
import type { OtlpSpan } from "./otlp-encode.ts";
import { attributesOf, messages, nanoseconds, type PanelSpan, type Plain, traceOf } from "./panel-traces.ts";

const RULE =
  "Answer in the customer's language; name the page of the handbook that you rely on, and never promise refunds. ";

/** 160 lines, about 21 kB. */
export const SYSTEM_PROMPT = Array.from({ length: 160 }, (_, at) => `${at + 1}. ${RULE}`.padEnd(131, "x")).join("\n");
export const QUESTION = "The label of my parcel does not scan. What shall I do?";
export const ANSWER = "I have sent you a **new label**. Print it, and stick it over the old one.";

const handbook = JSON.stringify({ pages: Array.from({ length: 60 }, (_, at) => ({ page: at, text: RULE.repeat(2) })) });
const earlier: readonly Readonly<Record<string, Plain>>[] = Array.from({ length: 12 }, (_, at) =>
  at % 2 === 0
    ? { role: "user", content: `Earlier question ${at / 2 + 1}: ${RULE}` }
    : { role: "assistant", content: `Earlier answer ${(at + 1) / 2}: ${RULE}` },
);
const offered = JSON.stringify({
  type: "function",
  function: { name: "read_handbook", description: RULE.repeat(10), parameters: { type: "object", properties: {} } },
});

/** A model call after twelve messages and one look into a handbook; once with attributes of OpenInference, once of GenAI. */
export function deskTrace(name: string, startMs: number): OtlpSpan[] {
  const asked = [
    { role: "system", content: SYSTEM_PROMPT },
    ...earlier,
    { role: "user", content: QUESTION },
    {
      role: "assistant",
      "tool_calls.0.tool_call.id": "call_1",
      "tool_calls.0.tool_call.function.name": "read_handbook",
      "tool_calls.0.tool_call.function.arguments": "{}",
    },
    { role: "tool", tool_call_id: "call_1", content: handbook },
  ];
  const part = (content: string) => [{ type: "text", content }];
  const genai = {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "gpt-4o",
    "gen_ai.system_instructions": JSON.stringify(part(SYSTEM_PROMPT)),
    "gen_ai.input.messages": JSON.stringify([
      ...earlier.map(({ role, content }) => ({ role, parts: part(String(content)) })),
      { role: "user", parts: part(QUESTION) },
    ]),
    "gen_ai.output.messages": JSON.stringify([{ role: "assistant", parts: part(ANSWER), finish_reason: "stop" }]),
  };
  const openInference = {
    "llm.model_name": "gpt-4o",
    "llm.token_count.prompt": 5400,
    "llm.token_count.completion": 24,
    "llm.tools.0.tool.json_schema": offered,
    "llm.invocation_parameters": '{"temperature": 0.2}',
    ...messages("input", asked),
    ...messages("output", [{ role: "assistant", content: ANSWER, finish_reason: "stop" }]),
  };
  const spans: PanelSpan[] = [
    { id: "call", parent: "desk", name: "ChatCompletion", kind: "LLM", from: 40, to: 2300, attributes: openInference },
    { id: "chat", parent: "desk", name: "chat gpt-4o", kind: "LLM", from: 2310, to: 3900, attributes: genai },
    {
      id: "desk",
      name: "support_desk",
      kind: "AGENT",
      from: 0,
      to: 4000,
      attributes: { "input.value": QUESTION, "output.value": ANSWER },
    },
  ];
  return traceOf(name, startMs, spans);
}

export const READS = 1200;
/** The one of the reads that fails. */
export const FAILED_READ = 733;
const CREW = ["planner", "researcher", "writer", "critic", "editor", "translator"];

/** An agent with twelve agents below it, each in wrappers and with calls of its own; one of them reads 1,200 pages. */
export function crewTrace(name: string, startMs: number): OtlpSpan[] {
  const spans: PanelSpan[] = [];
  const length = 90_000;
  for (let at = 0; at < 12; at++) {
    const [from, to] = [200 + at * 5000, 9000 + at * 6500];
    const agent = `agent ${at}`;
    const own = `${CREW[at % CREW.length]}_${at + 1}`;
    spans.push(
      {
        id: agent,
        parent: `node ${at}`,
        name: own,
        kind: "AGENT",
        from,
        to,
        attributes: { "input.value": `Part ${at}` },
      },
      { id: `node ${at}`, parent: "graph", name: "RunnableSequence", kind: "CHAIN", from: from - 20, to: to + 20 },
    );
    for (let step = 0; step < 6; step++) {
      const begin = from + 100 + step * 1300;
      spans.push({
        id: `${at} call ${step}`,
        parent: agent,
        name: "ChatCompletion",
        kind: "LLM",
        from: begin,
        to: begin + 900,
      });
      spans.push({
        id: `${at} look ${step}`,
        parent: agent,
        name: "web_search",
        kind: "TOOL",
        from: begin + 910,
        to: begin + 1250,
      });
    }
  }
  for (let at = 0; at < READS; at++) {
    const from = 15_000 + at * 12;
    const failed = at === FAILED_READ ? { error: "HTTPError: 502 Bad Gateway" } : {};
    const attributes = { "input.value": `https://example.invalid/page/${at}` };
    spans.push({
      id: `read ${at}`,
      parent: "agent 1",
      name: "read_page",
      kind: "TOOL",
      from,
      to: from + 60 + (at % 73),
      ...failed,
      attributes,
    });
  }
  spans.push({ id: "graph", parent: "crew", name: "CrewGraph", kind: "CHAIN", from: 10, to: length - 10 });
  spans.push({
    id: "crew",
    name: "report_crew",
    kind: "AGENT",
    from: 0,
    to: length,
    attributes: { "input.value": "Write the report" },
  });
  return traceOf(name, startMs, spans);
}

const frame = (file: string, line: number, inside: string, code: string) =>
  `  File "${file}", line ${line}, in ${inside}\n    ${code}`;
const SITE = "/usr/lib/python3.12/site-packages";

export const STACK_TRACE = [
  "Traceback (most recent call last):",
  frame(
    "/srv/app/desk.py",
    41,
    "answer",
    'orders = await fetch_orders(customer, include=["items", "labels", "shipments", "payments", "refunds"], timeout=2.0)',
  ),
  ...Array.from({ length: 9 }, (_, at) =>
    frame(`${SITE}/httpx/_transports/layer_${at}.py`, 100 + at, "handle_request", "return self._next(request)"),
  ),
  frame("/srv/app/orders.py", 12, "fetch_orders", "raise Unreachable(host) if tries != 3 else last"),
  "Unreachable: orders.internal did not answer",
].join("\n");

/** A root that fails because something four levels below it failed first; its siblings fail later. */
export function brokenTrace(name: string, startMs: number): OtlpSpan[] {
  const raised = {
    "exception.type": "Unreachable",
    "exception.message": "orders.internal did not answer",
    "exception.stacktrace": STACK_TRACE,
  };
  const failed = "Unreachable: orders.internal did not answer";
  return traceOf(name, startMs, [
    { id: "warm", parent: "root", name: "guard_input", kind: "GUARDRAIL", from: 5, to: 60 },
    {
      id: "http",
      parent: "tool",
      name: "GET /orders",
      kind: "TOOL",
      from: 400,
      to: 2400,
      error: failed,
      events: [{ name: "exception", timeUnixNano: nanoseconds(startMs + 2400), attributes: attributesOf(raised) }],
    },
    { id: "tool", parent: "agent", name: "fetch_orders", kind: "TOOL", from: 380, to: 2420, error: failed },
    { id: "agent", parent: "chain", name: "order_agent", kind: "AGENT", from: 300, to: 2500, error: failed },
    { id: "chain", parent: "root", name: "Sequence", kind: "CHAIN", from: 290, to: 2510, error: failed },
    {
      id: "late",
      parent: "root",
      name: "apologise",
      kind: "LLM",
      from: 2520,
      to: 3000,
      error: "RateLimitError: too many",
    },
    {
      id: "root",
      name: "order_desk",
      kind: "AGENT",
      from: 0,
      to: 3100,
      error: failed,
      attributes: { "input.value": "Where is my order?" },
    },
  ]);
}

/** A picture of `width` × `height` pixels in a data address. */
export function drawing(width: number, height: number): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#5b7fe0"/><circle cx="50%" cy="50%" r="30%" fill="#f0ad3d"/></svg>`;
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}

/** A user who shows a picture to a model. */
export function pictureTrace(
  name: string,
  startMs: number,
  attributes: Readonly<Record<string, Plain>> = {},
): OtlpSpan[] {
  const seen = {
    "llm.model_name": "gpt-4o",
    "llm.input_messages.0.message.role": "user",
    "llm.input_messages.0.message.contents.0.message_content.type": "text",
    "llm.input_messages.0.message.contents.0.message_content.text": "What does this picture show?",
    "llm.input_messages.0.message.contents.1.message_content.type": "image",
    "llm.input_messages.0.message.contents.1.message_content.image.image.url": drawing(320, 200),
    ...messages("output", [{ role: "assistant", content: "A yellow disc on a blue ground." }]),
  };
  return traceOf(name, startMs, [
    { id: "look", name: "describe_picture", kind: "LLM", from: 0, to: 1400, attributes: { ...seen, ...attributes } },
  ]);
}

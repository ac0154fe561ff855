// Traces for tests of the trace panel: an agent at work with one failure, thousands of spans, megabytes of text, circles, and
// what somebody hostile would send.
import type { OtlpAttribute, OtlpEvent, OtlpSpan, OtlpValue } from "./otlp-encode.ts";

export type Plain = string | number | boolean | readonly Plain[] | { readonly [key: string]: Plain };

export interface PanelSpan {
  readonly id: string;
  readonly parent?: string;
  readonly name: string;
  readonly kind: string;
  /** Milliseconds from the start of the trace. */
  readonly from: number;
  readonly to: number;
  readonly error?: string;
  readonly ok?: boolean;
  readonly attributes?: Readonly<Record<string, Plain>>;
  readonly events?: readonly OtlpEvent[];
}

/** A fixed id of 32 or 16 hexadecimal digits for a name. */
export function hexId(name: string, digits: 16 | 32): string {
  return Bun.hash(name, digits).toString(16).padStart(16, "0").repeat(2).slice(0, digits);
}

function anyValueOf(value: Plain): OtlpValue {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number") return Number.isInteger(value) ? { intValue: value } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValueOf) } };
  return { kvlistValue: { values: attributesOf(value as Readonly<Record<string, Plain>>) } };
}

export function attributesOf(values: Readonly<Record<string, Plain>>): OtlpAttribute[] {
  return Object.entries(values).map(([key, value]) => ({ key, value: anyValueOf(value) }));
}

export function nanoseconds(ms: number): string {
  return String(BigInt(Math.round(ms * 1000)) * 1000n);
}

/** The spans of one trace; ids are made of the trace's name and their own. */
export function traceOf(name: string, startMs: number, spans: readonly PanelSpan[]): OtlpSpan[] {
  const traceId = hexId(name, 32);
  return spans.map(({ id, parent, name: spanName, kind, from, to, error, ok, attributes = {}, events }) => ({
    traceId,
    spanId: hexId(`${name}/${id}`, 16),
    ...(parent === undefined ? {} : { parentSpanId: hexId(`${name}/${parent}`, 16) }),
    name: spanName,
    startTimeUnixNano: nanoseconds(startMs + from),
    endTimeUnixNano: nanoseconds(startMs + to),
    status: error === undefined ? { code: ok === false ? 0 : 1 } : { code: 2, message: error },
    attributes: attributesOf({ "openinference.span.kind": kind, ...attributes }),
    ...(events === undefined ? {} : { events }),
  }));
}

/** Flat attributes of a list of messages. */
export function messages(side: "input" | "output", list: readonly Readonly<Record<string, Plain>>[]) {
  return Object.fromEntries(
    list.flatMap((message, index) =>
      Object.entries(message).map(([key, value]) => [`llm.${side}_messages.${index}.message.${key}`, value] as const),
    ),
  );
}

const question = "How do I rotate an API key without breaking the nightly job?";
const system = "You are a helpful support agent. Answer from the documents, name the page.";
const answer = `Create the **second key first**, then switch the job, then revoke the old one:

1. Settings, *API keys*, "New key"
2. Change \`SUPPORT_API_KEY\` of the job
3. Revoke the old key

\`\`\`python
client = Client(api_key=os.environ["SUPPORT_API_KEY"])  # read at start
\`\`\`

Both work for 24 hours. See page "Rotating keys".`;
const called = {
  role: "assistant",
  content: "Let me look at your account first.",
  "tool_calls.0.tool_call.id": "call_1",
  "tool_calls.0.tool_call.function.name": "lookup_account",
  "tool_calls.0.tool_call.function.arguments": '{"user_id": 42, "include": ["keys", "plan"]}',
};
const tool = (name: string, description: string, properties: object) =>
  JSON.stringify({
    type: "function",
    function: {
      name,
      description,
      parameters: { type: "object", properties, required: Object.keys(properties).slice(0, 1) },
    },
  });
const model = {
  "llm.model_name": "gpt-4o",
  "llm.provider": "openai",
  "llm.invocation_parameters": '{"model": "gpt-4o", "temperature": 0.2, "max_tokens": 800}',
  "llm.tools.0.tool.json_schema": tool("lookup_account", "Finds an account and what belongs to it.", {
    user_id: { type: "integer", description: "Number of the account." },
    include: { type: "array", items: { type: "string" } },
  }),
  "llm.tools.1.tool.json_schema": tool("open_ticket", "Opens a ticket for a person to answer.", {
    subject: { type: "string" },
    urgency: { enum: ["low", "high"] },
  }),
};
const page = (id: string, score: number, content: string, at: string, list = "retrieval.documents", index = 0) => ({
  [`${list}.${index}.document.id`]: id,
  [`${list}.${index}.document.score`]: score,
  [`${list}.${index}.document.content`]: content,
  [`${list}.${index}.document.metadata`]: JSON.stringify({ page: at, language: "en" }),
});
const rotating =
  "A second key can be created at any time. Both keys work for 24 hours after the first call with the new one.";
const limits =
  "Keys of the free plan are limited to 60 calls a minute. The limit belongs to the account, not to the key.";
const jobs = "The nightly job reads its key when it starts. A change takes effect with the next run.";

/** Fourteen spans of a support agent: nine that matter, five wrappers, one tool that times out. */
export function agentTrace(name: string, startMs: number): OtlpSpan[] {
  const spans: PanelSpan[] = [
    {
      id: "agent",
      name: "support_agent",
      kind: "AGENT",
      from: 0,
      to: 6200,
      attributes: {
        "input.value": question,
        "output.value": answer,
        "session.id": "chat-7131",
        "user.id": "user-12",
        metadata: JSON.stringify({ plan: "team", channel: "web", experiment: { name: "prompt-v3", share: 0.5 } }),
      },
    },
    { id: "graph", parent: "agent", name: "AgentGraph.invoke", kind: "CHAIN", from: 20, to: 6190 },
    { id: "prepare", parent: "graph", name: "RunnableSequence", kind: "CHAIN", from: 30, to: 640 },
    {
      id: "retrieve",
      parent: "prepare",
      name: "retrieve_docs",
      kind: "RETRIEVER",
      from: 62,
      to: 620,
      attributes: {
        "input.value": question,
        ...page("doc-18", 0.91, rotating, "Rotating keys"),
        ...page("doc-04", 0.84, limits, "Limits", "retrieval.documents", 1),
        ...page("doc-31", 0.8, jobs, "Nightly jobs", "retrieval.documents", 2),
      },
    },
    {
      id: "embed",
      parent: "retrieve",
      name: "embed_query",
      kind: "EMBEDDING",
      from: 93,
      to: 229,
      attributes: {
        "embedding.model_name": "text-embedding-3-small",
        "embedding.embeddings.0.embedding.text": question,
        "embedding.embeddings.0.embedding.vector": Array.from({ length: 64 }, (_, at) => Math.sin(at) / 3),
      },
    },
    {
      id: "rerank",
      parent: "retrieve",
      name: "rerank",
      kind: "RERANKER",
      from: 310,
      to: 558,
      attributes: {
        "reranker.query": question,
        "reranker.model_name": "rerank-2",
        ...page("doc-04", 0.84, limits, "Limits", "reranker.input_documents", 0),
        ...page("doc-18", 0.91, rotating, "Rotating keys", "reranker.input_documents", 1),
        ...page("doc-18", 0.97, rotating, "Rotating keys", "reranker.output_documents", 0),
        ...page("doc-04", 0.31, limits, "Limits", "reranker.output_documents", 1),
      },
    },
    {
      id: "guard",
      parent: "graph",
      name: "guard_input",
      kind: "GUARDRAIL",
      from: 62,
      to: 372,
      attributes: {
        "input.value": question,
        "output.value": '{"allowed": true, "labels": []}',
        "output.mime_type": "application/json",
      },
    },
    { id: "prompt", parent: "graph", name: "ChatPromptTemplate", kind: "PROMPT", from: 660, to: 662 },
    {
      id: "first",
      parent: "graph",
      name: "ChatCompletion",
      kind: "LLM",
      from: 682,
      to: 2356,
      attributes: {
        ...model,
        "llm.token_count.prompt": 1204,
        "llm.token_count.completion": 96,
        "llm.token_count.prompt_details.cache_read": 1024,
        "input.value": JSON.stringify({
          messages: [
            { role: "system", content: system },
            { role: "user", content: question },
          ],
        }),
        "input.mime_type": "application/json",
        ...messages("input", [
          { role: "system", content: system },
          { role: "user", content: question },
        ]),
        ...messages("output", [{ ...called, finish_reason: "tool_calls" }]),
        metadata: JSON.stringify({ prompt: "support-v3", attempt: 1 }),
      },
      events: [{ name: "First Token Stream Event", timeUnixNano: nanoseconds(startMs + 682 + 410) }],
    },
    { id: "router", parent: "graph", name: "ToolNode", kind: "CHAIN", from: 2380, to: 4440 },
    {
      id: "lookup",
      parent: "router",
      name: "lookup_account",
      kind: "TOOL",
      from: 2418,
      to: 4402,
      error: "TimeoutError: upstream timeout after 2.0 s",
      attributes: {
        "tool.name": "lookup_account",
        "tool.description": "Finds an account and what belongs to it.",
        "input.value": '{"user_id": 42, "include": ["keys", "plan"]}',
        "input.mime_type": "application/json",
      },
      events: [
        {
          name: "exception",
          timeUnixNano: nanoseconds(startMs + 4400),
          attributes: attributesOf({
            "exception.type": "TimeoutError",
            "exception.message": "upstream timeout after 2.0 s",
            "exception.stacktrace":
              'Traceback (most recent call last):\n  File "app.py", line 12, in call\n    return client.get(path, timeout=2.0)\n  File "client.py", line 88, in get\n    raise TimeoutError("upstream timeout after 2.0 s")\nTimeoutError: upstream timeout after 2.0 s',
          }),
        },
      ],
    },
    {
      id: "second",
      parent: "graph",
      name: "ChatCompletion",
      kind: "LLM",
      from: 4464,
      to: 5994,
      attributes: {
        ...model,
        "llm.token_count.prompt": 2412,
        "llm.token_count.completion": 408,
        ...messages("input", [
          { role: "system", content: system },
          { role: "user", content: question },
          called,
          { role: "tool", tool_call_id: "call_1", content: '{"error": "timeout", "retry_after": 30}' },
        ]),
        ...messages("output", [{ role: "assistant", content: answer, finish_reason: "stop" }]),
      },
    },
    { id: "parse", parent: "graph", name: "StrOutputParser", kind: "CHAIN", from: 5995, to: 5998 },
    {
      id: "judge",
      parent: "graph",
      name: "judge_answer",
      kind: "EVALUATOR",
      from: 6012,
      to: 6180,
      attributes: { "output.value": '{"label": "correct", "score": 0.9}', "output.mime_type": "application/json" },
    },
  ];
  // As exporters send them: a span when it has ended.
  return traceOf(
    name,
    startMs,
    spans.toSorted((one, other) => one.to - other.to),
  );
}

/** A trace of many spans below each other and beside each other, sent root last. */
export function wideTrace(name: string, startMs: number, count: number): OtlpSpan[] {
  const kinds = ["CHAIN", "LLM", "TOOL", "CHAIN", "RETRIEVER"];
  const spans: PanelSpan[] = Array.from({ length: count }, (_, at) => ({
    id: String(at),
    ...(at === 0 ? {} : { parent: String(Math.floor((at - 1) / 6)) }),
    name: at === 0 ? "batch" : `step ${at}`,
    kind: kinds[at % kinds.length]!,
    from: at,
    to: at === 0 ? count * 2 : at + 40 + (at % 300),
    attributes: {
      "input.value": `input of step ${at}`,
      "output.value": at === count - 7 ? "the needle in the stack" : `output ${at}`,
    },
  }));
  return traceOf(name, startMs, spans).reverse();
}

/** A picture without compression: `side` × `side` pixels of one colour. */
function bitmap(side: number): string {
  const pixels = Buffer.alloc(side * side * 4, 0x7f);
  const head = Buffer.alloc(54);
  head.write("BM");
  head.writeUInt32LE(54 + pixels.length, 2);
  head.writeUInt32LE(54, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(side, 18);
  head.writeInt32LE(side, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(32, 28);
  return `data:image/bmp;base64,${Buffer.concat([head, pixels]).toString("base64")}`;
}

/** A span with an output of `bytes` letters in lines and an end that can be told, one with as long a JSON, one with a picture. */
export function largeTrace(name: string, startMs: number, bytes: number): OtlpSpan[] {
  const end = "the end of it";
  const line = `${"lorem ipsum dolor sit amet ".repeat(4)}\n`;
  const output = line.repeat(Math.ceil(bytes / line.length)).slice(0, bytes - end.length) + end;
  const rows = Array.from({ length: bytes / 50 }, (_, at) => ({ row: at, word: "lorem ipsum dolor sit amet" }));
  const picture = {
    "llm.output_messages.0.message.role": "assistant",
    "llm.output_messages.0.message.contents.0.message_content.type": "image",
    "llm.output_messages.0.message.contents.0.message_content.image.image.url": bitmap(160),
  };
  return traceOf(name, startMs, [
    {
      id: "json",
      parent: "text",
      name: "read_table",
      kind: "TOOL",
      from: 10,
      to: 90,
      attributes: { "output.value": JSON.stringify({ rows }) },
    },
    { id: "image", parent: "text", name: "draw", kind: "LLM", from: 100, to: 400, attributes: picture },
    {
      id: "text",
      name: "write_report",
      kind: "CHAIN",
      from: 0,
      to: 900,
      attributes: { "input.value": "go", "output.value": output },
    },
  ]);
}

const hostileMarkdown = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "[click](javascript:alert(1)) and [page](https://example.invalid/page)",
  "![pixel](https://example.invalid/pixel.png)",
  '<iframe src="https://example.invalid"></iframe>',
].join("\n\n");

/** Scripts in every place, JSON of ten thousand levels, writing from right to left, and values of shapes nobody expects. */
export function hostileTrace(name: string, startMs: number): OtlpSpan[] {
  const below = { parent: "root", kind: "LLM", from: 1, to: 2 };
  return traceOf(name, startMs, [
    {
      ...below,
      id: "deep",
      name: "deep",
      attributes: { "input.value": "[".repeat(10_000) + "]".repeat(10_000), "input.mime_type": "application/json" },
    },
    {
      ...below,
      id: "rtl",
      name: "שלום",
      from: 2,
      attributes: messages("input", [{ role: "user", content: "مرحبا بالعالم" }]),
    },
    {
      ...below,
      id: "odd",
      name: "odd shapes",
      from: 3,
      to: 4,
      attributes: {
        "llm.input_messages": "not a list",
        "llm.tools": 5,
        "llm.invocation_parameters": "[1, 2",
        "retrieval.documents": [1, "two", true],
        metadata: "{broken",
        "llm.output_messages.0.message": "text where an object belongs",
        "llm.output_messages.1.message.tool_calls": "none",
        "constructor.prototype.x": 1,
        "__proto__.polluted": true,
      },
    },
    {
      id: "root",
      name: "<img src=x onerror=alert(1)>",
      kind: "AGENT",
      from: 0,
      to: 10,
      error: "<script>alert(2)</script>",
      attributes: {
        "input.value": "</textarea><script>alert(3)</script>",
        "output.value": hostileMarkdown,
        "user.id": "<b>user</b>",
      },
    },
  ]);
}

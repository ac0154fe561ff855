// The spans of one trace, as an agent that answers a question with models, tools and a search makes them.

/** `small`: 25 attributes, 1.3 KB. `llm`: 25 attributes, 13 KB of text. `page`: 25 attributes, 2 to 8 KB. */
export type SpanSize = "small" | "llm" | "page";
export const spanSizes: readonly SpanSize[] = ["small", "llm", "page"];

export const SPANS_PER_TRACE = 20;

export interface TreeSpan {
  /** Position in the order of sending: children end, and are sent, before their parents. */
  readonly position: number;
  readonly name: string;
  readonly kind: "AGENT" | "CHAIN" | "LLM" | "TOOL" | "RETRIEVER" | "EMBEDDING";
  readonly parent: number | null;
  /** Nanoseconds after the start of the trace. */
  readonly startOffset: bigint;
  readonly endOffset: bigint;
  readonly failed: boolean;
}

interface Node {
  readonly name: string;
  readonly kind: TreeSpan["kind"];
  readonly milliseconds: number;
  readonly children?: readonly Node[];
}

const search: Node = {
  name: "search documents",
  kind: "RETRIEVER",
  milliseconds: 40,
  children: [{ name: "embed query", kind: "EMBEDDING", milliseconds: 15 }],
};
const model: Node = { name: "ChatCompletion", kind: "LLM", milliseconds: 900 };
const tool: Node = { name: "look up order", kind: "TOOL", milliseconds: 120 };
const step = (name: string, children: readonly Node[]): Node => ({ name, kind: "CHAIN", milliseconds: 30, children });

const root: Node = {
  name: "answer question",
  kind: "AGENT",
  milliseconds: 50,
  children: [
    step("understand", [model, search]),
    step("gather", [tool, search, model, tool]),
    step("reason", [model, tool, model]),
    step("write answer", [model, step("check answer", [tool, model])]),
  ],
};

/** The spans of a trace in the order in which they end. The third tool call fails. */
export function treeOfSpans(): TreeSpan[] {
  const spans: TreeSpan[] = [];
  let tools = 0;
  const visit = (node: Node, startMs: number): { readonly position: number; readonly endMs: number } => {
    let endMs = startMs + 1;
    const children: number[] = [];
    for (const child of node.children ?? []) {
      const visited = visit(child, endMs);
      children.push(visited.position);
      endMs = visited.endMs;
    }
    endMs += node.milliseconds;
    if (node.kind === "TOOL") tools++;
    const position = spans.length;
    spans.push({
      position,
      name: node.name,
      kind: node.kind,
      parent: null,
      startOffset: BigInt(startMs) * 1_000_000n,
      endOffset: BigInt(endMs) * 1_000_000n,
      failed: node.kind === "TOOL" && tools === 3,
    });
    for (const child of children) spans[child] = { ...spans[child]!, parent: position };
    return { position, endMs };
  };
  visit(root, 0);
  if (spans.length !== SPANS_PER_TRACE) throw new Error(`A trace has ${spans.length} spans`);
  return spans;
}

/** Characters of input and output together, by size and kind. */
function textLength(size: SpanSize, span: TreeSpan): number {
  if (size === "small") return 210;
  if (size === "llm") return 12_000;
  return 1200 + (span.position % 6) * 1200;
}

/** 25 attributes of a span. Without a session another one takes its place. */
export function attributesOf(span: TreeSpan, size: SpanSize, session: string | null): Record<string, unknown> {
  const length = textLength(size, span);
  const input = prose(length * 0.6, span.position);
  const output = prose(length * 0.4, span.position + 100);
  return {
    "openinference.span.kind": span.kind,
    ...(session === null ? { "app.channel": "single request" } : { "session.id": session }),
    "user.id": `user-${span.position}`,
    "input.value": input,
    "input.mime_type": "text/plain",
    "output.value": output,
    "output.mime_type": "text/plain",
    "llm.model_name": span.kind === "LLM" ? "gpt-4o-mini" : "none",
    "llm.provider": "openai",
    "llm.system": "openai",
    "llm.invocation_parameters": '{"temperature":0.2,"max_tokens":1024}',
    "llm.token_count.prompt": 200 + span.position * 7,
    "llm.token_count.completion": 50 + span.position * 3,
    "llm.token_count.total": 250 + span.position * 10,
    "llm.input_messages.0.message.role": "system",
    "llm.input_messages.0.message.content": "You are a helpful assistant of a shop.",
    "llm.input_messages.1.message.role": "user",
    "llm.output_messages.0.message.role": "assistant",
    "tool.name": span.kind === "TOOL" ? span.name : "none",
    "tool.parameters": '{"order":"A-1042"}',
    "app.customer.tier": "gold",
    "app.release": "2026.11.3",
    "app.retries": span.position % 3,
    "app.score": 0.25 + span.position / 100,
    "app.cached": span.position % 2 === 0,
  };
}

const words =
  "the order was shipped on monday and should arrive within three days please check whether our warehouse still has the blue jacket in size medium because a customer asked for an exchange last week".split(
    " ",
  );

/** Text of about that many characters, different for each seed and the same in every run. */
function prose(length: number, seed: number): string {
  let text = "";
  let state = seed * 2_654_435_761 + 1;
  while (text.length < length) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += `${words[state % words.length]} `;
  }
  return text.slice(0, length);
}

// The spans of one turn of the example agent: a check, a plan by a model, a look into the help center, a tool, the answer.
import type { ExampleTurn } from "./conversations.ts";
import type { Draw } from "./draw.ts";
import { type ExampleSpan, type Timeline, timelineOf } from "./timeline.ts";

interface TurnSetting {
  readonly traceId: string;
  readonly sessionId: string;
  readonly user: string;
  readonly order: string;
  readonly startMs: number;
  /** Earlier messages of the session. */
  readonly before: readonly Message[];
  /** The tool of this turn times out. */
  readonly fails: boolean;
}

export interface Message {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string;
}

const SYSTEM: Message = {
  role: "system",
  content:
    "You are the support agent of Northwind Coffee, a shop for coffee machines.\n\n- Answer in the customer's language, in at most four sentences.\n- Look up orders before you say anything about them.\n- Never promise a refund above 100 EUR; hand over to a colleague instead.",
};
const APOLOGY =
  "I cannot reach our order system at the moment. I have noted your question, and a colleague will write to you within two hours.";
/** Tokens of a text, roughly. */
const tokensOf = (text: string) => Math.ceil(text.length / 4);

export function filledIn(text: string, { order, user }: Pick<TurnSetting, "order" | "user">): string {
  const name = user.split(".")[0] ?? user;
  return text.replaceAll("{order}", order).replaceAll("{name}", name[0]!.toUpperCase() + name.slice(1));
}

/** Resolves a turn to its spans and to the final answer of the agent. */
export function turnSpans(
  turn: ExampleTurn,
  setting: TurnSetting,
  draw: Draw,
): { spans: ExampleSpan[]; answer: string } {
  const fill = (text: string) => filledIn(text, setting);
  const question = fill(turn.question);
  const answer = setting.fails ? APOLOGY : fill(turn.answer);
  const line = timelineOf(setting.traceId, setting.startMs, draw, {
    "session.id": setting.sessionId,
    "user.id": setting.user,
  });
  const asked: Message[] = [SYSTEM, ...setting.before, { role: "user", content: question }];

  line.span("support_agent", "AGENT", () => {
    line.leaf("check_question", "GUARDRAIL", draw.between(18, 60), {
      "input.value": question,
      "output.value": JSON.stringify({ allowed: true, personal_data: /\d{5}/.test(question) }),
      "output.mime_type": "application/json",
    });
    if (turn.lookup !== undefined) lookUp(line, turn.lookup, draw);
    if (turn.tool !== undefined) {
      const call = { name: turn.tool.name, arguments: fill(JSON.stringify(turn.tool.input)) };
      model(line, draw, { name: "gpt-4o-mini", asked, call });
      callTool(line, draw, turn.tool.name, call.arguments, fill(JSON.stringify(turn.tool.output)), setting.fails);
      asked.push({ role: "tool", content: setting.fails ? "ReadTimeout" : fill(JSON.stringify(turn.tool.output)) });
    }
    model(line, draw, { name: "gpt-4o", asked, answer });
    return {
      "input.value": question,
      "output.value": answer,
      metadata: JSON.stringify({ channel: draw.pick(["chat", "mail", "app"]), order: setting.order }),
    };
  });
  return { spans: line.spans, answer };
}

function lookUp(line: Timeline, { query, articles }: NonNullable<ExampleTurn["lookup"]>, draw: Draw): void {
  const documents = (prefix: string, from: readonly { title: string; text: string }[], best: number) =>
    Object.fromEntries(
      from.flatMap(({ title, text }, at) => [
        [`${prefix}.${at}.document.id`, title.toLowerCase().replaceAll(" ", "-")],
        [`${prefix}.${at}.document.content`, `${title}\n\n${text}`],
        [`${prefix}.${at}.document.score`, Math.round((best - at * 0.14) * 1000) / 1000],
      ]),
    );
  line.span("search_help_center", "RETRIEVER", () => {
    line.leaf("embed_query", "EMBEDDING", draw.between(40, 120), {
      "embedding.model_name": "text-embedding-3-small",
      "embedding.embeddings.0.embedding.text": query,
      "llm.token_count.prompt": tokensOf(query),
      "llm.token_count.total": tokensOf(query),
    });
    line.leaf("vector_search", "CHAIN", draw.between(15, 70), { "input.value": query });
    line.leaf("rerank", "RERANKER", draw.between(60, 190), {
      "reranker.query": query,
      "reranker.model_name": "rerank-v3.5",
      "reranker.top_k": articles.length,
      ...documents("reranker.input_documents", articles.toReversed(), 0.71),
      ...documents("reranker.output_documents", articles, 0.94),
    });
    return { "input.value": query, ...documents("retrieval.documents", articles, 0.94) };
  });
}

interface ModelCall {
  readonly name: string;
  readonly asked: readonly Message[];
  readonly answer?: string;
  readonly call?: { readonly name: string; readonly arguments: string };
}

function model(line: Timeline, draw: Draw, { name, asked, answer, call }: ModelCall): void {
  const prompt = asked.reduce((sum, { content }) => sum + tokensOf(content) + 4, 180);
  const completion = tokensOf(answer ?? call?.arguments ?? "") + 12;
  const latency = completion * draw.between(14, 26) + draw.between(260, 900);
  line.leaf("ChatCompletion", "LLM", latency, {
    "llm.model_name": name,
    "llm.provider": "openai",
    "llm.system": "openai",
    "llm.invocation_parameters": JSON.stringify({ temperature: 0.2, max_tokens: 600 }),
    ...messages("llm.input_messages", asked),
    "llm.output_messages.0.message.role": "assistant",
    ...(answer === undefined ? {} : { "llm.output_messages.0.message.content": answer, "output.value": answer }),
    ...(call === undefined
      ? {}
      : {
          "llm.output_messages.0.message.tool_calls.0.tool_call.id": `call_${draw.hex(8)}`,
          "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": call.name,
          "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": call.arguments,
          "output.value": JSON.stringify({ tool: call.name }),
        }),
    "input.value": asked.at(-1)?.content ?? "",
    "llm.token_count.prompt": prompt,
    "llm.token_count.completion": completion,
    "llm.token_count.total": prompt + completion,
    ...(prompt > 400 ? { "llm.token_count.prompt_details.cache_read": 256 } : {}),
  });
}

function messages(prefix: string, list: readonly Message[]): Record<string, string> {
  return Object.fromEntries(
    list.flatMap(({ role, content }, at) => [
      [`${prefix}.${at}.message.role`, role],
      [`${prefix}.${at}.message.content`, content],
    ]),
  );
}

function callTool(line: Timeline, draw: Draw, name: string, input: string, output: string, fails: boolean): void {
  const call = {
    "tool.name": name,
    "tool.parameters": input,
    "input.value": input,
    "input.mime_type": "application/json",
  };
  if (!fails) {
    const attributes = { ...call, "output.value": output, "output.mime_type": "application/json" };
    line.leaf(name, "TOOL", draw.between(90, 620), attributes);
    return;
  }
  const failure = {
    type: "httpx.ReadTimeout",
    message: "The order system did not answer within 5 s",
    stack: `Traceback (most recent call last):\n  File "agent/tools/orders.py", line 88, in ${name}\n    response = client.post(url, json=payload, timeout=5)\n  File "httpx/_client.py", line 1144, in post\n    return self.request("POST", url, **options)\nhttpx.ReadTimeout: The order system did not answer within 5 s`,
  };
  line.leaf(name, "TOOL", 5000 + draw.between(4, 40), call, failure);
}

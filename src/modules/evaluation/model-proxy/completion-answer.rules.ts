// Answers of models as OpenAI's clients read them: whole, and as chunks of a stream.
import type { FinishReason, ModelAttempt, ModelEvent } from "../../../providers/model-event.ts";
import type { ChatCompletion, ShownFinish, Usage } from "./chat-completions.schema.ts";
import type { ProxyError } from "./model-proxy.errors.ts";

/** What all parts of an answer have in common. */
interface CompletionHead {
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  /** As the caller named it. */
  readonly model: string;
}

export const STREAM_END = "data: [DONE]\n\n";
/** A comment, which readers of events skip. */
export const COMPLETION_HEARTBEAT = ": still running\n\n";

export function wholeCompletion(head: CompletionHead, attempt: ModelAttempt): ChatCompletion {
  const { text, toolCalls, usage } = attempt;
  const calls = toolCalls.map(({ id, name, arguments: given }) => ({
    id,
    type: "function" as const,
    function: { name, arguments: given },
  }));
  return {
    ...head,
    id: attempt.responseId ?? head.id,
    object: "chat.completion",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: text === "" && calls.length > 0 ? null : text,
          ...(calls.length === 0 ? {} : { tool_calls: calls }),
        },
        finish_reason: finishOf(attempt.finishReason),
      },
    ],
    ...(usage === null ? {} : { usage: usageOf(usage) }),
  };
}

export interface CompletionChunks {
  readonly first: string;
  /** Of a piece of the answer; empty for one that says nothing. */
  piece(event: Extract<ModelEvent, { readonly type: "text" | "tool_call" }>): string;
  /** Behind the last piece. */
  last(attempt: ModelAttempt): string;
}

/** `includesUsage`: with one more chunk for the tokens, and null in the others. */
export function completionChunks(head: CompletionHead, includesUsage: boolean): CompletionChunks {
  const started = new Set<number>();
  const chunk = (choices: readonly object[], usage: Usage | null) =>
    `data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", choices, ...(includesUsage ? { usage } : {}) })}\n\n`;
  const delta = (content: object, finish: ShownFinish | null = null) =>
    chunk([{ index: 0, delta: content, finish_reason: finish }], null);
  return {
    first: delta({ role: "assistant", content: "" }),
    piece(event) {
      if (event.type === "text") return event.text === "" ? "" : delta({ content: event.text });
      const { index, id, name, arguments: piece } = event;
      if (started.has(index)) return delta({ tool_calls: [{ index, function: { arguments: piece } }] });
      started.add(index);
      return delta({ tool_calls: [{ index, id, type: "function", function: { name, arguments: piece } }] });
    },
    last(attempt) {
      const end = delta({}, finishOf(attempt.finishReason));
      return includesUsage && attempt.usage !== null ? end + chunk([], usageOf(attempt.usage)) : end;
    },
  };
}

/** An error in the middle of a stream. */
export function errorEvent({ error }: ProxyError): string {
  return `data: ${JSON.stringify({ error: { ...error, type: "api_error" } })}\n\n`;
}

function finishOf(reason: FinishReason | null): ShownFinish {
  return reason === null || reason === "other" ? "stop" : reason;
}

function usageOf({ prompt, completion, total, cacheRead }: NonNullable<ModelAttempt["usage"]>): Usage {
  const [prompt_tokens, completion_tokens] = [prompt ?? 0, completion ?? 0];
  return {
    prompt_tokens,
    completion_tokens,
    total_tokens: total ?? prompt_tokens + completion_tokens,
    ...(cacheRead === null || cacheRead === 0 ? {} : { prompt_tokens_details: { cached_tokens: cacheRead } }),
  };
}

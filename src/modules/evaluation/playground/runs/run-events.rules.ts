// The events of a run as server-sent events.
import { UNITS_PER_USD } from "../../../../costs/price-list.ts";
import type { ModelAttempt } from "../../../../providers/model-event.ts";
import type { ChatError, ChatEvent, ChatRequest } from "../chats.schema.ts";

const US_PER_MS = 1000;

/** A comment, which readers of events skip. */
export const HEARTBEAT = ": still running\n\n";

export function runEvent(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Of a run that begins. */
export function runBeginning({ variants, repetitions }: ChatRequest): string {
  return runEvent("run", {
    repetitions,
    variants: variants.map(({ provider, model }) => ({ model_provider: provider, model_name: model })),
  });
}

/** Each repetition ends with one `result`, with what went wrong if something did. */
export async function* runEvents(events: AsyncGenerator<ChatEvent, void, undefined>): AsyncGenerator<string> {
  const errors = new Map<string, ChatError>();
  for await (const event of events) {
    const { variant, repetition } = event;
    const place = { variant, repetition };
    const key = `${variant} ${repetition}`;
    switch (event.type) {
      case "text":
        if (event.text !== "") yield runEvent("text", { ...place, text: event.text });
        break;
      case "tool_call": {
        const { index, id, name, arguments: piece } = event;
        yield runEvent("tool_call", { ...place, index, id, name, arguments: piece });
        break;
      }
      case "retry": {
        const reason = event.attempt.failure?.message ?? "";
        yield runEvent("retry", { ...place, reason, delay_seconds: event.delaySeconds });
        break;
      }
      case "error":
        if (event.hasResult) errors.set(key, event);
        else yield runEvent("result", { ...place, ...resultOf(null), error: shownError(event) });
        break;
      case "result": {
        const error = errors.get(key);
        yield runEvent("result", {
          ...place,
          ...resultOf(event),
          error: error === undefined ? null : shownError(error),
        });
      }
    }
  }
}

/** Behind the last result. */
export const RUN_END = runEvent("done", {});

function shownError({ code, message }: ChatError) {
  return { code, message };
}

function resultOf(event: Extract<ChatEvent, { readonly type: "result" }> | null) {
  const { attempt = null, spent = null } = event ?? {};
  return {
    trace_id: event?.spanKey == null ? null : event.traceKey,
    span_id: event?.spanKey ?? null,
    message: attempt === null ? null : messageOf(attempt),
    finish_reason: attempt?.finishReason ?? null,
    usage: attempt === null ? null : usageOf(attempt),
    cost_usd: spent === null || spent.cost === null ? null : spent.cost / UNITS_PER_USD,
    latency_ms: attempt === null ? null : (attempt.endUs - attempt.startUs) / US_PER_MS,
    time_to_first_token_ms:
      attempt === null || attempt.firstTokenUs === null ? null : (attempt.firstTokenUs - attempt.startUs) / US_PER_MS,
  };
}

/** In the shape of stored prompts, with what the model thought, so that it can be sent back as the next message. */
function messageOf({ text, toolCalls, thoughts }: ModelAttempt) {
  if (toolCalls.length === 0 && thoughts.length === 0) return { role: "assistant", content: text };
  const calls = toolCalls.map(({ id, name, arguments: given }) => ({
    type: "tool_call",
    tool_call_id: id,
    tool_call: { type: "function", name, arguments: given },
  }));
  return { role: "assistant", content: [...thoughts, ...(text === "" ? [] : [{ type: "text", text }]), ...calls] };
}

function usageOf({ usage }: ModelAttempt) {
  if (usage === null) return null;
  return {
    prompt_tokens: usage.prompt,
    completion_tokens: usage.completion,
    total_tokens: usage.total ?? (usage.prompt ?? 0) + (usage.completion ?? 0),
    cache_read_tokens: usage.cacheRead,
    cache_write_tokens: usage.cacheWrite,
    reasoning_tokens: usage.reasoning,
  };
}

// A message of a conversation in one form for all formats, and how its parts are made.
import type { Json } from "../../../../kernel/json.ts";
import type { Excerpt } from "./payload.ts";
import { at, textAt, unfolded, wordAt } from "./values.ts";

export type Part =
  | { readonly type: "text" | "reasoning"; readonly excerpt: Excerpt }
  | {
      readonly type: "image" | "audio";
      readonly url: string;
      /** Of `url`: held ones are long. */
      readonly source: Excerpt;
      readonly mimeType: string | null;
      readonly transcript: string | null;
    }
  | { readonly type: "other"; readonly name: string; readonly value: Json };

export interface ToolCall {
  readonly id: string | null;
  readonly name: string;
  /** JSON that a text holds is unfolded. */
  readonly given: Json;
}

export interface Message {
  readonly role: string;
  readonly name: string | null;
  readonly parts: readonly Part[];
  readonly calls: readonly ToolCall[];
  /** Id of the call that this message answers. */
  readonly answers: string | null;
  readonly finishReason: string | null;
}

export function textPart(excerpt: Excerpt): Part {
  return { type: "text", excerpt };
}

export function media(
  type: "image" | "audio",
  source: Excerpt,
  mimeType: string | null = null,
  transcript: string | null = null,
): Part {
  return { type, url: source.text, source, mimeType, transcript };
}

export function toolCall(call: Json): ToolCall {
  const given =
    at(call, "function", "arguments") ?? at(call, "arguments") ?? at(call, "args") ?? at(call, "input") ?? null;
  return {
    id: wordAt(call, "id") ?? wordAt(call, "call_id") ?? wordAt(call, "tool_use_id"),
    name: wordAt(call, "function", "name") ?? wordAt(call, "name") ?? "",
    given: unfolded(given),
  };
}

export function olderCall(message: Json, nameKey: string, argumentsKey: string): ToolCall[] {
  const name = textAt(message, nameKey);
  return name === null ? [] : [{ id: null, name, given: unfolded(at(message, argumentsKey) ?? null) }];
}

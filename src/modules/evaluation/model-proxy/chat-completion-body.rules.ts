// The body of a chat completion: images may be as large as an export, so a thread of its own reads it, and its text crosses.
import type { BulkBody } from "../../../kernel/bulk-body.ts";
import type { Violation } from "../../../kernel/failure.ts";
import { type Json, parseStoredJson, stringifyJson } from "../../../kernel/json.ts";
import { NewChatCompletion, type SentChatCompletion } from "./chat-completions.schema.ts";

interface ReadChatCompletion {
  /** Numbers keep their spelling in it. */
  text(): string;
}

export const chatCompletionBody: BulkBody<typeof NewChatCompletion, ReadChatCompletion> = {
  name: "createChatCompletion",
  schema: NewChatCompletion,
  keep: (sent) => ({ text: () => stringifyJson(sent as unknown as Json) }),
};

/** What the thread has checked. */
export function chatCompletionOfText(text: string): SentChatCompletion {
  return parseStoredJson<SentChatCompletion>(text);
}

/** Each by its place: `messages.0.role: …; model: Field required`. */
export function violationsText(violations: readonly Violation[]): string {
  return violations
    .map(({ type, loc, msg }) => `${loc.slice(1).join(".") || "body"}: ${type === "missing" ? "Field required" : msg}`)
    .join("; ");
}

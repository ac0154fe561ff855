// An answer as the next messages of a chat: what the model wrote and called, and fields for the results of its calls.
import type { MessagePart } from "../../../modules/evaluation/prompts/prompt-content.schema.ts";
import { type MessageDraft, messageDraft, type PartDraft, written } from "../../domain/prompts/editor/prompt-draft.ts";
import { type Answer, type AnswerCall, thoughtsOf } from "./answers.ts";

/** `results` are those of tools that are known, by the names of the tools. */
export function answerMessages(
  answer: Answer,
  results: Readonly<Record<string, string>> = {},
): readonly MessageDraft[] {
  const { text, calls } = answer;
  const parts: MessagePart[] = [
    ...(text === "" ? [] : [{ type: "text" as const, text }]),
    ...calls.map((call) => ({
      type: "tool_call" as const,
      tool_call_id: idOf(call),
      tool_call: { type: "function" as const, name: call.name, arguments: call.arguments },
    })),
  ];
  const message = messageDraft({ role: "assistant", content: calls.length === 0 ? text : parts });
  const thoughts = thoughtsOf(answer).map((thought): PartDraft => ({ kind: "json", source: written({ ...thought }) }));
  const answered = calls.map((call) =>
    messageDraft({
      role: "tool",
      content: [{ type: "tool_result", tool_call_id: idOf(call), tool_result: results[call.name] ?? "" }],
    }),
  );
  if (thoughts.length === 0) return [message, ...answered];
  return [{ ...message, parts: [...thoughts, ...message.parts], isList: true }, ...answered];
}

/** Some providers give none. */
function idOf({ id, index }: AnswerCall): string {
  return id || `call_${index}`;
}

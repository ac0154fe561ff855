// What providers say when they refuse: each in its own form, some in several.
import { isJsonObject, type Json } from "../../kernel/json.ts";
import { memberNumber, memberText } from "./members.ts";

export interface ProviderError {
  /** Empty where nothing was said. */
  readonly message: string;
  /** The provider's own word; null for none. */
  readonly code: string | null;
}

/** Of `{"error": {"message", "code" or "type"}}` and its relatives; Google sends a list of one. */
export function errorInAnswer(answer: Json): ProviderError {
  const data = Array.isArray(answer) ? answer[0] : answer;
  if (!isJsonObject(data)) return { message: typeof data === "string" ? data : "", code: null };
  const { error } = data;
  const told = isJsonObject(error) ? error : data;
  const message =
    [
      memberText(told, "message"),
      memberText(told, "Message"),
      memberText(told, "detail"),
      memberText(data, "error"),
    ].find((text) => text !== "") ?? detailOf(data);
  return { message, code: codeIn(told) };
}

function codeIn(error: Json): string | null {
  const number = memberNumber(error, "code");
  // Google's code is the status of HTTP; its own word is the status.
  const word =
    memberText(error, "code") ||
    memberText(error, "status") ||
    memberText(error, "type") ||
    memberText(error, "__type");
  if (word !== "") return word;
  return number === null ? null : String(number);
}

/** A list of violations, as some servers answer. */
function detailOf(data: Json): string {
  const detail = isJsonObject(data) ? (data.detail ?? data.errors) : undefined;
  return Array.isArray(detail) ? JSON.stringify(detail) : "";
}

// Reads error messages and codes from the formats of the providers.
import { isJsonObject, type Json } from "../../kernel/json.ts";
import { memberNumber, memberText } from "./members.ts";

export interface ProviderError {
  /** Empty if there is none. */
  readonly message: string;
  /** Null if there is none. */
  readonly code: string | null;
}

/** Reads `{"error": {"message", "code" or "type"}}` and similar forms; Google may send a list of one. */
export function errorInAnswer(answer: Json): ProviderError {
  const data = Array.isArray(answer) ? answer[0] : answer;
  if (!isJsonObject(data)) return { message: typeof data === "string" ? data : "", code: null };
  const { error } = data;
  const source = isJsonObject(error) ? error : data;
  const message =
    [
      memberText(source, "message"),
      memberText(source, "Message"),
      memberText(source, "detail"),
      memberText(data, "error"),
    ].find((text) => text !== "") ?? detailOf(data);
  return { message, code: codeIn(source) };
}

function codeIn(error: Json): string | null {
  const number = memberNumber(error, "code");
  // Google's `code` is the HTTP status; its error code is `status`.
  const text =
    memberText(error, "code") ||
    memberText(error, "status") ||
    memberText(error, "type") ||
    memberText(error, "__type");
  if (text !== "") return text;
  return number === null ? null : String(number);
}

/** A list of violations, as some servers send it. */
function detailOf(data: Json): string {
  const detail = isJsonObject(data) ? (data.detail ?? data.errors) : undefined;
  return Array.isArray(detail) ? JSON.stringify(detail) : "";
}

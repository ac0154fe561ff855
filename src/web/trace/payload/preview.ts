// The beginning of an input or output in a list: of JSON, which is cut somewhere, the first text that a person would read.

/** What a person said comes before what else a message list begins with. */
const BY_PERSON = /"(?:role|type)"\s*:\s*"(?:user|human)"[^{}]*?"content"\s*:\s*"((?:[^"\\]|\\.)*)/;
const BY_SYSTEM = /"(?:role|type)"\s*:\s*"(?:system|developer)"/;
/** Members that hold what was asked or answered. */
const TELLING =
  /"(?:input|question|query|prompt|user_input|user_message|output|answer|response|result|completion|message|content|text)"\s*:\s*"((?:[^"\\]|\\.)*)/;

/** The head itself where it is plain text, or JSON in which no text is found. */
export function readablePreview(head: string): string {
  if (!/^\s*[[{]/.test(head)) return head;
  const found = BY_PERSON.exec(head) ?? (BY_SYSTEM.test(head) ? null : TELLING.exec(head));
  const text = unescaped(found?.[1] ?? "");
  return text.trim() === "" ? head : text;
}

/** Without the half of an escape at the end. */
function unescaped(text: string): string {
  try {
    return String(JSON.parse(`"${text.replace(/\\(?:u[\da-f]{0,3})?$/i, "")}"`));
  } catch {
    return text;
  }
}

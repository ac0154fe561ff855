// The beginning of an input or output in a list: of JSON, which is cut somewhere, the first text that a person would read.

/** The text of the messages of the role on that side. */
const spokenBy = {
  input: /"(?:role|type)"\s*:\s*"(?:user|human)"[^{}]*?"content"\s*:\s*"((?:[^"\\]|\\.)*)/,
  output: /"(?:role|type)"\s*:\s*"(?:assistant|ai)"[^{}]*?"content"\s*:\s*"((?:[^"\\]|\\.)*)/,
} as const;
/** Of others: their words are neither question nor answer. */
const spokenByOthers = {
  input: /"(?:role|type)"\s*:\s*"(?:system|developer)"/,
  output: /"(?:role|type)"\s*:\s*"(?:system|developer|user|human)"/,
} as const;
/** Members that hold what was asked or answered. */
const TELLING =
  /"(?:input|question|query|prompt|user_input|user_message|output|answer|response|result|completion|message|content|text)"\s*:\s*"((?:[^"\\]|\\.)*)/;

/** The head itself where it is plain text, or JSON in which no text is found. */
export function readablePreview(head: string, side: "input" | "output" = "input"): string {
  if (!/^\s*[[{]/.test(head)) return head;
  const found = spokenBy[side].exec(head) ?? (spokenByOthers[side].test(head) ? null : TELLING.exec(head));
  const text = unescaped(found?.[1] ?? "");
  return text.trim() === "" ? head : text;
}

/** A text of Markdown as one plain line: its words without the marks around them. */
export function plainLine(text: string): string {
  return text
    .replace(/```[\w+-]*/g, " ")
    .replace(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, "$1")
    .replace(/^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?)/gm, "")
    .replace(/^[ \t]*(?:[-*_][ \t]*){3,}$/gm, " ")
    .replace(/(\*\*|~~)(?=\S)([\s\S]*?\S)\1/g, "$2")
    .replace(/(^|[\s(])([*_])(?=\S)([^*_\n]*\S)\2(?=$|[\s).,:;!?])/g, "$1$3")
    .replace(/`([^`\n]*)`/g, "$1")
    .replace(/\s+/g, " ")
    .trim();
}

/** Without the half of an escape at the end. */
function unescaped(text: string): string {
  try {
    return String(JSON.parse(`"${text.replace(/\\(?:u[\da-f]{0,3})?$/i, "")}"`));
  } catch {
    return text;
  }
}

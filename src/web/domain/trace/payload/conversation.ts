// How messages belong together: calls and their results, and the history that one call repeats of the one before.
import type { Message, Part, ToolCall } from "./messages.ts";
import { jsonText } from "./values.ts";

export interface Line {
  readonly message: Message;
  readonly position: number;
  /** Of a result: the call it answers, if that stands before it. */
  readonly answered: ToolCall | null;
}

/** Each message with the call it answers, matched by id. */
export function linesOf(messages: readonly Message[]): Line[] {
  const calls = new Map<string, ToolCall>();
  return messages.map((message, position) => {
    for (const call of message.calls) if (call.id !== null) calls.set(call.id, call);
    return { message, position, answered: message.answers === null ? null : (calls.get(message.answers) ?? null) };
  });
}

/** What was sent to a model, in the order in which it is read: the system message, the history, the new question,
 *  and what was done since. */
export interface Sent {
  readonly system: readonly Line[];
  readonly earlier: readonly Line[];
  /** The last message of a user; the last of all where no user speaks. */
  readonly asked: Line | null;
  readonly since: readonly Line[];
}

export function sentOf(lines: readonly Line[]): Sent {
  const isSystem = ({ message }: Line) => message.role === "system" || message.role === "developer";
  const spoken = lines.filter((line) => !isSystem(line));
  const user = spoken.findLastIndex(({ message }) => message.role === "user");
  const at = user < 0 ? spoken.length - 1 : user;
  return {
    system: lines.filter(isSystem),
    earlier: spoken.slice(0, Math.max(0, at)),
    asked: spoken[at] ?? null,
    since: spoken.slice(at + 1),
  };
}

/** What came back where the whole conversation did: the history, and the answer to the last question; null without a
 *  question. */
export function answeredOf(
  lines: readonly Line[],
): { readonly before: readonly Line[]; readonly since: readonly Line[] } | null {
  const asked = lines.findLastIndex(({ message }) => message.role === "user");
  return asked < 0 || asked === lines.length - 1
    ? null
    : { before: lines.slice(0, asked + 1), since: lines.slice(asked + 1) };
}

/** The messages without a system text that stood before: instrumentations write it as an instruction and as a message. */
export function withoutRepeatedSystem(messages: readonly Message[]): readonly Message[] {
  const earlierMessages: Message[] = [];
  const kept = messages.filter((message) => {
    if (message.role !== "system" && message.role !== "developer") return true;
    if (earlierMessages.some((earlier) => isSame({ ...earlier, role: message.role }, message))) return false;
    earlierMessages.push(message);
    return true;
  });
  return kept.length === messages.length ? messages : kept;
}

/** Of what messages say and call, in UTF-8; `lines` of their texts, null where only the beginning of one is known. */
export function sizeOfMessages(messages: readonly Message[]): {
  readonly bytes: number;
  readonly lines: number | null;
} {
  let bytes = 0;
  let lines: number | null = 0;
  const add = (text: string) => (bytes += new TextEncoder().encode(text).length);
  for (const { parts, calls } of messages) {
    for (const call of calls) add(jsonText(call.given));
    for (const part of parts) {
      if (part.type === "other") add(jsonText(part.value));
      else {
        const excerpt = "url" in part ? part.source : part.excerpt;
        if (excerpt.wholeBytes === null) add(excerpt.text);
        else bytes += excerpt.wholeBytes;
        if (excerpt.wholeBytes !== null) lines = null;
        else if (lines !== null && !("url" in part)) lines += excerpt.text.split("\n").length;
      }
    }
  }
  return { bytes, lines };
}

/** How many of the first messages were part of the previous call already: its input, then its output. */
export function repeatedCount(
  messages: readonly Message[],
  previous: { readonly input: readonly Message[]; readonly output: readonly Message[] },
): number {
  const earlier = [...previous.input, ...previous.output];
  let count = 0;
  while (count < messages.length && count < earlier.length && isSame(messages[count]!, earlier[count]!)) count++;
  return count;
}

function isSame(one: Message, other: Message): boolean {
  return (
    one.role === other.role &&
    one.name === other.name &&
    one.answers === other.answers &&
    one.parts.length === other.parts.length &&
    one.calls.length === other.calls.length &&
    one.parts.every((part, i) => isSamePart(part, other.parts[i]!)) &&
    one.calls.every((call, i) => isSameCall(call, other.calls[i]!))
  );
}

function isSamePart(one: Part, other: Part): boolean {
  if (one.type === "other") return other.type === "other" && jsonText(one.value) === jsonText(other.value);
  if ("url" in one) return "url" in other && other.type === one.type && other.url === one.url;
  if (!("excerpt" in other) || other.type !== one.type) return false;
  return one.excerpt.text === other.excerpt.text && one.excerpt.wholeBytes === other.excerpt.wholeBytes;
}

function isSameCall(one: ToolCall, other: ToolCall): boolean {
  return one.id === other.id && one.name === other.name && jsonText(one.given) === jsonText(other.given);
}

/** The conversation as plain text, like a script. */
export function scriptOf(messages: readonly Message[]): string {
  return messages
    .map(({ role, name, parts, calls }) => {
      const lines = parts.map((part) => {
        if (part.type === "other") return jsonText(part.value);
        return "url" in part ? `[${part.type}]` : part.excerpt.text;
      });
      const called = calls.map(({ name, given }) => `→ ${name} ${jsonText(given)}`);
      return [`${role}${name === null ? "" : ` (${name})`}:`, ...lines, ...called].join("\n");
    })
    .join("\n\n");
}

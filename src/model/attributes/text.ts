// What both databases can keep of any text: no NUL, no lone surrogate, and cuts that never split a character.

import { emptyObject, isRawNumber, type Json } from "../../kernel/json.ts";
import { storableText } from "../../kernel/validation-scalars.ts";

const encoder = new TextEncoder();

/** A value whose every text and key can be stored. Values are never deeper than the decoders allow. */
export function storableJson(value: Json): Json {
  if (typeof value === "string") return storableText(value);
  if (typeof value !== "object" || value === null || isRawNumber(value)) return value;
  if (Array.isArray(value)) return value.map(storableJson);
  const copy = emptyObject();
  for (const key of Object.keys(value)) copy[storableText(key)] = storableJson(value[key]!);
  return copy;
}

/** Whether the text takes more than `limit` bytes of UTF-8; counts only where the length leaves it open. */
export function exceedsBytes(text: string, limit: number): boolean {
  if (text.length * 3 <= limit) return false;
  return text.length > limit || Buffer.byteLength(text, "utf8") > limit;
}

/** The longest head of whole characters that takes at most `limit` bytes of UTF-8. */
export function headOfBytes(text: string, limit: number): string {
  const head = text.slice(0, limit);
  return head.slice(0, encoder.encodeInto(head, new Uint8Array(limit)).read);
}

/** The first `count` characters (code points). */
export function headOfCharacters(text: string, count: number): string {
  if (text.length <= count) return text;
  let end = 0;
  for (let taken = 0; taken < count && end < text.length; taken += 1) {
    end += text.codePointAt(end)! > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
}

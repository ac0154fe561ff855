// Values in the spelling of Python, which clients expect where structured values become text: JSON with blanks after commas
// and colons, and plain `str()` for session ids.
import { isRawNumber, type Json, type RawNumber } from "../../kernel/json.ts";

const NON_ASCII = /[\u007f-\uffff]/g;

/** JSON text as Python writes it; with `escapeNonAscii` everything beyond ASCII becomes `\uXXXX`. */
export function pythonJson(value: Json, escapeNonAscii: boolean): string {
  if (value === null) return "null";
  if (typeof value === "boolean") return value ? "true" : "false";
  if (typeof value === "string") {
    const text = JSON.stringify(value);
    return escapeNonAscii ? text.replace(NON_ASCII, escaped) : text;
  }
  if (typeof value === "number" || isRawNumber(value)) {
    const text = numberText(value);
    return text === "nan" ? "NaN" : text.replace("inf", "Infinity");
  }
  if (Array.isArray(value)) return `[${value.map((item) => pythonJson(item, escapeNonAscii)).join(", ")}]`;
  const members = Object.keys(value).map(
    (key) => `${pythonJson(key, escapeNonAscii)}: ${pythonJson(value[key]!, escapeNonAscii)}`,
  );
  return `{${members.join(", ")}}`;
}

/** The text that Python's `str()` gives: a text itself, `True`, `3.25`, `[1, '2']`. */
export function pythonText(value: Json): string {
  return typeof value === "string" ? value : representation(value);
}

function representation(value: Json): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "string") return quoted(value);
  if (typeof value === "number" || isRawNumber(value)) return numberText(value);
  if (Array.isArray(value)) return `[${value.map(representation).join(", ")}]`;
  return `{${Object.keys(value)
    .map((key) => `${quoted(key)}: ${representation(value[key]!)}`)
    .join(", ")}}`;
}

function numberText(value: number | RawNumber): string {
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : floatText(value);
  return /[.eE]/.test(value.rawJSON) ? floatText(Number(value.rawJSON)) : value.rawJSON;
}

/** Python changes to exponents at 1e16 and below 1e-4, JavaScript at 1e21 and below 1e-6. */
function floatText(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e16 || size < 1e-4)) {
    return value.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
  }
  const text = Object.is(value, -0) ? "-0" : String(value);
  return text.includes(".") ? text : `${text}.0`;
}

function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const body = text.replace(/[\\\u0000-\u001f\u007f]/g, (character) => {
    if (character === "\\") return "\\\\";
    if (character === "\n") return "\\n";
    if (character === "\r") return "\\r";
    if (character === "\t") return "\\t";
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
  });
  return quote + (quote === "'" ? body.replaceAll("'", "\\'") : body) + quote;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

// Literals of numbers and timestamps as values of the tree.
import { exactFromNumber } from "./exact-number.ts";
import { refuse } from "./refusal.ts";
import type { Literal } from "./tree.ts";

type NumberLiteral = Extract<Literal, { type: "number" }>;

/** A number as written, in any of Python's forms. */
export function numberLiteral(text: string): NumberLiteral {
  const integer = /^(?:\d+|0[xXoObB].+)$/.test(text) ? BigInt(text) : null;
  const value = integer === null ? Number(text) : Number(integer);
  if (!Number.isFinite(value)) throw refuse("invalid numeric literal: too large for a number");
  const exact = integer === null ? exactFromNumber(value) : { units: integer, scale: 0 };
  return { kind: "literal", type: "number", value, exact };
}

export function negated(literal: NumberLiteral): NumberLiteral {
  const exact = literal.exact === null ? null : { units: -literal.exact.units, scale: literal.exact.scale };
  return { ...literal, value: -literal.value, exact };
}

/** The text of a number, as `float('…')` takes it: ASCII digits with sign, fraction and exponent, or null. */
export function numberFromText(text: string): NumberLiteral | null {
  const match = /^([+-]?)((?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)$/.exec(text);
  if (match === null) return null;
  const literal = numberLiteral(match[2]!.replace(/^0+(?=\d)/, ""));
  return match[1] === "-" ? negated(literal) : literal;
}

const TIMESTAMP =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,30}))?)?(?:([Zz])|([+-])(\d{2}):?(\d{2}))?)?$/;

/** An instant in ISO 8601 with its offset from UTC. */
export function timestampLiteral(text: string): Literal {
  const wrong = () => refuse(`invalid datetime literal '${text.slice(0, 60)}': write it as '2026-01-31T12:00:00Z'`);
  const match = TIMESTAMP.exec(text);
  if (match === null) throw wrong();
  const [, date, hour = "00", minute = "00", second = "00", fraction = "", utc, sign, offsetHour, offsetMinute] = match;
  const milliseconds = Date.parse(`${date}T${hour}:${minute}:${second}Z`);
  if (Number.isNaN(milliseconds) || new Date(milliseconds).toISOString().slice(0, 10) !== date) throw wrong();
  if (utc === undefined && sign === undefined)
    throw refuse(`datetime literal '${text}' has no timezone, add an offset (e.g. 'Z' for UTC)`);
  if (Number(offsetHour ?? 0) > 23 || Number(offsetMinute ?? 0) > 59) throw wrong();
  const offset = (Number(offsetHour ?? 0) * 60 + Number(offsetMinute ?? 0)) * 60 * (sign === "-" ? -1 : 1);
  const seconds = BigInt(milliseconds / 1000 - offset);
  const scale = fraction.length;
  const units = seconds * 10n ** BigInt(scale) + BigInt(fraction || "0");
  return { kind: "literal", type: "timestamp", exact: { units, scale } };
}

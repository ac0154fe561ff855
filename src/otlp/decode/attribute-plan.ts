// How the values of one sequence of attribute keys lie in the JSON text of the nested attributes. Spans of one place in a program
// carry the same keys in the same order, so this is found out once and not for every span.
import { plainFields, valueAt } from "../../ingest/span-columns.ts";
import { isJsonObject, isRawNumber, type Json, type JsonObject, stringifyJson } from "../../kernel/json.ts";
import { AttributeTree } from "../../model/attributes/unflatten.ts";
import { isForeign } from "../conventions/conventions.ts";
import { countsTokens, holdsJson } from "../decoded/coerced-value.ts";

/** What an attribute asks of its value beyond being written as it is. */
const ANY_VALUE = 0;
/** A text is read as JSON. */
export const JSON_VALUE = 1;
/** Only an integer stays as it is. */
export const INTEGER_VALUE = 2;
/** Only a text stays as it is. */
export const TEXT_VALUE = 3;

/** Which attribute a column comes from, as its position among the keys; -1 where there is none. */
interface ColumnSources {
  readonly kind: number;
  /** In the order of `plainFields`. */
  readonly plain: readonly number[];
  readonly prompt: number;
  readonly completion: number;
  readonly input: number;
  readonly output: number;
}

interface CallSource {
  readonly path: readonly string[];
  readonly position: number;
}

export interface AttributePlan {
  /** What each attribute asks of its value, in the order of the keys. */
  readonly asked: Uint8Array;
  /** Positions of the attributes in the order in which their values stand in the text. */
  readonly order: Uint16Array;
  /** UTF-8 of the text without the values: what stands before the first, between the first and the second, … */
  readonly pieces: Uint8Array;
  /** Where each piece ends. There is one piece more than there are values. */
  readonly pieceEnds: Uint32Array;
  readonly columns: ColumnSources;
  /** Of what the cost of a call depends on, with the path below `llm`. */
  readonly call: readonly CallSource[];
  /** Whether there are messages; the preview of the span is the text of the last one. */
  readonly hasMessages: boolean;
}

const MOST_PIECE_BYTES = 64 * 1024;

/** The plan of a sequence of keys, or null where what becomes of the attributes depends on more than the keys: equal paths,
 *  conventions to be converted, a column that comes from several attributes. */
export function planAttributes(keys: readonly string[]): AttributePlan | null {
  if (new Set(keys).size < keys.length || keys.some(isForeign)) return null;
  const tree = new AttributeTree();
  // A raw number stands for each value: nothing walks into it, and no other one is there.
  keys.forEach((key, position) => {
    tree.add(key, placeholder(position));
  });
  const attributes = tree.toObject();
  const columns = columnSources(attributes);
  if (columns === null) return null;
  const pieces: string[] = [""];
  const order: number[] = [];
  cutAtValues(attributes, pieces, order);
  if (order.length < keys.length) return null;
  const bytes = Buffer.from(pieces.join(""), "utf8");
  if (bytes.length > MOST_PIECE_BYTES) return null;
  let end = 0;
  const pieceEnds = Uint32Array.from(pieces, (piece) => {
    end += Buffer.byteLength(piece, "utf8");
    return end;
  });
  const asked = Uint8Array.from(keys, (key, position) =>
    holdsJson(key)
      ? JSON_VALUE
      : countsTokens(key)
        ? INTEGER_VALUE
        : position === columns.input
          ? TEXT_VALUE
          : ANY_VALUE,
  );
  return {
    asked,
    order: Uint16Array.from(order),
    pieces: new Uint8Array(bytes),
    pieceEnds,
    columns,
    call: callSources(attributes),
    hasMessages: keys.some(isOfMessages),
  };
}

function isOfMessages(key: string): boolean {
  return key.startsWith("llm.input_messages") || key.startsWith("llm.output_messages");
}

function placeholder(position: number): Json {
  return JSON.rawJSON(String(position));
}

/** Writes the text as `stringifyJson` does, a new piece after each value. */
function cutAtValues(value: Json, pieces: string[], order: number[]): void {
  const add = (text: string) => {
    pieces[pieces.length - 1] += text;
  };
  if (isRawNumber(value)) {
    order.push(Number(value.rawJSON));
    pieces.push("");
  } else if (Array.isArray(value)) {
    value.forEach((item, position) => {
      add(position === 0 ? "[" : ",");
      cutAtValues(item, pieces, order);
    });
    add("]");
  } else {
    const object = value as JsonObject;
    add("{");
    Object.keys(object).forEach((key, position) => {
      add(`${position === 0 ? "" : ","}${stringifyJson(key)}:`);
      cutAtValues(object[key]!, pieces, order);
    });
    add("}");
  }
}

/** Members of `llm` that the cost depends on (costs/reported-call.ts). */
const CALL_MEMBERS = ["model_name", "provider", "token_count", "cost"];

function callSources(attributes: JsonObject): CallSource[] {
  const found: CallSource[] = [];
  const gather = (value: Json | undefined, path: readonly string[]): void => {
    if (isRawNumber(value)) found.push({ path, position: Number(value.rawJSON) });
    else if (isJsonObject(value))
      for (const [key, member] of Object.entries(value)) if (key !== "__proto__") gather(member, [...path, key]);
  };
  for (const member of CALL_MEMBERS) gather(valueAt(attributes, "llm", member), [member]);
  return found;
}

/** Null where a column would be the text of an object or a list. */
function columnSources(attributes: JsonObject): ColumnSources | null {
  let isPlain = true;
  const source = (...path: string[]): number => {
    const value = valueAt(attributes, ...path);
    if (value === undefined) return -1;
    if (isRawNumber(value)) return Number(value.rawJSON);
    isPlain = false;
    return -1;
  };
  const hasCounts = isJsonObject(valueAt(attributes, "llm", "token_count"));
  const columns = {
    kind: source("openinference", "span", "kind"),
    plain: plainFields.map(({ path }) => source(...path)),
    prompt: hasCounts ? source("llm", "token_count", "prompt") : -1,
    completion: hasCounts ? source("llm", "token_count", "completion") : -1,
    input: source("input", "value"),
    output: source("output", "value"),
  };
  return isPlain ? columns : null;
}

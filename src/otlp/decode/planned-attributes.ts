// The attributes of a span straight from protobuf to the JSON text that is stored, by a plan for their keys. What is not quite
// ordinary is left to the long way (`protobuf-values.ts`, `normalise.ts`), with which every result agrees byte for byte.

import { failsSilently } from "../../analysis/failures/read-failure.ts";
import { isPricedKind, reportedCall } from "../../costs/reported-call.ts";
import { previewTextOf } from "../../ingest/preview-text.ts";
import { headOf, plainColumns, spanKindOf, tokenCountOf } from "../../ingest/span-columns.ts";
import { isRawNumber, type JsonObject, parseJson, stringifyJson } from "../../kernel/json.ts";
import { parseEmbeddedJson } from "../../model/attributes/embedded-json.ts";
import { exceedsBytes } from "../../model/attributes/text.ts";
import { HEAD_CHARACTERS, LARGE_VALUE_BYTES, type SpanColumns } from "../../model/span.ts";
import type { PlannedAttributes } from "../decoded/decoded.ts";
import { type AttributePlan, INTEGER_VALUE, JSON_VALUE, TEXT_VALUE } from "./attribute-plan.ts";
import type { AttributePlans } from "./attribute-plans.ts";
import { AttributeScan } from "./attribute-scan.ts";
import type { ProtobufReader } from "./protobuf.ts";

/** Reads the attributes of a span that follow one another, the first of which has its tag read; null, and nothing read, where there
 *  is no plan for them. `end` is that of the span. */
export type AttributePlanner = (reader: ProtobufReader, end: number) => PlannedAttributes | null;

/** Longer texts are written faster by the runtime. */
const MOST_LOOPED_BYTES = 256;
/** Longer ones are not copied once more. */
const LEAST_JOINED_CHARACTERS = 1024;
/** A byte takes six at most, as `\u0001`. */
const MOST_TEXT_BYTES = 6 * LARGE_VALUE_BYTES + 128 * 1024;

const QUOTE = 34;
const BACKSLASH = 92;
/** Written by the runtime: not ASCII, or a control character without a short spelling. */
const UNUSUAL = 1;
/** 0 for bytes that JSON text has as they are, else the letter after the backslash, or UNUSUAL. */
const spellings = new Uint8Array(256).fill(UNUSUAL, 0, 32).fill(UNUSUAL, 128);
for (const [character, letter] of ['""', "\\\\", "\bb", "\ff", "\nn", "\rr", "\tt"])
  spellings[character!.charCodeAt(0)] = letter!.charCodeAt(0);

export function createAttributePlanner(plans: AttributePlans): AttributePlanner {
  const scan = new AttributeScan();
  const writer = new AttributeWriter(scan);
  return (reader, spanEnd) => {
    const begin = reader.position;
    if (scan.read(reader, spanEnd) && reader.position - begin <= LARGE_VALUE_BYTES) {
      const end = reader.position;
      const plan = plans.find(reader, scan.keyStarts, scan.keyEnds, scan.count, scan.hash);
      const text = plan === null ? null : writer.write(reader, plan);
      if (plan !== null && text !== null) {
        const columns = columnsOf(reader, scan, plan, text);
        reader.position = end;
        return { text, columns, count: scan.count };
      }
    }
    reader.position = begin;
    return null;
  };
}

/** Writes the JSON text of the attributes that were scanned last. */
class AttributeWriter {
  private readonly output = Buffer.allocUnsafeSlow(MOST_TEXT_BYTES);
  private at = 0;
  /** What is written comes after it. */
  private joined = "";

  constructor(private readonly scan: AttributeScan) {}

  /** Null for what only the long way can write. */
  write(reader: ProtobufReader, { asked, order, pieces, pieceEnds }: AttributePlan): string | null {
    this.at = 0;
    this.joined = "";
    let piece = 0;
    for (let i = 0; i < order.length; i += 1) {
      piece = this.copy(pieces, piece, pieceEnds[i]!);
      const position = order[i]!;
      if (!this.value(reader, position, asked[position]!)) return null;
    }
    this.copy(pieces, piece, pieces.length);
    return this.joined + this.output.toString("utf8", 0, this.at);
  }

  private copy(pieces: Uint8Array, start: number, end: number): number {
    const { output } = this;
    let at = this.at;
    for (let i = start; i < end; i += 1) output[at++] = pieces[i]!;
    this.at = at;
    return end;
  }

  /** False, as below, for what only the long way can write. */
  private value(reader: ProtobufReader, position: number, asked: number): boolean {
    const { scan } = this;
    if (scan.isText(position)) {
      const start = scan.starts[position]!;
      const end = scan.ends[position]!;
      if (asked === JSON_VALUE) return this.embedded(reader.textBetween(start, end));
      return asked !== INTEGER_VALUE && this.text(reader, start, end);
    }
    if (asked === TEXT_VALUE || (asked === INTEGER_VALUE && !scan.isInteger(position))) return false;
    const value = scan.scalarAt(reader, position);
    if (typeof value === "number" && !Number.isFinite(value)) return false;
    const text = isRawNumber(value) ? value.rawJSON : String(value);
    for (let i = 0; i < text.length; i += 1) this.output[this.at++] = text.charCodeAt(i);
    return true;
  }

  private text(reader: ProtobufReader, start: number, end: number): boolean {
    if (end - start > MOST_LOOPED_BYTES) return this.byRuntime(reader.textBetween(start, end));
    const { output } = this;
    const { bytes } = reader;
    let at = this.at;
    output[at++] = QUOTE;
    for (let i = start; i < end; i += 1) {
      const byte = bytes[i]!;
      const spelling = spellings[byte]!;
      if (spelling === 0) output[at++] = byte;
      else if (spelling === UNUSUAL) return this.byRuntime(reader.textBetween(start, end));
      else {
        output[at++] = BACKSLASH;
        output[at++] = spelling;
      }
    }
    output[at++] = QUOTE;
    this.at = at;
    return true;
  }

  /** False for a large value. */
  private byRuntime(text: string): boolean {
    if (exceedsBytes(text, LARGE_VALUE_BYTES)) return false;
    const json = stringifyJson(text);
    if (json.length < LEAST_JOINED_CHARACTERS) this.at += this.output.write(json, this.at);
    else {
      this.joined += this.output.toString("utf8", 0, this.at) + json;
      this.at = 0;
    }
    return true;
  }

  private embedded(text: string): boolean {
    const value = parseEmbeddedJson(text);
    // Null adds nothing, which changes what is around it.
    if (value === null) return false;
    if (value === undefined) return this.byRuntime(text);
    if (exceedsBytes(text, LARGE_VALUE_BYTES)) return false;
    this.at += this.output.write(stringifyJson(value), this.at);
    return true;
  }
}

type Heads = Pick<SpanColumns, "inputHead" | "outputHead">;
type Previews = Pick<SpanColumns, "inputPreview" | "outputPreview">;

const NO_PREVIEWS: Previews = { inputPreview: null, outputPreview: null };
/** A value that may be JSON, as far as its head tells. */
const MAY_BE_JSON = /^\s*(?:["[{]|$)/;

/** Reads from the written JSON what the heads may not contain: the previews, and whether the answer fails. */
function readWritten(
  text: string,
  { hasMessages }: AttributePlan,
  { kind, inputHead, outputHead }: Heads & Pick<SpanColumns, "kind">,
): Previews & Pick<SpanColumns, "silentFailure"> {
  const mayTell = (head: string | null) => head !== null && MAY_BE_JSON.test(head);
  const hasPreviews = hasMessages || mayTell(inputHead) || mayTell(outputHead);
  if (!hasPreviews && !mayFail(kind, text, outputHead)) return { ...NO_PREVIEWS, silentFailure: null };
  const attributes = parseJson(text) as JsonObject;
  return {
    ...(hasPreviews
      ? { inputPreview: previewTextOf(attributes, "input"), outputPreview: previewTextOf(attributes, "output") }
      : NO_PREVIEWS),
    silentFailure: failsSilently(kind, attributes) ? 1 : null,
  };
}

/** Whether a span whose answer is plain text may fail silently: without messages a call of a model by its finish reason or an empty
 *  answer, a tool by what its answer begins with. */
function mayFail(kind: SpanColumns["kind"], text: string, outputHead: string | null): boolean {
  if (kind === "LLM") return outputHead === "" || text.includes('"finish_reason":');
  if (kind === "TOOL") return outputHead !== null && /^\s*(?:tool |validation )?error\b/i.test(outputHead);
  return kind === "GUARDRAIL";
}

function columnsOf(reader: ProtobufReader, scan: AttributeScan, plan: AttributePlan, text: string): SpanColumns {
  const { columns, call } = plan;
  const kindValue = scan.valueAt(reader, columns.kind);
  const kind = spanKindOf(kindValue);
  const isLlm = kind === "LLM";
  const inputHead = headAt(reader, scan, columns.input);
  const outputHead = headAt(reader, scan, columns.output);
  const { inputPreview, outputPreview, silentFailure } = readWritten(text, plan, { kind, inputHead, outputHead });
  return {
    ...plainColumns((place) => scan.valueAt(reader, columns.plain[place]!)),
    kind,
    promptTokens: isLlm ? tokenCountOf(scan.valueAt(reader, columns.prompt)) : null,
    completionTokens: isLlm ? tokenCountOf(scan.valueAt(reader, columns.completion)) : null,
    silentFailure,
    modelCall: isPricedKind(kindValue) ? reportedCall(callObject(reader, scan, call)) : null,
    inputHead,
    outputHead,
    inputPreview,
    outputPreview,
  };
}

/** What the attributes have below `llm`, as far as the cost depends on it. */
function callObject(reader: ProtobufReader, scan: AttributeScan, sources: AttributePlan["call"]): JsonObject {
  const llm: JsonObject = {};
  for (const { path, position } of sources) {
    let object = llm;
    for (const name of path.slice(0, -1)) {
      object[name] ??= {};
      object = object[name] as JsonObject;
    }
    object[path.at(-1)!] = scan.valueAt(reader, position) ?? null;
  }
  return llm;
}

function headAt(reader: ProtobufReader, scan: AttributeScan, position: number): string | null {
  if (position < 0 || !scan.isText(position)) return headOf(scan.valueAt(reader, position));
  const start = scan.starts[position]!;
  const end = scan.ends[position]!;
  // As many bytes as characters are enough of ordinary text.
  const headEnd = Math.min(end, start + HEAD_CHARACTERS);
  for (let i = start; i < headEnd; i += 1)
    if (spellings[reader.bytes[i]!] === UNUSUAL) return headOf(reader.textBetween(start, end));
  return reader.textBetween(start, headEnd);
}

// One decoded span becomes one incoming span: the steps in their order
// (docs/protocol/ingestion.md#steps-for-attributes-otlp).
import { incomingSpan } from "../ingest/incoming-span.ts";
import { integerOf, spanKindOf, valueAt } from "../ingest/span-columns.ts";
import { fail } from "../kernel/failure.ts";
import { isJsonObject, type Json, type JsonObject } from "../kernel/json.ts";
import { parseEmbeddedJson } from "../model/attributes/embedded-json.ts";
import { mayBeLarge } from "../model/attributes/large-values.ts";
import { pythonJson } from "../model/attributes/python-text.ts";
import { AttributeTree } from "../model/attributes/unflatten.ts";
import type { IncomingSpan, SpanStatus } from "../model/span.ts";
import type { DecodedSpan, DecodedValue } from "./decoded.ts";
import { eventsText, plainValue } from "./events.ts";
import { extraText } from "./extra.ts";
import { convertGenAi, usesGenAi } from "./genai.ts";
import { isTruthy } from "./genai-values.ts";

/** What a span takes from around it. */
export interface SpanSurroundings {
  readonly projectName: string;
  /** From `sharedExtra`. */
  readonly sharedExtra: string;
}

const STATUSES: readonly SpanStatus[] = ["UNSET", "OK", "ERROR"];
const JSON_SUFFIXES = ["metadata", "tool.parameters", "llm.prompt_template.variables"];
const TOKEN_KEYS = new Set(["llm.token_count.prompt", "llm.token_count.completion", "llm.token_count.total"]);

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The span as ingestion takes it. Takes the decoded attributes over. Fails (kind invalid) with the reason when the span
 *  cannot be stored. */
export function normaliseSpan(span: DecodedSpan, surroundings: SpanSurroundings): IncomingSpan {
  if (span.traceId === "") throw fail("otlp.no_trace_id", "invalid", "A span has no trace id");
  if (span.spanId === "") throw fail("otlp.no_span_id", "invalid", "A span has no span id");
  if (usesGenAi(span.attributes, span.events)) convertGenAi(span.attributes, span.events);
  const tree = new AttributeTree();
  let expectLarge = false;
  for (const [key, value] of span.attributes) {
    const coerced = coercedValue(key, value);
    if (typeof coerced === "string" && mayBeLarge(coerced.length)) expectLarge = true;
    tree.add(key, coerced);
  }
  const attributes = tree.toObject();
  coerceInput(attributes);
  return incomingSpan(
    {
      projectName: surroundings.projectName,
      traceKey: span.traceId,
      spanKey: span.spanId,
      parentKey: span.parentSpanId === "" ? null : span.parentSpanId,
      name: span.name,
      kind: spanKindOf(valueAt(attributes, "openinference", "span", "kind")),
      status: STATUSES[span.statusCode] ?? "UNSET",
      statusMessage: span.statusMessage,
      startUs: span.startUs,
      endUs: span.endUs,
      events: eventsText(span.events),
      extra: extraText(span, surroundings.sharedExtra),
    },
    attributes,
    expectLarge,
  );
}

/** Token counts as integers, JSON texts as values, bytes as text. */
function coercedValue(key: string, value: DecodedValue): Json {
  if (value === null) return null;
  if (holdsJson(key)) {
    const text = value instanceof Uint8Array ? utf8Of(value) : value;
    const parsed = typeof text === "string" ? parseEmbeddedJson(text) : undefined;
    return parsed === undefined ? plainValue(value) : parsed;
  }
  if (TOKEN_KEYS.has(key)) return integerOf(plainValue(value)) ?? plainValue(value);
  return typeof value === "string" ? value : plainValue(value);
}

/** The test is one of suffixes on the wire key: `my_metadata` counts too. */
function holdsJson(key: string): boolean {
  const last = key.charCodeAt(key.length - 1);
  // Most keys are dismissed by their last letter: "a" of metadata, "s" of parameters and variables.
  if (last !== 97 && last !== 115) return false;
  for (const suffix of JSON_SUFFIXES) if (key.endsWith(suffix)) return true;
  return false;
}

function utf8Of(bytes: Uint8Array): string | undefined {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** A structured or numeric input becomes JSON text. */
function coerceInput(attributes: JsonObject): void {
  const input = attributes.input;
  if (!isJsonObject(input)) return;
  const value = input.value;
  if (value === undefined || typeof value === "string" || !isTruthy(value)) return;
  input.value = pythonJson(value, true);
  input.mime_type = "application/json";
}

// One decoded span becomes one incoming span: the steps in their order
// (docs/protocol/ingestion.md#steps-for-attributes-otlp).
import { incomingSpan, plannedSpan } from "../../ingest/incoming-span.ts";
import { spanKindOf, valueAt } from "../../ingest/span-columns.ts";
import { fail } from "../../kernel/failure.ts";
import { isJsonObject, type JsonObject } from "../../kernel/json.ts";
import { mayBeLarge } from "../../model/attributes/large-values.ts";
import { pythonJson } from "../../model/attributes/python-text.ts";
import { AttributeTree } from "../../model/attributes/unflatten.ts";
import type { IncomingSpan, SpanFrame, SpanStatus } from "../../model/span.ts";
import { convertConventions } from "../conventions/conventions.ts";
import { coercedValue } from "../decoded/coerced-value.ts";
import type { DecodedSpan } from "../decoded/decoded.ts";
import { eventsText } from "../decoded/events.ts";
import { extraText } from "../decoded/extra.ts";
import { isTruthy } from "../genai/values.ts";

/** What a span takes from around it. */
export interface SpanSurroundings {
  readonly projectName: string;
  /** From `sharedExtra`. */
  readonly sharedExtra: string;
}

const STATUSES: readonly SpanStatus[] = ["UNSET", "OK", "ERROR"];
/** The span as ingestion takes it. Takes the decoded attributes over. Fails (kind invalid) with the reason when the span
 *  cannot be stored. */
export function normaliseSpan(span: DecodedSpan, surroundings: SpanSurroundings): IncomingSpan {
  if (span.traceId === "") throw fail("otlp.no_trace_id", "invalid", "A span has no trace id");
  if (span.spanId === "") throw fail("otlp.no_span_id", "invalid", "A span has no span id");
  if (span.planned !== null) return plannedSpan(frameOf(span, surroundings), span.planned.columns, span.planned.text);
  convertConventions(span.attributes, span.events);
  const tree = new AttributeTree();
  let expectLarge = false;
  for (const [key, value] of span.attributes) {
    const coerced = coercedValue(key, value);
    if (typeof coerced === "string" && mayBeLarge(coerced.length)) expectLarge = true;
    tree.add(key, coerced);
  }
  const attributes = tree.toObject();
  coerceInput(attributes);
  const kind = spanKindOf(valueAt(attributes, "openinference", "span", "kind"));
  return incomingSpan(frameOf(span, surroundings), kind, attributes, expectLarge);
}

function frameOf(span: DecodedSpan, surroundings: SpanSurroundings): SpanFrame {
  return {
    projectName: surroundings.projectName,
    traceKey: span.traceId,
    spanKey: span.spanId,
    parentKey: span.parentSpanId === "" ? null : span.parentSpanId,
    name: span.name,
    status: STATUSES[span.statusCode] ?? "UNSET",
    statusMessage: span.statusMessage,
    startUs: span.startUs,
    endUs: span.endUs,
    events: eventsText(span.events),
    extra: extraText(span, surroundings.sharedExtra),
  };
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

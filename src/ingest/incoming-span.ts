// The last step on every way in: nested attributes and the fields around them become an IncomingSpan.

import { failsSilently } from "../analysis/failures/read-failure.ts";
import { callOfAttributes, isPricedKind } from "../costs/reported-call.ts";
import { fail } from "../kernel/failure.ts";
import { isJsonObject, type JsonObject, stringifyJson } from "../kernel/json.ts";
import { mayBeLarge, separateLargeValues } from "../model/attributes/large-values.ts";
import { exceedsBytes } from "../model/attributes/text.ts";
import {
  type IncomingSpan,
  type LargeValue,
  MAX_KEY_BYTES,
  type SpanColumns,
  type SpanFrame,
  type SpanKind,
} from "../model/span.ts";
import { previewTextOf } from "./preview-text.ts";
import { shownNameOf } from "./shown-name.ts";
import { headOf, plainColumns, plainFields, tokenCountOf, valueAt } from "./span-columns.ts";

const NO_LARGE_VALUES: readonly LargeValue[] = [];

/** Puts a span together. Takes the attributes over and cuts large texts out of them; `expectLarge` says that the caller saw
 *  a long text, which saves writing it twice. Fails (`spans.key_too_long`, invalid) for a key that no index can hold. */
export function incomingSpan(
  frame: SpanFrame,
  kind: SpanKind,
  attributes: JsonObject,
  expectLarge: boolean,
): IncomingSpan {
  requireKeys(frame);
  // Heads and keys come from the whole values, so they are taken before large ones are cut.
  const columns = columnsOf(attributes, kind);
  const shownName = shownNameOf(frame.name, attributes);
  let largeValues = expectLarge ? separateLargeValues(attributes) : NO_LARGE_VALUES;
  let text = stringifyJson(attributes);
  if (!expectLarge && mayBeLarge(text.length)) {
    largeValues = separateLargeValues(attributes);
    if (largeValues.length > 0) text = stringifyJson(attributes);
  }
  return together(frame, columns, text, largeValues, shownName);
}

/** The same of attributes that are written already and hold no large value. */
export function plannedSpan(frame: SpanFrame, columns: SpanColumns, attributes: string): IncomingSpan {
  requireKeys(frame);
  // Attributes that name a span otherwise have no plan.
  return together(frame, columns, attributes, NO_LARGE_VALUES, null);
}

/** What nested attributes say in the columns of a span of that kind. */
export function columnsOf(attributes: JsonObject, kind: SpanKind): SpanColumns {
  const isLlm = kind === "LLM";
  const tokens = isLlm ? valueAt(attributes, "llm", "token_count") : undefined;
  const counts = isJsonObject(tokens) ? tokens : undefined;
  return {
    ...plainColumns((position) => valueAt(attributes, ...plainFields[position]!.path)),
    kind,
    promptTokens: isLlm ? tokenCountOf(counts?.prompt) : null,
    completionTokens: isLlm ? tokenCountOf(counts?.completion) : null,
    silentFailure: failsSilently(kind, attributes) ? 1 : null,
    modelCall: isLlm && isPriced(attributes) ? callOfAttributes(attributes) : null,
    inputHead: headOf(valueAt(attributes, "input", "value")),
    outputHead: headOf(valueAt(attributes, "output", "value")),
    inputPreview: previewTextOf(attributes, "input"),
    outputPreview: previewTextOf(attributes, "output"),
  };
}

/** A kind that is given beside the attributes is one of the list already. */
function isPriced(attributes: JsonObject): boolean {
  const kind = valueAt(attributes, "openinference", "span", "kind");
  return kind === undefined || isPricedKind(kind);
}

function together(
  frame: SpanFrame,
  columns: SpanColumns,
  attributes: string,
  largeValues: readonly LargeValue[],
  shownName: string | null,
): IncomingSpan {
  // One spread, and first: several take five times as long.
  return {
    ...columns,
    projectName: frame.projectName,
    traceKey: frame.traceKey,
    spanKey: frame.spanKey,
    parentKey: frame.parentKey,
    name: frame.name,
    shownName,
    status: frame.status,
    statusMessage: frame.statusMessage,
    startUs: frame.startUs,
    endUs: frame.endUs,
    attributes,
    events: frame.events,
    extra: frame.extra,
    largeValues,
  };
}

function requireKeys({ traceKey, spanKey, parentKey, projectName }: SpanFrame): void {
  requireKey("trace id", traceKey);
  requireKey("span id", spanKey);
  if (parentKey !== null) requireKey("parent span id", parentKey);
  requireKey("project name", projectName);
}

function requireKey(what: string, key: string): void {
  if (!exceedsBytes(key, MAX_KEY_BYTES)) return;
  throw fail(
    "spans.key_too_long",
    "invalid",
    `The ${what} "${key.slice(0, 40)}…" is longer than ${MAX_KEY_BYTES} bytes`,
  );
}

// The last step on every way in: nested attributes and the fields around them become an IncomingSpan.
import { fail } from "../kernel/failure.ts";
import { isJsonObject, type JsonObject, stringifyJson } from "../kernel/json.ts";
import { mayBeLarge, separateLargeValues } from "../model/attributes/large-values.ts";
import { exceedsBytes } from "../model/attributes/text.ts";
import { type IncomingSpan, type LargeValue, MAX_KEY_BYTES, type SpanKind, type SpanStatus } from "../model/span.ts";
import { headOf, keyTextOf, tokenCountOf, valueAt } from "./span-columns.ts";

/** What a span has besides its attributes; texts are storable (`text.rules.ts`). */
interface SpanFrame {
  readonly projectName: string;
  readonly traceKey: string;
  readonly spanKey: string;
  readonly parentKey: string | null;
  readonly name: string;
  readonly kind: SpanKind;
  readonly status: SpanStatus;
  readonly statusMessage: string;
  readonly startUs: number;
  readonly endUs: number;
  readonly events: string;
  readonly extra: string | null;
}

const NO_LARGE_VALUES: readonly LargeValue[] = [];

/** Puts a span together. Takes the attributes over and cuts large texts out of them; `expectLarge` says that the caller saw
 *  a long text, which saves writing it twice. Fails (`spans.key_too_long`, invalid) for a key that no index can hold. */
export function incomingSpan(frame: SpanFrame, attributes: JsonObject, expectLarge: boolean): IncomingSpan {
  requireKey("trace id", frame.traceKey);
  requireKey("span id", frame.spanKey);
  if (frame.parentKey !== null) requireKey("parent span id", frame.parentKey);
  requireKey("project name", frame.projectName);
  const isLlm = frame.kind === "LLM";
  const tokens = isLlm ? valueAt(attributes, "llm", "token_count") : undefined;
  const counts = isJsonObject(tokens) ? tokens : undefined;
  // Heads and keys come from the whole values, so they are taken before large ones are cut.
  const sessionKey = keyTextOf(valueAt(attributes, "session", "id"));
  const userKey = keyTextOf(valueAt(attributes, "user", "id"));
  const model = keyTextOf(valueAt(attributes, "llm", "model_name"));
  const inputHead = headOf(valueAt(attributes, "input", "value"));
  const outputHead = headOf(valueAt(attributes, "output", "value"));
  let largeValues = expectLarge ? separateLargeValues(attributes) : NO_LARGE_VALUES;
  let text = stringifyJson(attributes);
  if (!expectLarge && mayBeLarge(text.length)) {
    largeValues = separateLargeValues(attributes);
    if (largeValues.length > 0) text = stringifyJson(attributes);
  }
  return {
    projectName: frame.projectName,
    traceKey: frame.traceKey,
    spanKey: frame.spanKey,
    parentKey: frame.parentKey,
    name: frame.name,
    kind: frame.kind,
    status: frame.status,
    statusMessage: frame.statusMessage,
    startUs: frame.startUs,
    endUs: frame.endUs,
    sessionKey,
    userKey,
    model,
    promptTokens: isLlm ? tokenCountOf(counts?.prompt) : null,
    completionTokens: isLlm ? tokenCountOf(counts?.completion) : null,
    attributes: text,
    events: frame.events,
    extra: frame.extra,
    largeValues,
    inputHead,
    outputHead,
  };
}

function requireKey(what: string, key: string): void {
  if (!exceedsBytes(key, MAX_KEY_BYTES)) return;
  throw fail(
    "spans.key_too_long",
    "invalid",
    `The ${what} "${key.slice(0, 40)}…" is longer than ${MAX_KEY_BYTES} bytes`,
  );
}

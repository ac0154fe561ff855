// The spans of a turn as a strip: equal ones that follow each other are one span with a count; a failed one stands alone.
import type { SpanKind } from "./trace-span.ts";

export interface StripSpan {
  /** Global id. */
  readonly id: string;
  readonly name: string;
  readonly kind: SpanKind;
  /** The beginning of its error; null for a span that did not fail. */
  readonly error: string | null;
  readonly failed: boolean;
  readonly latencyMs: number;
  readonly model: string | null;
}

export interface CountedSpan extends StripSpan {
  /** Of equal spans one after the other; `latencyMs` is their sum. */
  readonly count: number;
}

export function stripOf(spans: readonly StripSpan[]): CountedSpan[] {
  const strip: CountedSpan[] = [];
  for (const span of spans) {
    const last = strip.at(-1);
    const isSame =
      last !== undefined && !last.failed && !span.failed && last.kind === span.kind && last.name === span.name;
    if (isSame)
      strip[strip.length - 1] = { ...last, count: last.count + 1, latencyMs: last.latencyMs + span.latencyMs };
    else strip.push({ ...span, count: 1 });
  }
  return strip;
}

/** The type of an error out of the beginning of its message: `TimeoutError` of `httpx.TimeoutError: too slow`. Null where the
 *  message does not begin with one. */
export function errorType(error: string | null): string | null {
  const type = /^[\w.$]*?(\w+)(?=:|\(|$)/.exec(error ?? "")?.[1] ?? "";
  return type === "" || type.length > MOST_CHARACTERS ? null : type;
}

/** Longer ones are no names of types. */
const MOST_CHARACTERS = 40;

// Spans and conditions that keep a database busy for a long time.
import type { IncomingSpan } from "../../src/model/span.ts";
import { incomingSpan } from "./spans.ts";

const SPANS = 10_000;
const TEXTS = 400;

/** Of the trace language: every span is compared with every other, and none meets it. */
export const SLOW_TRACE_CONDITION = "any(any(c.latency_ms > s.latency_ms + 1 for c in spans) for s in spans)";
/** Of the span language: many texts are looked for in every span. */
export const SLOW_SPAN_CONDITION = Array.from({ length: TEXTS }, (_, at) => `'no ${at}' in input.value`).join(" or ");

/** One trace of the project that the conditions take long for. */
export function* slowTrace(projectName: string): Generator<IncomingSpan> {
  const attributes = JSON.stringify({ input: { value: "some input of ordinary length ".repeat(40) } });
  for (let number = 0; number < SPANS; number++) {
    yield incomingSpan({
      projectName,
      traceKey: "5".repeat(32),
      name: `step ${number}`,
      attributes,
      inputHead: "some",
    });
  }
}

// Writes spans one after the other on one time line; a span that holds others ends a little after the last of them.
import type { Draw } from "./draw.ts";

export type ExampleValue = string | number | boolean;
type ExampleAttributes = Readonly<Record<string, ExampleValue>>;

interface ExampleFailure {
  readonly type: string;
  readonly message: string;
  readonly stack: string;
}

export interface ExampleSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | null;
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: ExampleAttributes;
  readonly failure: ExampleFailure | null;
}

export interface Timeline {
  /** Finished spans, in the order of their ends. */
  readonly spans: ExampleSpan[];
  /** Runs `inside`, which adds spans below it and returns the attributes. */
  span(name: string, kind: string, inside: () => ExampleAttributes): void;
  leaf(name: string, kind: string, ms: number, attributes: ExampleAttributes, failure?: ExampleFailure): void;
}

export function timelineOf(traceId: string, startMs: number, draw: Draw, common: ExampleAttributes): Timeline {
  const spans: ExampleSpan[] = [];
  const open: string[] = [];
  let nowMs = startMs;
  const pass = () => {
    nowMs += draw.between(1, 9);
  };
  const add = (
    span: Pick<ExampleSpan, "spanId" | "name" | "startMs" | "failure">,
    kind: string,
    attributes: ExampleAttributes,
  ) => {
    spans.push({
      ...span,
      traceId,
      parentId: open.at(-1) ?? null,
      endMs: nowMs,
      attributes: { ...common, "openinference.span.kind": kind, ...attributes },
    });
  };
  return {
    spans,
    span(name, kind, inside) {
      const spanId = draw.hex(8);
      const beganMs = nowMs;
      open.push(spanId);
      pass();
      const attributes = inside();
      pass();
      open.pop();
      add({ spanId, name, startMs: beganMs, failure: null }, kind, attributes);
    },
    leaf(name, kind, ms, attributes, failure) {
      pass();
      const beganMs = nowMs;
      nowMs += ms;
      add({ spanId: draw.hex(8), name, startMs: beganMs, failure: failure ?? null }, kind, attributes);
    },
  };
}

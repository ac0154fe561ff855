// Builders for spans as ingestion takes them: a test names what matters to it, the rest is ordinary.
import { attributeFields, type IncomingSpan } from "../../src/model/span.ts";

/** 2024-01-01T00:00:00Z in microseconds. */
export const START_US = 1_704_067_200_000_000;

let lastKey = 0;

/** A hex key of 16 digits that no other call returns. */
export function freshSpanKey(): string {
  return (++lastKey).toString(16).padStart(16, "0");
}

export function incomingSpan(given: Partial<IncomingSpan> = {}): IncomingSpan {
  const startUs = given.startUs ?? START_US;
  const absent = Object.fromEntries(Object.keys(attributeFields).map((name) => [name, null]));
  return {
    ...(absent as Record<Exclude<keyof typeof attributeFields, "kind">, null>),
    parentKey: null,
    shownName: null,
    extra: null,
    projectName: "default",
    traceKey: "0".repeat(31) + "1",
    spanKey: freshSpanKey(),
    name: "step",
    kind: "CHAIN",
    status: "UNSET",
    statusMessage: "",
    startUs,
    endUs: startUs + 1_000_000,
    attributes: '{"openinference":{"span":{"kind":"CHAIN"}}}',
    events: "[]",
    largeValues: [],
    ...given,
  };
}

// Spans for the tests of the tree: only what a test names differs from the ordinary.
import type { TraceSpan } from "../../../src/web/domain/trace/trace-span.ts";

export function span(key: string, parent: string | null, given: Partial<TraceSpan> = {}): TraceSpan {
  const startUs = given.startUs ?? 0;
  return {
    id: `Span:${key}`,
    spanKey: key,
    parentKey: parent,
    name: key,
    shownName: given.name ?? key,
    kind: "CHAIN",
    status: "UNSET",
    error: null,
    startUs,
    endUs: given.endUs ?? startUs + 10,
    model: null,
    tokens: null,
    cost: null,
    isCountedInChild: false,
    hasContent: false,
    ...given,
  };
}

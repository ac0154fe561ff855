// The kind of a span as GraphQL spells it, in the spelling of everything else.
import type { SpanKind } from "./trace-span.ts";

/** Of a trace whose root has not arrived nothing is known. */
export function kindOf(spelled: string | undefined): SpanKind {
  return (spelled?.toUpperCase() ?? "UNKNOWN") as SpanKind;
}

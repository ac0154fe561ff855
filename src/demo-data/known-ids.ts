// Ids of one conversation of the example project that are always the same, so that what the documentation asks for is there.
import type { ExampleSpan } from "./timeline.ts";

export const EXAMPLE_TRACE = "0af7651916cd43dd8448eb211c80319c";
/** The root span of that trace. */
const EXAMPLE_ROOT_SPAN = "b7ad6b7169203331";
/** A span of that trace with documents. */
export const EXAMPLE_SPAN = "53995c3f42cd8ad8";
export const EXAMPLE_SESSION = "chat-1";

/** The spans, with the known ids in the last trace that looked something up. */
export function withKnownIds(spans: readonly ExampleSpan[]): readonly ExampleSpan[] {
  const found = spans.findLast(({ attributes }) => attributes["openinference.span.kind"] === "RETRIEVER");
  const root = spans.find(({ traceId, parentId }) => traceId === found?.traceId && parentId === null);
  if (found === undefined || root === undefined) return spans;
  const session = found.attributes["session.id"];
  const renamed = new Map([
    [found.spanId, EXAMPLE_SPAN],
    [root.spanId, EXAMPLE_ROOT_SPAN],
  ]);
  return spans.map((span) => ({
    ...span,
    traceId: span.traceId === found.traceId ? EXAMPLE_TRACE : span.traceId,
    spanId: renamed.get(span.spanId) ?? span.spanId,
    parentId: span.parentId === null ? null : (renamed.get(span.parentId) ?? span.parentId),
    attributes:
      span.attributes["session.id"] === session
        ? { ...span.attributes, "session.id": EXAMPLE_SESSION }
        : span.attributes,
  }));
}

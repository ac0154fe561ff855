// Spans on their way to another thread. Large texts are moved, not copied: a prompt of a hundred megabytes would be in memory four
// times on its way to the database.
import type { IncomingSpan } from "../model/span.ts";
import type { SpansMessage } from "./ingest-messages.ts";

/** The message and what of it is moved. Nothing of the large texts of `spans` is referred to by it. */
export function crossingSpans(
  spans: readonly IncomingSpan[],
  continues: boolean,
): { readonly message: SpansMessage; readonly moved: ArrayBuffer[] } {
  const moved: ArrayBuffer[] = [];
  const crossing = spans.map((span) => {
    if (span.largeValues.length === 0) return span;
    const largeValues = span.largeValues.map(({ path, text }) => {
      // Never of the runtime's pool, which a small text would share with others.
      const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
      moved.push(bytes.buffer);
      return { path, text: bytes };
    });
    return { ...span, largeValues };
  });
  return { message: { spans: crossing, continues }, moved };
}

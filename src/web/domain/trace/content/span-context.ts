// What the cards of a span know of it, however deep they are.
import { createContext, useContext } from "react";
import { queryText } from "../../../lib/rest.ts";
import type { DocumentList } from "../payload/documents.ts";
import type { Message } from "../payload/messages.ts";
import type { Place } from "../payload/payload.ts";

/** Messages of the model call before this one. */
export interface Previous {
  readonly input: readonly Message[];
  readonly output: readonly Message[];
}

interface SpanOfCards {
  readonly spanId: string;
  readonly previous: Previous | null;
  /** Characters of a text that are shown before the reader unfolds it, where they are fewer than elsewhere. */
  readonly atOnce?: number;
  /** Whose questions the documents are judged by, and which of its lists; absent where nothing is judged. */
  readonly judged?: { readonly projectId: string; readonly list: DocumentList["role"] };
}

export const SpanContext = createContext<SpanOfCards>({ spanId: "", previous: null });

export function useSpan(): SpanOfCards {
  return useContext(SpanContext);
}

/** Where a value that is shown in part can be read whole. */
export function addressOfValue(spanId: string, place: Place): string {
  return `v1/spans/${encodeURIComponent(spanId)}/value${queryText({ path: JSON.stringify(place) })}`;
}

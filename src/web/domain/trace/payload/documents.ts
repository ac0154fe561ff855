// Documents of retrievers and rerankers, and texts of embeddings.
import type { Json } from "../../../../kernel/json.ts";
import { type Excerpt, excerptOf, type Payload } from "./payload.ts";
import { at, elementsAt, numberAt, plainText, textAt, unfolded, wordAt } from "./values.ts";

export interface FoundDocument {
  readonly position: number;
  readonly id: string | null;
  readonly score: number | null;
  readonly content: Excerpt | null;
  /** As an object, not as its JSON text; undefined if there is none. */
  readonly metadata: Json | undefined;
  /** Of a reranked document: its position before; null where that is not known. */
  readonly before: number | null;
}

export interface DocumentList {
  readonly role: "retrieved" | "given" | "reranked";
  readonly documents: readonly FoundDocument[];
}

export function documentLists(payload: Payload): DocumentList[] {
  const given = readDocuments(payload, ["reranker", "input_documents"]);
  const reranked = readDocuments(payload, ["reranker", "output_documents"]).map((document) => ({
    ...document,
    before: positionOf(document, given),
  }));
  const lists: DocumentList[] = [
    { role: "retrieved", documents: readDocuments(payload, ["retrieval", "documents"]) },
    { role: "reranked", documents: reranked },
    { role: "given", documents: given },
  ];
  return lists.filter(({ documents }) => documents.length > 0);
}

function readDocuments(payload: Payload, steps: readonly string[]): FoundDocument[] {
  return elementsAt(payload.attributes, ...steps).map(({ step, value }, position) => {
    const inner = at(value, "document");
    const document = inner ?? value;
    const place = ["attributes", ...steps, step, ...(inner === undefined ? [] : ["document"]), "content"];
    // A list of plain values is a list of contents.
    const content = typeof document === "object" ? at(document, "content") : document;
    const metadata = at(document, "metadata");
    return {
      position,
      id: wordAt(document, "id"),
      score: numberAt(document, "score"),
      content: content === undefined || content === null ? null : excerptOf(payload, plainText(content), place),
      metadata: metadata === undefined || metadata === null ? undefined : unfolded(metadata),
      before: null,
    };
  });
}

function positionOf(document: FoundDocument, given: readonly FoundDocument[]): number | null {
  const found = given.findIndex((each) =>
    document.id === null
      ? each.content?.text === document.content?.text && document.content !== null
      : each.id === document.id,
  );
  return found < 0 ? null : found;
}

export interface Embedding {
  readonly text: Excerpt | null;
  /** What the server says of the vector: its size. */
  readonly vector: string | null;
}

export function embeddingsOf(payload: Payload): Embedding[] {
  const steps = ["embedding", "embeddings"];
  return elementsAt(payload.attributes, ...steps).map(({ step, value }) => {
    const inner = at(value, "embedding");
    const text = textAt(inner ?? value, "text");
    const place = ["attributes", ...steps, step, ...(inner === undefined ? [] : ["embedding"]), "text"];
    return { text: text === null ? null : excerptOf(payload, text, place), vector: textAt(inner ?? value, "vector") };
  });
}

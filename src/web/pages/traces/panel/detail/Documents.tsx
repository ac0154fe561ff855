// Documents in their order, each with its score; after ranking also where it stood before. Embedded texts.
import { type ReactNode, useState } from "react";
import { DocumentReview } from "../../../../domain/annotations/DocumentReview.tsx";
import { RetrievalFigures } from "../../../../domain/annotations/RetrievalFigures.tsx";
import { LongText } from "../../../../domain/trace/content/LongText.tsx";
import { useSpan } from "../../../../domain/trace/content/span-context.ts";
import type { DocumentList, Embedding, FoundDocument } from "../../../../domain/trace/payload/documents.ts";
import { JsonView } from "../../../../kit/JsonView.tsx";
import { type LabelKey, text } from "../../../../texts/texts.ts";
import styles from "./bodies.module.css";

const headings: Readonly<Record<DocumentList["role"], LabelKey>> = {
  retrieved: "span.documents.retrieved",
  reranked: "span.documents.reranked",
  given: "span.documents.given",
};
/** Characters of a document before it is opened. */
const PREVIEW = 280;

interface DocumentsProps {
  readonly lists: readonly DocumentList[];
  readonly embeddings: readonly Embedding[];
  readonly query: string | null;
}

export default function Documents({ lists, embeddings, query }: DocumentsProps) {
  const { spanId, judged } = useSpan();
  const [open, setOpen] = useState<number | null>(null);
  const judging = (list: DocumentList, position: number) =>
    judged?.list === list.role && (
      <DocumentReview
        projectId={judged.projectId}
        spanId={spanId}
        position={position}
        last={position === list.documents.length - 1}
        open={open === position}
        onOpen={setOpen}
      />
    );
  return (
    <>
      {query !== null && (
        <div className={styles.item}>
          <h5 className={styles.label}>{text("span.documents.query")}</h5>
          <LongText excerpt={{ text: query, place: null, wholeBytes: null }} />
        </div>
      )}
      {lists.map((list) => (
        <section key={list.role}>
          {(lists.length > 1 || query !== null) && <h5 className={styles.section}>{text(headings[list.role])}</h5>}
          {judged?.list === list.role && <RetrievalFigures spanId={spanId} />}
          <ol className={styles.list}>
            {list.documents.map((document) => (
              <OneDocument key={document.position} document={document} judging={judging(list, document.position)} />
            ))}
          </ol>
        </section>
      ))}
      {embeddings.length > 0 && (
        <ol className={styles.list}>
          {embeddings.map(({ text: embedded, vector }, index) => (
            <li key={index} className={styles.item}>
              {embedded !== null && <LongText excerpt={embedded} />}
              {vector !== null && <small className={styles.faint}>{vector.replace(/^<|>$/g, "")}</small>}
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

interface OneDocumentProps {
  readonly document: FoundDocument;
  /** Its annotations, at its end. */
  readonly judging: ReactNode;
}

function OneDocument({ document: { position, id, score, content, metadata, before }, judging }: OneDocumentProps) {
  const [open, setOpen] = useState(false);
  const isLong = content !== null && content.text.length > PREVIEW;
  return (
    <li className={styles.item}>
      <div className={styles.documentHead}>
        <span className={styles.rank}>{position + 1}</span>
        {id !== null && <code>{id}</code>}
        {score !== null && <b>{text("span.documents.score", { score: String(Number(score.toPrecision(4))) })}</b>}
        {before !== null && before !== position && (
          <small>{text("span.documents.from", { position: before + 1 })}</small>
        )}
      </div>
      {content !== null &&
        (open || !isLong ? (
          <LongText excerpt={content} formatted />
        ) : (
          <p dir="auto" className={styles.preview}>
            {content.text.slice(0, PREVIEW).trimEnd()}…
          </p>
        ))}
      {isLong && (
        <button type="button" className={styles.link} onClick={() => setOpen(!open)}>
          {text(open ? "span.documents.less" : "span.documents.more")}
        </button>
      )}
      {metadata !== undefined && (
        <div className={styles.code}>
          <JsonView value={metadata} open={0} />
        </div>
      )}
      {judging}
    </li>
  );
}

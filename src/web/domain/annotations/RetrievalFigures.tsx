// How good a retrieval was, by the scores of its documents: one line a name, above the documents.
import { text } from "../../texts/texts.ts";
import styles from "./RetrievalFigures.module.css";
import { useDocuments } from "./use-document-review.ts";

export function RetrievalFigures({ spanId }: { readonly spanId: string }) {
  const metrics = useDocuments(spanId).span?.documentRetrievalMetrics ?? [];
  if (metrics.length === 0) return null;
  return (
    <ul className={styles.figures}>
      {metrics.map(({ evaluationName: name, ndcg, precision, reciprocalRank }) => (
        <li key={name}>
          {ndcg === null || precision === null
            ? text("review.retrieval.open", { name })
            : text("review.retrieval", { name, ndcg: shown(ndcg), precision: shown(precision) })}
          {reciprocalRank !== null &&
            ` · ${
              reciprocalRank === 0
                ? text("review.retrieval.miss")
                : text("review.retrieval.hit", { place: String(Math.round(1 / reciprocalRank)) })
            }`}
        </li>
      ))}
    </ul>
  );
}

const shown = (figure: number) => figure.toFixed(2);

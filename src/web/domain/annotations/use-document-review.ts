// Annotations of the documents that a span retrieved: loaded once for all of them, judged one by one.
import { useMemo } from "react";
import { askGraphql } from "../../lib/graphql.ts";
import { useGraphql } from "../../lib/queries.ts";
import { reviewedDocuments, sayDocument, takeBackDocument } from "./review.queries.ts";
import { type Review, useReviewOf } from "./use-review.ts";
import { ownIdentifier } from "./verdicts.ts";

export function useDocuments(spanId: string) {
  const asked = useGraphql(reviewedDocuments, { id: spanId });
  const node = asked.data?.node;
  return { asked, span: node?.__typename === "Span" ? node : null };
}

export function useDocumentReview(spanId: string, position: number): Review {
  const { asked, span } = useDocuments(spanId);
  const annotations = useMemo(
    () => span?.documentEvaluations.filter(({ documentPosition }) => documentPosition === position) ?? [],
    [span, position],
  );
  return useReviewOf({
    key: `${spanId} document ${position}`,
    annotations,
    loading: asked.isPending,
    failure: asked.error,
    askedAs: ["ReviewedDocuments", { id: spanId }],
    notes: null,
    async send({ says, takesBack }, _own, viewerId) {
      const author = { annotatorKind: "HUMAN", source: "APP", identifier: ownIdentifier(viewerId) } as const;
      const common = { ...author, spanId, documentPosition: position, metadata: {} };
      if (says.length > 0) await askGraphql(sayDocument, { input: says.map((one) => ({ ...common, ...one })) });
      const annotationIds = takesBack.map(({ id }) => id);
      if (annotationIds.length > 0) await askGraphql(takeBackDocument, { input: { annotationIds } });
    },
  });
}

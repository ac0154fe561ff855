// Loads the annotations of the spans of a trace, once for all of them, and passes them to their rows. It draws nothing: the tree is there
// before it.
import { useEffect } from "react";
import { annotationMarks } from "../../../../domain/annotations/annotation-marks.ts";
import { spanVerdicts } from "../../../../domain/annotations/review.queries.ts";
import { useQuestions } from "../../../../domain/annotations/use-review.ts";
import { useGraphql } from "../../../../lib/queries.ts";
import { text } from "../../../../texts/texts.ts";
import type { VerdictsOfSpans } from "../AnnotationMarks.tsx";

interface SpanVerdictsProps {
  readonly projectId: string;
  /** Global id. */
  readonly traceId: string;
  readonly onFound: (verdicts: VerdictsOfSpans) => void;
}

export default function SpanVerdicts({ projectId, traceId, onFound }: SpanVerdictsProps) {
  const questions = useQuestions(projectId);
  const { data } = useGraphql(spanVerdicts, { id: traceId });
  const annotations = data?.node?.__typename === "Trace" ? data.node.spanAnnotations : undefined;
  useEffect(() => {
    if (questions === undefined || annotations === undefined) return;
    const bySpan = Map.groupBy(annotations, ({ spanId }) => spanId);
    onFound(
      new Map(
        [...bySpan].map(([id, annotations]) => [
          id,
          annotationMarks(annotations, questions, (kind) => text(`review.program.${kind}`)),
        ]),
      ),
    );
  }, [questions, annotations, onFound]);
  return null;
}

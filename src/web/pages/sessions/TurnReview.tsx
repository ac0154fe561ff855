// Annotations of a turn: thumbs of the reader, and the annotations of others. They are loaded for a page of turns at once.
import { ThumbsDown, ThumbsUp } from "lucide-react";
import { useMemo } from "react";
import { shownVerdict } from "../../domain/annotations/drafts.ts";
import { sendReview } from "../../domain/annotations/send-review.ts";
import { useQuestions, useReviewOf } from "../../domain/annotations/use-review.ts";
import { VerdictChip } from "../../domain/annotations/VerdictChip.tsx";
import { emptyVerdict } from "../../domain/annotations/verdicts.ts";
import { AddToDatasetButton } from "../../domain/datasets/AddToDatasetButton.tsx";
import { IconButton } from "../../kit/Button.tsx";
import { graphql } from "../../lib/graphql.ts";
import { useGraphql } from "../../lib/queries.ts";
import { useRights } from "../../lib/viewer.ts";
import { text } from "../../texts/texts.ts";
import styles from "./TurnReview.module.css";
import type { TurnBatch } from "./turn-content.ts";
import type { Turn } from "./use-turns.ts";
import { feedback } from "./user-feedback.ts";

const turnVerdicts = graphql(`
  query TurnVerdicts($session: ID!, $first: Int!, $after: String) {
    node(id: $session) {
      __typename
      ... on ProjectSession {
        id
        traces(first: $first, after: $after) {
          edges {
            node {
              id
              traceAnnotations { id name annotatorKind label score explanation identifier updatedAt user { id username } }
            }
          }
        }
      }
    }
  }
`);

interface TurnReviewProps {
  readonly turn: Turn;
  readonly number: number;
  readonly batch: TurnBatch;
}

export default function TurnReview({ turn, number, batch: { asked: asks } }: TurnReviewProps) {
  const { session, first, after } = asks;
  const asked = useGraphql(turnVerdicts, { session, first, after });
  const questions = useQuestions(turn.projectId);
  const { mayWrite } = useRights();
  const node = asked.data?.node;
  const annotations = useMemo(() => {
    const edges = node?.__typename === "ProjectSession" ? node.traces.edges : [];
    return edges.find(({ node: { id } }) => id === turn.id)?.node.traceAnnotations ?? [];
  }, [node, turn.id]);
  const review = useReviewOf({
    key: turn.id,
    annotations,
    loading: asked.isPending,
    failure: asked.error,
    askedAs: ["TurnVerdicts", { session, first, after }],
    send: (changes, own, viewerId) => sendReview({ kind: "trace", id: turn.id }, changes, own, viewerId),
    notes: null,
  });
  const { own, others } = review.grouped;
  const given = shownVerdict(review.entry, feedback.name, own.get(feedback.name) ?? emptyVerdict).label;
  const thumb = (label: "positive" | "negative") => {
    const score = label === "positive" ? 1 : 0;
    // The given one again takes it back.
    review.judge(feedback.name, given === label ? emptyVerdict : { label, score, explanation: null });
    review.save(text("sessions.turn", { number }));
  };
  const shown = [...own.values(), ...[...others.values()].flat()].filter(
    (annotation) => annotation !== own.get(feedback.name),
  );
  if (review.loading || (!mayWrite && shown.length === 0 && given === null)) return null;
  return (
    <div className={styles.review}>
      {mayWrite && (
        <>
          <IconButton
            small
            label={text("sessions.turn.good", { number })}
            icon={<ThumbsUp />}
            pressed={given === "positive"}
            onClick={() => thumb("positive")}
          />
          <IconButton
            small
            label={text("sessions.turn.bad", { number })}
            icon={<ThumbsDown />}
            pressed={given === "negative"}
            onClick={() => thumb("negative")}
          />
          <AddToDatasetButton
            small
            label={text("addition.turn", { number })}
            kind="trace"
            ids={[turn.id]}
            matching={null}
          />
        </>
      )}
      {shown.map((annotation) => (
        <VerdictChip
          key={annotation.id}
          annotation={annotation}
          question={[...(questions ?? []), feedback].find(({ name }) => name === annotation.name)}
        />
      ))}
    </div>
  );
}

// The evaluations of a run, and the reader's own. A run has one per name: that of a person replaces that of a program.
import { useMemo } from "react";
import { type Review, useReviewOf } from "../../../domain/annotations/use-review.ts";
import { type Annotation, ownIdentifier } from "../../../domain/annotations/verdicts.ts";
import { failureOfResponse, unreachable } from "../../../lib/failure.ts";
import { useGraphql } from "../../../lib/queries.ts";
import { fetchApi } from "../../../lib/session.ts";
import { useViewer } from "../../../lib/viewer.ts";
import { annotationsOf } from "./compared.ts";
import { reviewedRun } from "./comparison.queries.ts";

export function useRunReview(runId: string): Review {
  const asked = useGraphql(reviewedRun, { id: runId });
  const viewerId = useViewer()?.id ?? null;
  const node = asked.data?.node;
  const annotations = useMemo(
    () =>
      node?.__typename !== "ExperimentRun"
        ? []
        : annotationsOf(node).map(
            ({ id, name, annotatorKind, label, score, explanation, error, endTime }): Annotation => ({
              ...{ id, name, annotatorKind, label, score },
              explanation: explanation ?? error,
              updatedAt: endTime,
              user: null,
              // The author is unknown: evaluations by people are shared.
              identifier: annotatorKind === "HUMAN" ? ownIdentifier(viewerId) : "",
            }),
          ),
    [node, viewerId],
  );
  return useReviewOf({
    key: runId,
    annotations,
    loading: asked.isPending,
    failure: asked.error,
    askedAs: ["ReviewedRun", { id: runId }],
    notes: null,
    async send({ says, takesBack }) {
      const nothing = { label: null, score: null, explanation: null };
      // What is taken back stays as a word that says nothing.
      for (const evaluation of [...says, ...takesBack.map(({ name }) => ({ name, ...nothing }))])
        await sayOfRun(runId, evaluation);
    },
  });
}

interface NewEvaluation {
  readonly name: string;
  readonly label: string | null;
  readonly score: number | null;
  readonly explanation: string | null;
}

async function sayOfRun(runId: string, { name, label, score, explanation }: NewEvaluation): Promise<void> {
  const now = new Date().toISOString();
  const body = {
    experiment_run_id: runId,
    name,
    annotator_kind: "HUMAN",
    start_time: now,
    end_time: now,
    result: { label, score, explanation },
  };
  const response = await fetchApi("v1/experiment_evaluations", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  }).catch((error: unknown) => {
    throw unreachable(error);
  });
  if (!response.ok) throw await failureOfResponse(response);
}

// One verdict on many targets: sent batch by batch, each of which is stored when it is answered. What was not finished goes on where it
// ended, and all of it is taken back by its identifier.
import { failureOfResponse, unreachable } from "../../lib/failure.ts";
import { askGraphql, graphql } from "../../lib/graphql.ts";
import { queryText } from "../../lib/rest.ts";
import { fetchApi } from "../../lib/session.ts";
import { boundsOf, type LiveRange } from "../../lib/time-range.ts";
import type { Verdict } from "./verdicts.ts";

const annotateSelected = graphql(`
  mutation AnnotateSelected($input: AnnotateSelectedInput!) {
    annotateSelected(input: $input) { annotatedCount }
  }
`);
const annotateMatching = graphql(`
  mutation AnnotateMatching($input: AnnotateMatchingInput!) {
    annotateMatching(input: $input) { annotatedCount next }
  }
`);

/** Targets of one call. */
const BATCH = 1000;

export type BulkTarget = "span" | "trace" | "session";

/** What a list shows all of. */
export interface Matching {
  readonly condition: string;
  readonly timeRange: LiveRange;
  /** Undefined while it is not known. */
  readonly count: number | undefined;
}

/** An annotation and the targets that get it. */
export interface Bulk {
  readonly projectId: string;
  readonly target: BulkTarget;
  readonly on: { readonly ids: readonly string[] } | Pick<Matching, "condition" | "timeRange">;
  readonly name: string;
  readonly verdict: Verdict;
  /** It is unique. */
  readonly identifier: string;
}

export interface BulkState {
  readonly done: number;
  /** Where the next batch begins; null when everything is done. */
  readonly next: string | null;
}

export const bulkBegin: BulkState = { done: 0, next: "" };

export const newIdentifier = (): string => `px-bulk:${crypto.randomUUID()}`;

/** One batch more, behind `state`. Throws a PageFailure; then the same call can be repeated. */
export type NextBatch = (state: BulkState) => Promise<BulkState>;

export function batchesOf({ projectId, target, on, name, verdict, identifier }: Bulk): NextBatch {
  const { label, score, explanation } = verdict;
  const annotation = {
    target: words[target],
    name,
    identifier,
    label,
    score,
    explanation: explanation?.trim() || null,
  };
  if ("ids" in on) {
    return async ({ done }) => {
      const ids = on.ids.slice(done, done + BATCH);
      await askGraphql(annotateSelected, { input: { ids, ...annotation } });
      const end = done + ids.length;
      return { done: end, next: end < on.ids.length ? "" : null };
    };
  }
  // The range as of now: that of a list moves on with the clock.
  const { from: start, to: end } = boundsOf(on.timeRange.range, Date.now());
  const matching = { projectId, condition: on.condition, timeRange: { start, end }, first: BATCH };
  return async ({ done, next: after }) => {
    const answer = await askGraphql(annotateMatching, { input: { ...matching, ...annotation, after: after || null } });
    const { annotatedCount, next } = answer.annotateMatching;
    return { done: done + annotatedCount, next };
  };
}

/** Throws a PageFailure. */
export async function takeBack({ projectId, target, identifier }: Bulk): Promise<void> {
  const query = queryText({ identifier, delete_all: true });
  const path = `v1/projects/${encodeURIComponent(projectId)}/${target}_annotations${query}`;
  const response = await fetchApi(path, { method: "DELETE" }).catch((error: unknown) => {
    throw unreachable(error);
  });
  if (!response.ok) throw await failureOfResponse(response);
}

const words = { span: "SPAN", trace: "TRACE", session: "SESSION" } as const;

// The annotations of one target, the reader's drafts for it, and their sending.
import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useSyncExternalStore } from "react";
import { showToast } from "../../kit/Toast.tsx";
import { isTouched } from "../../lib/entities.ts";
import { failureOf, type PageFailure } from "../../lib/failure.ts";
import { nodesOf, type ResultOf } from "../../lib/graphql.ts";
import { useGraphql } from "../../lib/queries.ts";
import { useViewer } from "../../lib/viewer.ts";
import { text } from "../../texts/texts.ts";
import { changesOf, Drafts, type Entry, type ReviewChanges } from "./drafts.ts";
import { reviewedTarget, reviewQuestions } from "./review.queries.ts";
import { deleteNote, type ReviewTarget, rewriteNote, sendReview } from "./send-review.ts";
import { type Annotation, type Question, type Sorted, sortedOut, type Verdict } from "./verdicts.ts";

/** Beyond the panel that they were made in. */
const drafts = new Drafts();
const none: readonly Annotation[] = [];

export interface Review {
  readonly grouped: Sorted;
  readonly entry: Entry;
  readonly loading: boolean;
  readonly failure: PageFailure | null;
  readonly judge: (name: string, verdict: Verdict) => void;
  readonly writeNote: (note: string) => void;
  /** Answers at once; a failure says so, and the draft is there again. */
  readonly save: (name: string) => void;
  /** Null where there are no notes. */
  readonly notes: NoteChanges | null;
}

export interface NoteChanges {
  readonly mayChange: (note: Annotation) => boolean;
  readonly change: (note: Annotation, text: string) => Promise<void>;
  readonly remove: (note: Annotation) => Promise<void>;
}

export function useReview(target: ReviewTarget): Review {
  const asked = useGraphql(reviewedTarget, { id: target.id });
  const node = asked.data?.node;
  const annotations =
    node?.__typename === "Span"
      ? node.spanAnnotations
      : node?.__typename === "Trace"
        ? node.traceAnnotations
        : node?.__typename === "ProjectSession"
          ? node.sessionAnnotations
          : none;
  return useReviewOf({
    key: target.id,
    annotations,
    loading: asked.isPending,
    failure: asked.error,
    askedAs: ["ReviewedTarget", { id: target.id }],
    send: (changes, own, viewerId) => sendReview(target, changes, own, viewerId),
    notes: target,
  });
}

interface Reviewed {
  /** What drafts are kept by. */
  readonly key: string;
  readonly annotations: readonly Annotation[];
  readonly loading: boolean;
  readonly failure: PageFailure | null;
  /** The query that answers with the annotations. */
  readonly askedAs: readonly [string, object];
  readonly send: (
    changes: ReviewChanges,
    own: ReadonlyMap<string, Annotation>,
    viewerId: string | null,
  ) => Promise<void>;
  /** What the notes are about; null where there are none. */
  readonly notes: ReviewTarget | null;
}

/** The review of anything that has annotations. */
export function useReviewOf({ key, annotations, loading, failure, askedAs, send, notes }: Reviewed): Review {
  const client = useQueryClient();
  const viewerId = useViewer()?.id ?? null;
  const entry = useSyncExternalStore(drafts.subscribe, () => drafts.entry(key));
  const grouped = useMemo(() => sortedOut(annotations, viewerId), [annotations, viewerId]);

  const showNew = async () => {
    // Also where another trace is shown by now: on the way back, the annotations are there.
    await client.refetchQueries({ queryKey: askedAs, type: "all" });
    void client.invalidateQueries({ predicate: ({ meta }) => isTouched(meta?.shows, ["annotations"]) });
  };
  const save = async (name: string) => {
    const draft = drafts.take(key);
    if (draft === null) return;
    const changes = changesOf(draft, grouped.own);
    try {
      if (changes !== null) {
        await send(changes, grouped.own, viewerId);
        await showNew();
      }
      drafts.settle(key);
    } catch (error) {
      const { message } = failureOf(error);
      drafts.fail(key, message);
      showToast(text("review.failed", { name, message }), "error");
    }
  };
  return {
    grouped,
    entry,
    loading,
    failure,
    judge: (name, verdict) => drafts.judge(key, name, verdict),
    writeNote: (note) => drafts.writeNote(key, note),
    save: (name) => void save(name),
    notes: notes && {
      mayChange: (note) => (note.user?.id ?? null) === viewerId,
      async change(note, written) {
        await rewriteNote(notes, note, written);
        await showNew();
      },
      async remove(note) {
        await deleteNote(notes, note);
        await showNew();
      },
    },
  };
}

/** What the project asks about its traces; undefined until it is known. */
export function useQuestions(projectId: string): readonly Question[] | undefined {
  const { data } = useGraphql(reviewQuestions, { project: projectId });
  return useMemo(() => {
    const node = data?.node;
    return node?.__typename === "Project" ? nodesOf(node.annotationConfigs.edges).map(questionOf) : undefined;
  }, [data]);
}

type Config = Extract<
  NonNullable<ResultOf<typeof reviewQuestions>["node"]>,
  { readonly __typename: "Project" }
>["annotationConfigs"]["edges"][number]["node"];

export function questionOf(config: Config): Question {
  const { name, description } = config;
  const common = { name, description, optimizationDirection: config.optimizationDirection };
  switch (config.__typename) {
    case "CategoricalAnnotationConfig":
      return { ...common, type: "CATEGORICAL", values: config.values };
    case "ContinuousAnnotationConfig":
      return { ...common, type: "CONTINUOUS", lowerBound: config.lowerBound, upperBound: config.upperBound };
    case "FreeformAnnotationConfig":
      return { ...common, type: "FREEFORM" };
  }
}

// What a turn says. Turns that stand together are asked for together; the query is the same for all of them, so it is asked once.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { keySpanKinds } from "../../../modules/traces/key-spans.rules.ts";
import type { PageFailure } from "../../lib/failure.ts";
import { askGraphql } from "../../lib/graphql.ts";
import { kindOf } from "../../trace/kind-of.ts";
import { readPayload } from "../../trace/payload/payload.ts";
import { type Said, saidIn } from "../../trace/payload/said.ts";
import { type StripStep, stripOf } from "../../trace/strip.ts";
import { type TurnAnswer, turnContents } from "./sessions.queries.ts";
import type { Turn } from "./use-turns.ts";

/** Turns of one question: about what a screen shows. */
export const BATCH = 8;
/** Steps that a turn shows at most. */
const MOST_STEPS = 60;

export interface TurnContent {
  /** Stands for the turn; null for a trace whose spans stand in a circle. */
  readonly root: { readonly id: string; readonly name: string; readonly arrived: boolean } | null;
  readonly input: Said | null;
  readonly output: Said | null;
  /** What the turn failed with where it ended without an answer. */
  readonly failure: string | null;
  readonly steps: readonly StripStep[];
  /** Key steps that are not shown. */
  readonly moreSteps: number;
  readonly wrappers: number;
}

export interface TurnQuestion {
  readonly key: readonly unknown[];
  readonly ask: (signal: AbortSignal) => Promise<ReadonlyMap<string, TurnAnswer>>;
}

/** The question that answers for the turn at a position, and for those around it. It is another one when they have grown. */
export function questionOf(sessionId: string, turns: readonly Turn[], position: number): TurnQuestion {
  const first = Math.floor(position / BATCH) * BATCH;
  const batch = turns.slice(first, first + BATCH);
  const after = turns[first - 1]?.cursor ?? null;
  const asked = { session: sessionId, first: batch.length, after, steps: MOST_STEPS };
  return {
    key: ["TurnContents", asked, batch.map(({ numSpans, errorCount }) => `${numSpans} ${errorCount}`).join()],
    async ask(signal) {
      const { node } = await askGraphql(turnContents, asked, signal);
      const edges = node.__typename === "ProjectSession" ? node.traces.edges : [];
      return new Map(edges.map((edge) => [edge.node.id, edge.node]));
    },
  };
}

export function useTurnContent(question: TurnQuestion, turn: Turn, enabled: boolean) {
  const query = useQuery<ReadonlyMap<string, TurnAnswer>, PageFailure>({
    queryKey: question.key,
    queryFn: ({ signal }) => question.ask(signal),
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
    // Contents are large: a minute after they are out of sight they go.
    gcTime: 60_000,
    placeholderData: keepPreviousData,
  });
  const answer = query.data?.get(turn.id);
  const content = useMemo(
    () => (answer === undefined ? null : contentOf(answer, turn.numSpans)),
    [answer, turn.numSpans],
  );
  return { content, failure: content === null ? query.error : null, retry: () => void query.refetch() };
}

export function contentOf(answer: TurnAnswer, numSpans: number): TurnContent {
  const { keySteps, errorsByType } = answer;
  const root = answer.spans.edges[0]?.node ?? null;
  const payload = root?.payload ? readPayload({ ...root.payload, events: "[]" }) : null;
  const output = payload && saidIn(payload, "output");
  const [onlyType, ...otherTypes] = errorsByType.flatMap(({ exceptionType }) => exceptionType ?? []);
  const error = (head: string | null) => head || (otherTypes.length === 0 ? (onlyType ?? null) : null);
  // What the turn as a whole is stands above and below the strip, unless it is itself a step that matters.
  const rootIsStep = root !== null && keySpanKinds.includes(kindOf(root.spanKind));
  const rootCounts = root === null || rootIsStep || root.statusCode === "ERROR";
  const shown = keySteps.spans.filter(({ id }) => id !== root?.id || rootIsStep);
  const failedStep = shown.find(({ statusCode }) => statusCode === "ERROR");
  return {
    root: root && { id: root.id, name: root.name, arrived: root.parentId === null },
    input: payload && saidIn(payload, "input"),
    output,
    failure:
      root?.statusCode === "ERROR" && !saysAnything(output)
        ? (error(root.errorHead) ?? error(failedStep?.errorHead ?? null) ?? "")
        : null,
    steps: stripOf(
      shown.map(({ id, name, spanKind, statusCode, errorHead, latencyMs, modelName }) => ({
        id,
        name,
        kind: kindOf(spanKind),
        failed: statusCode === "ERROR",
        error: statusCode === "ERROR" ? error(errorHead) : null,
        latencyMs: latencyMs ?? 0,
        model: modelName,
      })),
    ),
    moreSteps: keySteps.count - keySteps.spans.length,
    wrappers: Math.max(0, numSpans - keySteps.count - (rootCounts ? 0 : 1)),
  };
}

export function saysAnything(said: Said | null): boolean {
  if (said === null) return false;
  const isSomething = (text: string) => text.trim() !== "";
  return said.calls.length > 0 || said.parts.some((part) => !("excerpt" in part) || isSomething(part.excerpt.text));
}

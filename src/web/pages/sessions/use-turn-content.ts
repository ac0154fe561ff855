// What a turn says. Turns that stand together are asked for together; the query is the same for all of them, so it is asked once.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { PageFailure } from "../../lib/failure.ts";
import { askGraphql, nameOf } from "../../lib/graphql.ts";
import { type TurnAnswer, turnContents } from "./sessions.queries.ts";
import { contentOf, type TurnBatch } from "./turn-content.ts";
import type { Turn } from "./use-turns.ts";

/** Contents are large: a minute after they are out of sight they go. */
const KEPT_MS = 60_000;

/** `before` is the place before the turn: alone it can be read however much those around it hold together. */
export function useTurnContent({ asked, version }: TurnBatch, turn: Turn, before: string | null, enabled: boolean) {
  const together = useContents(asked, version, enabled);
  const isTooMuch = together.error?.kind === "refused" && together.data === undefined;
  const alone = useContents({ ...asked, first: 1, after: before }, version, enabled && isTooMuch);
  const query = isTooMuch ? alone : together;
  const answer = query.data?.get(turn.id);
  const content = useMemo(
    () => (answer === undefined ? null : contentOf(answer, turn.numSpans)),
    [answer, turn.numSpans],
  );
  return { content, failure: content === null ? query.error : null, retry: () => void query.refetch() };
}

function useContents(asked: TurnBatch["asked"], version: string, enabled: boolean) {
  return useQuery<ReadonlyMap<string, TurnAnswer>, PageFailure>({
    queryKey: [nameOf(turnContents), asked, version],
    async queryFn({ signal }) {
      const { node } = await askGraphql(turnContents, asked, signal);
      const edges = node.__typename === "ProjectSession" ? node.traces.edges : [];
      return new Map(edges.map((edge) => [edge.node.id, edge.node]));
    },
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS,
    placeholderData: keepPreviousData,
  });
}

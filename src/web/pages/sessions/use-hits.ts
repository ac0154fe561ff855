// Which turns of a session hold some words: the server looks into what was asked and answered, also of turns that are out of sight.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { literalOf } from "../../domain/filter/chips.ts";
import type { PageFailure } from "../../lib/failure.ts";
import { askGraphql, nameOf } from "../../lib/graphql.ts";
import { type SessionHead, turnHits } from "./sessions.queries.ts";
import type { Turn } from "./use-turns.ts";

const MOST_HITS = 1000;
/** Ends of time ranges are not part of them. */
const BEYOND_MS = 1000;

export interface Hits {
  /** Positions of turns, ascending. */
  readonly positions: readonly number[];
  readonly running: boolean;
  readonly failure: PageFailure | null;
}

/** `words` that nobody types any more. */
export function useHits(projectId: string, head: SessionHead, turns: readonly Turn[] | undefined, words: string): Hits {
  const { sessionId, startTime, endTime } = head;
  const literal = literalOf(words);
  const asked = {
    project: projectId,
    first: MOST_HITS,
    timeRange: { start: startTime, end: new Date(Date.parse(endTime) + BEYOND_MS).toISOString() },
    condition: `attributes['session.id'] == ${literalOf(sessionId)} and (${literal} in input or ${literal} in output)`,
  };
  const query = useQuery<ReadonlySet<string>, PageFailure>({
    queryKey: [nameOf(turnHits), asked],
    async queryFn({ signal }) {
      const { node } = await askGraphql(turnHits, asked, signal);
      return new Set(node.__typename === "Project" ? node.traces.edges.map((edge) => edge.node.id) : []);
    },
    enabled: words !== "",
    placeholderData: keepPreviousData,
  });
  const found = words === "" ? undefined : query.data;
  const positions = useMemo(
    () => turns?.flatMap(({ id }, position) => (found?.has(id) === true ? [position] : [])) ?? [],
    [turns, found],
  );
  return { positions, running: query.isFetching, failure: words === "" ? null : query.error };
}

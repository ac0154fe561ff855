// Which turns of a session hold some words: the server looks into inputs, outputs and errors of all their spans, also of turns that are
// out of sight.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { literalOf } from "../../domain/filter/chips.ts";
import type { PageFailure } from "../../lib/failure.ts";
import { askGraphql, nameOf, type ResultOf } from "../../lib/graphql.ts";
import { type SessionHead, turnHits } from "./sessions.queries.ts";
import type { Turn } from "./use-turns.ts";

const HITS_AT_ONCE = 1000;
/** Of one question: a condition that names them all must not become too long. */
const TURNS_AT_ONCE = 1000;
/** Ends of time ranges are not part of them. */
const BEYOND_MS = 1000;

export interface Hits {
  /** Positions of turns, ascending. */
  readonly positions: readonly number[];
  readonly running: boolean;
  readonly failure: PageFailure | null;
}

/** `words`: a search text that has not changed for a while. */
export function useHits(projectId: string, head: SessionHead, turns: readonly Turn[] | undefined, words: string): Hits {
  const { sessionId, startTime, endTime } = head;
  const asked = {
    project: projectId,
    first: HITS_AT_ONCE,
    timeRange: { start: startTime, end: new Date(Date.parse(endTime) + BEYOND_MS).toISOString() },
    text: words,
  };
  const query = useQuery<ReadonlySet<string>, PageFailure>({
    queryKey: [nameOf(turnHits), asked, sessionId, turns?.length],
    async queryFn({ signal }) {
      const found = new Set<string>();
      for (const condition of conditionsOf(turns ?? [])) {
        let after: string | null = null;
        do {
          const answer: ResultOf<typeof turnHits> = await askGraphql(turnHits, { ...asked, condition, after }, signal);
          if (answer.node.__typename !== "Project") break;
          const { edges, pageInfo } = answer.node.searchTraces;
          for (const edge of edges) found.add(edge.node.id);
          after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
        } while (after !== null);
      }
      return found;
    },
    enabled: words !== "" && turns !== undefined,
    placeholderData: keepPreviousData,
  });
  const found = words === "" ? undefined : query.data;
  const positions = useMemo(
    () => turns?.flatMap(({ id }, position) => (found?.has(id) === true ? [position] : [])) ?? [],
    [turns, found],
  );
  return { positions, running: query.isFetching, failure: words === "" ? null : query.error };
}

/** By their traces: only some spans of a turn may say which session they are of. */
function conditionsOf(turns: readonly Turn[]): readonly string[] {
  const conditions: string[] = [];
  for (let first = 0; first < turns.length; first += TURNS_AT_ONCE) {
    const keys = turns.slice(first, first + TURNS_AT_ONCE).map(({ traceId }) => literalOf(traceId));
    conditions.push(`trace_id in [${keys.join(", ")}]`);
  }
  return conditions;
}

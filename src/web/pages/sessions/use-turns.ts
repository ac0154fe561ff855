// A session, its turns, and what is new in it: the head is asked again while it may still grow or while the page is live, and the
// turns follow when it has moved.
import { useEffect, useMemo, useRef } from "react";
import { projectOf } from "../../explorer/explorer.queries.ts";
import type { PageFailure } from "../../lib/failure.ts";
import { useGraphql, useGraphqlPages } from "../../lib/queries.ts";
import { type SessionHead, sessionHead, sessionTurns, type TurnEdge } from "./sessions.queries.ts";

const PAGE = 1000;
/** A session whose last span ended this long ago may still get the end of its turn. */
const SETTLING_MS = 30_000;
const SETTLING_INTERVAL_MS = 2_000;

/** A turn without what it says. */
export type Turn = TurnEdge["node"] & {
  /** The place behind it in the list. */
  readonly cursor: string;
};

export interface OpenSession {
  /** Undefined while it loads, null where there is no such session in the project. */
  readonly head: SessionHead | null | undefined;
  /** By start; undefined until the first page has come. */
  readonly turns: readonly Turn[] | undefined;
  /** Further turns are on their way. */
  readonly incomplete: boolean;
  readonly failure: PageFailure | null;
  readonly reload: () => void;
}

export function useTurns(projectId: string, sessionId: string): OpenSession {
  const asked = useGraphql(sessionHead, { project: projectId, session: sessionId }, { live: true });
  const head = asked.data && (projectOf(asked.data)?.session ?? null);
  const id = head?.id ?? "";
  const pages = useGraphqlPages(sessionTurns, { session: id, first: PAGE }, connectionOf, { enabled: id !== "" });
  const { loadMore, loadingMore, refetch } = pages;
  // One page after another: rows without contents are small, and the place in the whole is known at once.
  useEffect(() => loadMore?.(), [loadMore]);

  const moved = head && [head.numTraces, head.numTracesWithError, head.endTime, head.tokenUsage.total].join(" ");
  const before = useRef(moved);
  useEffect(() => {
    if (before.current != null && moved != null && before.current !== moved) refetch();
    before.current = moved;
  }, [moved, refetch]);

  const { refetch: askHead } = asked;
  const endTime = head?.endTime;
  useEffect(() => {
    if (endTime === undefined || Date.now() - Date.parse(endTime) > SETTLING_MS) return;
    const timer = setInterval(() => {
      if (!document.hidden) void askHead();
      if (Date.now() - Date.parse(endTime) > SETTLING_MS) clearInterval(timer);
    }, SETTLING_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [endTime, askHead]);

  const edges = pages.rows;
  const turns = useMemo(() => edges?.map(({ cursor, turn }) => ({ ...turn, cursor })), [edges]);
  return {
    head,
    turns: head == null ? undefined : turns,
    incomplete: loadMore !== undefined || loadingMore,
    failure: asked.error ?? pages.error,
    reload: () => {
      void askHead();
      refetch();
    },
  };
}

function connectionOf(answer: Parameters<typeof turnsOf>[0]) {
  const traces = turnsOf(answer);
  return (
    traces && {
      edges: traces.edges.map(({ cursor, node }) => ({ node: { cursor, turn: node } })),
      pageInfo: traces.pageInfo,
    }
  );
}

function turnsOf({ node }: { readonly node: { readonly __typename: string } | AnsweredTurns }) {
  return node.__typename === "ProjectSession" ? (node as AnsweredTurns).traces : null;
}

interface AnsweredTurns {
  readonly __typename: "ProjectSession";
  readonly traces: {
    readonly edges: readonly TurnEdge[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
}

// Rows of a list: pages behind each other, and, while the page is live, what is new at its top. New rows move in by themselves
// only while the reader looks at the top; else they wait behind a button.
import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import type { PageFailure } from "../lib/failure.ts";
import { useLiveInterval } from "../lib/live.ts";

export interface ListPage<Row> {
  readonly rows: readonly Row[];
  readonly endCursor: string | null;
  readonly hasNextPage: boolean;
  /** Of a search: how far it has come. */
  readonly progress?: SearchProgress;
}

export interface SearchProgress {
  readonly complete: boolean;
  /** Of the range, 0 to 1. */
  readonly fraction: number;
  readonly scannedUntil: string | null;
}

export interface ListSource<Row> {
  readonly key: readonly unknown[];
  readonly keyOf: (row: Row) => string;
  readonly ask: (after: string | null, signal: AbortSignal) => Promise<ListPage<Row>>;
  /** New rows come at the top: the list is sorted by time, newest first. */
  readonly growsAtTop: boolean;
}

export interface List<Row> {
  /** Undefined while the first page loads. */
  readonly rows: readonly Row[] | undefined;
  readonly error: PageFailure | null;
  readonly refetch: () => void;
  readonly loadingMore: boolean;
  readonly loadMore: (() => void) | undefined;
  readonly progress: SearchProgress | undefined;
  /** Shows rows of other conditions until the right ones come. */
  readonly stale: boolean;
  /** Rows that wait at the top, and what shows them. */
  readonly waiting: number;
  readonly showWaiting: () => void;
}

export function useList<Row>({ key, keyOf, ask, growsAtTop }: ListSource<Row>, atTop: boolean): List<Row> {
  const client = useQueryClient();
  const interval = useLiveInterval();
  const query = useInfiniteQuery<
    ListPage<Row>,
    PageFailure,
    InfiniteData<ListPage<Row>>,
    readonly unknown[],
    string | null
  >({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => ask(pageParam, signal),
    initialPageParam: null,
    getNextPageParam: ({ endCursor, hasNextPage }) => (hasNextPage ? endCursor : undefined),
    placeholderData: keepPreviousData,
  });
  const newest = useQuery<ListPage<Row>, PageFailure>({
    queryKey: [...key, "newest"],
    queryFn: ({ signal }) => ask(null, signal),
    enabled: interval !== false && growsAtTop && query.isSuccess,
    refetchInterval: interval,
    gcTime: 0,
  });

  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.rows), [query.data]);
  const fresh = newest.data;
  const showNewest = useCallback(() => {
    if (fresh !== undefined) client.setQueryData(key, { pages: [fresh], pageParams: [null] });
  }, [client, key, fresh]);
  const known = useMemo(() => new Set((rows ?? []).map(keyOf)), [rows, keyOf]);
  const waiting = fresh?.rows.filter((row) => !known.has(keyOf(row))).length ?? 0;
  const follows = atTop && fresh !== undefined && !query.isPlaceholderData;

  return {
    rows: follows ? fresh.rows : rows,
    error: query.error,
    refetch: () => void query.refetch(),
    loadingMore: query.isFetchingNextPage,
    loadMore:
      query.hasNextPage && !query.isFetchingNextPage
        ? () => {
            // What follows begins where the shown rows end.
            if (follows) showNewest();
            void query.fetchNextPage();
          }
        : undefined,
    progress: query.data?.pages.at(-1)?.progress,
    stale: query.isPlaceholderData,
    waiting: follows ? 0 : waiting,
    showWaiting: showNewest,
  };
}

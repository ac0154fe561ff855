// Hooks around TanStack Query for the two APIs. The key of a GraphQL query is its operation name and its variables.
import {
  keepPreviousData,
  QueryCache,
  QueryClient,
  skipToken,
  type UseMutationResult,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { checkConnection, noteAnswer, onReconnect } from "./connection.ts";
import { type Changes, isTouched, type Shown } from "./entities.ts";
import { failureOf, type PageFailure } from "./failure.ts";
import { type AnyDocument, askGraphql, type Document, nameOf, nodesOf, shownBy } from "./graphql.ts";
import { type Live, useLiveInterval } from "./live.ts";

declare module "@tanstack/react-query" {
  interface Register {
    queryMeta: {
      /** Taken from the document; a query without it is asked again after every change. */
      readonly shows?: Shown;
    };
  }
}

const mayComeBack = (error: unknown) => /^(unavailable|unreachable)$/.test(failureOf(error).kind);

export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    queryCache: new QueryCache({
      onSuccess: noteAnswer,
      onError: (error) => {
        if (mayComeBack(error)) void checkConnection();
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        gcTime: 5 * 60_000,
        // What was refused stays refused; a server that is being restarted comes back within seconds.
        retry: (count, error) => count < 2 && mayComeBack(error),
        retryDelay: (count) => 400 * 2 ** count,
        refetchOnWindowFocus: false,
      },
    },
  });
  // What was asked for in vain, and what has changed meanwhile.
  onReconnect(() => void client.invalidateQueries());
  return client;
}

interface GraphqlOptions {
  /** False waits, e.g. for an id. */
  readonly enabled?: boolean;
  /** Keeps showing the last answer while variables change: for lists whose sort or range changes. */
  readonly keepPrevious?: boolean;
  /** Numbers of JSON values keep their digits: for what is sent back. */
  readonly exact?: boolean;
  /** What never changes is asked once. */
  readonly fixed?: boolean;
  /** Asks again while the page is live (`useLive`). */
  readonly live?: Live;
}

/** Asks once and caches: `useGraphql(document, { id })`. Waits while the variables are null. */
export function useGraphql<Result, Variables>(
  document: Document<Result, Variables>,
  variables: Variables | null,
  options: GraphqlOptions = {},
): UseQueryResult<Result, PageFailure> {
  const interval = useLiveInterval(options.live ?? false);
  return useQuery<Result, PageFailure>({
    queryKey: [nameOf(document), variables],
    queryFn: variables === null ? skipToken : ({ signal }) => askGraphql(document, variables, signal, options.exact),
    meta: { shows: shownBy(document as AnyDocument) },
    enabled: options.enabled ?? true,
    ...(options.fixed === true ? { staleTime: Number.POSITIVE_INFINITY } : {}),
    refetchInterval: interval,
    ...(options.keepPrevious === true ? { placeholderData: keepPreviousData } : {}),
  });
}

/** One page of a list as the server gives it. */
export interface Connection<Node> {
  readonly edges: readonly { readonly node: Node }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

export interface Pages<Node, Result> {
  /** Undefined until the first page has come. */
  readonly rows: readonly Node[] | undefined;
  /** What stands beside the list in its first page. */
  readonly first: Result | undefined;
  readonly error: PageFailure | null;
  /** For `onEnd` of a table; undefined when there is no more, or while more is on its way. */
  readonly loadMore: (() => void) | undefined;
  readonly loadingMore: boolean;
  /** The rows belong to other variables than those of now. */
  readonly stale: boolean;
  readonly refetch: () => void;
}

/** A list page by page. The document takes `$after: String`; `connectionOf` finds the list in an answer. */
export function useGraphqlPages<Result, Variables extends { readonly after?: string | null }, Node>(
  document: Document<Result, Variables>,
  variables: Omit<Variables, "after">,
  connectionOf: (result: Result) => Connection<Node> | null | undefined,
  options: GraphqlOptions = {},
): Pages<Node, Result> {
  const interval = useLiveInterval(options.live ?? false);
  const query = useInfiniteQuery<Result, PageFailure, readonly Result[], readonly unknown[], string | null>({
    queryKey: [nameOf(document as AnyDocument), variables, "pages"],
    queryFn: ({ pageParam, signal }) => askGraphql(document, { ...variables, after: pageParam } as Variables, signal),
    initialPageParam: null,
    getNextPageParam(last) {
      const info = connectionOf(last)?.pageInfo;
      return info?.hasNextPage === true ? info.endCursor : undefined;
    },
    select: ({ pages }) => pages,
    meta: { shows: shownBy(document as AnyDocument) },
    enabled: options.enabled ?? true,
    // Every page that is loaded would be asked for again: live lists are short or at their beginning.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) <= 1 ? interval : false),
    ...(options.keepPrevious === true ? { placeholderData: keepPreviousData } : {}),
  });
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, isPlaceholderData, refetch } = query;
  const rows = useMemo(() => data?.flatMap((page) => nodesOf(connectionOf(page)?.edges ?? [])), [data, connectionOf]);
  return {
    rows,
    first: data?.[0],
    error,
    loadMore: hasNextPage && !isFetchingNextPage && !isPlaceholderData ? () => void fetchNextPage() : undefined,
    loadingMore: isFetchingNextPage,
    stale: isPlaceholderData,
    refetch: () => void refetch(),
  };
}

/** Asks again every query that shows one of `changes`; the caller does not wait for it. */
export function useRefresh(changes: Changes): () => void {
  const client = useQueryClient();
  return useCallback(
    () => void client.invalidateQueries({ predicate: ({ meta }) => isTouched(meta?.shows, changes) }),
    [client, changes],
  );
}

export type Change<Input, Answer> = UseMutationResult<Answer, PageFailure, Input>;

/** Changes something on the server, and refreshes what shows it. */
export function useChange<Input, Answer>(
  send: (input: Input) => Promise<Answer>,
  changes: Changes,
): Change<Input, Answer> {
  return useMutation<Answer, PageFailure, Input>({ mutationFn: send, onSuccess: useRefresh(changes) });
}

/** `useChange` by a mutation of GraphQL. */
export function useGraphqlMutation<Result, Variables>(
  document: Document<Result, Variables>,
  changes: Changes,
): Change<Variables, Result> {
  return useChange((variables) => askGraphql(document, variables), changes);
}

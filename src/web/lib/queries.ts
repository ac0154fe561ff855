// Hooks around TanStack Query for the two APIs. The key of a GraphQL query is its operation name and its variables.
import {
  keepPreviousData,
  QueryClient,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { failureOf, type PageFailure } from "./failure.ts";
import { type AnyDocument, askGraphql, type Document, nameOf } from "./graphql.ts";
import { useLiveInterval } from "./live.ts";

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        gcTime: 5 * 60_000,
        // What was refused stays refused; a server that is being restarted comes back within seconds.
        retry: (count, error) => count < 2 && /^(unavailable|unreachable)$/.test(failureOf(error).kind),
        refetchOnWindowFocus: false,
      },
    },
  });
}

interface GraphqlOptions {
  /** False waits, e.g. for an id. */
  readonly enabled?: boolean;
  /** Keeps showing the last answer while variables change: for lists whose sort or range changes. */
  readonly keepPrevious?: boolean;
  /** Asks again while the page is live (`useLive`). */
  readonly live?: boolean;
}

/** Asks once and caches: `useGraphql(document, { id })`. */
export function useGraphql<Result, Variables>(
  document: Document<Result, Variables>,
  variables: Variables,
  options: GraphqlOptions = {},
): UseQueryResult<Result, PageFailure> {
  const interval = useLiveInterval();
  return useQuery<Result, PageFailure>({
    queryKey: [nameOf(document), variables],
    queryFn: ({ signal }) => askGraphql(document, variables, signal),
    enabled: options.enabled ?? true,
    refetchInterval: options.live === true ? interval : false,
    ...(options.keepPrevious === true ? { placeholderData: keepPreviousData } : {}),
  });
}

/** Changes something; afterwards every query whose operation is named in `refresh` is asked again. */
export function useGraphqlMutation<Result, Variables>(
  document: Document<Result, Variables>,
  refresh: readonly AnyDocument[] = [],
): UseMutationResult<Result, PageFailure, Variables> {
  const client = useQueryClient();
  return useMutation<Result, PageFailure, Variables>({
    mutationFn: (variables) => askGraphql(document, variables),
    onSuccess: () => Promise.all(refresh.map((each) => client.invalidateQueries({ queryKey: [nameOf(each)] }))),
  });
}

// The payload of a span. It never changes, so it is asked for once for all that show a part of it.
import { useMemo } from "react";
import { type Payload, readPayload } from "../../../domain/trace/payload/payload.ts";
import type { PageFailure } from "../../../lib/failure.ts";
import { useGraphql } from "../../../lib/queries.ts";
import { spanPayload } from "./trace.queries.ts";

export interface ShownSpan {
  readonly payload: Payload | null;
  readonly statusMessage: string;
  readonly tokensBelow: number | null;
  readonly isCountedInChild: boolean;
  readonly costSource: "PRICE" | "GIVEN" | "UNKNOWN" | null;
  readonly loading: boolean;
  readonly gone: boolean;
  readonly failure: PageFailure | null;
  readonly retry: () => void;
}

export function useShownSpan(id: string, enabled: boolean): ShownSpan {
  const query = useGraphql(spanPayload, { id }, { enabled, fixed: true });
  const node = query.data?.node;
  const found = node?.__typename === "Span" ? node : null;
  const payload = useMemo(() => (found?.payload ? readPayload(found.payload) : null), [found]);
  return {
    payload,
    statusMessage: found?.statusMessage ?? "",
    tokensBelow: found?.cumulativeTokenCountTotal ?? null,
    isCountedInChild: found?.isCountedInChild ?? false,
    costSource: found?.costSource ?? null,
    loading: query.isLoading,
    gone: query.data !== undefined && payload === null,
    failure: query.data === undefined ? query.error : null,
    retry: () => void query.refetch(),
  };
}

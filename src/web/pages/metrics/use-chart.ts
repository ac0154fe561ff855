// One series of the page: asked for once its place has been seen, kept while the range changes.
import { type RefObject, useMemo, useRef } from "react";
import type { Bins } from "../../explorer/use-bins.ts";
import { type ChartData, foldedCounts } from "../../kit/charts/series.ts";
import type { PageFailure } from "../../lib/failure.ts";
import type { Document } from "../../lib/graphql.ts";
import { useGraphql } from "../../lib/queries.ts";
import { useSeen } from "./use-seen.ts";

interface Asked {
  readonly id: string;
  readonly timeRange: NonNullable<Bins["timeRange"]>;
  readonly bins: Bins["config"];
}

export interface AskedChart {
  readonly place: RefObject<HTMLDivElement | null>;
  readonly data: ChartData | undefined;
  readonly error: PageFailure | null;
  readonly stale: boolean;
  readonly onRetry: () => void;
}

/** `read` and `more` must not change from one drawing to the next. */
export function useChart<Result, More extends object>(
  document: Document<Result, Asked & More>,
  projectId: string,
  bins: Bins,
  read: (result: Result, lengthMs: number) => ChartData | undefined,
  more: More,
  /** Of counts: bars at most. */
  mostBars = Number.POSITIVE_INFINITY,
  /** At once where more than the chart shows it; never while another chart stands in its place. */
  when: "seen" | "at once" | "never" = "seen",
): AskedChart {
  const place = useRef<HTMLDivElement>(null);
  const seen = useSeen(place);
  const { timeRange, config, lengthMs } = bins;
  const query = useGraphql(document, timeRange && { id: projectId, timeRange, bins: config, ...more }, {
    enabled: when === "seen" ? seen : when === "at once",
    keepPrevious: true,
    live: "slowly",
  });
  const { data: answer } = query;
  const data = useMemo(() => {
    const whole = answer === undefined ? undefined : read(answer, lengthMs);
    return whole && foldedCounts(whole, mostBars, config.timeZone);
  }, [answer, lengthMs, read, mostBars, config.timeZone]);
  return { place, data, error: query.error, stale: query.isPlaceholderData, onRetry: () => void query.refetch() };
}

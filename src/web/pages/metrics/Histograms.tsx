// How latency, tokens and scores of the range spread. A bar leads to what it counts.
import { useMemo, useRef } from "react";
import { useLocation } from "wouter";
import { projectOf } from "../../explorer/explorer.queries.ts";
import type { Bins } from "../../explorer/use-bins.ts";
import { verdictOf } from "../../explorer/verdicts/verdict-facets.ts";
import { Histogram } from "../../kit/charts/Histogram.tsx";
import type { HistogramData } from "../../kit/charts/histogram-data.ts";
import { formatCompact, formatRoundDuration } from "../../lib/format.ts";
import { useGraphql } from "../../lib/queries.ts";
import { text } from "../../texts/texts.ts";
import { formatScore } from "./annotation-series.ts";
import { scoreSpread, spreadOf } from "./histograms.ts";
import type { ListLink } from "./list-links.ts";
import styles from "./MetricsPage.module.css";
import { scoreHistograms, traceHistograms } from "./metrics.queries.ts";
import { useSeen } from "./use-seen.ts";

interface HistogramsProps {
  readonly projectId: string;
  readonly bins: Bins;
  readonly link: ListLink;
}

const targets = ["span", "trace", "session"] as const;
/** Lists that can be asked for scores from here. */
const lists = { span: "spans", trace: "traces", session: null } as const;

export function Histograms({ projectId: id, bins: { timeRange }, link }: HistogramsProps) {
  const place = useRef<HTMLDivElement>(null);
  const seen = useSeen(place);
  const [, navigate] = useLocation();
  const options = { enabled: seen, keepPrevious: true, live: "slowly" } as const;
  const traces = useGraphql(traceHistograms, timeRange && { id, timeRange }, options);
  const scores = useGraphql(scoreHistograms, timeRange && { id, timeRange }, options);
  const spread = projectOf(traces.data);
  const scored = projectOf(scores.data);
  const latency = useMemo(() => spread && spreadOf(spread.latency, "--kind-evaluator"), [spread]);
  const tokens = useMemo(() => spread && spreadOf(spread.tokens, "--kind-llm"), [spread]);
  const named = useMemo(
    () =>
      scored === undefined
        ? []
        : targets.flatMap((target) =>
            scored[target].map((each) => ({ target, name: each.name, data: scoreSpread(each) })),
          ),
    [scored],
  );
  const opener = (list: "spans" | "traces", field: string, data: HistogramData | undefined) => (at: number) => {
    const bin = data?.bins[at];
    if (bin === undefined) return;
    const below = at === (data?.bins.length ?? 0) - 1 ? "<=" : "<";
    navigate(link(list, { filter: `${field} >= ${bin.min} and ${field} ${below} ${bin.max}` }));
  };
  const state = ({ error, isPlaceholderData, refetch }: typeof traces | typeof scores) => ({
    error,
    stale: isPlaceholderData,
    onRetry: () => void refetch(),
  });
  return (
    <div ref={place} className={styles.charts}>
      <Histogram
        {...state(traces)}
        title={text("metrics.spread.latency")}
        measure={text("metrics.measure.latency")}
        data={latency}
        format={formatRoundDuration}
        onBin={opener("traces", "latency_ms", latency)}
      />
      <Histogram
        {...state(traces)}
        title={text("metrics.spread.tokens")}
        measure={text("metrics.tokens")}
        data={tokens}
        format={formatCompact}
        onBin={opener("traces", "token_count_total", tokens)}
      />
      {named.map(({ target, name, data }) => {
        const list = lists[target];
        return (
          <Histogram
            key={`${target} ${name}`}
            {...state(scores)}
            title={text(`metrics.spread.score.${target}`, { name })}
            measure={text("metrics.measure.score")}
            data={data}
            format={formatScore}
            onBin={list === null ? undefined : opener(list, `${verdictOf(list, name)}.score`, data)}
          />
        );
      })}
    </div>
  );
}

// What stands out in the range: models, errors, spans that fail, spans that are slow. A line leads to the spans behind it, where a
// condition can ask for them.
import { useRef } from "react";
import { conditionOf, literalOf } from "../../domain/filter/chips.ts";
import { projectOf } from "../../explorer/explorer.queries.ts";
import { formatRoundDuration } from "../../lib/format.ts";
import { useGraphql } from "../../lib/queries.ts";
import type { LiveRange } from "../../lib/time-range.ts";
import { text } from "../../texts/texts.ts";
import type { ListLink } from "./list-links.ts";
import { topSpans, topValues } from "./metrics.queries.ts";
import { slowFrom } from "./slow-from.ts";
import { TopList } from "./TopList.tsx";
import styles from "./TopLists.module.css";
import { useSeen } from "./use-seen.ts";

interface TopListsProps {
  readonly projectId: string;
  readonly timeRange: LiveRange;
  readonly link: ListLink;
}

const FAILED = "status_code == 'ERROR'";

export function TopLists({ projectId: id, timeRange, link }: TopListsProps) {
  const place = useRef<HTMLDivElement>(null);
  const seen = useSeen(place);
  const options = { keepPrevious: true, enabled: seen };
  const values = useGraphql(topValues, { id, timeRange }, options);
  const failing = useGraphql(topSpans, { id, timeRange, condition: FAILED }, options);
  const facets = projectOf(values.data)?.spanFacets;
  const fromMs = facets === undefined ? null : slowFrom(facets.latencies);
  const isSlow = `latency_ms >= ${fromMs ?? 0}`;
  const slow = useGraphql(
    topSpans,
    { id, timeRange, condition: isSlow },
    { ...options, enabled: seen && fromMs !== null },
  );
  const named = (value: string) => `name == ${literalOf(value)}`;
  return (
    <div ref={place} className={styles.lists}>
      <TopList
        title={text("metrics.top.models")}
        entries={facets?.models}
        error={values.error}
        onRetry={() => void values.refetch()}
        empty={text("metrics.top.models.none")}
        to={(value) => link("spans", { filter: `llm.model_name == ${literalOf(value)}` })}
      />
      <TopList
        title={text("metrics.top.errors")}
        failed
        entries={facets?.errorTypes}
        error={values.error}
        onRetry={() => void values.refetch()}
        empty={text("metrics.top.errors.none")}
      />
      <TopList
        title={text("metrics.top.failing")}
        failed
        entries={projectOf(failing.data)?.spanFacets.names}
        error={failing.error}
        onRetry={() => void failing.refetch()}
        empty={text("metrics.top.failing.none")}
        to={(value) => link("spans", { filter: conditionOf([FAILED, named(value)]) })}
      />
      <TopList
        title={
          fromMs === null
            ? text("metrics.top.slow")
            : text("metrics.top.slow.from", { from: formatRoundDuration(fromMs) })
        }
        entries={fromMs === null && facets !== undefined ? [] : projectOf(slow.data)?.spanFacets.names}
        error={slow.error ?? values.error}
        onRetry={() => void (values.error ? values : slow).refetch()}
        empty={text("metrics.top.slow.none")}
        to={(value) => link("spans", { filter: conditionOf([isSlow, named(value)]), sort: "-latencyMs" })}
      />
    </div>
  );
}

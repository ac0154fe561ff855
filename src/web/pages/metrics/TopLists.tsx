// What stands out in the range: models, errors, spans that fail, spans that are slow. A line leads to the spans behind it, where a
// condition can ask for them.
import { type ReactNode, useRef } from "react";
import { Link } from "wouter";
import { conditionOf, literalOf } from "../../domain/filter/chips.ts";
import { projectOf } from "../../explorer/explorer.queries.ts";
import { Button } from "../../kit/Button.tsx";
import type { PageFailure } from "../../lib/failure.ts";
import { formatCount, formatRoundDuration } from "../../lib/format.ts";
import { useGraphql } from "../../lib/queries.ts";
import type { LiveRange } from "../../lib/time-range.ts";
import { text } from "../../texts/texts.ts";
import type { ListLink } from "./list-links.ts";
import { topSpans, topValues } from "./metrics.queries.ts";
import { slowFrom } from "./slow-from.ts";
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

interface TopListProps {
  readonly title: string;
  readonly entries: readonly { readonly value: string; readonly count: number }[] | undefined;
  readonly error: PageFailure | null;
  readonly onRetry: () => void;
  readonly empty: string;
  /** Absent where no condition asks for the value. */
  readonly to?: (value: string) => string;
  readonly failed?: boolean;
}

const WAITING = ["first", "second", "third", "fourth"];

function TopList({ title, entries, error, onRetry, empty, to, failed = false }: TopListProps) {
  const most = Math.max(1, ...(entries ?? []).map(({ count }) => count));
  let content: ReactNode;
  if (entries === undefined) {
    content = error ? (
      <div role="alert" className={styles.problem}>
        <p>{error.message}</p>
        {error.kind !== "forbidden" && <Button onClick={onRetry}>{text("kit.retry")}</Button>}
      </div>
    ) : (
      <div role="status" aria-label={text("charts.waiting", { title })}>
        {WAITING.map((each) => (
          <div key={each} className={styles.waiting} />
        ))}
      </div>
    );
  } else if (entries.length === 0) {
    content = <p className={styles.empty}>{empty}</p>;
  } else {
    content = (
      <ol>
        {entries.map(({ value, count }) => (
          <li key={value}>
            <Entry to={to?.(value)} failed={failed}>
              <span className={styles.share} style={{ width: `${(count / most) * 100}%` }} />
              <span className={styles.name}>{value === "" ? text("metrics.unnamed") : value}</span>
              <span className={styles.count}>{formatCount(count)}</span>
            </Entry>
          </li>
        ))}
      </ol>
    );
  }
  return (
    <section className={styles.list} aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      {content}
    </section>
  );
}

interface EntryProps {
  readonly to: string | undefined;
  readonly failed: boolean;
  readonly children: ReactNode;
}

function Entry({ to, failed, children }: EntryProps) {
  const look = { className: styles.entry, "data-failed": failed || undefined };
  return to === undefined ? (
    <div {...look}>{children}</div>
  ) : (
    <Link href={to} {...look}>
      {children}
    </Link>
  );
}

// A list of what has most of something, each with a bar and, where a condition asks for it, a link to the rows behind it.
import type { ReactNode } from "react";
import { Link } from "wouter";
import { Button } from "../../kit/Button.tsx";
import type { PageFailure } from "../../lib/failure.ts";
import { formatCount } from "../../lib/format.ts";
import { text } from "../../texts/texts.ts";
import styles from "./TopLists.module.css";

export interface TopEntry {
  readonly value: string;
  /** What the entries are compared by. */
  readonly count: number;
  /** Its amount in words, where it is no plain count. */
  readonly shown?: string;
}

interface TopListProps {
  readonly title: string;
  readonly entries: readonly TopEntry[] | undefined;
  readonly error: PageFailure | null;
  readonly onRetry: () => void;
  readonly empty: string;
  /** Absent where no condition asks for the value. */
  readonly to?: (value: string) => string | undefined;
  readonly failed?: boolean;
}

const WAITING = ["first", "second", "third", "fourth"];

export function TopList({ title, entries, error, onRetry, empty, to, failed = false }: TopListProps) {
  const most = Math.max(Number.MIN_VALUE, ...(entries ?? []).map(({ count }) => count));
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
        {entries.map(({ value, count, shown }) => (
          <li key={value}>
            <Entry to={to?.(value)} failed={failed}>
              <span className={styles.share} style={{ width: `${(count / most) * 100}%` }} />
              <span className={styles.name}>{value === "" ? text("metrics.unnamed") : value}</span>
              <span className={styles.count}>{shown ?? formatCount(count)}</span>
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

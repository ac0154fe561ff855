// What stands where content would be: nothing yet, nothing found, failed, forbidden, loading. A sentence and one action.
import type { UseQueryResult } from "@tanstack/react-query";
import { CircleAlert, Lock } from "lucide-react";
import type { ReactNode } from "react";
import { failureOf, type PageFailure } from "../lib/failure.ts";
import { text } from "../texts/texts.ts";
import { Button } from "./Button.tsx";
import { classes } from "./classes.ts";
import styles from "./States.module.css";

interface EmptyStateProps {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  readonly icon?: ReactNode;
}

export function EmptyState({ title, children, action, icon }: EmptyStateProps) {
  return (
    <div className={styles.state}>
      {icon}
      <h2 className={styles.title}>{title}</h2>
      {children !== undefined && <div className={styles.text}>{children}</div>}
      {action !== undefined && <div className={styles.action}>{action}</div>}
    </div>
  );
}

interface FailedStateProps {
  readonly failure: PageFailure;
  readonly onRetry?: () => void;
}

/** Shows the error of the server. Forbidden looks different: trying again would not help. */
export function FailedState({ failure, onRetry }: FailedStateProps) {
  if (failure.kind === "forbidden") return <ForbiddenState message={failure.message} />;
  const retry = onRetry === undefined ? undefined : <Button onClick={onRetry}>{text("kit.retry")}</Button>;
  return (
    <div role="alert">
      <EmptyState title={text("kit.failed.title")} icon={<CircleAlert className={styles.error} />} action={retry}>
        <p>{failure.kind === "unreachable" ? text("kit.failed.unreachable") : failure.message}</p>
        {failure.requestId !== null && (
          <p className={styles.reference}>{text("kit.failed.reference", { id: failure.requestId })}</p>
        )}
      </EmptyState>
    </div>
  );
}

export function ForbiddenState({ message }: { readonly message?: string }) {
  return (
    <EmptyState title={text("kit.forbidden.title")} icon={<Lock />}>
      <p>{message ?? text("kit.forbidden.text")}</p>
    </EmptyState>
  );
}

/** Grey bars in the layout of what comes. */
export function Skeleton({
  lines = 3,
  label = text("kit.loading"),
}: {
  readonly lines?: number;
  readonly label?: string;
}) {
  return (
    <div className={styles.skeleton} role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, line) => (
        <span key={`line ${String(line)}`} className={styles.bar} style={{ width: `${70 - ((line * 17) % 40)}%` }} />
      ))}
    </div>
  );
}

interface LoadedProps<Data> {
  readonly query: Pick<UseQueryResult<Data, PageFailure>, "data" | "error" | "refetch">;
  readonly loading?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** A query in its three states. Data that is already there stays when a later refresh fails. */
export function Loaded<Data>({ query, loading, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <FailedState failure={failureOf(query.error)} onRetry={() => void query.refetch()} />;
  return loading ?? <Skeleton />;
}

type Tone = "neutral" | "ok" | "error" | "warn" | "accent";

/** A word in a small box. A state is a colour and a word, never the colour alone. */
export function Badge({ tone = "neutral", children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return <span className={classes(styles.badge, styles[tone])}>{children}</span>;
}

interface NoticeProps {
  readonly tone?: Tone;
  /** At its end: what can be done about it. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** A line across the page: read-only mode, suspended writes, stale data. */
export function Notice({ tone = "neutral", action, children }: NoticeProps) {
  return (
    <div role="status" className={classes(styles.notice, styles[tone])}>
      {action === undefined ? children : <span>{children}</span>}
      {action}
    </div>
  );
}

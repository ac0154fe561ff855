// One session: its head, and the conversation below it. It stands over a list or fills the page.
import { useMemo } from "react";
import { type PanelNavigation, usePanelKeys } from "../../explorer/panel-navigation.tsx";
import { Button } from "../../kit/Button.tsx";
import { useShortcut } from "../../kit/keys.ts";
import { EmptyState, FailedState, Notice, Skeleton } from "../../kit/States.tsx";
import { text } from "../../texts/texts.ts";
import { SessionHeader, sessionWords } from "./SessionHeader.tsx";
import styles from "./SessionPanel.module.css";
import type { SessionHead } from "./sessions.queries.ts";
import { TurnList, useSelectedTurn } from "./TurnList.tsx";
import { type OpenSession, useTurns } from "./use-turns.ts";

interface SessionPanelProps {
  readonly projectId: string;
  /** Of the exporter, or global. */
  readonly sessionId: string;
  readonly navigation: PanelNavigation;
}

export function SessionPanel({ projectId, sessionId, navigation }: SessionPanelProps) {
  const open = useTurns(projectId, sessionId);
  const { head, failure, reload } = open;
  usePanelKeys(navigation, sessionWords);
  return (
    <section className={styles.panel} aria-label={text("sessions.session")} aria-busy={head === undefined}>
      {head === undefined && failure === null && <Skeleton lines={12} />}
      {head === undefined && failure !== null && <FailedState failure={failure} onRetry={reload} />}
      {head === null && (
        <EmptyState
          title={text("sessions.not.found")}
          action={
            navigation.onClose === null ? undefined : (
              <Button onClick={navigation.onClose}>{text("sessions.not.found.action")}</Button>
            )
          }
        >
          {text("sessions.not.found.text")}
        </EmptyState>
      )}
      {head != null && <Opened head={head} open={open} navigation={navigation} />}
    </section>
  );
}

interface OpenedProps {
  readonly head: SessionHead;
  readonly open: OpenSession;
  readonly navigation: PanelNavigation;
}

function Opened({ head, open: { turns, incomplete, failure, reload }, navigation }: OpenedProps) {
  const { selected, select } = useSelectedTurn(turns);
  const failed = useMemo(
    () => turns?.flatMap(({ errorCount }, position) => (errorCount > 0 ? [position] : [])) ?? [],
    [turns],
  );
  const nextError = () => {
    const next = failed.find((position) => position > selected) ?? failed[0];
    if (next !== undefined) select(next);
  };
  useShortcut({ keys: "!", label: "sessions.keys.error", group: "sessions.keys", run: nextError }, failed.length > 0);
  return (
    <>
      <SessionHeader session={head} navigation={navigation} onNextError={nextError} />
      {failure !== null && turns !== undefined && <Notice tone="warn">{text("sessions.stale")}</Notice>}
      {incomplete && turns !== undefined && (
        <Notice>{text("sessions.turns.loading", { loaded: turns.length, count: head.numTraces })}</Notice>
      )}
      {turns === undefined ? (
        failure !== null ? (
          <FailedState failure={failure} onRetry={reload} />
        ) : (
          <Skeleton lines={10} />
        )
      ) : turns.length === 0 ? (
        <EmptyState title={text("sessions.empty")}>{text("sessions.empty.text")}</EmptyState>
      ) : (
        <TurnList
          sessionId={head.id}
          turns={turns}
          count={Math.max(head.numTraces, turns.length)}
          selected={selected}
          onSelect={select}
        />
      )}
    </>
  );
}

// One session: its head, and below it the conversation with the list of its turns. It stands over a list or fills the page.
import { useEffect, useMemo, useRef, useState } from "react";
import { type PanelNavigation, usePanelKeys } from "../../explorer/panel-navigation.tsx";
import { Button } from "../../kit/Button.tsx";
import { FoundWords } from "../../kit/found.ts";
import { useShortcut } from "../../kit/keys.ts";
import { EmptyState, FailedState, Notice, Skeleton } from "../../kit/States.tsx";
import { useAddress } from "../../lib/address.ts";
import { text } from "../../texts/texts.ts";
import { FindTurns } from "./FindTurns.tsx";
import { SessionHeader, sessionWords } from "./SessionHeader.tsx";
import styles from "./SessionPanel.module.css";
import type { SessionHead } from "./sessions.queries.ts";
import { TurnList, useSelectedTurn } from "./TurnList.tsx";
import { TurnOutline } from "./TurnOutline.tsx";
import { useHits } from "./use-hits.ts";
import { type OpenSession, useTurns } from "./use-turns.ts";

interface SessionPanelProps {
  readonly projectId: string;
  /** Of the exporter, or global. */
  readonly sessionId: string;
  readonly navigation: PanelNavigation;
}

export default function SessionPanel({ projectId, sessionId, navigation }: SessionPanelProps) {
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
      {head != null && <Opened projectId={projectId} head={head} open={open} navigation={navigation} />}
    </section>
  );
}

interface OpenedProps {
  readonly projectId: string;
  readonly head: SessionHead;
  readonly open: OpenSession;
  readonly navigation: PanelNavigation;
}

function Opened({ projectId, head, open: { turns, incomplete, failure, reload }, navigation }: OpenedProps) {
  const { selected, select } = useSelectedTurn(turns);
  const { words, setWords, paused } = useWords();
  const hits = useHits(projectId, head, turns, paused);
  const field = useRef<HTMLDivElement>(null);
  const talk = useRef<HTMLDivElement>(null);
  // Opened out of a search, it shows the first turn that was found.
  const isOpened = useRef(selected >= 0);
  useEffect(() => {
    const [first] = hits.positions;
    if (isOpened.current || first === undefined) return;
    isOpened.current = true;
    select(first);
  }, [hits.positions, select]);
  const leave = () => {
    const chosen = talk.current?.querySelector<HTMLElement>("article[aria-current=true]");
    (chosen ?? talk.current?.querySelector<HTMLElement>("[role=feed]"))?.focus();
  };
  const focusSearch = () => field.current?.querySelector("input")?.focus();
  useShortcut({ keys: "/", label: "sessions.keys.find", group: "sessions.keys", run: focusSearch });
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
        <div className={styles.body}>
          <FindTurns
            field={field}
            words={words}
            onWords={setWords}
            hits={hits}
            selected={selected}
            onSelect={select}
            onLeave={leave}
          />
          <div className={styles.turns}>
            <TurnOutline turns={turns} selected={selected} found={hits.positions} onSelect={select} />
          </div>
          <div ref={talk} className={styles.talk}>
            <FoundWords value={paused}>
              <TurnList
                sessionId={head.id}
                turns={turns}
                count={Math.max(head.numTraces, turns.length)}
                selected={selected}
                onSelect={select}
              />
            </FoundWords>
          </div>
        </div>
      )}
    </>
  );
}

/** Words of this session, and those of the list that it was opened from. */
const FIND = "find";
const SEARCH = "search";
const PAUSE_MS = 250;

/** What is typed shows at once; the address and the search follow when the typing pauses. */
function useWords() {
  const { get, set } = useAddress();
  const [words, setWords] = useState(() => get(FIND) ?? get(SEARCH) ?? "");
  const [paused, setPaused] = useState(words);
  useEffect(() => {
    if (words === paused) return;
    const timer = setTimeout(() => {
      setPaused(words);
      set({ [FIND]: words.trim() === "" ? null : words }, "replace");
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [words, paused, set]);
  return { words, setWords, paused: paused.trim() };
}

// One turn like a page of a script: what was asked, what was done, what was answered; in the margin its number, when it was and
// what it took.
import { CircleAlert } from "lucide-react";
import { type KeyboardEvent, memo } from "react";
import { Link } from "wouter";
import { CostCell } from "../../domain/costs/Cost.tsx";
import { Parts, Spoken } from "../../domain/trace/content/Messages.tsx";
import { SpanContext } from "../../domain/trace/content/span-context.ts";
import { readablePreview } from "../../domain/trace/payload/preview.ts";
import type { SideText } from "../../domain/trace/payload/side-text.ts";
import { Button } from "../../kit/Button.tsx";
import { classes } from "../../kit/classes.ts";
import { useFoundMarks, useFoundWords } from "../../kit/found.ts";
import { Skeleton } from "../../kit/States.tsx";
import { Time } from "../../kit/Time.tsx";
import { formatCompact, formatDuration } from "../../lib/format.ts";
import { Late, late } from "../../lib/late.tsx";
import { linkTo } from "../../lib/links.ts";
import { text } from "../../texts/texts.ts";
import { SpanStrip } from "./SpanStrip.tsx";
import styles from "./TurnRow.module.css";
import { saysAnything, type TurnBatch, type TurnContent } from "./turn-content.ts";
import { useTurnContent } from "./use-turn-content.ts";
import type { Turn } from "./use-turns.ts";

const { Part: TurnReview } = late(() => import("./TurnReview.tsx"));

/** Characters of a text; the rest comes at a click. */
const AT_ONCE = 1200;

interface TurnRowProps {
  readonly turn: Turn;
  readonly position: number;
  readonly count: number;
  readonly selected: boolean;
  readonly batch: TurnBatch;
  /** The place before the turn. */
  readonly before: string | null;
  /** False while rows only fly past. */
  readonly calm: boolean;
  readonly onSelect: (position: number) => void;
  readonly onOpen: (turn: Turn) => void;
}

export const TurnRow = memo(function TurnRow(props: TurnRowProps) {
  const { turn, position, count, selected, batch, before, calm, onSelect, onOpen } = props;
  const { content, failure, retry } = useTurnContent(batch, turn, before, calm);
  const marks = useFoundMarks(useFoundWords(), selected ? turn.id : null);
  const number = position + 1;
  const onKeyDown = (event: KeyboardEvent) => {
    // Links inside have an Enter of their own.
    if (event.key !== "Enter" || event.target !== event.currentTarget) return;
    event.preventDefault();
    onOpen(turn);
  };
  return (
    <article
      ref={marks}
      className={classes(styles.turn, selected && styles.selected)}
      tabIndex={-1}
      aria-label={text("sessions.turn", { number })}
      aria-posinset={number}
      aria-setsize={count}
      aria-current={selected}
      aria-busy={content === null && failure === null}
      onClick={() => onSelect(position)}
      onKeyDown={onKeyDown}
    >
      <header className={styles.margin}>
        <h3>{text("sessions.turn", { number })}</h3>
        <Time at={turn.startTime} />
        <span>{formatDuration(turn.latencyMs)}</span>
        {turn.tokenCountTotal > 0 && (
          <span>{text("sessions.turn.tokens", { count: formatCompact(turn.tokenCountTotal) })}</span>
        )}
        <CostCell id={turn.id} cost={turn.costTotal} tokens={turn.tokenCountTotal} />
        <Link
          href={linkTo("trace", { projectId: turn.projectId, traceId: turn.traceId })}
          className={styles.open}
          title={text("sessions.turn.open.hint")}
        >
          {text("sessions.turn.open")}
        </Link>
      </header>
      <div className={styles.script}>
        {content !== null ? (
          <>
            <Script turn={turn} number={number} content={content} />
            <Late>
              <TurnReview turn={turn} number={number} batch={batch} />
            </Late>
          </>
        ) : failure !== null ? (
          <div role="alert" className={styles.problem}>
            {text("sessions.turn.contents.failed", { message: failure.message })}
            <Button onClick={retry}>{text("sessions.turn.retry")}</Button>
          </div>
        ) : (
          <Skeleton lines={3} />
        )}
      </div>
    </article>
  );
});

interface ScriptProps {
  readonly turn: Turn;
  readonly number: number;
  readonly content: TurnContent;
}

function Script({ turn, number, content }: ScriptProps) {
  const { root, input, output, firstInput, lastOutput, failure } = content;
  const arrived = root === null || root.arrived;
  return (
    <SpanContext value={{ spanId: root?.id ?? "", previous: null, atOnce: AT_ONCE }}>
      <Spoken speaker="user">
        <Spoke side="input" content={input} instead={firstInput} nothing={text("sessions.turn.input.none")} />
      </Spoken>
      <div className={styles.strip}>
        <SpanStrip turn={turn} number={number} content={content} />
        {!arrived && <p className={styles.note}>{text("sessions.turn.rootless", { name: root.name })}</p>}
      </div>
      {failure !== null ? (
        <div className={styles.failure}>
          <CircleAlert aria-hidden="true" />
          <bdi>{failure === "" ? text("sessions.turn.failed.text") : failure}</bdi>
        </div>
      ) : (
        <Spoken speaker="assistant">
          <Spoke side="output" content={output} instead={lastOutput} nothing={text("sessions.turn.output.none")} />
        </Spoken>
      )}
    </SpanContext>
  );
}

interface SpokeProps {
  readonly side: "input" | "output";
  readonly content: SideText | null;
  /** The text of a span, where the turn itself has none. */
  readonly instead: string | null;
  readonly nothing: string;
}

function Spoke({ side, content, instead, nothing }: SpokeProps) {
  if (content !== null && saysAnything(content)) return <Parts {...content} />;
  if (instead === null) return <p className={styles.nothing}>{nothing}</p>;
  return (
    <>
      <p dir="auto" className={styles.instead}>
        {readablePreview(instead, side)}
      </p>
      <small className={styles.note}>{text("sessions.turn.instead")}</small>
    </>
  );
}

// One answer: its text and calls of tools as they come, its figures, and an error where it occurred.
import { CornerDownRight, Waypoints } from "lucide-react";
import { Button, IconButton } from "../../kit/Button.tsx";
import { CopyButton } from "../../kit/CopyButton.tsx";
import { formatCost, formatCount, formatDuration } from "../../lib/format.ts";
import { useRights } from "../../lib/viewer.ts";
import { text } from "../../texts/texts.ts";
import { AddAnswer } from "./AddAnswer.tsx";
import styles from "./Answers.module.css";
import type { Answer, AnswerCall, AnswerResult } from "./answers.ts";

interface AnswerViewProps {
  /** Null where there is only one. */
  readonly number: number | null;
  readonly answer: Answer;
  readonly isRunning: boolean;
  readonly onContinue: () => void;
  readonly onTrace: (spanKey: string) => void;
}

export function AnswerView({ number, answer, isRunning, onContinue, onTrace }: AnswerViewProps) {
  const { text: written, calls, retry, result } = answer;
  const { mayWrite } = useRights();
  const isComing = isRunning && result === null;
  const isEmpty = written === "" && calls.length === 0;
  const spanKey = result?.span_id ?? null;
  return (
    <article
      className={styles.answer}
      {...(number === null ? {} : { "aria-label": text("playground.answer", { number }) })}
    >
      {number !== null && <h3 className={styles.number}>{text("playground.answer", { number })}</h3>}
      {retry !== null && result === null && (
        <p className={styles.quiet}>{text("playground.answer.retry", { reason: retry })}</p>
      )}
      {isEmpty && isComing && retry === null && <p className={styles.quiet}>{text("playground.answer.waiting")}</p>}
      {isEmpty && result !== null && result.error === null && (
        <p className={styles.quiet}>{text("playground.answer.empty")}</p>
      )}
      {written !== "" && (
        <p dir="auto" className={styles.text}>
          {written}
          {isComing && <span aria-hidden="true" className={styles.caret} />}
        </p>
      )}
      {calls.map((call) => (
        <Call key={call.index} call={call} />
      ))}
      {result !== null && result.error !== null && (
        <p className={styles.problem} role="alert">
          {result.error.message}
        </p>
      )}
      {!isRunning && result === null && <p className={styles.quiet}>{text("playground.answer.stopped")}</p>}
      {(result !== null || (!isRunning && !isEmpty)) && (
        <footer className={styles.foot}>
          {result !== null && <span className={styles.figures}>{figuresOf(result).join(" · ")}</span>}
          <span className={styles.actions}>
            {!isEmpty && <CopyButton value={written || JSON.stringify(calls)} label={text("playground.answer.copy")} />}
            {spanKey !== null && (
              <IconButton
                label={text("playground.answer.trace")}
                icon={<Waypoints />}
                onClick={() => onTrace(spanKey)}
              />
            )}
            {spanKey !== null && <AddAnswer spanKey={spanKey} />}
            {!isEmpty && mayWrite && (
              <Button icon={<CornerDownRight />} onClick={onContinue}>
                {text(calls.length > 0 ? "playground.answer.tools" : "playground.answer.continue")}
              </Button>
            )}
          </span>
        </footer>
      )}
    </article>
  );
}

function Call({ call: { name, arguments: given } }: { readonly call: AnswerCall }) {
  return (
    <div className={styles.call}>
      <b>{text("playground.answer.call", { name })}</b>
      <pre className={styles.given}>{pretty(given)}</pre>
    </div>
  );
}

function pretty(source: string): string {
  try {
    return JSON.stringify(JSON.parse(source), null, 2);
  } catch {
    return source;
  }
}

function figuresOf({
  time_to_first_token_ms: first,
  latency_ms: latency,
  usage,
  cost_usd: cost,
  finish_reason: reason,
}: AnswerResult) {
  const figures: string[] = [];
  if (first !== null) figures.push(text("playground.answer.first", { time: formatDuration(first) }));
  if (latency !== null) figures.push(formatDuration(latency));
  if (usage !== null) {
    const { prompt_tokens: prompt, completion_tokens: completion } = usage;
    figures.push(
      text("playground.answer.tokens", { prompt: formatCount(prompt), completion: formatCount(completion) }),
    );
  }
  if (latency !== null) figures.push(cost === null ? text("playground.answer.cost") : formatCost(cost));
  if (reason !== null && !/^(stop|tool[-_]calls)$/.test(reason)) {
    figures.push(text("playground.answer.finish", { reason }));
  }
  return figures;
}

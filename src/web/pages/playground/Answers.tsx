// What a variant answered, repetition by repetition, and what can be done with each answer.
import { text } from "../../texts/texts.ts";
import styles from "./Answers.module.css";
import { AnswerView } from "./AnswerView.tsx";
import type { Answer } from "./answers.ts";
import type { VariantRun } from "./runs.ts";

interface AnswersProps {
  /** Of the variant. */
  readonly letter: string;
  readonly run: VariantRun | undefined;
  readonly onContinue: (answer: Answer) => void;
  /** Of the span of an answer. */
  readonly onTrace: (spanKey: string) => void;
}

export function Answers({ letter, run, onContinue, onTrace }: AnswersProps) {
  return (
    <section
      className={styles.answers}
      aria-label={text("playground.answers", { variant: letter })}
      aria-busy={run?.isRunning === true}
    >
      {run === undefined && <p className={styles.quiet}>{text("playground.answer.none")}</p>}
      {run !== undefined && run.failure !== null && (
        <p className={styles.problem} role="alert">
          {run.failure}
        </p>
      )}
      {run?.answers.map((answer, position) => {
        if (run.failure !== null && answer.text === "" && answer.result === null) return null;
        return (
          <AnswerView
            key={position}
            number={run.answers.length > 1 ? position + 1 : null}
            answer={answer}
            isRunning={run.isRunning}
            onContinue={() => onContinue(answer)}
            onTrace={onTrace}
          />
        );
      })}
    </section>
  );
}

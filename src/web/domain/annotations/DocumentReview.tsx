// Annotations of one document, below it; opened, the questions of the project about it. Saved, it goes on to the next document.
import { type KeyboardEvent, useEffect, useRef } from "react";
import { Button } from "../../kit/Button.tsx";
import { shownKey } from "../../kit/keys.ts";
import { useRights } from "../../lib/viewer.ts";
import { text } from "../../texts/texts.ts";
import styles from "./DocumentReview.module.css";
import { shownVerdict } from "./drafts.ts";
import { Questions } from "./ReviewPane.tsx";
import { useDocumentReview } from "./use-document-review.ts";
import { type Review, useQuestions } from "./use-review.ts";
import { VerdictChip } from "./VerdictChip.tsx";
import { chosenBy, controlValue, emptyVerdict, judged, type Question } from "./verdicts.ts";

interface DocumentReviewProps {
  readonly projectId: string;
  /** Global id. */
  readonly spanId: string;
  readonly position: number;
  /** No document follows. */
  readonly last: boolean;
  readonly open: boolean;
  /** With the position of the document to open; null closes. */
  readonly onOpen: (position: number | null) => void;
}

export function DocumentReview({ projectId, spanId, position, last, open, onOpen }: DocumentReviewProps) {
  const questions = useQuestions(projectId);
  const review = useDocumentReview(spanId, position);
  const { mayWrite } = useRights();
  const all = [...review.grouped.own.values(), ...[...review.grouped.others.values()].flat()];
  const mayJudge = mayWrite && !review.loading && questions !== undefined && questions.length > 0;
  if (all.length === 0 && !mayJudge) return null;
  return (
    <div className={styles.review}>
      <div className={styles.line}>
        {all.map((annotation) => (
          <VerdictChip
            key={annotation.id}
            annotation={annotation}
            question={questions?.find(({ name }) => name === annotation.name)}
          />
        ))}
        {mayJudge && !open && (
          <button
            type="button"
            className={styles.judge}
            aria-label={text("review.document.judge.of", { number: String(position + 1) })}
            onClick={() => onOpen(position)}
          >
            {text("review.document.judge")}
          </button>
        )}
      </div>
      {mayJudge && open && (
        <Form
          questions={questions}
          review={review}
          name={text("review.document", { number: String(position + 1) })}
          onClose={() => onOpen(null)}
          onNext={last ? null : () => onOpen(position + 1)}
        />
      )}
    </div>
  );
}

interface FormProps {
  readonly questions: readonly Question[];
  readonly review: Review;
  /** Of the document, for messages. */
  readonly name: string;
  readonly onClose: () => void;
  readonly onNext: (() => void) | null;
}

function Form({ questions, review, name, onClose, onNext }: FormProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.querySelector<HTMLElement>("input, textarea")?.focus();
    box.current?.scrollIntoView({ block: "nearest" });
  }, []);
  const saveNext = () => {
    review.save(name);
    if (onNext === null) onClose();
    else onNext();
  };
  // While the focus is in here the keys are the document's, not those of the review of the trace.
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, altKey, ctrlKey, metaKey, target } = event;
    const withMod = ctrlKey || metaKey;
    const typing = target instanceof HTMLTextAreaElement || (target as HTMLInputElement).type === "text";
    if (key === "Escape") onClose();
    else if (key === "Enter" && withMod) saveNext();
    else if (/^[1-9]$/.test(key) && !withMod && !altKey && !typing) choose(Number(key));
    else return;
    event.preventDefault();
  };
  const choose = (digit: number) => {
    const chosen = chosenBy(digit, questions);
    if (chosen === null) return;
    const { question, label } = chosen;
    const before = shownVerdict(review.entry, question.name, review.grouped.own.get(question.name) ?? emptyVerdict);
    review.judge(question.name, judged(question, before, controlValue(question, before) === label ? "" : label));
  };
  return (
    <div ref={box} className={styles.form} role="group" aria-label={name} onKeyDown={onKeyDown}>
      <Questions questions={questions} review={review} />
      {review.entry.failure !== null && (
        <p role="status" className={styles.refused}>
          {text("review.refused", { message: review.entry.failure })}
        </p>
      )}
      <footer className={styles.foot}>
        <Button look="quiet" onClick={onClose}>
          {text("review.document.close")}
        </Button>
        <Button
          onClick={() => {
            review.save(name);
            onClose();
          }}
        >
          {text("review.save")}
        </Button>
        {onNext !== null && (
          <Button look="main" onClick={saveNext}>
            {text("review.document.next")} <span className={styles.key}>{shownKey("mod+Enter")}</span>
          </Button>
        )}
      </footer>
    </div>
  );
}

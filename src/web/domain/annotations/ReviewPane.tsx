// Judging one target: the questions of the project with the reader's own answers, what others say, and notes. It knows nothing of where
// it stands.
import { Plus } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Button, LinkButton } from "../../kit/Button.tsx";
import { TextArea } from "../../kit/Field.tsx";
import { shownKey } from "../../kit/keys.ts";
import { ScoreDot } from "../../kit/ScoreDot.tsx";
import { FailedState, Skeleton } from "../../kit/States.tsx";
import { Late, late } from "../../lib/late.tsx";
import { linkTo } from "../../lib/links.ts";
import { text } from "../../texts/texts.ts";
import { shownVerdict } from "./drafts.ts";
import { JudgeControl } from "./JudgeControl.tsx";
import { Notes } from "./Notes.tsx";
import styles from "./ReviewPane.module.css";
import type { Review } from "./use-review.ts";
import {
  type Annotation,
  controlValue,
  emptyVerdict,
  firstDigits,
  goodness,
  isBlank,
  judged,
  type Question,
  verdictText,
} from "./verdicts.ts";
import { Who } from "./Who.tsx";

const { Part: ConfigDialog } = late(() => import("./configs/ConfigDialog.tsx"));

interface ReviewPaneProps {
  readonly questions: readonly Question[] | undefined;
  readonly review: Review;
  /** Which target, above the questions. */
  readonly head: ReactNode;
  readonly mayWrite: boolean;
  /** Whose questions these are. */
  readonly projectId: string;
  /** What takes the keys when it is opened. */
  readonly focus: "form" | "note" | null;
  readonly onFocused: () => void;
  readonly onSave: () => void;
  /** Null where nothing follows. */
  readonly onSaveNext: (() => void) | null;
}

export function ReviewPane(props: ReviewPaneProps) {
  const { questions, review, head, mayWrite, projectId, focus, onFocused, onSave, onSaveNext } = props;
  const box = useRef<HTMLDivElement>(null);
  const waits = questions === undefined || review.loading;
  useEffect(() => {
    if (focus === null || waits) return;
    const controls = box.current?.querySelectorAll<HTMLElement>("[data-questions] :is(input, textarea)");
    const note = box.current?.querySelector<HTMLElement>("[data-note] textarea");
    (focus === "note" ? note : (controls?.[0] ?? note))?.focus();
    onFocused();
  }, [focus, waits, onFocused]);
  // Out of a field, so that the digits choose again; a second Escape closes the trace.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !(event.target instanceof HTMLTextAreaElement)) return;
    event.preventDefault();
    event.target.blur();
  };
  const [creating, setCreating] = useState(false);
  const { entry, grouped } = review;
  const unsaved = Object.keys(entry.draft.verdicts).length > 0 || entry.draft.note !== "";
  return (
    <div ref={box} className={styles.pane}>
      {/* A region that scrolls must be reachable by keys. */}
      <div className={styles.body} tabIndex={0} role="group" aria-label={text("review.title")} onKeyDown={onKeyDown}>
        {head}
        {waits ? (
          <Skeleton lines={6} />
        ) : review.failure !== null ? (
          <FailedState failure={review.failure} />
        ) : (
          <>
            {mayWrite && questions.length > 0 && <Questions questions={questions} review={review} />}
            {mayWrite && (
              <div className={styles.more}>
                {questions.length === 0 && <p>{text("review.none")}</p>}
                <Button look="quiet" icon={<Plus />} onClick={() => setCreating(true)}>
                  {text("annotations.new")}
                </Button>
                {questions.length === 0 && (
                  <LinkButton to={linkTo("config", { projectId })}>{text("review.none.action")}</LinkButton>
                )}
              </div>
            )}
            {mayWrite && (
              <div data-note>
                <TextArea
                  label={text("review.note")}
                  rows={2}
                  value={entry.draft.note || (entry.sent?.note ?? "")}
                  onChange={review.writeNote}
                />
              </div>
            )}
            {(grouped.others.size > 0 || grouped.own.size === 0) && (
              <Others questions={questions} others={grouped.others} />
            )}
            {grouped.notes.length > 0 && (
              <section className={styles.others}>
                <h4>{text("review.notes")}</h4>
                <Notes notes={grouped.notes} changes={mayWrite ? review.notes : null} />
              </section>
            )}
          </>
        )}
      </div>
      {mayWrite && (
        <footer className={styles.foot}>
          <small role="status" className={entry.failure === null ? undefined : styles.refused}>
            {entry.sent !== null
              ? text("review.saving")
              : entry.failure !== null
                ? text("review.refused", { message: entry.failure })
                : unsaved && text("review.unsaved")}
          </small>
          <Button disabled={!unsaved} onClick={onSave}>
            {text("review.save")}
          </Button>
          <Button look="main" disabled={onSaveNext === null} onClick={() => onSaveNext?.()}>
            {text("review.save.next")} <span className={styles.key}>{shownKey("mod+Enter")}</span>
          </Button>
        </footer>
      )}
      {creating && (
        <Late>
          <ConfigDialog config={null} projectId={projectId} onClose={() => setCreating(false)} />
        </Late>
      )}
    </div>
  );
}

export function Questions({ questions, review }: { readonly questions: readonly Question[]; readonly review: Review }) {
  const digits = firstDigits(questions);
  return (
    <div data-questions className={styles.questions}>
      {questions.map((question) => {
        const { name } = question;
        const verdict = shownVerdict(review.entry, name, review.grouped.own.get(name) ?? emptyVerdict);
        const { label, score, explanation } = verdict;
        const own = { label, score, explanation };
        return (
          <div key={name} className={styles.question} title={question.description ?? undefined}>
            <JudgeControl
              by={question}
              value={controlValue(question, own)}
              // Beyond the digits there is none, not one of its own.
              firstDigit={digits.get(name) ?? 10}
              onChange={(value) => review.judge(name, judged(question, own, value))}
            />
            {question.type !== "FREEFORM" && !isBlank(own) && (
              <TextArea
                label={text("review.why.of", { name })}
                labelHidden
                placeholder={text("review.why")}
                rows={1}
                value={explanation ?? ""}
                onChange={(why) => review.judge(name, { ...own, explanation: why === "" ? null : why })}
              />
            )}
          </div>
        );
      })}
    </div>
  );
}

interface OthersProps {
  readonly questions: readonly Question[];
  readonly others: ReadonlyMap<string, readonly Annotation[]>;
}

function Others({ questions, others }: OthersProps) {
  return (
    <section className={styles.others}>
      <h4>{text("review.others")}</h4>
      {others.size === 0 && <p className={styles.faint}>{text("review.others.none")}</p>}
      {[...others].map(([name, annotations]) => (
        <div key={name}>
          <h5>
            <bdi>{name}</bdi>
          </h5>
          {annotations.map((annotation) => (
            <OneVerdict
              key={annotation.id}
              annotation={annotation}
              question={questions.find((question) => question.name === name)}
            />
          ))}
        </div>
      ))}
    </section>
  );
}

interface OneVerdictProps {
  readonly annotation: Annotation;
  readonly question: Question | undefined;
}

function OneVerdict({ annotation, question }: OneVerdictProps) {
  const value = verdictText(annotation);
  return (
    <div className={styles.other}>
      <Who annotation={annotation} />
      <div>
        {value !== "" && (
          <span className={styles.value}>
            <ScoreDot
              goodness={goodness(question, annotation)}
              label={text("review.verdict", { name: annotation.name, value })}
            />
            <bdi>{value}</bdi>
          </span>
        )}
        {annotation.explanation !== null && <p dir="auto">{annotation.explanation}</p>}
      </div>
    </div>
  );
}

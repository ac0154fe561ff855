// Judging a run beside its output: the questions of this server, the evaluations by programs, and the keys that judge traces.
import { X } from "lucide-react";
import { useMemo } from "react";
import { configList } from "../../../domain/annotations/configs/configs.queries.ts";
import { shownVerdict } from "../../../domain/annotations/drafts.ts";
import { Questions } from "../../../domain/annotations/ReviewPane.tsx";
import { questionOf } from "../../../domain/annotations/use-review.ts";
import { VerdictChip } from "../../../domain/annotations/VerdictChip.tsx";
import { chosenBy, controlValue, emptyVerdict, judged } from "../../../domain/annotations/verdicts.ts";
import { Button, IconButton, LinkButton } from "../../../kit/Button.tsx";
import { shownKey, useShortcut } from "../../../kit/keys.ts";
import { Skeleton } from "../../../kit/States.tsx";
import { nodesOf } from "../../../lib/graphql.ts";
import { linkTo } from "../../../lib/links.ts";
import { useGraphql } from "../../../lib/queries.ts";
import { useRights } from "../../../lib/viewer.ts";
import { text } from "../../../texts/texts.ts";
import type { ComparedRun } from "./comparison.queries.ts";
import styles from "./RunReview.module.css";
import { useRunReview } from "./use-run-review.ts";

interface RunReviewProps {
  readonly run: ComparedRun;
  readonly onClose: () => void;
  /** To the next example; null behind the last. */
  readonly onNext: (() => void) | null;
}

export function RunReview({ run, onClose, onNext }: RunReviewProps) {
  const configs = useGraphql(configList, { first: 1000 });
  const questions = useMemo(
    () => configs.data && nodesOf(configs.data.annotationConfigs.edges).map(questionOf),
    [configs.data],
  );
  const review = useRunReview(run.id);
  const { mayWrite } = useRights();
  const name = text("experiments.repetition.name", { number: String(run.repetitionNumber) });
  const others = [...review.grouped.others.values()].flat();
  const saveNext = () => {
    review.save(name);
    onNext?.();
  };
  const choose = (event: KeyboardEvent) => {
    const chosen = chosenBy(Number(event.key), questions ?? []);
    if (chosen === null) return;
    const { question, label } = chosen;
    const before = shownVerdict(review.entry, question.name, review.grouped.own.get(question.name) ?? emptyVerdict);
    // The chosen one again takes the choice back.
    review.judge(question.name, judged(question, before, controlValue(question, before) === label ? "" : label));
  };
  const group = "review.keys";
  const enabled = mayWrite && !review.loading;
  useShortcut({ keys: "1 2 3 4 5 6 7 8 9", label: "review.keys.choose", group, run: choose }, enabled);
  useShortcut({ keys: "mod+Enter", label: "review.keys.next", group, inFields: true, run: saveNext }, enabled);
  return (
    <aside className={styles.review} aria-label={text("review.title")}>
      <header className={styles.head}>
        <h3>{text("review.title")}</h3>
        <IconButton small label={text("review.fold")} icon={<X />} onClick={onClose} />
      </header>
      {questions === undefined || review.loading ? (
        <Skeleton lines={4} />
      ) : (
        <div className={styles.body} role="group" aria-label={name} tabIndex={0}>
          {mayWrite && questions.length > 0 && <Questions questions={questions} review={review} />}
          {questions.length === 0 && (
            <>
              <p className={styles.quiet}>{text("experiments.judge.none")}</p>
              <LinkButton to={linkTo("annotationConfigs")}>{text("experiments.judge.none.action")}</LinkButton>
            </>
          )}
          {others.length > 0 && (
            <section className={styles.others}>
              <h4>{text("review.others")}</h4>
              {others.map((annotation) => (
                <VerdictChip
                  key={annotation.id}
                  annotation={annotation}
                  question={questions.find((question) => question.name === annotation.name)}
                />
              ))}
            </section>
          )}
          {review.entry.failure !== null && (
            <p role="status" className={styles.refused}>
              {text("review.refused", { message: review.entry.failure })}
            </p>
          )}
        </div>
      )}
      {mayWrite && (
        <footer className={styles.foot}>
          <Button onClick={() => review.save(name)}>{text("review.save")}</Button>
          <Button look="main" disabled={onNext === null} onClick={saveNext}>
            {text("review.save.next")} <span className={styles.key}>{shownKey("mod+Enter")}</span>
          </Button>
        </footer>
      )}
    </aside>
  );
}

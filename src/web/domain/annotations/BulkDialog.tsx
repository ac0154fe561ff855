// Annotates the selected rows of a list, or all that match its filter: first how many those are, then the verdict, then how far it is,
// and at the end the way back.
import { useState } from "react";
import { Button, LinkButton } from "../../kit/Button.tsx";
import { Dialog } from "../../kit/Dialog.tsx";
import { Segmented, Select, TextArea } from "../../kit/Field.tsx";
import { Notice, Skeleton } from "../../kit/States.tsx";
import { linkTo } from "../../lib/links.ts";
import { text } from "../../texts/texts.ts";
import styles from "./BulkDialog.module.css";
import { type BulkTarget, type Matching, newIdentifier } from "./bulk.ts";
import { JudgeControl } from "./JudgeControl.tsx";
import { type BulkRun, useBulk } from "./use-bulk.ts";
import { useQuestions } from "./use-review.ts";
import { controlValue, emptyVerdict, isBlank, judged, type Verdict, verdictText } from "./verdicts.ts";

export interface BulkDialogProps {
  readonly projectId: string;
  readonly target: BulkTarget;
  /** Global ids of the selected rows. */
  readonly ids: readonly string[];
  /** Null where the list shows what no condition says. */
  readonly matching: Matching | null;
  readonly onClose: () => void;
}

export default function BulkDialog({ projectId, target, ids, matching, onClose }: BulkDialogProps) {
  const questions = useQuestions(projectId);
  const [which, setWhich] = useState<"selected" | "matching">("selected");
  const [name, setName] = useState("");
  const [verdict, setVerdict] = useState<Verdict>(emptyVerdict);
  const { run, begin, stop, resume, undo } = useBulk();
  const question = questions?.find((each) => each.name === name) ?? questions?.[0];
  const count = which === "selected" || matching === null ? ids.length : (matching.count ?? 0);
  const title = text(`bulk.title.${target}`, { count });
  const close = () => {
    stop();
    onClose();
  };

  if (run !== null) {
    return (
      <Dialog open firm onClose={close} title={title} actions={<RunButtons {...{ run, stop, resume, undo, close }} />}>
        <Progress run={run} count={count} />
      </Dialog>
    );
  }
  const start = () => {
    if (question === undefined || isBlank(verdict) || count === 0) return;
    const on = which === "selected" || matching === null ? { ids } : matching;
    begin({ projectId, target, on, name: question.name, verdict, identifier: newIdentifier() });
  };
  return (
    <Dialog
      open
      onClose={close}
      title={title}
      onSubmit={start}
      actions={
        <>
          <Button onClick={close}>{text("kit.cancel")}</Button>
          <Button type="submit" look="main" disabled={question === undefined || isBlank(verdict) || count === 0}>
            {text("bulk.start")}
          </Button>
        </>
      }
    >
      {questions === undefined && <Skeleton lines={4} />}
      {questions?.length === 0 && (
        <div className={styles.none}>
          <p>{text("review.none")}</p>
          <LinkButton to={linkTo("config", { projectId })}>{text("review.none.action")}</LinkButton>
        </div>
      )}
      {questions !== undefined && question !== undefined && (
        <div className={styles.form}>
          {matching !== null && (
            <Segmented
              label={text("bulk.which")}
              value={which}
              choices={[
                { value: "selected", label: text("bulk.selected", { count: ids.length }) },
                { value: "matching", label: text("bulk.matching", { count: matching.count ?? 0 }) },
              ]}
              onChange={(value) => setWhich(value)}
            />
          )}
          <Select
            label={text("bulk.name")}
            value={question.name}
            choices={questions.map((each) => ({ value: each.name, label: each.name }))}
            onChange={(chosen) => {
              setName(chosen);
              setVerdict(emptyVerdict);
            }}
          />
          <JudgeControl
            by={question}
            value={controlValue(question, verdict)}
            onChange={(value) => setVerdict(judged(question, verdict, value))}
          />
          {question.type !== "FREEFORM" && (
            <TextArea
              label={text("review.why")}
              rows={2}
              value={verdict.explanation ?? ""}
              onChange={(why) => setVerdict({ ...verdict, explanation: why === "" ? null : why })}
            />
          )}
        </div>
      )}
    </Dialog>
  );
}

function Progress({ run, count }: { readonly run: BulkRun; readonly count: number }) {
  const { bulk, state, phase, failure } = run;
  const annotation = `${bulk.name}: ${verdictText(bulk.verdict) || (bulk.verdict.explanation ?? "")}`;
  const { done } = state;
  return (
    <div className={styles.form}>
      {failure !== null && <Notice tone="error">{failure}</Notice>}
      <p role="status">
        {phase === "undone"
          ? text("bulk.undone", { count: done })
          : phase === "done"
            ? text("bulk.done", { count: done, annotation })
            : text("bulk.progress", { done, count: Math.max(count, done) })}
      </p>
      {(phase === "running" || phase === "stopped") && (
        <progress className={styles.progress} value={done} max={Math.max(count, done, 1)} aria-label={annotation} />
      )}
      {phase === "done" && (
        <p className={styles.faint}>
          {text("bulk.identifier")} <code>{bulk.identifier}</code>
        </p>
      )}
    </div>
  );
}

interface RunButtonsProps {
  readonly run: BulkRun;
  readonly stop: () => void;
  readonly resume: () => void;
  readonly undo: () => Promise<void>;
  readonly close: () => void;
}

function RunButtons({ run: { phase, state }, stop, resume, undo, close }: RunButtonsProps) {
  if (phase === "running") return <Button onClick={stop}>{text("bulk.stop")}</Button>;
  return (
    <>
      {phase !== "undone" && state.done > 0 && (
        <Button disabled={phase === "undoing"} onClick={() => void undo()}>
          {text("bulk.undo")}
        </Button>
      )}
      {phase === "stopped" && <Button onClick={resume}>{text("bulk.resume")}</Button>}
      <Button look="main" onClick={close}>
        {text("bulk.close")}
      </Button>
    </>
  );
}

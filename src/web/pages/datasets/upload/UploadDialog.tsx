// A file becomes examples, in three steps: the file, what its columns are, and what came of it.
import { useEffect, useRef, useState } from "react";
import { Button, LinkButton } from "../../../kit/Button.tsx";
import { Dialog } from "../../../kit/Dialog.tsx";
import { Select, TextField } from "../../../kit/Field.tsx";
import { FileDrop } from "../../../kit/FileDrop.tsx";
import { Notice } from "../../../kit/States.tsx";
import { Stepper } from "../../../kit/Stepper.tsx";
import { failureOf } from "../../../lib/failure.ts";
import { formatBytes } from "../../../lib/format.ts";
import { linkTo } from "../../../lib/links.ts";
import { useRefresh } from "../../../lib/queries.ts";
import { text } from "../../../texts/texts.ts";
import { ColumnsStep } from "./ColumnsStep.tsx";
import { columnsOf, formOf, guessMapping, type Mapping } from "./columns.ts";
import { type FirstRows, readFirstRows } from "./first-rows.ts";
import { sendForm } from "./send-form.ts";
import styles from "./Upload.module.css";
import { uploadText } from "./upload-text.ts";

const ACCEPTED = ".csv,.jsonl,.ndjson";
const steps = [uploadText("upload.step.file"), uploadText("upload.step.columns"), uploadText("upload.step.result")];
const changes = ["datasets"] as const;

export interface UploadDialogProps {
  readonly onClose: () => void;
  /** Where the examples go; a new one without. */
  readonly dataset?: { readonly id: string; readonly name: string } | undefined;
}

interface Chosen {
  readonly file: File;
  readonly first: FirstRows;
  readonly mapping: Mapping;
  readonly name: string;
  readonly action: "append" | "update";
}

interface Answer {
  readonly data: {
    readonly dataset_id: string;
    readonly num_created_examples: number;
    readonly num_updated_examples: number;
    readonly num_deleted_examples: number;
  };
}

type Run =
  | { readonly state: "sending"; readonly sent: number; readonly size: number }
  | { readonly state: "refused"; readonly reason: string }
  | { readonly state: "done"; readonly answer: Answer["data"] };

export default function UploadDialog({ dataset, onClose }: UploadDialogProps) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [run, setRun] = useState<Run | null>(null);
  const stop = useRef<AbortController | null>(null);
  const refresh = useRefresh(changes);
  // The answer is not needed any more: the server then discards the upload.
  useEffect(() => () => stop.current?.abort(), []);

  async function choose(file: File): Promise<void> {
    try {
      const first = await readFirstRows(file);
      const name = file.name.replace(/\.[a-z]+$/i, "");
      setChosen({ file, first, mapping: guessMapping(first), name, action: "append" });
      setProblem(null);
    } catch (error) {
      setProblem(failureOf(error).message);
    }
  }

  async function start({ file, first, mapping, name, action }: Chosen): Promise<void> {
    const wrong = problemOf(mapping, dataset === undefined ? name : null);
    setProblem(wrong);
    if (wrong !== null) return;
    const controller = new AbortController();
    stop.current = controller;
    setRun({ state: "sending", sent: 0, size: file.size });
    const about =
      dataset === undefined ? ({ name: name.trim(), action: "create" } as const) : { name: dataset.name, action };
    const onSent = (sent: number, size: number) => setRun({ state: "sending", sent, size });
    try {
      const form = formOf(file, first, mapping, about);
      const { data } = await sendForm<Answer>("v1/datasets/upload?sync=true", form, onSent, controller.signal);
      setRun({ state: "done", answer: data });
      refresh();
    } catch (error) {
      if (!controller.signal.aborted) setRun({ state: "refused", reason: failureOf(error).message });
    }
  }

  const step = run !== null ? 2 : chosen !== null ? 1 : 0;
  return (
    <Dialog
      open
      wide
      firm
      onClose={onClose}
      title={
        dataset === undefined ? uploadText("upload.title.new") : uploadText("upload.title.add", { name: dataset.name })
      }
      actions={
        <Actions
          {...{ chosen, run, dataset, onClose }}
          onBack={() => (run === null ? setChosen(null) : setRun(null))}
          onStart={start}
        />
      }
    >
      <Stepper label={uploadText("upload.steps")} steps={steps} current={step} />
      {problem !== null && run === null && <Notice tone="error">{problem}</Notice>}
      {step === 0 && (
        <FileDrop
          label={uploadText("upload.drop")}
          hint={uploadText("upload.drop.hint")}
          accept={ACCEPTED}
          onFile={(file) => void choose(file)}
        />
      )}
      {chosen !== null && run === null && (
        <>
          <p className={styles.note}>
            {uploadText("upload.file", { name: chosen.file.name, size: formatBytes(chosen.file.size) })}
          </p>
          {dataset === undefined ? (
            <TextField
              label={uploadText("upload.name")}
              autoComplete="off"
              value={chosen.name}
              onChange={(name) => setChosen({ ...chosen, name })}
            />
          ) : (
            <Select
              label={uploadText("upload.action")}
              value={chosen.action}
              choices={(["append", "update"] as const).map((value) => ({
                value,
                label: uploadText(`upload.action.${value}`),
              }))}
              onChange={(action) => setChosen({ ...chosen, action })}
            />
          )}
          <ColumnsStep
            first={chosen.first}
            mapping={chosen.mapping}
            onChange={(mapping) => setChosen({ ...chosen, mapping })}
          />
        </>
      )}
      {run !== null && <Result run={run} />}
    </Dialog>
  );
}

/** `name` is null where it is given. */
function problemOf(mapping: Mapping, name: string | null): string | null {
  if (name !== null && name.trim() === "") return uploadText("upload.name.empty");
  return columnsOf(mapping, "input").length === 0 ? uploadText("upload.input.missing") : null;
}

interface ActionsProps {
  readonly dataset: UploadDialogProps["dataset"];
  readonly chosen: Chosen | null;
  readonly run: Run | null;
  readonly onBack: () => void;
  readonly onStart: (chosen: Chosen) => Promise<void>;
  readonly onClose: () => void;
}

function Actions({ chosen, run, dataset, onBack, onStart, onClose }: ActionsProps) {
  if (run?.state === "done") {
    return (
      <>
        <Button onClick={onClose}>{uploadText("upload.close")}</Button>
        {dataset === undefined && (
          <LinkButton look="main" to={linkTo("dataset", { datasetId: run.answer.dataset_id })}>
            {uploadText("upload.open")}
          </LinkButton>
        )}
      </>
    );
  }
  return (
    <>
      <Button onClick={onClose}>{text("kit.cancel")}</Button>
      {chosen !== null && run?.state !== "sending" && <Button onClick={onBack}>{uploadText("upload.back")}</Button>}
      {chosen !== null && run === null && (
        <Button look="main" onClick={() => void onStart(chosen)}>
          {uploadText("upload.start")}
        </Button>
      )}
    </>
  );
}

function Result({ run }: { readonly run: Run }) {
  if (run.state === "refused")
    return <Notice tone="error">{uploadText("upload.refused", { reason: run.reason })}</Notice>;
  if (run.state === "sending") {
    const { sent, size } = run;
    const status =
      sent < size
        ? uploadText("upload.progress", { sent: formatBytes(sent), size: formatBytes(size) })
        : uploadText("upload.storing");
    return (
      <div className={styles.progress}>
        <progress aria-label={status} max={size} value={sent} />
        <p role="status">{status}</p>
      </div>
    );
  }
  const { num_created_examples: created, num_updated_examples: changed, num_deleted_examples: removed } = run.answer;
  return (
    <ul role="status" className={styles.result}>
      {created > 0 && <li>{uploadText("upload.created", { count: created })}</li>}
      {changed > 0 && <li>{uploadText("upload.changed", { count: changed })}</li>}
      {removed > 0 && <li>{uploadText("upload.removed", { count: removed })}</li>}
      {created + changed + removed === 0 && <li>{uploadText("upload.same")}</li>}
    </ul>
  );
}

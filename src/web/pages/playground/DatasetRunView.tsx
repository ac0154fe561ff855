// A run over a dataset while the server works on it: how far it is, what is left in time and money, and what stops it.
import { useQueryClient } from "@tanstack/react-query";
import { Button } from "../../kit/Button.tsx";
import { Badge, Loaded } from "../../kit/States.tsx";
import { formatCost, formatCount, formatDuration } from "../../lib/format.ts";
import { useChange } from "../../lib/queries.ts";
import { useRights } from "../../lib/viewer.ts";
import { text } from "../../texts/texts.ts";
import styles from "./Dataset.module.css";
import type { DatasetRun } from "./dataset-run.ts";
import { resumeDatasetRun, stopDatasetRun } from "./dataset-runs.api.ts";
import { datasetRunKey, useDatasetRun } from "./use-dataset-runs.ts";

export function DatasetRunView({ id }: { readonly id: string }) {
  const query = useDatasetRun(id);
  return <Loaded query={query}>{(run) => <Shown run={run} />}</Loaded>;
}

type Command = "pause" | "cancel" | "resume";

function Shown({ run }: { readonly run: DatasetRun }) {
  const { id, status, pausing, progress, spent, stop_message, last_error } = run;
  const { mayWrite } = useRights();
  const client = useQueryClient();
  const change = useChange(
    (command: Command) => (command === "resume" ? resumeDatasetRun(id) : stopDatasetRun(id, command)),
    ["experiments"],
  );
  const send = (command: Command) =>
    change.mutate(command, { onSuccess: (next) => client.setQueryData(datasetRunKey(id), next) });
  const done = progress.succeeded + progress.failed;
  const isRunning = status === "RUNNING";
  const mayResume = !isRunning && (progress.left > 0 || progress.failed > 0);
  return (
    <article className={styles.run}>
      <header className={styles.runHead}>
        <Badge tone={isRunning ? "accent" : status === "ERROR" ? "error" : "neutral"}>
          {text(pausing ? "playground.job.pausing" : `playground.job.${status}`)}
        </Badge>
        <span>{text("playground.job.done", { done: formatCount(done), runs: formatCount(progress.runs) })}</span>
        {progress.failed > 0 && (
          <span className={styles.problem}>{text("playground.job.failed", { count: progress.failed })}</span>
        )}
      </header>
      <progress
        className={styles.bar}
        aria-label={text("playground.job.progress")}
        max={Math.max(1, progress.runs)}
        value={done}
      />
      <p className={styles.figures}>{figuresOf(run).join(" · ")}</p>
      {stop_message !== null && !isRunning && <p>{stop_message}</p>}
      {last_error !== null && <p className={styles.problem}>{last_error.message}</p>}
      {change.error !== null && (
        <p className={styles.problem} role="alert">
          {change.error.message}
        </p>
      )}
      {mayWrite && (
        <footer className={styles.commands}>
          {isRunning && !pausing && <Button onClick={() => send("pause")}>{text("playground.job.pause")}</Button>}
          {isRunning && <Button onClick={() => send("cancel")}>{text("playground.job.stop")}</Button>}
          {mayResume && (
            <Button onClick={() => send("resume")}>
              {text(progress.left > 0 ? "playground.job.resume" : "playground.job.retry")}
            </Button>
          )}
        </footer>
      )}
    </article>
  );
  function figuresOf({ progress: now }: DatasetRun): readonly string[] {
    const figures = [text("playground.job.spent", { cost: formatCost(spent.cost) })];
    if (spent.unpriced_calls > 0) figures.push(text("playground.job.unpriced", { count: spent.unpriced_calls }));
    if (isRunning && now.seconds_left !== null) {
      figures.push(text("playground.job.left", { time: formatDuration(now.seconds_left * 1000) }));
    }
    if (isRunning && now.cost_left !== null && now.cost_left > 0) {
      figures.push(text("playground.job.left.cost", { cost: formatCost(now.cost_left) }));
    }
    return figures;
  }
}

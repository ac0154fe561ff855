// Reads what a job has to do, in parts: first the evaluations that successful runs lack, then the tasks without a successful run.
import { newTraceKey } from "../../../../ingest/server-span.ts";
import { Failure } from "../../../../kernel/failure.ts";
import { globalId } from "../../../../kernel/ids.ts";
import { type JsonObject, parseJson } from "../../../../kernel/json.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { EvaluatedRunsService } from "../../experiments/evaluations/evaluated-runs.service.ts";
import type { IncompleteEvaluation } from "../../experiments/evaluations/experiment-evaluations.schema.ts";
import { EXPERIMENT, type Experiment } from "../../experiments/experiments.schema.ts";
import { RUN } from "../../experiments/runs/experiment-runs.schema.ts";
import type { TaskExample } from "../tasks/example-values.rules.ts";
import type { JobTasksStore, SnapshotContent } from "../tasks/job-tasks.store.ts";
import type { ReadPrompt } from "../tasks/task-call.rules.ts";
import type { AttachedEvaluator, EvaluationItem, JobItem, TaskItem } from "./job-items.schema.ts";

interface JobItemsDependencies {
  readonly tasks: JobTasksStore;
  readonly evaluatedRuns: EvaluatedRunsService;
  readonly ownContext: () => CallContext;
}

interface ItemsOfJob {
  readonly experiment: Experiment;
  readonly prompt: ReadPrompt;
  readonly evaluators: readonly AttachedEvaluator[];
  /** False leaves out repetitions whose run failed. */
  readonly retriesFailed: boolean;
}

export interface JobItems {
  /** Gives one part a call, and null once there are no more. An empty part is followed by others. */
  open(job: ItemsOfJob): () => Promise<readonly JobItem[] | null>;
}

/** Examples, or runs, of one part, and characters of their contents. */
const PART_ROWS = 200;
const PART_CHARACTERS = 4 * 1024 * 1024;

export function createJobItems(dependencies: JobItemsDependencies): JobItems {
  return {
    open(job) {
      const parts = partsOf(dependencies, job);
      return async () => {
        const next = await parts.next();
        return next.done ? null : next.value;
      };
    },
  };
}

async function* partsOf(dependencies: JobItemsDependencies, job: ItemsOfJob): AsyncGenerator<readonly JobItem[]> {
  const { evaluatedRuns, ownContext } = dependencies;
  const { experiment, evaluators } = job;
  const id = globalId(EXPERIMENT, experiment.id);
  const names = evaluators.flatMap(({ prepared }) => prepared.resultNames);
  for (let cursor: string | undefined = names.length === 0 ? undefined : ""; cursor !== undefined; ) {
    const page = await evaluatedRuns.listIncomplete(ownContext(), id, names, { limit: PART_ROWS, cursor });
    yield page.items.flatMap((run) => evaluationsOf(run, evaluators));
    cursor = page.next === null ? undefined : globalId(RUN, page.next.rowId);
  }
  yield* tasksOf(dependencies, job);
}

async function* tasksOf(
  { tasks, ownContext }: JobItemsDependencies,
  { experiment, prompt, retriesFailed }: ItemsOfJob,
): AsyncGenerator<readonly TaskItem[]> {
  const all = Array.from({ length: experiment.repetitions }, (_none, position) => position + 1);
  let limit = PART_ROWS;
  for (let behind = 0; ; ) {
    const ids = await tasks.listExampleIds(ownContext(), experiment.id, behind, limit);
    if (ids.length === 0) return;
    behind = ids.at(-1)!;
    const found = await tasks.listRuns(ownContext(), experiment.id, ids);
    const done = new Set(
      found
        .filter(({ hasFailed }) => !(hasFailed && retriesFailed))
        .map(({ exampleId, repetition }) => `${exampleId} ${repetition}`),
    );
    const missing = ids.filter((id) => all.some((repetition) => !done.has(`${id} ${repetition}`)));
    const contents = missing.length === 0 ? [] : await tasks.listContents(ownContext(), experiment, missing);
    limit = partSize(contents);
    yield contents.flatMap((content) => {
      const example = taskExample(content);
      // The same for all repetitions.
      const call = callOf(prompt, example);
      const left = all.filter((repetition) => !done.has(`${example.id} ${repetition}`));
      return left.map((repetition) => ({
        type: "task" as const,
        example,
        repetition,
        call,
        traceKey: newTraceKey(),
        tries: 0,
      }));
    });
  }
}

/** Large examples come in small parts. */
function partSize(contents: readonly SnapshotContent[]): number {
  const sizes = contents.map(({ input, output, metadata }) => input.length + output.length + metadata.length);
  const mean = sizes.reduce((sum, size) => sum + size, 0) / Math.max(1, sizes.length);
  return Math.max(1, Math.min(PART_ROWS, Math.floor(PART_CHARACTERS / Math.max(1, mean))));
}

function callOf(prompt: ReadPrompt, example: TaskExample): TaskItem["call"] {
  try {
    return prompt.callFor(example);
  } catch (error) {
    if (error instanceof Failure) return { problem: error.message };
    throw error;
  }
}

function evaluationsOf(
  { run, example, names }: IncompleteEvaluation,
  evaluators: readonly AttachedEvaluator[],
): EvaluationItem[] {
  const lacking = evaluators.filter(({ prepared }) => prepared.resultNames.some((name) => names.includes(name)));
  return lacking.map((evaluator) => ({
    type: "evaluation",
    evaluator,
    run: { id: run.id, output: parseJson(run.output) },
    example: taskExample(example),
    repetition: run.repetition,
    tries: 0,
  }));
}

function taskExample({ id, input, output, metadata }: SnapshotContent): TaskExample {
  return { id, input: objectOf(input), output: objectOf(output), metadata: objectOf(metadata) };
}

function objectOf(text: string): JsonObject {
  return parseJson(text) as JsonObject;
}

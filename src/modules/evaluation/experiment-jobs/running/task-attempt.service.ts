// One attempt of a task: an example becomes a run, or a failure that may be tried again.
import { Failure, fail } from "../../../../kernel/failure.ts";
import { stringifyJson } from "../../../../kernel/json.ts";
import { storableText } from "../../../../kernel/validation-scalars.ts";
import { taskLimits } from "../../../../providers/call-limits.ts";
import { runOutput } from "../../../../providers/llm-span.ts";
import type { ModelCall } from "../../../../providers/model-call.ts";
import type { ModelAttempt } from "../../../../providers/model-event.ts";
import type { RecordedEvent } from "../../model-calls/model-calls.schema.ts";
import { type JobSpending, noSpending } from "../experiment-jobs.schema.ts";
import { spendingOf } from "./job-calls.service.ts";
import type { JobEvent, StoredSpanPlace } from "./job-events.schema.ts";
import { type ItemProblem, problemCodeOf, retrySeconds, runErrorOf } from "./job-failures.rules.ts";
import type { TaskItem } from "./job-items.schema.ts";
import type { JobNeeds } from "./job-needs.schema.ts";

/** What a run stores of a task that has ended. */
interface TaskRun {
  /** JSON text. */
  readonly output: string;
  readonly error: string | null;
  readonly traceKey: string | null;
  readonly startUs: number;
  readonly endUs: number;
}

/** How an attempt has ended. */
export type TaskOutcome = { readonly spent: JobSpending } & (
  | {
      readonly type: "done";
      readonly run: TaskRun;
      readonly problem: ItemProblem | null;
      readonly span: StoredSpanPlace | null;
    }
  | { readonly type: "retry"; readonly delaySeconds: number }
  | { readonly type: "cancelled" }
);

const NO_OUTPUT = "{}";

/** Throws `CallBlocked`. */
export async function attemptTask(
  item: TaskItem,
  { calls, experiment, project, task, metadataOf, clock, emit, signal }: JobNeeds,
  onAnswered: () => void,
): Promise<TaskOutcome> {
  const { call, example, repetition, traceKey } = item;
  const place = { exampleId: example.id, repetition };
  if ("problem" in call) return notSent(call.problem, clock.now());
  item.tries++;
  const attempts = calls.attempt({
    call,
    purpose: "experiment",
    callLimits: taskLimits,
    projectId: project.id,
    place: task.tracingEnabled ? { projectName: experiment.projectName, traceKey, parentSpanKey: null } : null,
    metadata: { ...metadataOf(item), ...(item.tries > 1 ? { attempt: item.tries } : {}) },
    onAnswered,
  });
  try {
    for await (const event of attempts) {
      if (event.type === "text") emit({ type: "text", ...place, text: event.text });
      else if (event.type === "tool_call") emit(toolCallEvent(event, place));
      else if (event.type !== "retry") return outcomeOf(item, call, event, { traced: task.tracingEnabled, signal });
    }
  } catch (error) {
    if (error instanceof Failure && error.kind === "invalid") return notSent(error.message, clock.now());
    item.tries--;
    throw error;
  }
  throw fail("experiment_jobs.unended_call", "internal", "A call ended without its last event");
}

/** What the example lacks, or the template has wrong. */
function notSent(problem: string, nowUs: number): TaskOutcome {
  const message = storableText(problem);
  return {
    type: "done",
    spent: noSpending,
    run: { output: NO_OUTPUT, error: message, traceKey: null, startUs: nowUs, endUs: nowUs },
    problem: { code: "template", message, retries: null },
    span: null,
  };
}

function outcomeOf(
  { tries, traceKey }: TaskItem,
  call: ModelCall,
  event: Extract<RecordedEvent, { readonly type: "finish" | "failure" }>,
  { traced, signal }: { readonly traced: boolean; readonly signal: AbortSignal },
): TaskOutcome {
  const spent = spendingOf(event);
  const span = event.spanKey === null ? null : { traceKey, spanKey: event.spanKey };
  const runKey = traced ? traceKey : null;
  if (event.type === "finish") {
    const output = storableText(stringifyJson(runOutput(call, event.attempt)));
    return {
      type: "done",
      spent,
      run: { output, error: null, ...frameOf(event.attempt, runKey) },
      problem: null,
      span,
    };
  }
  const { failure, attempt } = event;
  if (attempt === null || signal.aborted) return { type: "cancelled", spent };
  const delaySeconds = retrySeconds(attempt, tries);
  if (delaySeconds !== null) return { type: "retry", spent, delaySeconds };
  const message = storableText(runErrorOf(failure, tries));
  const isUsedUp = failure.isTransient && tries > 1;
  return {
    type: "done",
    spent,
    run: { output: NO_OUTPUT, error: message, ...frameOf(attempt, runKey) },
    problem: {
      code: problemCodeOf(failure),
      message,
      retries: isUsedUp ? tries - 1 : null,
    },
    span,
  };
}

function frameOf({ startUs, endUs }: ModelAttempt, traceKey: string | null) {
  return { traceKey, startUs, endUs };
}

function toolCallEvent(
  event: Extract<RecordedEvent, { readonly type: "tool_call" }>,
  place: Pick<Extract<JobEvent, { readonly type: "tool_call" }>, "exampleId" | "repetition">,
): JobEvent {
  const { id, name, arguments: given } = event;
  return { type: "tool_call", ...place, id, name, arguments: given };
}

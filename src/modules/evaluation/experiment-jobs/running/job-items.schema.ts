// The work of a job: tasks make runs, evaluations judge them.
import type { Json } from "../../../../kernel/json.ts";
import type { ModelCall, ModelEndpoint } from "../../../../providers/model-call.ts";
import type { PreparedEvaluator } from "../../evaluators/runs/evaluator-runs.schema.ts";
import type { TaskExample } from "../tasks/example-values.rules.ts";

export interface AttachedEvaluator {
  readonly prepared: PreparedEvaluator;
  /** Null for those that call no model. */
  readonly endpoint: ModelEndpoint | null;
  /** Row id of the project of its spans. */
  readonly projectId: number | null;
}

interface Item {
  readonly example: TaskExample;
  readonly repetition: number;
  /** Attempts so far. */
  tries: number;
}

export interface TaskItem extends Item {
  readonly type: "task";
  /** The call, or why there is none. */
  readonly call: ModelCall | { readonly problem: string };
  /** All attempts share it. */
  readonly traceKey: string;
}

export interface EvaluationItem extends Item {
  readonly type: "evaluation";
  readonly evaluator: AttachedEvaluator;
  readonly run: { readonly id: number; readonly output: Json };
}

export type JobItem = TaskItem | EvaluationItem;

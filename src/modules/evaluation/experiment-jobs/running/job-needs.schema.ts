// What running a job takes: gathered before its start, the same for all its items.
import type { Clock } from "../../../../kernel/clock.ts";
import type { JsonObject } from "../../../../kernel/json.ts";
import type { IncomingSpan } from "../../../../model/span.ts";
import type { Evaluation, EvaluationRequest } from "../../evaluators/runs/evaluator-runs.schema.ts";
import type { Experiment } from "../../experiments/experiments.schema.ts";
import type { RecordedEvent } from "../../model-calls/model-calls.schema.ts";
import type { JobTask } from "../experiment-jobs.schema.ts";
import type { JobCall } from "./job-calls.schema.ts";
import type { JobEvent } from "./job-events.schema.ts";
import type { JobItem } from "./job-items.schema.ts";

export interface JobNeeds {
  readonly experiment: Experiment;
  /** Of its traces. */
  readonly project: { readonly id: number | null };
  readonly task: JobTask;
  readonly calls: { attempt(call: JobCall): AsyncGenerator<RecordedEvent, void, undefined> };
  readonly runEvaluator: (request: EvaluationRequest) => Promise<Evaluation>;
  /** Resolves when they are stored, or cannot be. */
  readonly storeSpans: (spans: readonly IncomingSpan[]) => Promise<void>;
  /** Of the spans of an item. */
  readonly metadataOf: (item: JobItem) => JsonObject;
  readonly clock: Clock;
  readonly emit: (event: JobEvent) => void;
  /** Aborted when running calls are to be cancelled. */
  readonly signal: AbortSignal;
}

// Runs of experiments as services hand them around, what requests send and what the API answers.
import { type Static, Type } from "@sinclair/typebox";
import { globalId, MAX_ROW_ID, type TypeWord } from "../../../../kernel/ids.ts";
import { type JsonObject, parseJson } from "../../../../kernel/json.ts";
import { cursorParameter, limitParameter, pageOf } from "../../../../kernel/paging.ts";
import { AnyObject, Instant, InstantText, Nullable } from "../../../../kernel/schema.ts";
import { formatInstant } from "../../../../kernel/time.ts";
import { EXAMPLE } from "../../datasets/datasets.schema.ts";
import { EXPERIMENT } from "../experiments.schema.ts";

/** One run of the task, over an example. Instants are microseconds UTC. */
export interface ExperimentRun {
  readonly id: number;
  readonly experimentId: number;
  readonly exampleId: number;
  readonly repetition: number;
  /** JSON text of any value. */
  readonly output: string;
  /** Not null: the run failed. */
  readonly error: string | null;
  /** Id of the trace, as its sender writes it. */
  readonly traceKey: string | null;
  readonly startUs: number;
  readonly endUs: number;
}

export type NewRunRow = Omit<ExperimentRun, "id">;

/** The run at a place. `isTaken`: it was successful before, and stays. */
export interface PutRun {
  readonly id: number;
  readonly isTaken: boolean;
}

/** An example of the snapshot, with what it says there. */
export interface SnapshotExample {
  readonly id: number;
  /** JSON texts of objects. */
  readonly input: string;
  readonly output: string;
  readonly metadata: string;
  readonly revisedUs: number;
}

/** An example with the repetitions that have no successful run. */
export interface IncompleteExample {
  readonly example: SnapshotExample;
  readonly repetitions: readonly number[];
}

export const RUN: TypeWord<ExperimentRun> = "ExperimentRun";

export const NewRun = Type.Object({
  dataset_example_id: Type.String(),
  output: Type.Unknown({ description: "Any JSON." }),
  repetition_number: Type.Integer({ exclusiveMinimum: 0, maximum: MAX_ROW_ID }),
  start_time: Instant(),
  end_time: Instant(),
  trace_id: Type.Optional(Nullable(Type.String())),
  error: Type.Optional(Nullable(Type.String(), { description: "Not null: the run failed." })),
});
export type NewRun = Static<typeof NewRun>;
/** What was sent, with the output as JSON text. */
export interface SentRun extends Omit<NewRun, "output" | "trace_id" | "error"> {
  readonly output: string;
  readonly trace_id: string | null;
  readonly error: string | null;
}
export const MadeRun = Type.Object({ data: Type.Object({ id: Type.String() }) });

export const RunQuery = Type.Object({
  cursor: cursorParameter,
  limit: Type.Optional(Type.Integer({ exclusiveMinimum: 0, description: "Without it all of them." })),
});
export const IncompleteQuery = Type.Object({ cursor: cursorParameter, limit: limitParameter({ default: 50 }) });

export const RunAnswer = Type.Object(
  {
    id: Type.String(),
    experiment_id: Type.String(),
    dataset_example_id: Type.String(),
    output: Type.Unknown(),
    repetition_number: Type.Integer(),
    start_time: InstantText(),
    end_time: InstantText(),
    trace_id: Nullable(Type.String()),
    error: Nullable(Type.String()),
  },
  { $id: "ExperimentRun" },
);
export const RunPageAnswer = pageOf(RunAnswer);
export const SnapshotAnswer = Type.Object({
  id: Type.String(),
  node_id: Type.String(),
  input: AnyObject(),
  output: AnyObject(),
  metadata: AnyObject(),
  updated_at: InstantText(),
  source: Nullable(Type.Object({ span_id: Type.String(), span_node_id: Type.String() })),
});
export const IncompleteRunsAnswer = pageOf(
  Type.Object({
    dataset_example: SnapshotAnswer,
    repetition_numbers: Type.Array(Type.Integer()),
  }),
);

export function runBody(run: ExperimentRun): Static<typeof RunAnswer> {
  return {
    id: globalId(RUN, run.id),
    experiment_id: globalId(EXPERIMENT, run.experimentId),
    dataset_example_id: globalId(EXAMPLE, run.exampleId),
    output: parseJson(run.output),
    repetition_number: run.repetition,
    start_time: formatInstant(run.startUs),
    end_time: formatInstant(run.endUs),
    trace_id: run.traceKey,
    error: run.error,
  };
}

export function snapshotBody(example: SnapshotExample): Static<typeof SnapshotAnswer> {
  const id = globalId(EXAMPLE, example.id);
  return {
    id,
    node_id: id,
    input: parseJson(example.input) as JsonObject,
    output: parseJson(example.output) as JsonObject,
    metadata: parseJson(example.metadata) as JsonObject,
    updated_at: formatInstant(example.revisedUs),
    source: null,
  };
}

export function incompleteBody({ example, repetitions }: IncompleteExample) {
  return { dataset_example: snapshotBody(example), repetition_numbers: [...repetitions] };
}

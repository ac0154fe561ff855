// What evaluators say of runs, as services hand it around and requests send it.
import { type Static, Type } from "@sinclair/typebox";
import type { TypeWord } from "../../../../kernel/ids.ts";
import { cursorParameter, limitParameter, pageOf } from "../../../../kernel/paging.ts";
import { AnyObject, BoundedText, Instant, Nullable, Ruled, Words } from "../../../../kernel/schema.ts";
import type { AnnotatorKind } from "../../../../model/annotation.ts";
import { MAX_KEY_BYTES } from "../../../../model/span.ts";
import {
  type ExperimentRun,
  RunAnswer,
  runBody,
  SnapshotAnswer,
  type SnapshotExample,
  snapshotBody,
} from "../runs/experiment-runs.schema.ts";

/** What one evaluator says of a run. Instants are microseconds UTC. */
export interface ExperimentEvaluation {
  readonly id: number;
  readonly runId: number;
  readonly name: string;
  readonly annotatorKind: AnnotatorKind;
  readonly label: string | null;
  readonly score: number | null;
  readonly explanation: string | null;
  /** Not null: the evaluator failed. */
  readonly error: string | null;
  /** JSON text of an object. */
  readonly metadata: string;
  /** Id of the trace, as its sender writes it. */
  readonly traceKey: string | null;
  readonly startUs: number;
  readonly endUs: number;
}

export type NewEvaluationRow = Omit<ExperimentEvaluation, "id">;

export const EVALUATION: TypeWord<ExperimentEvaluation> = "ExperimentEvaluation";

const optionalText = () => Type.Optional(Nullable(Type.String()));

export const NewEvaluation = Ruled(
  Type.Object({
    experiment_run_id: Type.String(),
    name: BoundedText(MAX_KEY_BYTES),
    annotator_kind: Words(["LLM", "CODE", "HUMAN"]),
    start_time: Instant(),
    end_time: Instant(),
    result: Type.Optional(
      Nullable(
        Type.Object({
          label: optionalText(),
          score: Type.Optional(Nullable(Type.Number())),
          explanation: optionalText(),
          metadata: Type.Optional(
            Type.Unknown({ description: "An object is kept under the `metadata` beside `result`, which wins." }),
          ),
        }),
      ),
    ),
    error: optionalText(),
    metadata: Type.Optional(Nullable(AnyObject())),
    trace_id: optionalText(),
  }),
  ({ result, error }) => (result == null && error == null ? "result or error must be there" : null),
);
export type NewEvaluation = Static<typeof NewEvaluation>;

/** A run with its example at the version of the experiment. */
export interface EvaluatedRun {
  readonly run: ExperimentRun;
  readonly example: SnapshotExample;
}

/** A run with the names of the evaluations that it lacks. */
export interface IncompleteEvaluation extends EvaluatedRun {
  readonly names: readonly string[];
}

export const IncompleteEvaluationsQuery = Type.Object({
  evaluation_name: Type.Array(Type.String(), { default: [], description: "Names of evaluations, at least one." }),
  cursor: cursorParameter,
  limit: limitParameter({ default: 50 }),
});
export const IncompleteEvaluationsAnswer = pageOf(
  Type.Object({
    experiment_run: RunAnswer,
    dataset_example: SnapshotAnswer,
    evaluation_names: Type.Array(Type.String()),
  }),
);

export function incompleteEvaluationBody({ run, example, names }: IncompleteEvaluation) {
  return {
    experiment_run: runBody(run),
    dataset_example: snapshotBody(example),
    evaluation_names: [...names],
  };
}

const text = { type: "string" } as const;
const orNull = (type: "string" | "integer" | "number") => ({ type: [type, "null"] });
const instant = { type: "string", format: "date-time" } as const;
const objectOf = (properties: Readonly<Record<string, object>>) => ({
  type: "object",
  properties,
  required: Object.keys(properties),
});

/** JSON schema of what an export of runs holds: it is written piece by piece, beside the schemas. */
export const exportedRunsSchema = {
  type: "array",
  items: objectOf({
    example_id: text,
    repetition_number: { type: "integer" },
    input: { type: "object" },
    reference_output: { type: "object" },
    output: { description: "Any JSON." },
    error: orNull("string"),
    latency_ms: { type: "number" },
    start_time: instant,
    end_time: instant,
    trace_id: orNull("string"),
    prompt_token_count: orNull("integer"),
    completion_token_count: orNull("integer"),
    annotations: {
      type: "array",
      items: objectOf({
        name: text,
        annotator_kind: text,
        label: orNull("string"),
        score: orNull("number"),
        explanation: orNull("string"),
        trace_id: orNull("string"),
        error: orNull("string"),
        metadata: { type: "object" },
        start_time: instant,
        end_time: instant,
      }),
    },
  }),
};

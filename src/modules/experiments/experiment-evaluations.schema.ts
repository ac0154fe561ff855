// What evaluators say of runs, as services hand it around and requests send it.
import { type Static, Type } from "@sinclair/typebox";
import type { TypeWord } from "../../kernel/ids.ts";
import { AnyObject, BoundedText, Instant, Nullable, Ruled, Words } from "../../kernel/schema.ts";
import type { AnnotatorKind } from "../../model/annotation.ts";
import { MAX_KEY_BYTES } from "../../model/span.ts";

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

// Events for those who watch a job while it runs. Ids are row ids; both APIs write them in their own form.
import type { StopReason } from "../experiment-jobs.schema.ts";

/** Which run an event is about. */
interface RunPlace {
  readonly exampleId: number;
  /** From 1. */
  readonly repetition: number;
}

export interface StoredSpanPlace {
  readonly traceKey: string;
  readonly spanKey: string;
}

export type JobEvent =
  | (RunPlace & { readonly type: "text"; readonly text: string })
  /** A piece of a tool call: the first one has the name, later ones an empty name and a piece of the arguments. */
  | (RunPlace & { readonly type: "tool_call"; readonly id: string; readonly name: string; readonly arguments: string })
  /** The attempt failed, another one follows: its pieces are void. */
  | (RunPlace & { readonly type: "retry"; readonly delaySeconds: number })
  | (RunPlace & { readonly type: "result"; readonly runId: number; readonly span: StoredSpanPlace | null })
  /** The run failed. `runId` is null only if it could not be stored. */
  | (RunPlace & {
      readonly type: "error";
      readonly message: string;
      readonly runId: number | null;
      readonly span: StoredSpanPlace | null;
    })
  | (RunPlace & {
      readonly type: "evaluation";
      readonly name: string;
      /** Row id; null if the evaluator failed. */
      readonly evaluationId: number | null;
      readonly error: string | null;
      readonly traceKey: string | null;
    })
  /** The job ends before its work is done. */
  | { readonly type: "stopped"; readonly reason: StopReason; readonly message: string };

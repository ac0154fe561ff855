// Events of a run over a dataset as server-sent events.
import { globalId } from "../../../../kernel/ids.ts";
import { EXAMPLE } from "../../datasets/datasets.schema.ts";
import { EVALUATION } from "../../experiments/evaluations/experiment-evaluations.schema.ts";
import { RUN } from "../../experiments/runs/experiment-runs.schema.ts";
import { runEvent } from "../../playground/runs/run-events.rules.ts";
import type { JobEvent, StoredSpanPlace } from "../running/job-events.schema.ts";

export function sentJobEvent(event: JobEvent): string {
  switch (event.type) {
    case "text":
      return runEvent("text", { ...placeOf(event), text: event.text });
    case "tool_call":
      return runEvent("tool_call", { ...placeOf(event), id: event.id, name: event.name, arguments: event.arguments });
    case "retry":
      return runEvent("retry", { ...placeOf(event), delay_seconds: event.delaySeconds });
    case "result":
      return runEvent("result", { ...placeOf(event), run_id: globalId(RUN, event.runId), ...spanOf(event.span) });
    case "error": {
      const run_id = event.runId === null ? null : globalId(RUN, event.runId);
      return runEvent("error", { ...placeOf(event), message: event.message, run_id, ...spanOf(event.span) });
    }
    case "evaluation":
      return runEvent("evaluation", {
        ...placeOf(event),
        name: event.name,
        evaluation_id: event.evaluationId === null ? null : globalId(EVALUATION, event.evaluationId),
        error: event.error,
        trace_id: event.traceKey,
      });
    case "stopped":
      return runEvent("stopped", { reason: event.reason, message: event.message });
  }
}

function placeOf({ exampleId, repetition }: { readonly exampleId: number; readonly repetition: number }) {
  return { dataset_example_id: globalId(EXAMPLE, exampleId), repetition_number: repetition };
}

function spanOf(span: StoredSpanPlace | null) {
  return { trace_id: span?.traceKey ?? null, span_id: span?.spanKey ?? null };
}

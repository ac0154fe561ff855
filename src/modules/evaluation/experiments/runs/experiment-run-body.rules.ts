// The body of a run: its output may be as large as an export, so a thread of its own reads it, and only texts cross.
import type { BulkBody } from "../../../../kernel/bulk-body.ts";
import { type Json, stringifyJson } from "../../../../kernel/json.ts";
import { NewRun, type SentRun } from "./experiment-runs.schema.ts";

interface KeptRun {
  read(): SentRun;
}

export const experimentRunBody: BulkBody<typeof NewRun, KeptRun> = {
  name: "createExperimentRun",
  schema: NewRun,
  keep: (run) => ({
    read: () => ({
      dataset_example_id: run.dataset_example_id,
      output: stringifyJson(run.output as Json),
      repetition_number: run.repetition_number,
      start_time: run.start_time,
      end_time: run.end_time,
      trace_id: run.trace_id ?? null,
      error: run.error ?? null,
    }),
  }),
};

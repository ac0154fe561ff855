// The body of a run: images may be as large as an export, so a thread of its own reads it, and its text crosses.
import type { BulkBody } from "../../../../kernel/bulk-body.ts";
import { type Json, parseStoredJson, stringifyJson } from "../../../../kernel/json.ts";
import { NewPlaygroundRun, type SentPlaygroundRun } from "./playground-runs.schema.ts";

interface ReadPlaygroundRun {
  /** Numbers keep their spelling in it. */
  text(): string;
}

export const playgroundRunBody: BulkBody<typeof NewPlaygroundRun, ReadPlaygroundRun> = {
  name: "createPlaygroundRun",
  schema: NewPlaygroundRun,
  keep: (run) => ({ text: () => stringifyJson(run as unknown as Json) }),
};

/** What the thread has checked. */
export function runOfText(text: string): SentPlaygroundRun {
  return parseStoredJson<SentPlaygroundRun>(text);
}

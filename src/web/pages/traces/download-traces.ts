// Traces as a file of JSON lines, each line a trace in the form of OTLP.
import { failureOf, type PageFailure } from "../../lib/failure.ts";
import { saveText } from "../../lib/save.ts";
import { otlpText } from "./panel/otlp.ts";

/** Resolves to what went wrong, or to null. */
export async function downloadTraces(
  projectId: string,
  projectName: string,
  traceIds: readonly string[],
): Promise<PageFailure | null> {
  const lines: string[] = [];
  try {
    for (const traceId of traceIds) lines.push(`${await otlpText(projectId, projectName, traceId)}\n`);
  } catch (error) {
    return failureOf(error);
  }
  saveText("traces.jsonl", lines.join(""), "application/x-ndjson");
  return null;
}

// The open trace as OpenTelemetry JSON: to the clipboard, or to a file.
import { isJsonObject, type Json, parseJson, stringifyJson } from "../../../../kernel/json.ts";
import { otlpDocument } from "../../../domain/trace/otlp.ts";
import { failureOfResponse, unreachable } from "../../../lib/failure.ts";
import { queryText } from "../../../lib/rest.ts";
import { saveText } from "../../../lib/save.ts";

const PAGE = 1000;

/** Throws a PageFailure. */
export async function otlpText(projectId: string, projectName: string, traceId: string): Promise<string> {
  const spans: Json[] = [];
  let cursor: string | null = null;
  do {
    const query = queryText({ trace_id: traceId, limit: PAGE, cursor });
    const path = `v1/projects/${encodeURIComponent(projectId)}/spans/otlpv1${query}`;
    const response = await fetch(path).catch((error: unknown) => {
      throw unreachable(error);
    });
    if (!response.ok) throw await failureOfResponse(response);
    // Nanoseconds need more digits than numbers of JavaScript have.
    const page = parseJson(await response.text());
    if (!isJsonObject(page)) break;
    if (Array.isArray(page.data)) for (const span of page.data) spans.push(span);
    cursor = typeof page.next_cursor === "string" ? page.next_cursor : null;
  } while (cursor !== null);
  return stringifyJson(otlpDocument(projectName, spans.reverse()));
}

/** Throws a PageFailure. */
export async function saveOtlp(projectId: string, projectName: string, traceId: string): Promise<void> {
  saveText(`trace-${traceId}.json`, await otlpText(projectId, projectName, traceId), "application/json");
}

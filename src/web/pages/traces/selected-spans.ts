// Selected spans as a file of JSON lines, each line a span in the form of OTLP, and their deletion.
import { isJsonObject, type Json, parseJson, stringifyJson } from "../../../kernel/json.ts";
import { otlpDocument } from "../../domain/trace/otlp.ts";
import { failureOfResponse, unreachable } from "../../lib/failure.ts";
import { queryText } from "../../lib/rest.ts";
import { saveText } from "../../lib/save.ts";
import { fetchApi } from "../../lib/session.ts";

/** Ids in one address, which servers on the way may limit to some kilobytes. */
const IDS_AT_ONCE = 50;

interface SelectedSpan {
  /** Of the API. */
  readonly id: string;
  /** As the exporter sent it: of one project, several traces may have the same. */
  readonly spanId: string;
  readonly trace: { readonly traceId: string };
}

/** Throws a PageFailure. */
export async function downloadSpans(
  projectId: string,
  projectName: string,
  chosen: readonly SelectedSpan[],
): Promise<void> {
  const keys = new Set(chosen.map(({ spanId, trace }) => `${trace.traceId} ${spanId}`));
  const lines: string[] = [];
  for (let first = 0; first < chosen.length; first += IDS_AT_ONCE) {
    const ids = chosen.slice(first, first + IDS_AT_ONCE).map(({ spanId }) => spanId);
    for (const span of await otlpSpans(projectId, ids)) {
      const key = isJsonObject(span) ? `${String(span.trace_id)} ${String(span.span_id)}` : "";
      if (keys.delete(key)) lines.push(`${stringifyJson(otlpDocument(projectName, [span]))}\n`);
    }
  }
  saveText("spans.jsonl", lines.join(""), "application/x-ndjson");
}

async function otlpSpans(projectId: string, ids: readonly string[]): Promise<readonly Json[]> {
  const found: Json[] = [];
  let cursor: string | null = null;
  do {
    const query = queryText({ span_id: ids, limit: 1000, cursor });
    const page = parseJson(
      await (await ask(`v1/projects/${encodeURIComponent(projectId)}/spans/otlpv1${query}`)).text(),
    );
    if (!isJsonObject(page)) break;
    if (Array.isArray(page.data)) found.push(...page.data);
    cursor = typeof page.next_cursor === "string" ? page.next_cursor : null;
  } while (cursor !== null);
  return found;
}

/** One after the other; one that is gone already counts as deleted. Throws a PageFailure. */
export async function deleteSpans(chosen: readonly SelectedSpan[]): Promise<void> {
  for (const { id } of chosen) {
    await ask(`v1/spans/${encodeURIComponent(id)}`, { method: "DELETE" }, 404);
  }
}

async function ask(path: string, init: RequestInit = {}, accepted = 200): Promise<Response> {
  const response = await fetchApi(path, init).catch((error: unknown) => {
    throw unreachable(error);
  });
  if (!response.ok && response.status !== accepted) throw await failureOfResponse(response);
  return response;
}

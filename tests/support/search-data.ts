// Spans with texts, sent over REST for tests of text search. Minutes stand for times: the start of a span is that many minutes
// after midnight.
import { send, type TestApi } from "./api.ts";

export interface SpokenSpan {
  readonly name: string;
  readonly minute: number;
  /** A trace of its own without it. */
  readonly trace?: string;
  readonly parent?: string | null;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly statusMessage?: string;
  readonly exception?: string;
}

export function instantOf(minute: number): string {
  return new Date(Date.UTC(2026, 2, 1) + minute * 60_000).toISOString();
}

/** The external id of the span with the name. */
export function spanIdOf(name: string): string {
  return Bun.hash(name).toString(16).padStart(16, "0").slice(0, 16);
}

export function traceIdOf(name: string): string {
  return spanIdOf(`trace ${name}`).repeat(2);
}

export async function storeSpoken(api: TestApi, project: string, spans: readonly SpokenSpan[]): Promise<void> {
  const data = spans.map((span) => ({
    name: span.name,
    context: { trace_id: traceIdOf(span.trace ?? span.name), span_id: spanIdOf(span.name) },
    span_kind: "LLM",
    parent_id: span.parent === undefined || span.parent === null ? null : spanIdOf(span.parent),
    start_time: instantOf(span.minute),
    end_time: instantOf(span.minute + 1),
    status_code: span.statusMessage === undefined ? "OK" : "ERROR",
    status_message: span.statusMessage ?? "",
    attributes: {
      ...(span.input === undefined ? {} : { "input.value": span.input }),
      ...(span.output === undefined ? {} : { "output.value": span.output }),
    },
    events:
      span.exception === undefined
        ? []
        : [
            {
              name: "exception",
              timestamp: instantOf(span.minute),
              attributes: { "exception.type": "Error", "exception.message": span.exception },
            },
          ],
  }));
  const response = await send(api.server, `POST /v1/projects/${project}/spans`, { json: { data } });
  if (response.status !== 202) throw new Error(`Spans were answered with ${response.status}: ${await response.text()}`);
}

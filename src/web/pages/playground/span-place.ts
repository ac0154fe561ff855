// Where the span of an answer is: answers name it by the id of OpenTelemetry.
import { PageFailure } from "../../lib/failure.ts";
import { askGraphql } from "../../lib/graphql.ts";
import { text } from "../../texts/texts.ts";
import { spanByKey } from "./playground.queries.ts";

export interface SpanPlace {
  readonly id: string;
  readonly traceId: string;
  readonly projectId: string;
}

/** Throws a PageFailure where it is gone. */
export async function placeOfSpan(spanKey: string): Promise<SpanPlace> {
  const { getSpanByOtelId: span } = await askGraphql(spanByKey, { id: spanKey });
  if (span === null) throw new PageFailure("not_found", text("playground.answer.trace.gone"));
  return { id: span.id, traceId: span.trace.traceId, projectId: span.project.id };
}

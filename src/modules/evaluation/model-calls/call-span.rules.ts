// The span of an attempt as ingestion takes it.
import { incomingServerSpan } from "../../../ingest/server-span.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import type { IncomingSpan } from "../../../model/span.ts";
import { llmSpan } from "../../../providers/llm-span.ts";
import type { ModelCall } from "../../../providers/model-call.ts";
import type { ModelAttempt } from "../../../providers/model-event.ts";
import type { CallPlace } from "./model-calls.schema.ts";

interface CallSpan {
  readonly call: ModelCall;
  readonly attempt: ModelAttempt;
  readonly place: CallPlace;
  readonly spanKey: string;
  readonly metadata: JsonObject;
}

/** Throws kind `invalid` for a project name that no index can hold. */
export function callSpan({ call, attempt, place, spanKey, metadata }: CallSpan): IncomingSpan {
  const { attributes, ...span } = llmSpan(call, attempt, { includeResponseBody: true });
  // A further attempt shares the trace of the first.
  const shown = attempt.number > 1 ? { ...metadata, attempt: attempt.number } : metadata;
  return incomingServerSpan({
    ...span,
    projectName: place.projectName,
    traceKey: place.traceKey,
    spanKey,
    parentKey: place.parentSpanKey,
    attributes: { ...attributes, ...(Object.keys(shown).length === 0 ? {} : { metadata: shown }) },
  });
}

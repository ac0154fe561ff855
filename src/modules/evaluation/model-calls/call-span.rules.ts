// The span of an attempt as ingestion takes it.
import { incomingSpan } from "../../../ingest/incoming-span.ts";
import { emptyObject, type JsonObject, stringifyJson } from "../../../kernel/json.ts";
import { formatInstant } from "../../../kernel/time.ts";
import { storableText } from "../../../kernel/validation-scalars.ts";
import { limitDepth } from "../../../model/attributes/depth.ts";
import { storableJson } from "../../../model/attributes/text.ts";
import { AttributeTree } from "../../../model/attributes/unflatten.ts";
import type { IncomingSpan } from "../../../model/span.ts";
import { llmSpan } from "../../../providers/llm-span.ts";
import type { ModelCall } from "../../../providers/model-call.ts";
import type { ModelAttempt } from "../../../providers/model-event.ts";
import type { CallPlace } from "./model-calls.schema.ts";

interface CallSpan {
  readonly call: ModelCall;
  readonly attempt: ModelAttempt;
  readonly place: CallPlace;
  /** 16 hexadecimal digits. */
  readonly spanKey: string;
  readonly metadata: JsonObject;
}

/** Throws kind `invalid` for a project name that no index can hold. */
export function callSpan({ call, attempt, place, spanKey, metadata }: CallSpan): IncomingSpan {
  const span = llmSpan(call, attempt, { includeResponseBody: true });
  const tree = new AttributeTree();
  for (const [key, value] of Object.entries(span.attributes)) {
    tree.add(key, typeof value === "string" ? storableText(value) : value);
  }
  // A further attempt shares the trace of the first.
  const shown = attempt.number > 1 ? { ...metadata, attempt: attempt.number } : metadata;
  if (Object.keys(shown).length > 0) tree.add("metadata", storableJson(limitDepth(shown)));
  return incomingSpan(
    {
      projectName: place.projectName,
      traceKey: place.traceKey,
      spanKey,
      parentKey: place.parentSpanKey,
      name: span.name,
      status: span.status,
      statusMessage: storableText(span.statusMessage),
      startUs: span.startUs,
      endUs: span.endUs,
      events: stringifyJson(span.events.map(storedEvent)),
      extra: null,
    },
    span.kind,
    tree.toObject(),
    false,
  );
}

function storedEvent({ name, timeUs, attributes }: ReturnType<typeof llmSpan>["events"][number]): JsonObject {
  const event = emptyObject();
  event.name = name;
  event.timestamp = formatInstant(timeUs);
  event.attributes = storableJson({ ...attributes });
  return event;
}

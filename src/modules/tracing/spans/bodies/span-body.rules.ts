// A span of the body of `POST /v1/projects/{p}/spans` as ingestion takes it. Unlike OTLP nothing is converted: no GenAI, no JSON
// in texts, no coercion.
import { incomingSpan } from "../../../../ingest/incoming-span.ts";
import { spanKindOf } from "../../../../ingest/span-columns.ts";
import { emptyObject, type JsonObject, stringifyJson } from "../../../../kernel/json.ts";
import { formatInstant, MAX_INSTANT_US } from "../../../../kernel/time.ts";
import { storableText } from "../../../../kernel/validation-scalars.ts";
import { limitDepth } from "../../../../model/attributes/depth.ts";
import { storableJson } from "../../../../model/attributes/text.ts";
import { AttributeTree } from "../../../../model/attributes/unflatten.ts";
import { type IncomingSpan, type SpanStatus, spanStatuses } from "../../../../model/span.ts";

/** The body's span after validation (`span-body.schema.ts`): instants in microseconds UTC, other numbers as `parseJson` gives
 *  them. */
export interface SpanBody {
  readonly name: string;
  readonly context: { readonly trace_id: string; readonly span_id: string };
  readonly span_kind: string;
  readonly parent_id?: string | null | undefined;
  readonly start_time: number;
  readonly end_time: number;
  readonly status_code: string;
  readonly status_message?: string | undefined;
  readonly attributes?: JsonObject | undefined;
  readonly events?: readonly SpanBodyEvent[] | undefined;
}

interface SpanBodyEvent {
  readonly name: string;
  readonly timestamp: number;
  readonly attributes?: JsonObject | undefined;
}

/** The span that the body describes. Fails (kind invalid) with the reason when it cannot be stored. */
export function incomingFromBody(body: SpanBody, projectName: string): IncomingSpan {
  const tree = new AttributeTree();
  const given = body.attributes ?? {};
  for (const key of Object.keys(given)) tree.add(storableText(key), storableJson(limitDepth(given[key]!)));
  tree.add("openinference.span.kind", storableText(body.span_kind));
  const parent = body.parent_id ?? null;
  return incomingSpan(
    {
      projectName,
      traceKey: storableText(body.context.trace_id),
      spanKey: storableText(body.context.span_id),
      // An empty text is the id of a missing parent, not a root.
      parentKey: parent === null ? null : storableText(parent),
      name: storableText(body.name),
      status: statusOf(body.status_code),
      statusMessage: storableText(body.status_message ?? ""),
      startUs: keptInstant(body.start_time),
      endUs: keptInstant(body.end_time),
      events: stringifyJson((body.events ?? []).map(storedEvent)),
      extra: null,
    },
    spanKindOf(body.span_kind),
    tree.toObject(),
    false,
  );
}

function statusOf(code: string): SpanStatus {
  const upper = code.toUpperCase();
  return spanStatuses.find((status) => status === upper) ?? "UNSET";
}

/** Instants beyond the last one are stored as that one. */
function keptInstant(microseconds: number): number {
  return Math.min(microseconds, MAX_INSTANT_US);
}

function storedEvent(event: SpanBodyEvent): JsonObject {
  const stored = emptyObject();
  stored.name = storableText(event.name);
  stored.timestamp = formatInstant(keptInstant(event.timestamp));
  stored.attributes = storableJson(limitDepth(event.attributes ?? {}));
  return stored;
}

// The body of `POST /v1/projects/{p}/spans` and its answer.
import { Type } from "@sinclair/typebox";
import type { Json, JsonObject } from "../../../../kernel/json.ts";
import { AnyObject, Instant, Nullable, Ruled, WithViolation } from "../../../../kernel/schema.ts";
import { parseInstant } from "../../../../kernel/time.ts";

/** The first of the members whose date and time has no offset, as the sentence that clients show. */
function naiveTime(input: JsonObject, members: readonly string[]): string | null {
  const naive = members.find((member) => isNaive(input[member]));
  return naive === undefined ? null : `${naive} must carry a UTC offset: it is timezone-naive`;
}

/** Reading a time is most of what checking a span costs, and nearly every one ends like this. */
const WITH_OFFSET = /(?:[Zz]|[+-]\d\d:\d\d)$/;

function isNaive(value: Json | undefined): boolean {
  if (typeof value !== "string" || WITH_OFFSET.test(value)) return false;
  return parseInstant(value)?.hasZone === false;
}

const EventBody = WithViolation(
  Ruled(
    Type.Object({
      name: Type.String(),
      timestamp: Instant(),
      attributes: Type.Optional(AnyObject()),
    }),
    (_event, input) => naiveTime(input, ["timestamp"]),
  ),
  "model_type",
);

const SpanInput = WithViolation(
  Ruled(
    Type.Object({
      id: Type.Optional(Type.String({ description: "Ignored." })),
      name: Type.String(),
      context: WithViolation(Type.Object({ trace_id: Type.String(), span_id: Type.String() }), "model_type"),
      span_kind: Type.String({ description: "Any text; one that is no known kind counts as UNKNOWN." }),
      parent_id: Type.Optional(Nullable(Type.String())),
      start_time: Instant({ description: "With a UTC offset." }),
      end_time: Instant({ description: "With a UTC offset." }),
      status_code: Type.String({ description: "OK, ERROR or UNSET; anything else counts as UNSET." }),
      status_message: Type.Optional(Type.String()),
      attributes: Type.Optional(AnyObject({ description: "Flat, nested or mixed." })),
      events: Type.Optional(Type.Array(EventBody)),
    }),
    (_span, input) => naiveTime(input, ["start_time", "end_time"]),
  ),
  "model_type",
);

export const NewSpans = Type.Object({ data: Type.Array(SpanInput) });

export const SpansAccepted = Type.Object({
  total_received: Type.Integer(),
  total_queued: Type.Integer(),
});

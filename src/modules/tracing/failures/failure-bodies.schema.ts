// Groups of failures as REST takes and answers them.
import { type Static, Type } from "@sinclair/typebox";
import { globalId } from "../../../kernel/ids.ts";
import { cursorParameter, limitParameter, pageOf } from "../../../kernel/paging.ts";
import { BoundedText, Instant, InstantText, Nullable, Words } from "../../../kernel/schema.ts";
import { formatInstant } from "../../../kernel/time.ts";
import { PROJECT } from "../projects/projects.schema.ts";
import { SPAN, type SpanRecord } from "../spans/spans.schema.ts";
import { TRACE } from "../traces/traces.schema.ts";
import {
  FAILURE_GROUP,
  type FailureFingerprint,
  type FailureGroup,
  type FailureTrendPoint,
  type FailureVersion,
  failureGroupSorts,
  failureGroupStates,
} from "./failures.schema.ts";

const MOST_TEXT_BYTES = 1024;
const MOST_MERGED = 100;

export const FailureGroupsQuery = Type.Object({
  state: Type.Optional(Words(failureGroupStates, { description: "Without it groups in any state." })),
  sort: Words(failureGroupSorts, { default: "last_seen", description: "The highest first." }),
  limit: limitParameter({ default: 100, maximum: 1000 }),
  cursor: cursorParameter,
});

export const TrendQuery = Type.Object({
  trend_start: Type.Optional(Instant({ description: "Without it 168 intervals before the end." })),
  trend_end: Type.Optional(Instant({ description: "Excluded; now without it." })),
  trend_unit: Words(["hour", "day"], { default: "hour", description: "UTC." }),
});

export const FailureSpansQuery = Type.Object({
  limit: limitParameter({ default: 100, maximum: 1000 }),
  cursor: cursorParameter,
});

export const FailureGroupPatch = Type.Object({
  state: Words(["open", "resolved", "ignored"]),
  resolved_version: Type.Optional(
    Nullable(BoundedText(MOST_TEXT_BYTES, { minLength: 1 }), {
      description: "The version that resolves it. Without one any that had not failed before.",
    }),
  ),
});

export const FailureGroupMerge = Type.Object({
  failure_group_identifiers: Type.Array(Type.String(), {
    minItems: 1,
    maxItems: MOST_MERGED,
    description: "Ids or keys of the others.",
  }),
});

export const FailureGroupSplit = Type.Object({
  fingerprint: Type.Optional(BoundedText(MOST_TEXT_BYTES, { description: "One of a merged group." })),
  attribute: Type.Optional(BoundedText(MOST_TEXT_BYTES, { description: "By its dotted name." })),
  value: Type.Optional(BoundedText(MOST_TEXT_BYTES, { description: "As text." })),
});

const group = {
  id: Type.String(),
  key: Type.String({ description: "What `error_group` is compared with in filters." }),
  project_id: Type.String(),
  kind: Type.String({
    description:
      "`error`, or what failed without one: `empty_answer`, `cut_answer`, `invalid_json`, `refused_arguments`, `blocked`.",
  }),
  type: Nullable(Type.String({ description: "Of the exception." })),
  message: Type.String({ description: "What differs from failure to failure is replaced by …" }),
  http_status: Nullable(Type.Integer()),
  code: Nullable(Type.String({ description: "Of the provider." })),
  tool_name: Nullable(Type.String()),
  span_name: Nullable(Type.String({ description: "Of failures without an exception." })),
  frames: Type.Array(Type.String()),
  state: Type.String({ description: "`open`, `reopened`, `resolved` or `ignored`." }),
  state_changed_at: Nullable(InstantText()),
  resolved_version: Nullable(Type.String()),
  reopened_version: Nullable(Type.String()),
  first_seen_at: InstantText(),
  last_seen_at: InstantText(),
  span_count: Type.Integer({ description: "Spans that only pass on the failure of one below them are not counted." }),
  trace_count: Type.Integer(),
  session_count: Type.Integer(),
  user_count: Type.Integer(),
};

const FailureGroupBody = Type.Object(group, { $id: "FailureGroup" });
type FailureGroupBody = Static<typeof FailureGroupBody>;
export const FailureGroupPage = pageOf(FailureGroupBody);
export const FailureGroupAnswer = Type.Object({ data: FailureGroupBody });

const DetailsBody = Type.Object({
  ...group,
  versions: Type.Array(
    Type.Object({
      version: Nullable(Type.String()),
      environment: Nullable(Type.String()),
      span_count: Type.Integer(),
      first_seen_at: InstantText(),
      last_seen_at: InstantText(),
    }),
    { description: "Most spans first; 20 at most." },
  ),
  trend: Type.Array(Type.Object({ start_time: InstantText(), span_count: Type.Integer() }), {
    description: "Intervals without failures are left out.",
  }),
  fingerprints: Type.Array(
    Type.Object({ fingerprint: Type.String(), type: Nullable(Type.String()), message: Type.String() }),
    { description: "Several where groups were merged." },
  ),
});
type DetailsBody = Static<typeof DetailsBody>;
export const FailureGroupDetails = Type.Object({ data: DetailsBody });

const FailedSpanBody = Type.Object({
  id: Type.String(),
  span_id: Type.String(),
  trace_id: Type.String({ description: "Global id of the trace." }),
  name: Type.String(),
  start_time: InstantText(),
  status_message: Type.String(),
});
export const FailedSpanPage = pageOf(FailedSpanBody);

export function failureGroupBody(found: FailureGroup): FailureGroupBody {
  return {
    id: globalId(FAILURE_GROUP, found.id),
    key: found.key,
    project_id: globalId(PROJECT, found.projectId),
    kind: found.kind,
    type: found.type,
    message: found.message,
    http_status: found.httpStatus,
    code: found.code,
    tool_name: found.toolName,
    span_name: found.spanName,
    frames: [...found.frames],
    state: found.state,
    state_changed_at: found.stateUs === null ? null : formatInstant(found.stateUs),
    resolved_version: found.resolvedVersion,
    reopened_version: found.reopenedVersion,
    first_seen_at: formatInstant(found.firstUs),
    last_seen_at: formatInstant(found.lastUs),
    span_count: found.spanCount,
    trace_count: found.traceCount,
    session_count: found.sessionCount,
    user_count: found.userCount,
  };
}

interface GroupParts {
  readonly versions: readonly FailureVersion[];
  readonly trend: readonly FailureTrendPoint[];
  readonly fingerprints: readonly FailureFingerprint[];
}

export function failureDetailsBody(found: FailureGroup, { versions, trend, fingerprints }: GroupParts): DetailsBody {
  return {
    ...failureGroupBody(found),
    versions: versions.map(({ version, environment, spanCount, firstUs, lastUs }) => ({
      version,
      environment,
      span_count: spanCount,
      first_seen_at: formatInstant(firstUs),
      last_seen_at: formatInstant(lastUs),
    })),
    trend: trend.map(({ startUs, spanCount }) => ({ start_time: formatInstant(startUs), span_count: spanCount })),
    fingerprints: fingerprints.map(({ fingerprint, type, message }) => ({ fingerprint, type, message })),
  };
}

export function failedSpanBody({ id, spanKey, traceId, name, startUs, statusMessage }: SpanRecord) {
  return {
    id: globalId(SPAN, id),
    span_id: spanKey,
    trace_id: globalId(TRACE, traceId),
    name,
    start_time: formatInstant(startUs),
    status_message: statusMessage,
  } satisfies Static<typeof FailedSpanBody>;
}

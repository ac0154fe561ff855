// The ways to choose what examples are made of, in GraphQL.
import { argumentRefused } from "../../../../graphql/connection.ts";
import { requireRowId } from "../../../../graphql/ids.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import { PROJECT } from "../../../tracing/projects/projects.schema.ts";
import { SESSION } from "../../../tracing/sessions/sessions.schema.ts";
import { SPAN } from "../../../tracing/spans/spans.schema.ts";
import { TRACE } from "../../../tracing/traces/traces.schema.ts";
import type { SpanSelection } from "./span-selections.service.ts";

export function selectionInput({ builder, TimeRange }: GraphqlTypes) {
  const Matching = builder.inputType("MatchingSpansInput", {
    fields: (t) => ({
      projectId: t.id({ required: true }),
      filterCondition: t.string(),
      traceFilterCondition: t.string(),
      timeRange: t.field({ type: TimeRange }),
      rootSpansOnly: t.boolean({ required: true, defaultValue: false }),
    }),
  });
  const MatchingSessions = builder.inputType("MatchingSessionsInput", {
    fields: (t) => ({
      projectId: t.id({ required: true }),
      sessionFilterCondition: t.string(),
      timeRange: t.field({ type: TimeRange }),
    }),
  });
  return builder.inputType("DatasetSelectionInput", {
    isOneOf: true,
    fields: (t) => ({
      spanIds: t.idList(),
      traceIds: t.idList(),
      sessionIds: t.idList(),
      matching: t.field({ type: Matching }),
      matchingSessions: t.field({ type: MatchingSessions }),
    }),
  });
}

export function selectionOf(given: ReturnType<typeof selectionInput>["$inferInput"]): SpanSelection {
  const { spanIds, traceIds, sessionIds, matching, matchingSessions } = given;
  if (spanIds) return { spanIds: spanIds.map((id) => requireRowId(SPAN, id)) };
  if (traceIds) return { traceIds: traceIds.map((id) => requireRowId(TRACE, id)) };
  if (sessionIds) return { sessionIds: sessionIds.map((id) => requireRowId(SESSION, id)) };
  if (matching) {
    return {
      matching: {
        projectId: requireRowId(PROJECT, matching.projectId),
        condition: matching.filterCondition ?? "",
        traceCondition: matching.traceFilterCondition ?? "",
        startUs: matching.timeRange?.start ?? null,
        endUs: matching.timeRange?.end ?? null,
        rootsOnly: matching.rootSpansOnly,
      },
    };
  }
  if (matchingSessions) {
    return {
      matchingSessions: {
        projectId: requireRowId(PROJECT, matchingSessions.projectId),
        condition: matchingSessions.sessionFilterCondition ?? "",
        startUs: matchingSessions.timeRange?.start ?? null,
        endUs: matchingSessions.timeRange?.end ?? null,
      },
    };
  }
  throw argumentRefused("selection", "exactly one way to choose must be given");
}

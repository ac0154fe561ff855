// Annotations of the rows of a list: the scopes of the lists of spans, traces and sessions become conditions on their rows.

import { parseTraceFilter } from "../../../../filter/filter.ts";
import {
  rootsOfTraces,
  type StatisticScope,
  sessionsInScope,
  spansInScope,
  tracesInList,
} from "../../../../filter/scope.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import type { Range } from "../../../../storage/period.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { createCandidatesStore } from "../../../../summaries/blocks/candidates.store.ts";
import type { RollupsService } from "../../../../summaries/rollups/rollups.service.ts";
import { targetKinds } from "../annotation-targets.rules.ts";
import type { AnnotationFigures } from "../annotations.schema.ts";
import type { ListedAnnotationsStore } from "./listed-annotations.store.ts";

/** The traces that a list goes through. */
interface ListedTracesScope {
  readonly projectId: number;
  readonly range: Range;
  /** Of the language of traces. */
  readonly condition: string;
  /** Row ids, those that a search found; absent narrows nothing. */
  readonly traceIds?: readonly number[];
}

/** Of the names that most rows carry, at most `limit`. Throws `filter.invalid`. */
export interface ListedAnnotationsService {
  ofSpans(context: CallContext, projectId: number, scope: StatisticScope, limit: number): Promise<AnnotationFigures[]>;
  ofTraces(context: CallContext, scope: ListedTracesScope, limit: number): Promise<AnnotationFigures[]>;
  /** Annotations of the root spans of the traces, of each trace those of one span. */
  ofRootSpans(context: CallContext, scope: ListedTracesScope, limit: number): Promise<AnnotationFigures[]>;
  ofSessions(
    context: CallContext,
    projectId: number,
    scope: StatisticScope,
    limit: number,
  ): Promise<AnnotationFigures[]>;
}

export function createListedAnnotationsService(
  dialect: Dialect,
  store: ListedAnnotationsStore,
  rollups: RollupsService,
): ListedAnnotationsService {
  const candidates = createCandidatesStore(dialect);
  const { span, trace, session } = targetKinds;

  async function tracesMatching(context: CallContext, scope: ListedTracesScope) {
    const { projectId, range, condition, traceIds = null } = scope;
    const of = { projectIds: [projectId] };
    const filter = await rollups.settledFilter(context, of, parseTraceFilter(condition));
    return tracesInList(dialect, { ...range, traceIds, filter });
  }

  return {
    async ofSpans(context, projectId, given, limit) {
      const scope = await rollups.settledScope(context, [projectId], given);
      const matches = spansInScope(dialect, scope, await candidates.inScope(context, scope));
      return store.count(context, span, projectId, matches, limit);
    },

    async ofTraces(context, scope, limit) {
      return store.count(context, trace, scope.projectId, await tracesMatching(context, scope), limit);
    },

    async ofRootSpans(context, scope, limit) {
      const matches = rootsOfTraces(await tracesMatching(context, scope));
      return store.count(context, span, scope.projectId, matches, limit);
    },

    async ofSessions(context, projectId, given, limit) {
      const scope = await rollups.settledScope(context, [projectId], given);
      return store.count(context, session, projectId, sessionsInScope(dialect, scope), limit);
    },
  };
}

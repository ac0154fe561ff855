// Summaries of annotations: of one span, trace or session, and over a project.
import type { StatisticScope } from "../../filter/scope.ts";
import type { RollupsService } from "../../ingest/rollups/rollups.service.ts";
import type { CallContext } from "../../storage/storage.ts";
import type { AnnotationSummariesStore } from "./annotation-summaries.store.ts";
import type { TargetKind } from "./annotation-targets.rules.ts";
import type { AnnotationSummary } from "./annotations.schema.ts";

export interface AnnotationSummariesService extends Pick<AnnotationSummariesStore, "countNames"> {
  /** Null where nothing in the scope has a label or a score of the name. Throws `filter.invalid`, here and below. */
  summary(
    context: CallContext,
    kind: TargetKind,
    projectId: number,
    scope: StatisticScope & { readonly name: string },
  ): Promise<AnnotationSummary | null>;
  listMetricNames(
    context: CallContext,
    kind: TargetKind,
    projectId: number,
    scope: StatisticScope,
  ): Promise<readonly string[]>;
}

export function createAnnotationSummariesService(
  store: AnnotationSummariesStore,
  rollups: RollupsService,
): AnnotationSummariesService {
  return {
    countNames: store.countNames,

    async summary(context, kind, projectId, scope) {
      return store.summary(context, kind, projectId, await rollups.settledScope(context, [projectId], scope));
    },

    async listMetricNames(context, kind, projectId, scope) {
      return store.listMetricNames(context, kind, projectId, await rollups.settledScope(context, [projectId], scope));
    },
  };
}

// How good retrievals were, as the scores of their documents have it: of one span, and over a project.
import type { StatisticScope } from "../../../../filter/scope.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { RollupsService } from "../../../../summaries/rollups/rollups.service.ts";
import type { AnnotationOwnersStore } from "../writing/annotation-owners.store.ts";
import { type DocumentScores, documentScores } from "./retrieval-metrics.rules.ts";
import type { RetrievalMetricsStore } from "./retrieval-metrics.store.ts";

/** Spans whose documents are read in one go. */
const SLICE = 1000;

export interface RetrievalMetricsService extends Pick<RetrievalMetricsStore, "listNames"> {
  /** Of every span in the scope with a score of the name. Throws `filter.invalid`. */
  listScores(
    context: CallContext,
    projectId: number,
    scope: StatisticScope & { readonly name: string },
  ): Promise<readonly DocumentScores[]>;
  /** How many documents the spans retrieved, by row id. */
  countDocuments(context: CallContext, spanIds: readonly number[]): Promise<ReadonlyMap<number, number>>;
}

export function createRetrievalMetricsService(
  store: RetrievalMetricsStore,
  owners: AnnotationOwnersStore,
  rollups: RollupsService,
): RetrievalMetricsService {
  return {
    listNames: store.listNames,
    countDocuments: owners.countDocuments,

    async listScores(context, projectId, given) {
      const scope = await rollups.settledScope(context, [projectId], given);
      const found: DocumentScores[] = [];
      for (let after = 0; ; ) {
        const spanIds = await store.listScoredSpans(context, projectId, scope, { after, limit: SLICE });
        if (spanIds.length > 0) {
          const [scores, counts] = await Promise.all([
            store.listScores(context, scope.name, spanIds),
            owners.countDocuments(context, spanIds),
          ]);
          const bySpan = Map.groupBy(scores, ({ spanId }) => spanId);
          for (const id of spanIds) found.push(documentScores(counts.get(id) ?? 0, bySpan.get(id) ?? []));
        }
        if (spanIds.length < SLICE) return found;
        after = spanIds.at(-1)!;
      }
    },
  };
}

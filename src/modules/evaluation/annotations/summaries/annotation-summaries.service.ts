// Summaries of annotations: of one span, trace or session, and over a project.
import type { StatisticScope } from "../../../../filter/scope.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { beginOfBin, binsBetween, type TimeBins } from "../../../../storage/time-bins.ts";
import type { RollupsService } from "../../../../summaries/rollups/rollups.service.ts";
import type { TargetKind } from "../annotation-targets.rules.ts";
import type { AnnotationSummary, ScoreHistogram } from "../annotations.schema.ts";
import type { AnnotationAgreement } from "./agreement.rules.ts";
import type { AgreementScope, AgreementStore } from "./agreement.store.ts";
import type { AnnotationSummariesStore } from "./annotation-summaries.store.ts";
import type { ScoreHistogramsStore } from "./score-histograms.store.ts";

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
  /** Of what starts in the period: the names with most scores, those first. */
  listHistograms(
    context: CallContext,
    kind: TargetKind,
    projectId: number,
    period: { readonly startUs: number; readonly endUs: number },
    limit: number,
  ): Promise<readonly ScoreHistogram[]>;
  /** Of what starts in the period and people and programs judged: the names with most pairs, those first. */
  listAgreements(
    context: CallContext,
    kind: TargetKind,
    projectId: number,
    scope: AgreementScope,
    limit: number,
  ): Promise<readonly AnnotationAgreement[]>;
  /** Every bin of the period, by the start of what is judged; of one name if one is given. Throws kind `invalid` for too many bins. */
  series(
    context: CallContext,
    kind: TargetKind,
    projectId: number,
    period: { readonly startUs: number; readonly endUs: number; readonly name: string | null },
    bins: TimeBins,
  ): Promise<AnnotationSeries>;
}

export interface AnnotationBin {
  readonly beginUs: number;
  readonly summaries: readonly AnnotationSummary[];
}

export interface AnnotationSeries {
  readonly bins: readonly AnnotationBin[];
  /** Of all bins, sorted. */
  readonly names: readonly string[];
}

export function createAnnotationSummariesService(
  store: AnnotationSummariesStore,
  histograms: ScoreHistogramsStore,
  agreement: AgreementStore,
  rollups: RollupsService,
): AnnotationSummariesService {
  return {
    countNames: store.countNames,

    async summary(context, kind, projectId, scope) {
      return store.summary(context, kind, projectId, await rollups.settledScope(context, [projectId], scope));
    },

    async series(context, kind, projectId, period, bins) {
      const numbers = binsBetween(period.startUs, period.endUs, bins);
      const given = { ...period, spanCondition: null, sessionCondition: null };
      const scope = await rollups.settledScope(context, [projectId], given);
      const found = await store.binned(context, kind, projectId, scope, bins);
      const byBin = Map.groupBy(found, ({ bin }) => bin);
      return {
        bins: numbers.map((bin) => ({ beginUs: beginOfBin(bin, bins), summaries: byBin.get(bin) ?? [] })),
        names: [...new Set(found.map(({ name }) => name))].sort(),
      };
    },

    async listHistograms(context, kind, projectId, period, limit) {
      const given = { ...period, spanCondition: null, sessionCondition: null };
      const scope = await rollups.settledScope(context, [projectId], given);
      return histograms.list(context, kind, projectId, scope, limit);
    },

    async listAgreements(context, kind, projectId, given, limit) {
      const scope = { ...given, spanCondition: null, sessionCondition: null };
      return agreement.list(context, kind, projectId, await rollups.settledScope(context, [projectId], scope), limit);
    },

    async listMetricNames(context, kind, projectId, scope) {
      return store.listMetricNames(context, kind, projectId, await rollups.settledScope(context, [projectId], scope));
    },
  };
}

// Statistics over the traces of projects.
import { type StatisticScope, scopeOfRange } from "../../../../filter/scope.ts";
import type { Settled } from "../../../../filter/settled.ts";
import type { HistogramBin } from "../../../../kernel/histogram.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { beginOfBin, binsBetween, type TimeBins } from "../../../../storage/time-bins.ts";
import type { RollupsService, ScopeStatistic } from "../../../../summaries/rollups/rollups.service.ts";
import type { TraceStatisticsStore } from "./trace-statistics.store.ts";

interface SeriesPeriod {
  readonly startUs: number;
  readonly endUs: number;
}

/** A bin of a series; null where nothing is in it. */
export interface SeriesBin<Value> {
  readonly beginUs: number;
  readonly value: Value | null;
}

type Rows<Name extends "countByBin" | "latencyByBin" | "tokensByBin" | "tokenKindsByBin"> = Awaited<
  ReturnType<TraceStatisticsStore[Name]>
>[number];
export type TraceCounts = Rows<"countByBin">;
export type TraceLatencies = Rows<"latencyByBin">;
export type TokenKindCount = Rows<"tokenKindsByBin">;
export interface TraceTokens extends Rows<"tokensByBin"> {
  /** Read for all bins when one of them is asked for. */
  readonly kinds: () => Promise<readonly TokenKindCount[]>;
}

type Series<Value> = (
  context: CallContext,
  projectId: number,
  period: SeriesPeriod,
  bins: TimeBins,
) => Promise<SeriesBin<Value>[]>;

export interface TraceStatisticsService extends Pick<TraceStatisticsStore, "bounds" | "findFilled"> {
  readonly count: ScopeStatistic<StatisticScope, Map<number, number>>;
  /** Of traces in which a span failed. */
  readonly countErrors: ScopeStatistic<StatisticScope, Map<number, number>>;
  /** Microseconds. */
  readonly latencyQuantile: ScopeStatistic<StatisticScope & { readonly probability: number }, Map<number, number>>;
  /** Of microseconds, or of tokens of the traces that have any; empty without traces. */
  histogram(
    context: CallContext,
    projectId: number,
    scope: StatisticScope,
    of: "latency" | "tokens",
  ): Promise<readonly HistogramBin[]>;
  /** Every bin of the period, here and below. Throws kind `invalid` for too many bins. */
  readonly countSeries: Series<TraceCounts>;
  /** Microseconds. */
  readonly latencySeries: Series<TraceLatencies>;
  readonly tokenSeries: Series<TraceTokens>;
  /** Traces of the sessions that match; a blank condition takes every session. Throws `filter.invalid`, kind `invalid` for too many
   *  bins. */
  countTurns(
    context: CallContext,
    projectId: number,
    period: SeriesPeriod,
    sessionCondition: string,
    bins: TimeBins,
  ): Promise<SeriesBin<TraceCounts>[]>;
}

/** Narrows to traces that have a session at all. */
const ANY_SESSION = "num_traces >= 0";

export function createTraceStatisticsService(
  store: TraceStatisticsStore,
  rollups: RollupsService,
): TraceStatisticsService {
  const series =
    <Row extends { readonly bin: number }>(
      read: (
        context: CallContext,
        projectId: number,
        scope: Settled<StatisticScope>,
        bins: TimeBins,
      ) => Promise<readonly Row[]>,
    ): Series<Row> =>
    async (context, projectId, period, bins) => {
      const numbers = binsBetween(period.startUs, period.endUs, bins);
      return filled(numbers, await read(context, projectId, scopeOfRange(period), bins), bins);
    };
  return {
    count: rollups.settling(store.count),
    countErrors: rollups.settling(store.countErrors),
    bounds: store.bounds,
    findFilled: store.findFilled,
    latencyQuantile: rollups.settling(store.latencyQuantile),
    async histogram(context, projectId, scope, of) {
      return store.histogram(context, projectId, await rollups.settledScope(context, [projectId], scope), of);
    },
    countSeries: series(store.countByBin),
    latencySeries: series(store.latencyByBin),
    tokenSeries: series(async (context, projectId, scope, bins) => {
      let reading: ReturnType<typeof readKinds> | null = null;
      const readKinds = async () =>
        Map.groupBy(await store.tokenKindsByBin(context, projectId, scope, bins), ({ bin }) => bin);
      const kindsByBin = () => (reading ??= readKinds());
      const rows = await store.tokensByBin(context, projectId, scope, bins);
      return rows.map((row) => ({ ...row, kinds: async () => (await kindsByBin()).get(row.bin) ?? [] }));
    }),

    async countTurns(context, projectId, period, sessionCondition, bins) {
      const numbers = binsBetween(period.startUs, period.endUs, bins);
      const given = { ...period, spanCondition: null, sessionCondition: sessionCondition.trim() || ANY_SESSION };
      const scope = await rollups.settledScope(context, [projectId], given);
      return filled(numbers, await store.countByBin(context, projectId, scope, bins), bins);
    },
  };
}

function filled<Row extends { readonly bin: number }>(
  numbers: readonly number[],
  rows: readonly Row[],
  bins: TimeBins,
): SeriesBin<Row>[] {
  const found = new Map(rows.map((row) => [row.bin, row]));
  return numbers.map((bin) => ({ beginUs: beginOfBin(bin, bins), value: found.get(bin) ?? null }));
}

// Rows of sessions for GraphQL, which follows links, and statistics of projects over them.
import { type RawBuilder, sql } from "kysely";
import type { Filter } from "../../../filter/filter.ts";
import type { Settled } from "../../../filter/settled.ts";
import type { Dialect } from "../../../storage/dialect.ts";
import type { Range } from "../../../storage/period.ts";
import type { CallContext } from "../../../storage/storage.ts";
import { activeIn, sessionColumns } from "./session-list.store.ts";
import type { SessionRecord } from "./sessions.schema.ts";

/** Sessions that were active in the range and match; a null filter narrows nothing. */
export interface SessionScope extends Range {
  readonly filter: Settled<Filter> | null;
}

/** Values from `low` on, below `high`; null is no bound. */
export interface Band {
  readonly low: number;
  readonly high: number | null;
}

export interface CountedBand extends Band {
  readonly count: number;
}

export interface SessionFacets {
  readonly count: number;
  /** Sessions with a failed span. */
  readonly errorCount: number;
  readonly turns: readonly CountedBand[];
  /** Microseconds. */
  readonly durations: readonly CountedBand[];
}

const bandsOf = (bounds: readonly number[]): readonly Band[] =>
  bounds.map((low, at) => ({ low, high: bounds[at + 1] ?? null }));
const SECOND_US = 1_000_000;
const turnBands = bandsOf([0, 2, 6, 21]);
const durationBands = bandsOf([0, 10, 60, 600, 3600].map((seconds) => seconds * SECOND_US));

export type SessionReadsStore = ReturnType<typeof createSessionReadsStore>;

export function createSessionReadsStore(dialect: Dialect) {
  const statistics = (context: CallContext, projectIds: readonly number[], scope: SessionScope) => {
    const query = context.database
      .read(context, "slow")
      .selectFrom("sessions")
      .select("project_id")
      .where(dialect.inList(sql.ref("project_id"), projectIds))
      .groupBy("project_id");
    const { filter } = scope;
    return activeIn(filter === null ? query : query.where(filter.condition(dialect, "sessions")), scope);
  };

  return {
    async find(
      context: CallContext,
      key: { readonly ids: readonly number[] } | { readonly sessionKey: string },
    ): Promise<SessionRecord[]> {
      const query = context.database.read(context, "short").selectFrom("sessions").select(sessionColumns);
      return "ids" in key
        ? query.where(dialect.inList(sql.ref("id"), key.ids)).execute()
        : query.where("session_key", "=", key.sessionKey).execute();
    },

    /** Sessions, their traces, and how long they lasted together, in microseconds. */
    async totals(context: CallContext, projectIds: readonly number[], scope: SessionScope) {
      const sum = (what: RawBuilder<number>) => sql<number>`cast(coalesce(sum(${what}), 0) as bigint)`;
      const rows = await statistics(context, projectIds, scope)
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .select([sum(sql`trace_count`).as("traces"), sum(sql`end_us - start_us`).as("durationUs")])
        .execute();
      return new Map(rows.map(({ project_id, ...row }) => [project_id, { ...row, count: Number(row.count) }]));
    },

    /** Sessions of each kind, all counted by one look. */
    async facets(
      context: CallContext,
      projectIds: readonly number[],
      scope: SessionScope,
    ): Promise<Map<number, SessionFacets>> {
      const counted = (is: RawBuilder<unknown>) => sql<number>`cast(sum(case when ${is} then 1 else 0 end) as bigint)`;
      const within = (value: RawBuilder<number>, { low, high }: Band) =>
        counted(high === null ? sql`${value} >= ${low}` : sql`${value} >= ${low} and ${value} < ${high}`);
      const [turns, duration] = [sql<number>`trace_count`, sql<number>`(end_us - start_us)`];
      const rows = await statistics(context, projectIds, scope)
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .select(counted(sql`error_trace_count > 0`).as("errorCount"))
        .select(turnBands.map((band, at) => within(turns, band).as(`turns${at}`)))
        .select(durationBands.map((band, at) => within(duration, band).as(`duration${at}`)))
        .execute();
      return new Map(
        rows.map((row) => {
          const counts = row as Readonly<Record<string, number>>;
          const bands = (name: string, of: readonly Band[]) =>
            of.map((band, at) => ({ ...band, count: Number(counts[`${name}${at}`]) }));
          const facets = { turns: bands("turns", turnBands), durations: bands("duration", durationBands) };
          return [row.project_id, { count: Number(row.count), errorCount: Number(row.errorCount), ...facets }];
        }),
      );
    },

    async hasTracesIn(context: CallContext, sessionId: number, projectId: number): Promise<boolean> {
      const found = await context.database
        .read(context, "short")
        .selectFrom("traces")
        .select("id")
        .where("session_id", "=", sessionId)
        .where("project_id", "=", projectId)
        .limit(1)
        .executeTakeFirst();
      return found !== undefined;
    },

    /** Microseconds. */
    async durationQuantile(
      context: CallContext,
      projectIds: readonly number[],
      { probability, ...scope }: SessionScope & { readonly probability: number },
    ): Promise<Map<number, number>> {
      const rows = await statistics(context, projectIds, scope)
        .select(dialect.quantile(sql<number>`(end_us - start_us)`, probability).as("quantile"))
        .execute();
      return new Map(rows.map((row) => [row.project_id, row.quantile ?? 0]));
    },
  };
}

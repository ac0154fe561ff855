// Rows of sessions for those who show them with their links, and statistics of projects over them.
import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import { type Filter, parseSessionFilter } from "../../filter/filter.ts";
import type { Dialect } from "../../storage/dialect.ts";
import { behind, type SortOrder, type SortPlace, sortedBy } from "../../storage/paging.ts";
import { isUnbounded, type Range } from "../../storage/period.ts";
import type { CallContext } from "../../storage/storage.ts";
import type { Tables } from "../../storage/tables.ts";
import type { SessionRecord } from "./sessions.schema.ts";

export type SessionPageSort = "startTime" | "endTime" | "tokenCountTotal" | "numTraces";

export interface SessionPageRows {
  readonly projectId: number;
  readonly range: Range;
  /** Null narrows nothing. */
  readonly filter: Filter | null;
  readonly sort: SessionPageSort;
  readonly direction: "asc" | "desc";
  readonly after: SortPlace | null;
  readonly limit: number;
}

/** The condition as text; a blank one matches everything. */
export interface SessionScope extends Range {
  readonly condition: string;
}

/** A session with the value that its list is sorted by. */
export interface SortedSession extends SessionRecord {
  readonly sortValue: number | null;
}

const columns = [
  "id",
  "session_key as sessionKey",
  "project_id as projectId",
  "start_us as startUs",
  "end_us as endUs",
  "prompt_tokens as promptTokens",
  "completion_tokens as completionTokens",
  "trace_count as traceCount",
  "error_trace_count as errorTraceCount",
] as const;

const sortValues: Readonly<Record<SessionPageSort, RawBuilder<number>>> = {
  startTime: sql`start_us`,
  endTime: sql`end_us`,
  tokenCountTotal: sql`prompt_tokens + completion_tokens`,
  numTraces: sql`trace_count`,
};

/** Active at any moment of the range. */
function activeIn<Row>(
  query: SelectQueryBuilder<Tables, "sessions", Row>,
  { startUs, endUs }: Range,
): SelectQueryBuilder<Tables, "sessions", Row> {
  let narrowed = query;
  if (startUs !== null) narrowed = narrowed.where("end_us", ">=", startUs);
  if (endUs !== null) narrowed = narrowed.where("start_us", "<", endUs);
  return narrowed;
}

export type SessionReadsStore = ReturnType<typeof createSessionReadsStore>;

export function createSessionReadsStore(dialect: Dialect) {
  const statistics = (context: CallContext, projectIds: readonly number[], scope: SessionScope) =>
    activeIn(
      context.database
        .read(context, "slow")
        .selectFrom("sessions")
        .select("project_id")
        .where(dialect.inList(sql.ref("project_id"), projectIds))
        .where(parseSessionFilter(scope.condition).condition(dialect, "sessions"))
        .groupBy("project_id"),
      scope,
    );

  return {
    async find(
      context: CallContext,
      key: { readonly ids: readonly number[] } | { readonly sessionKey: string },
    ): Promise<SessionRecord[]> {
      const query = context.database.read(context, "short").selectFrom("sessions").select(columns);
      return "ids" in key
        ? query.where(dialect.inList(sql.ref("id"), key.ids)).execute()
        : query.where("session_key", "=", key.sessionKey).execute();
    },

    async listOfProject(context: CallContext, rows: SessionPageRows): Promise<SortedSession[]> {
      const { range, filter, sort, direction, after } = rows;
      const value = sortValues[sort];
      const order: SortOrder = { value, rowId: sql.ref<number>("id"), direction, nullable: false };
      let query = context.database
        .read(context, isUnbounded(range) && filter === null ? "short" : "slow")
        .selectFrom("sessions")
        .select(columns)
        .select(value.as("sortValue"))
        .where("project_id", "=", rows.projectId)
        .orderBy(sortedBy(order))
        .limit(rows.limit);
      if (filter !== null) query = query.where(filter.condition(dialect, "sessions"));
      return activeIn(after === null ? query : query.where(behind(order, after)), range).execute();
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

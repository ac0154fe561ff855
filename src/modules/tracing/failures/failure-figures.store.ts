// What is counted of the spans of groups, and which these are.
import { sql } from "kysely";
import type { PageRequest, PlacedPage } from "../../../kernel/list.ts";
import type { Dialect } from "../../../storage/dialect.ts";
import { readPages, type ValueOrder } from "../../../storage/list.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { FailureFingerprint, FailureTrendPoint, FailureVersion } from "./failures.schema.ts";

export interface TrendRequest {
  readonly startUs: number;
  readonly endUs: number;
  readonly intervalUs: number;
}

export type FailureFiguresStore = ReturnType<typeof createFailureFiguresStore>;

export function createFailureFiguresStore(dialect: Dialect) {
  const newestFirst: ValueOrder = {
    value: sql.ref<number>("failures.start_us"),
    rowId: sql.ref<number>("failures.span_id"),
    direction: "desc",
    nullable: false,
  };

  return {
    /** Spans by version and environment, most first. */
    async listVersions(context: CallContext, groupIds: readonly number[]): Promise<FailureVersion[]> {
      const { rows } = await sql<FailureVersion>`select x.group_id as "groupId", f.version, f.environment,
          count(*) as "spanCount", min(f.start_us) as "firstUs", max(f.start_us) as "lastUs"
        from failure_fingerprints x cross join failures f
        where f.fingerprint_id = x.id and f.passes_on = 0 and ${dialect.inList(sql.ref("x.group_id"), groupIds)}
        group by x.group_id, f.version, f.environment order by count(*) desc, f.version, f.environment`.execute(
        context.database.read(context, "slow"),
      );
      return rows.map((row) => ({ ...row, spanCount: Number(row.spanCount) }));
    },

    /** Intervals without failures are left out; by time. */
    async readTrends(
      context: CallContext,
      groupIds: readonly number[],
      { startUs, endUs, intervalUs }: TrendRequest,
    ): Promise<FailureTrendPoint[]> {
      const interval = sql<number>`f.start_us / ${sql.lit(intervalUs)}`;
      const { rows } = await sql<{ groupId: number; place: number; spanCount: number }>`select x.group_id as "groupId",
          ${interval} as place, count(*) as "spanCount"
        from failure_fingerprints x cross join failures f
        where f.fingerprint_id = x.id and f.passes_on = 0 and f.start_us >= ${startUs} and f.start_us < ${endUs}
          and ${dialect.inList(sql.ref("x.group_id"), groupIds)}
        group by x.group_id, ${interval} order by ${interval}`.execute(context.database.read(context, "slow"));
      return rows.map(({ groupId, place, spanCount }) => ({
        groupId,
        startUs: Number(place) * intervalUs,
        spanCount: Number(spanCount),
      }));
    },

    async listFingerprints(context: CallContext, groupIds: readonly number[]): Promise<FailureFingerprint[]> {
      return context.database
        .read(context, "short")
        .selectFrom("failure_fingerprints")
        .select(["group_id as groupId", "fingerprint", "type", "message"])
        .where(dialect.inList(sql.ref("group_id"), groupIds))
        .orderBy("id")
        .execute();
    },

    /** Row ids of spans of each group, the latest first. */
    listSpans(
      context: CallContext,
      groupIds: readonly number[],
      request: PageRequest,
    ): Promise<Map<number, PlacedPage<number>>> {
      const database = context.database.read(context, "short");
      const listOf = (groupId: number) =>
        database
          .selectFrom("failures")
          .select("failures.span_id as id")
          .select(sql<number>`cast(${groupId} as bigint)`.as("groupId"))
          .where("failures.passes_on", "=", 0)
          .where(
            "failures.fingerprint_id",
            "in",
            database.selectFrom("failure_fingerprints").select("id").where("group_id", "=", groupId),
          );
      const lists = {
        listOf,
        ownerOf: ({ groupId }: { groupId: number }) => Number(groupId),
        itemOf: ({ id }: { id: number }) => id,
      };
      return readPages(database, groupIds, lists, newestFirst, request);
    },

    /** Groups by row id of the span; of one that only passes a failure on, that of the span below which it comes from. */
    async findGroupsOfSpans(context: CallContext, spanIds: readonly number[]): Promise<Map<number, number>> {
      const { rows } = await sql<{ id: number; groupId: number }>`
        with recursive origin (id, place) as (
          select span_id, span_id from failures where ${dialect.inList(sql.ref("span_id"), spanIds)}
          union
          select origin.id, below.span_id from origin join failures above on above.span_id = origin.place
          join failures below on below.trace_id = above.trace_id and below.parent_key = above.span_key
            and below.exception_key = above.exception_key and below.span_id <> above.span_id
          where above.passes_on = 1)
        select origin.id, min(x.group_id) as "groupId" from origin join failures f on f.span_id = origin.place
        join failure_fingerprints x on x.id = f.fingerprint_id where f.passes_on = 0 group by origin.id`.execute(
        context.database.read(context, "short"),
      );
      return new Map(rows.map(({ id, groupId }) => [id, groupId]));
    },
  };
}

// The counts of groups, taken from their spans, and the states that new failures change.
import { sql } from "kysely";
import type { FailureGroupState } from "../../../../analysis/failures/group-rules.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import type { CallContext } from "../../../../storage/storage.ts";

export interface GroupCounts {
  readonly groupId: number;
  readonly spanCount: number;
  readonly traceCount: number;
  readonly sessionCount: number;
  readonly userCount: number;
  readonly firstUs: number;
  readonly lastUs: number;
}

interface ResolvedGroup {
  readonly id: number;
  readonly state: Extract<FailureGroupState, { state: "resolved" }>;
}

export type GroupCountsStore = ReturnType<typeof createGroupCountsStore>;

export function createGroupCountsStore(dialect: Dialect) {
  return {
    /** Groups whose counts must be taken again. */
    async listRecounts(context: CallContext, limit: number): Promise<number[]> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("failure_recounts")
        .select("group_id")
        .distinct()
        .limit(limit)
        .execute();
      return rows.map(({ group_id }) => group_id);
    },

    async takeRecounts(context: CallContext, groupIds: readonly number[]): Promise<void> {
      await context.database
        .write(context)
        .deleteFrom("failure_recounts")
        .where(dialect.inList(sql.ref("group_id"), groupIds))
        .execute();
    },

    /** Of the groups, null for all; those without spans are left out. */
    async count(context: CallContext, groupIds: readonly number[] | null): Promise<GroupCounts[]> {
      const chosen = groupIds === null ? sql`1 = 1` : dialect.inList(sql.ref("x.group_id"), groupIds);
      const { rows } = await sql<GroupCounts>`select x.group_id as "groupId", count(*) as "spanCount",
          count(distinct f.trace_id) as "traceCount", count(distinct t.session_id) as "sessionCount",
          count(distinct f.user_key) as "userCount", min(f.start_us) as "firstUs", max(f.start_us) as "lastUs"
        from failure_fingerprints x cross join failures f cross join traces t
        where f.fingerprint_id = x.id and f.passes_on = 0 and t.id = f.trace_id and ${chosen}
        group by x.group_id`.execute(context.database.read(context, "short"));
      return rows;
    },

    async writeCounts(context: CallContext, counts: readonly GroupCounts[]): Promise<void> {
      if (counts.length === 0) return;
      const columns = ["id", "spans", "traces", "sessions", "users", "first_us", "last_us"];
      const rows = counts.map((each) => [
        each.groupId,
        Number(each.spanCount),
        Number(each.traceCount),
        Number(each.sessionCount),
        Number(each.userCount),
        each.firstUs,
        each.lastUs,
      ]);
      await sql`update failure_groups set span_count = c.spans, trace_count = c.traces, session_count = c.sessions,
          user_count = c.users, first_us = c.first_us, last_us = c.last_us,
          known_us = case when c.first_us < known_us then c.first_us else known_us end
        from ${dialect.integerRows(columns, rows)} as c where failure_groups.id = c.id`.execute(
        context.database.write(context),
      );
    },

    /** Those without spans: what people have not decided about is removed. */
    async clearEmpty(context: CallContext, groupIds: readonly number[]): Promise<void> {
      if (groupIds.length === 0) return;
      const database = context.database.write(context);
      const among = dialect.inList(sql.ref("id"), groupIds);
      await database
        .updateTable("failure_groups")
        .set({ span_count: 0, trace_count: 0, session_count: 0, user_count: 0 })
        .where(among)
        .execute();
      // A failure that only passes another on is in no count and has its fingerprint here.
      await sql`delete from failure_groups where ${among} and state_us is null
        and (select count(*) from failure_fingerprints x where x.group_id = failure_groups.id) = 1
        and not exists (select 1 from failure_fingerprints x join failures f on f.fingerprint_id = x.id
          where x.group_id = failure_groups.id)`.execute(database);
    },

    async listResolved(context: CallContext, groupIds: readonly number[]): Promise<ResolvedGroup[]> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("failure_groups")
        .select(["id", "state_us", "resolved_version", "resolved_seen"])
        .where(dialect.inList(sql.ref("id"), groupIds))
        .where("state", "=", "resolved")
        .execute();
      return rows.map(({ id, state_us, resolved_version, resolved_seen }) => ({
        id,
        state: {
          state: "resolved",
          atUs: state_us ?? 0,
          version: resolved_version,
          seenVersions: resolved_seen === null ? [] : (JSON.parse(resolved_seen) as string[]),
        },
      }));
    },

    async reopen(context: CallContext, id: number, version: string | null, atUs: number): Promise<void> {
      await context.database
        .write(context)
        .updateTable("failure_groups")
        .set({ state: "reopened", state_us: atUs, reopened_version: version })
        .where("id", "=", id)
        .execute();
    },
  };
}

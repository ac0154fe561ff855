// What is written of spans that failed. Runs under the locks of their traces and of `failure_scans` (pending-failures.store.ts).
import { type Kysely, sql, type Transaction } from "kysely";
import type { Dialect } from "../../../../storage/dialect.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { Tables } from "../../../../storage/tables.ts";
import type { FailedSpan } from "./failed-span.rules.ts";

/** What the rows of a span depend on, to be compared. */
export interface StoredFailure {
  readonly spanId: number;
  readonly fingerprintId: number;
  readonly exceptionKey: string | null;
  readonly version: string | null;
  readonly environment: string | null;
}

export interface KnownFingerprint {
  readonly id: number;
  readonly projectId: number;
  readonly fingerprint: string;
  readonly groupId: number;
}

type NewFailure = StoredFailure & Pick<FailedSpan, "traceId" | "spanKey" | "parentKey" | "startUs" | "userKey">;

export type SettlementStore = ReturnType<typeof createSettlementStore>;

export function createSettlementStore(dialect: Dialect) {
  const amongIds = (column: string, ids: readonly number[]) => dialect.inList(sql.ref(column), ids);

  return {
    async readFailures(context: CallContext, ids: readonly number[]): Promise<StoredFailure[]> {
      return context.database
        .read(context, "short")
        .selectFrom("failures")
        .select(["span_id as spanId", "fingerprint_id as fingerprintId", "exception_key as exceptionKey"])
        .select(["version", "environment"])
        .where(amongIds("span_id", ids))
        .execute();
    },

    async findFingerprints(
      context: CallContext,
      projectIds: readonly number[],
      fingerprints: readonly string[],
    ): Promise<KnownFingerprint[]> {
      return context.database
        .read(context, "short")
        .selectFrom("failure_fingerprints")
        .select(["id", "project_id as projectId", "fingerprint", "group_id as groupId"])
        .where(amongIds("project_id", projectIds))
        .where(dialect.inList(sql.ref("fingerprint"), fingerprints))
        .execute();
    },

    /** A fingerprint with a group of its own. */
    async createGroup(context: CallContext, { projectId, failure, startUs }: FailedSpan): Promise<KnownFingerprint> {
      const database = context.database.write(context);
      const { fingerprint, kind, type, message, httpStatus, code, toolName, spanName, frames } = failure;
      const group = await database
        .insertInto("failure_groups")
        .values({ project_id: projectId, group_key: fingerprint, known_us: startUs })
        .returning("id")
        .executeTakeFirstOrThrow();
      const created = await database
        .insertInto("failure_fingerprints")
        .values({
          project_id: projectId,
          fingerprint,
          group_id: group.id,
          kind,
          type,
          message,
          http_status: httpStatus,
          code,
          tool_name: toolName,
          span_name: spanName,
          frames: JSON.stringify(frames),
        })
        .returning("id")
        .executeTakeFirstOrThrow();
      return { id: created.id, projectId, fingerprint, groupId: group.id };
    },

    /** Their groups are counted again, and who passed them on is examined again. */
    async removeFailures(context: CallContext, ids: readonly number[]): Promise<void> {
      if (ids.length === 0) return;
      await context.database.write(context).deleteFrom("failures").where(amongIds("span_id", ids)).execute();
    },

    async addFailures(context: CallContext, failures: readonly NewFailure[]): Promise<void> {
      if (failures.length === 0) return;
      await context.database
        .write(context)
        .insertInto("failures")
        .values(
          failures.map((failure) => ({
            span_id: failure.spanId,
            trace_id: failure.traceId,
            fingerprint_id: failure.fingerprintId,
            span_key: failure.spanKey,
            parent_key: failure.parentKey,
            exception_key: failure.exceptionKey,
            start_us: failure.startUs,
            user_key: failure.userKey,
            version: failure.version,
            environment: failure.environment,
          })),
        )
        .execute();
    },

    changePassing: (context: CallContext, ids: readonly number[]) =>
      changePassing(context.database.write(context), dialect, ids),

    /** The groups are counted again before they are next read. */
    async markRecounts(context: CallContext, groupIds: Iterable<number>): Promise<void> {
      const rows = [...new Set(groupIds)].map((groupId) => ({ group_id: groupId }));
      if (rows.length > 0) await context.database.write(context).insertInto("failure_recounts").values(rows).execute();
    },
  };
}

/** Which of the spans, and of those above them, only pass on the failure of a child. Returns the groups that this changes. */
async function changePassing(
  database: Kysely<Tables> | Transaction<Tables>,
  dialect: Dialect,
  ids: readonly number[],
): Promise<number[]> {
  const among = (column: string) => dialect.inList(sql.ref(column), ids);
  const passing = sql`select above.span_id from failures above
    join failures below on below.trace_id = above.trace_id and below.parent_key = above.span_key
    where below.exception_key = above.exception_key and below.span_id <> above.span_id`;
  const { rows } = await sql<{ fingerprint_id: number }>`update failures set passes_on = 1 where passes_on = 0
    and span_id in (${passing} and ${among("above.span_id")} union ${passing} and ${among("below.span_id")})
    returning fingerprint_id`.execute(database);
  const other = await sql<{ fingerprint_id: number }>`update failures set passes_on = 0 where passes_on = 1
    and ${among("span_id")} and span_id not in (${passing} and ${among("above.span_id")})
    returning fingerprint_id`.execute(database);
  const changed = [...rows, ...other.rows].map(({ fingerprint_id }) => fingerprint_id);
  if (changed.length === 0) return [];
  const groups = await database
    .selectFrom("failure_fingerprints")
    .select("group_id")
    .where(dialect.inList(sql.ref("id"), changed))
    .execute();
  return groups.map(({ group_id }) => group_id);
}

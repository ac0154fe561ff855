// Failures as they are stored, for `spanlight verify`.
import { sql } from "kysely";
import type { Dialect } from "../../../../storage/dialect.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { GroupCounts } from "../settlement/group-counts.store.ts";
import { mayFail } from "../settlement/pending-failures.store.ts";

const SPANS_AT_ONCE = 200;

interface GroupedSpan {
  readonly id: number;
  readonly spanKey: string;
  readonly fingerprint: string | null;
  /** Of the fingerprint; null where the span has none. */
  readonly projectId: number | null;
  readonly version: string | null;
  readonly environment: string | null;
}

export function createFailuresVerifyStore(dialect: Dialect) {
  return {
    /** The next spans by id that may have failed, or are stored as such. */
    async listSpans(context: CallContext, after: number): Promise<GroupedSpan[]> {
      const { rows } = await sql<GroupedSpan>`select s.id, s.span_key as "spanKey", x.fingerprint,
          x.project_id as "projectId", f.version, f.environment
        from spans s left join failures f on f.span_id = s.id
        left join failure_fingerprints x on x.id = f.fingerprint_id
        where s.id > ${after} and (${mayFail(dialect, "s")} or f.span_id is not null)
        order by s.id limit ${SPANS_AT_ONCE}`.execute(context.database.read(context, "short"));
      return rows;
    },

    /** Keys of spans that are wrongly counted, or wrongly left out because they only pass a failure on. */
    async listWrongPassing(context: CallContext): Promise<string[]> {
      const { rows } = await sql<{ span_key: string }>`select above.span_key from failures above
        where above.passes_on <> case when exists (select 1 from failures below
          where below.trace_id = above.trace_id and below.parent_key = above.span_key
            and below.exception_key = above.exception_key and below.span_id <> above.span_id) then 1 else 0 end
        order by above.span_id`.execute(context.database.read(context, "short"));
      return rows.map(({ span_key }) => span_key);
    },

    async listCounts(context: CallContext): Promise<(GroupCounts & { readonly key: string })[]> {
      return context.database
        .read(context, "short")
        .selectFrom("failure_groups")
        .select(["id as groupId", "group_key as key", "span_count as spanCount", "trace_count as traceCount"])
        .select([
          "session_count as sessionCount",
          "user_count as userCount",
          "first_us as firstUs",
          "last_us as lastUs",
        ])
        .orderBy("id")
        .execute();
    },
  };
}

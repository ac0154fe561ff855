// Rows of spans that links lead to: by id, the roots of traces, the ends of sessions, sums over child spans.
import { sql } from "kysely";
import type { Settled, SumsOf } from "../../../../filter/settled.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import { representativeOf, type TopSpans } from "../../../../storage/root-spans.ts";
import { selectedSpan } from "../../../../storage/span-columns.ts";
import type { CallContext, Database } from "../../../../storage/storage.ts";
import type { SpanRecord, SpanSums } from "../spans.schema.ts";
import { recordOf } from "./span-columns.store.ts";

export type SpanRowsStore = ReturnType<typeof createSpanRowsStore>;

export function createSpanRowsStore(dialect: Dialect) {
  const byIds = (ids: readonly number[]) => dialect.inList(sql.ref("spans.id"), ids);

  async function find(context: CallContext, ids: readonly number[]): Promise<SpanRecord[]> {
    const query = context.database.read(context, "short").selectFrom("spans").select(selectedSpan).where(byIds(ids));
    return (await query.execute()).map(recordOf);
  }

  return {
    find,

    /** The span that represents each trace: without a parent, or whose parent is not stored. */
    async findRoots(context: CallContext, traceIds: readonly number[]): Promise<SpanRecord[]> {
      const database = context.database.read(context, "short");
      return find(context, await listRepresentatives(database, dialect, traceIds, "orphans"));
    },

    /** Of spans among those whose sums are settled. */
    async readSums(
      context: CallContext,
      _among: Settled<SumsOf>,
      ids: readonly number[],
    ): Promise<Map<number, SpanSums>> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("spans")
        .select(["id", "sum_errors", "sum_prompt", "sum_completion"])
        .where(byIds(ids))
        .execute();
      return new Map(
        rows.map((row) => [
          row.id,
          { errors: row.sum_errors, promptTokens: row.sum_prompt, completionTokens: row.sum_completion },
        ]),
      );
    },

    /** By session: its first or last root in the order of trace start, trace and span. */
    async findSessionEnds(
      context: CallContext,
      sessionIds: readonly number[],
      end: "first" | "last",
    ): Promise<(SpanRecord & { readonly sessionId: number })[]> {
      const way = sql.raw(end === "first" ? "asc" : "desc");
      // A value for each session, found at an end of its traces: one may have thousands.
      const ofTrace = sql<number | null>`(select root.id from spans as root
        where root.trace_id = traces.id and root.parent_key is null order by root.id ${way} limit 1)`;
      const root = sql<number | null>`(select ${ofTrace} from traces
        where traces.session_id = sessions.id and ${ofTrace} is not null
        order by traces.start_us ${way}, traces.id ${way} limit 1)`;
      const ends = await context.database
        .read(context, "short")
        .selectFrom("sessions")
        .select(["sessions.id as sessionId", root.as("spanId")])
        .where(dialect.inList(sql.ref("sessions.id"), sessionIds))
        .execute();
      const sessionOf = new Map(ends.map(({ sessionId, spanId }) => [spanId, sessionId]));
      const ids = ends.flatMap(({ spanId }) => (spanId === null ? [] : [spanId]));
      return (await find(context, ids)).map((span) => ({ ...span, sessionId: sessionOf.get(span.id)! }));
    },
  };
}

/** The ids of the spans that represent the traces. Asked of the traces, and before their rows are: in one question PostgreSQL may read
 *  every span of every trace. */
export async function listRepresentatives(
  database: Database,
  dialect: Dialect,
  traceIds: readonly number[],
  roots: TopSpans,
): Promise<readonly number[]> {
  const found = await database
    .selectFrom("traces")
    .select(representativeOf(sql.ref("traces.id"), roots).as("spanId"))
    .where(dialect.inList(sql.ref("traces.id"), traceIds))
    .execute();
  return found.flatMap(({ spanId }) => (spanId === null ? [] : [spanId]));
}

// The traces of sessions, for many sessions at once.
import { type RawBuilder, sql } from "kysely";
import { type PageRequest, type PlacedPage, pageOfRows, rowsWanted } from "../../../../kernel/list.ts";
import { type Dialect, MAX_PARTS } from "../../../../storage/dialect.ts";
import { onwards, sortedBy, type ValueOrder } from "../../../../storage/list.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { TraceRecord } from "../traces.schema.ts";
import { seenTraces, userOfTrace } from "./trace-columns.store.ts";

const byStart: ValueOrder = {
  value: sql.ref<number>("traces.start_us"),
  rowId: sql.ref<number>("traces.id"),
  direction: "asc",
  nullable: false,
};

export function createSessionTracesStore(dialect: Dialect) {
  return {
    /** One page of each session, by start, by row id of the session: `most` rows of all sessions together, counting one behind each
     *  page. Null when there are more. */
    async listOfSessions(
      context: CallContext,
      sessionIds: readonly number[],
      { start, limit }: PageRequest,
      most: number,
    ): Promise<Map<number, PlacedPage<TraceRecord>> | null> {
      const from = onwards(byStart, start);
      const database = context.database.read(context, "short");
      // Each session by itself: its traces are walked to the end of its page only.
      const seen = seenTraces(context);
      const ofSession = (session: RawBuilder<number>) => {
        const query = seen.where("traces.session_id", "=", session);
        return sql`${(from === null ? query : query.where(from)).orderBy(sortedBy(byStart)).limit(rowsWanted(limit))}`;
      };
      const found: TraceRecord[] = [];
      for (let first = 0; first < sessionIds.length && found.length <= most; first += MAX_PARTS) {
        const some = dialect.rowsOfEach(sessionIds.slice(first, first + MAX_PARTS), ofSession);
        const { rows } = await sql<TraceRecord>`select * from ${some} as listed
          order by ${sql.ref("sessionId")}, ${sql.ref("startUs")}, id
          limit ${most + 1 - found.length}`.execute(database);
        found.push(...rows);
      }
      if (found.length > most) return null;
      const bySession = Map.groupBy(found, (trace) => trace.sessionId!);
      const place = ({ startUs, id }: TraceRecord) => ({ value: startUs, rowId: id });
      return new Map([...bySession].map(([id, rows]) => [id, pageOfRows(rows, limit, place)]));
    },

    /** Microseconds, by row id of the session. */
    async latencyQuantile(
      context: CallContext,
      sessionIds: readonly number[],
      probability: number,
    ): Promise<Map<number, number>> {
      const rows = await context.database
        .read(context, "slow")
        .selectFrom("traces")
        .select(["session_id", dialect.quantile(sql.ref("latency_us"), probability).as("quantile")])
        .where(dialect.inList(sql.ref("session_id"), sessionIds))
        .where("span_count", ">", 0)
        .groupBy("session_id")
        .execute();
      return new Map(rows.map((row) => [row.session_id!, row.quantile ?? 0]));
    },

    /** The user of the earliest span that names one, over all traces of a session in the order of their start. */
    async findSessionUsers(context: CallContext, sessionIds: readonly number[]): Promise<Map<number, string>> {
      const user = sql<string | null>`(select ${userOfTrace} from traces
        where traces.session_id = sessions.id and ${userOfTrace} is not null
        order by traces.start_us, traces.id limit 1)`;
      const rows = await context.database
        .read(context, "short")
        .selectFrom("sessions")
        .select(["sessions.id", user.as("userKey")])
        .where(dialect.inList(sql.ref("sessions.id"), sessionIds))
        .execute();
      return new Map(rows.flatMap(({ id, userKey }) => (userKey === null ? [] : [[id, userKey] as const])));
    },
  };
}

// The rows of sessions and of the traces in them.
import { type SelectQueryBuilder, sql } from "kysely";
import type { Filter } from "../../filter/filter.ts";
import type { Settled } from "../../filter/settled.ts";
import type { Keyset, Order } from "../../kernel/keyset.ts";
import { arrivedIn } from "../../storage/arrival-order.ts";
import type { Dialect } from "../../storage/dialect.ts";
import type { CallContext } from "../../storage/storage.ts";
import type { Tables } from "../../storage/tables.ts";
import type { Session, SessionTrace } from "./sessions.schema.ts";

export type SessionSort = "id" | "start_time" | "end_time";

export interface SessionRows {
  /** Null lists those of every project. */
  readonly projectId: number | null;
  readonly filter: Settled<Filter> | null;
  readonly sort: SessionSort;
  readonly order: Order;
  readonly from: Keyset | null;
  readonly limit: number;
}

export type SessionRow = Omit<Session, "traces">;

/** How a session is identified: by row id or by the sender's id. */
export type SessionKey = { readonly id: number } | { readonly sessionKey: string };

const columns = [
  "id",
  "session_key as sessionKey",
  "project_id as projectId",
  "start_us as startUs",
  "end_us as endUs",
  "prompt_tokens as promptTokens",
  "completion_tokens as completionTokens",
] as const;

const sortColumns = { start_time: "start_us", end_time: "end_us" } as const;

export type SessionsStore = ReturnType<typeof createSessionsStore>;

export function createSessionsStore(dialect: Dialect) {
  return {
    async list(context: CallContext, rows: SessionRows): Promise<SessionRow[]> {
      // Across projects no index has the order of time: all sessions are sorted.
      const readClass = rows.filter !== null || (rows.projectId === null && rows.sort !== "id") ? "slow" : "short";
      let query = context.database.read(context, readClass).selectFrom("sessions").select(columns).limit(rows.limit);
      if (rows.filter !== null) query = query.where(rows.filter.condition(dialect, "sessions"));
      const sorted = rows.sort === "id" ? byArrival(query, rows) : byTime(query, rows, sortColumns[rows.sort]);
      return sorted.orderBy("id", rows.order).execute();
    },

    async find(context: CallContext, key: SessionKey): Promise<SessionRow | null> {
      const query = context.database.read(context, "short").selectFrom("sessions").select(columns);
      const one = "id" in key ? query.where("id", "=", key.id) : query.where("session_key", "=", key.sessionKey);
      return (await one.executeTakeFirst()) ?? null;
    },

    /** The traces of sessions by the row id of their session, each list by start time. */
    async listTraces(context: CallContext, sessionIds: readonly number[]): Promise<Map<number, SessionTrace[]>> {
      const traces = new Map<number, SessionTrace[]>(sessionIds.map((id) => [id, []]));
      if (sessionIds.length === 0) return traces;
      const rows = await context.database
        .read(context, "short")
        .selectFrom("traces")
        .select(["id", "trace_key as traceKey", "start_us as startUs", "end_us as endUs", "session_id as sessionId"])
        .where(dialect.inList(sql.ref("session_id"), sessionIds))
        .where("span_count", ">", 0)
        .orderBy("session_id")
        .orderBy("start_us")
        .orderBy("id")
        .execute();
      for (const { sessionId, ...trace } of rows) traces.get(sessionId!)?.push(trace);
      return traces;
    },
  };
}

type SessionQuery = SelectQueryBuilder<Tables, "sessions", SessionRow>;

function byArrival(query: SessionQuery, { projectId, order, from }: SessionRows): SessionQuery {
  const begin = from?.rowId ?? null;
  if (projectId !== null) {
    const bounds = order === "desc" ? { lowest: null, highest: begin } : { lowest: begin, highest: null };
    return query.where(arrivedIn("sessions", projectId, bounds)).orderBy("project_id", order);
  }
  return begin === null ? query : query.where("id", order === "desc" ? "<=" : ">=", begin);
}

function byTime(
  query: SessionQuery,
  { projectId, order, from }: SessionRows,
  column: "start_us" | "end_us",
): SessionQuery {
  const along = order === "desc" ? "<=" : ">=";
  let sorted = query.orderBy(column, order);
  if (projectId !== null) sorted = sorted.where("project_id", "=", projectId);
  if (from === null) return sorted;
  return sorted
    .where(column, along, from.value)
    .where((eb) => eb.or([eb(column, "<>", from.value), eb("id", along, from.rowId)]));
}

// Pages of the sessions of a project, or of all projects.
import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { Filter } from "../../../filter/filter.ts";
import type { Settled } from "../../../filter/settled.ts";
import type { PlacedPage, SortedRequest } from "../../../kernel/list.ts";
import { type AnnotationOrderRequest, listByAnnotation } from "../../../storage/annotation-order.ts";
import type { Dialect } from "../../../storage/dialect.ts";
import { arrivalOrder, inOrderOf, type ListOrder, projectArrival, readPage } from "../../../storage/list.ts";
import { isUnbounded, type Range } from "../../../storage/period.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { Tables } from "../../../storage/tables.ts";
import type { SessionSort } from "./session-list.rules.ts";
import type { SessionRecord } from "./sessions.schema.ts";

export interface SessionListScope {
  /** Null lists those of every project. */
  readonly projectId: number | null;
  /** Active at any time within it. */
  readonly range: Range;
  readonly filter: Settled<Filter> | null;
}

/** Of `sessions`: a SessionRecord. */
export const sessionColumns = [
  "sessions.id",
  "sessions.session_key as sessionKey",
  "sessions.project_id as projectId",
  "sessions.start_us as startUs",
  "sessions.end_us as endUs",
  "sessions.prompt_tokens as promptTokens",
  "sessions.completion_tokens as completionTokens",
  "sessions.trace_count as traceCount",
  "sessions.error_trace_count as errorTraceCount",
] as const;

const sortValues: Readonly<Record<Exclude<SessionSort, "arrival">, RawBuilder<number>>> = {
  startTime: sql.ref("sessions.start_us"),
  endTime: sql.ref("sessions.end_us"),
  tokenCountTotal: sql`(sessions.prompt_tokens + sessions.completion_tokens)`,
  numTraces: sql.ref("sessions.trace_count"),
  costTotal: sql.ref("sessions.cost"),
};

/** Active at any time within the range. */
export function activeIn<Row>(
  query: SelectQueryBuilder<Tables, "sessions", Row>,
  { startUs, endUs }: Range,
): SelectQueryBuilder<Tables, "sessions", Row> {
  let narrowed = query;
  if (startUs !== null) narrowed = narrowed.where("end_us", ">=", startUs);
  if (endUs !== null) narrowed = narrowed.where("start_us", "<", endUs);
  return narrowed;
}

export type SessionListStore = ReturnType<typeof createSessionListStore>;

export function createSessionListStore(dialect: Dialect) {
  return {
    async list(
      context: CallContext,
      { projectId, range, filter }: SessionListScope,
      request: SortedRequest<SessionSort>,
    ): Promise<PlacedPage<SessionRecord>> {
      const { sort, order } = request;
      // Across projects no index has the order of time: all sessions are sorted.
      const isSlow = filter !== null || !isUnbounded(range) || (projectId === null && sort !== "arrival");
      let query = context.database
        .read(context, isSlow ? "slow" : "short")
        .selectFrom("sessions")
        .select(sessionColumns);
      if (projectId !== null && sort !== "arrival") query = query.where("project_id", "=", projectId);
      if (filter !== null) query = query.where(filter.condition(dialect, "sessions"));
      return readPage(activeIn(query, range), orderOf(projectId, sort, order), request);
    },

    /** In the order of an annotation of the sessions. */
    async listByAnnotation(
      context: CallContext,
      { projectId, range, filter }: SessionListScope,
      request: AnnotationOrderRequest,
    ): Promise<PlacedPage<SessionRecord>> {
      const database = context.database.read(context, "slow");
      const page = await listByAnnotation(context, "session", request, (id) => {
        let session = database.selectFrom("sessions").select(sql.lit(1).as("one")).where("sessions.id", "=", id);
        if (projectId !== null)
          session = session.where(dialect.withoutIndex(sql.ref<number>("project_id")), "=", projectId);
        if (filter !== null) session = session.where(filter.condition(dialect, "sessions"));
        return activeIn(session, range);
      });
      const byIds = dialect.inList(sql.ref("sessions.id"), page.items);
      const sessions = await database.selectFrom("sessions").select(sessionColumns).where(byIds).execute();
      return inOrderOf(page, sessions);
    },
  };
}

function orderOf(projectId: number | null, sort: SessionSort, direction: "asc" | "desc"): ListOrder {
  const rowId = sql.ref<number>("sessions.id");
  if (sort !== "arrival") return { value: sortValues[sort], rowId, direction, nullable: false };
  return projectId === null ? arrivalOrder(rowId, direction) : projectArrival("sessions", projectId, direction);
}

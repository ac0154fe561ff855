// Rows of spans for GraphQL, which follows links: pages of a project, pages of many traces at once, single rows, trees.
import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { Filter } from "../../filter/filter.ts";
import type { Settled, SumsOf } from "../../filter/settled.ts";
import { arrivedIn } from "../../storage/arrival-order.ts";
import type { Dialect } from "../../storage/dialect.ts";
import { behind, type SortOrder, type SortPlace, sortedBy } from "../../storage/paging.ts";
import type { CallContext, Database } from "../../storage/storage.ts";
import type { Tables } from "../../storage/tables.ts";
import { keySpanKinds } from "../traces/key-spans.rules.ts";
import { spanKinds, spanStatuses } from "../traces/span.schema.ts";
import { type CandidatesStore, createCandidatesStore, readCandidates } from "./blocks/candidates.store.ts";
import { epochsOf } from "./span-lookup.store.ts";
import { type Ranking, rankedPage } from "./span-ranking.store.ts";
import type { SpanRecord, SpanSums } from "./spans.schema.ts";

/** Which spans represent their traces: one a trace, the earliest without a parent. `orphans` also counts a span whose parent
 *  is not stored as one without a parent. */
export type RootScope = "none" | "strict" | "orphans";

/** Sums over child spans. */
const sumSorts = ["cumulativeTokenCountTotal", "cumulativeTokenCountPrompt", "cumulativeTokenCountCompletion"] as const;
export type SumSort = (typeof sumSorts)[number];
export const isSumSort = (sort: SpanSort): sort is SumSort => sumSorts.some((one) => one === sort);

/** `arrival` is the order of row ids. */
export type SpanSort =
  | "arrival"
  | "startTime"
  | "endTime"
  | "latencyMs"
  | "tokenCountTotal"
  | "tokenCountPrompt"
  | "tokenCountCompletion"
  | SumSort;

export interface SpanPageRows {
  readonly projectId: number;
  /** Microseconds; null is unbounded. */
  readonly startUs: number | null;
  readonly endUs: number | null;
  readonly roots: RootScope;
  /** Of spans, and of their traces; null narrows nothing. */
  readonly filter: Settled<Filter> | null;
  readonly traceFilter: Settled<Filter> | null;
  readonly sort: Exclude<SpanSort, SumSort> | Settled<SumSort>;
  readonly direction: "asc" | "desc";
  readonly after: SortPlace | null;
  readonly limit: number;
}

export interface TraceSpanRows {
  readonly roots: RootScope;
  readonly filter: Settled<Filter> | null;
  /** The row id before the page; null begins at the newest. */
  readonly beforeRowId: number | null;
  /** Rows of each trace. */
  readonly limit: number;
  /** Rows of all traces together. */
  readonly most: number;
}

const ERROR = spanStatuses.indexOf("ERROR");

const columns = [
  "spans.id",
  "spans.trace_id as traceId",
  "spans.project_id as projectId",
  "spans.span_key as spanKey",
  "spans.parent_key as parentKey",
  "spans.name",
  "spans.kind",
  "spans.status",
  "spans.status_message as statusMessage",
  "spans.start_us as startUs",
  "spans.latency_us as latencyUs",
  "spans.user_key as userKey",
  "spans.model",
  "spans.prompt_tokens as promptTokens",
  "spans.completion_tokens as completionTokens",
  "spans.input_head as inputHead",
  "spans.output_head as outputHead",
] as const;

/** A span with the value that its list is sorted by. */
export interface SortedSpan extends SpanRecord {
  readonly sortValue: number | null;
}

type Row = Omit<SpanRecord, "kind" | "status"> & { readonly kind: number; readonly status: number };

function recordOf(row: Row): SpanRecord {
  return { ...row, kind: spanKinds[row.kind]!, status: spanStatuses[row.status]! };
}

const sortValues: Readonly<Record<Exclude<SpanSort, "arrival">, RawBuilder<number | null>>> = {
  startTime: sql`spans.start_us`,
  endTime: sql`spans.start_us + spans.latency_us`,
  latencyMs: sql`spans.latency_us`,
  tokenCountTotal: sql`coalesce(spans.prompt_tokens, 0) + coalesce(spans.completion_tokens, 0)`,
  tokenCountPrompt: sql`spans.prompt_tokens`,
  tokenCountCompletion: sql`spans.completion_tokens`,
  cumulativeTokenCountTotal: sql`spans.sum_prompt + spans.sum_completion`,
  cumulativeTokenCountPrompt: sql`spans.sum_prompt`,
  cumulativeTokenCountCompletion: sql`spans.sum_completion`,
};
const NULLABLE: ReadonlySet<SpanSort> = new Set<SpanSort>(["tokenCountPrompt", "tokenCountCompletion"]);

/** Orders that an index of each epoch has. */
const rankings: Partial<Record<SpanSort, Ranking>> = {
  latencyMs: { value: sql`spans.latency_us`, positiveOnly: false },
  tokenCountTotal: {
    value: sql`(coalesce(spans.prompt_tokens, 0) + coalesce(spans.completion_tokens, 0))`,
    positiveOnly: true,
  },
  cumulativeTokenCountTotal: { value: sql`(spans.sum_prompt + spans.sum_completion)`, positiveOnly: true },
};
/** Spans next to the beginning of a ranked page that are held against conditions before all spans are sorted. */
const NEAR = 2000;

function isCandidate(span: "spans" | "root", roots: "strict" | "orphans"): RawBuilder<SqlBool> {
  const parentKey = sql.ref(`${span}.parent_key`);
  const strict = sql<SqlBool>`${parentKey} is null`;
  if (roots === "strict") return strict;
  const parent = sql`select 1 from spans as parent
    where parent.trace_id = ${sql.ref(`${span}.trace_id`)} and parent.span_key = ${parentKey}`;
  // A value, not `exists`: PostgreSQL would read every parent of the table first.
  return sql<SqlBool>`(${strict} or (${parent} limit 1) is null)`;
}

/** True for the span that represents its trace. */
function isRepresentative(roots: "strict" | "orphans"): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${isCandidate("spans", roots)} and spans.id = (
    select root.id from spans as root where root.trace_id = spans.trace_id and ${isCandidate("root", roots)}
    order by root.start_us, root.id desc limit 1))`;
}

export type SpanRowsStore = ReturnType<typeof createSpanRowsStore>;

export function createSpanRowsStore(dialect: Dialect, candidates: CandidatesStore = createCandidatesStore(dialect)) {
  const byIds = (ids: readonly number[]) => dialect.inList(sql.ref("spans.id"), ids);
  const inTraces = (ids: readonly number[]) => dialect.inList(sql.ref("spans.trace_id"), ids);

  /** What the page asks of a span besides its project and place. */
  function narrow<Selected>(query: SelectQueryBuilder<Tables, "spans", Selected>, rows: SpanPageRows) {
    const { roots, filter, traceFilter, startUs, endUs } = rows;
    let narrowed = query;
    if (roots !== "none") narrowed = narrowed.where(isRepresentative(roots));
    if (filter !== null) narrowed = narrowed.where(filter.condition(dialect, "spans"));
    if (traceFilter !== null) {
      narrowed = narrowed.where(sql<SqlBool>`spans.trace_id in (select traces.id from traces
        where traces.project_id = ${rows.projectId} and traces.span_count > 0
          and ${traceFilter.condition(dialect, "traces")})`);
    }
    if (startUs !== null) narrowed = narrowed.where("spans.start_us", ">=", startUs);
    if (endUs !== null) narrowed = narrowed.where("spans.start_us", "<", endUs);
    return narrowed;
  }

  /** Null when the spans next to the beginning of the page do not fill it: then all have to be sorted, in one statement. */
  async function listRanked(
    context: CallContext,
    rows: SpanPageRows,
    ranking: Ranking,
    plain: boolean,
  ): Promise<SortedSpan[] | null> {
    // Those without a value are found by looking at every span that has one.
    const database = context.database.read(context, plain && !ranking.positiveOnly ? "short" : "slow");
    const limit = plain ? rows.limit : Math.max(NEAR, rows.limit);
    let ranked = await rankedPage({ database, dialect, epochs: await epochsOf(context) }, ranking, { ...rows, limit });
    if (!plain) {
      const near = database
        .selectFrom("spans")
        .select("spans.id")
        .where(byIds(ranked.map(({ id }) => id)));
      const matching = new Set((await narrow(near, rows).execute()).map(({ id }) => id));
      if (ranked.length === limit && matching.size < rows.limit) return null;
      ranked = ranked.filter(({ id }) => matching.has(id)).slice(0, rows.limit);
    }
    const query = database
      .selectFrom("spans")
      .select(columns)
      .where(byIds(ranked.map(({ id }) => id)));
    const found = new Map((await query.execute()).map((row) => [row.id, recordOf(row)]));
    // One that was deleted meanwhile would make the page look like the last one.
    if (found.size < ranked.length) return null;
    return ranked.map(({ id, value }) => ({ ...found.get(id)!, sortValue: value }));
  }

  /** A page in its order. `isCandidate` narrows it to few spans, which are sorted without an index. */
  async function listSorted(
    database: Database,
    rows: SpanPageRows,
    isCandidate: RawBuilder<boolean> | null,
  ): Promise<SortedSpan[]> {
    const { direction, after, startUs, endUs } = rows;
    const sort: SpanSort = rows.sort;
    const inPeriod = startUs !== null || endUs !== null;
    const value = sort === "arrival" ? sql<number>`spans.id + 0` : sortValues[sort];
    let query: SelectQueryBuilder<Tables, "spans", Row & { sortValue: number | null }> = database
      .selectFrom("spans")
      .select(columns)
      .select(value.as("sortValue"))
      .limit(rows.limit);
    query = narrow(query, rows);
    if (sort === "arrival" && !inPeriod && isCandidate === null) {
      const next = after === null ? null : after.rowId + (direction === "asc" ? 1 : -1);
      const bounds = direction === "asc" ? { lowest: next, highest: null } : { lowest: null, highest: next };
      query = query
        .where(arrivedIn("spans", rows.projectId, bounds))
        .orderBy("spans.project_id", direction)
        .orderBy("spans.id", direction);
    } else {
      const project = sql.ref<number>("spans.project_id");
      query = query.where(isCandidate === null ? project : dialect.withoutIndex(project), "=", rows.projectId);
      if (isCandidate !== null) query = query.where(isCandidate);
      const order: SortOrder = {
        // An expression in a period: its spans are sorted, no index is walked to its end for them.
        value: isCandidate === null ? value : sql`(${value}) + 0`,
        rowId: isCandidate === null ? sql.ref<number>("spans.id") : sql`(spans.id + 0)`,
        direction,
        nullable: NULLABLE.has(sort),
      };
      if (after !== null) query = query.where(behind(order, after));
      query = query.orderBy(sortedBy(order));
    }
    return (await query.execute()).map((row) => ({ ...recordOf(row), sortValue: row.sortValue }));
  }

  /** Null when the filters of blocks do not help. */
  async function listCandidates(context: CallContext, rows: SpanPageRows): Promise<SortedSpan[] | null> {
    const { filter, sort, direction, after, limit } = rows;
    if (filter === null || filter.sought === null) return null;
    const ranges = await candidates.find(context, filter.sought, rows);
    if (ranges === null) return null;
    const by = sort === "arrival" ? "id" : sort === "startTime" ? "start" : "other";
    const from = after === null || by === "other" ? null : by === "id" ? after.rowId : after.value;
    const place = (span: SortedSpan) => ({ value: span.sortValue, id: span.id });
    const database = context.database.read(context, "slow");
    return readCandidates(dialect, ranges, { direction, by, limit, from, place }, (isCandidate) =>
      listSorted(database, rows, isCandidate),
    );
  }

  async function find(context: CallContext, ids: readonly number[]): Promise<SpanRecord[]> {
    const query = context.database.read(context, "short").selectFrom("spans").select(columns).where(byIds(ids));
    return (await query.execute()).map(recordOf);
  }

  /** The ids are chosen out of an index alone: a page of a trace of 10,000 spans takes a tenth of the time that numbering all of
   *  its rows takes. */
  async function listOfTrace(
    context: CallContext,
    traceId: number,
    rows: TraceSpanRows,
    readClass: "short" | "slow",
  ): Promise<SpanRecord[]> {
    const database = context.database.read(context, readClass);
    let page = database.selectFrom("spans").select("spans.id").where("spans.trace_id", "=", traceId);
    if (rows.roots !== "none") page = page.where(isRepresentative(rows.roots));
    if (rows.filter !== null) page = page.where(rows.filter.condition(dialect, "spans"));
    if (rows.beforeRowId !== null) page = page.where("spans.id", "<", rows.beforeRowId);
    // Not in the order of the table: it would be read from its newest row on until one belongs to the trace.
    const newest = sql`spans.id + 0`;
    const chosen = page.orderBy(newest, "desc").limit(Math.min(rows.limit, rows.most));
    const query = database.selectFrom("spans").select(columns).where("spans.id", "in", chosen).orderBy(newest, "desc");
    return (await query.execute()).map(recordOf);
  }

  return {
    async listOfProject(context: CallContext, rows: SpanPageRows): Promise<SortedSpan[]> {
      const { startUs, endUs } = rows;
      const sort: SpanSort = rows.sort;
      const inPeriod = startUs !== null || endUs !== null;
      const unfiltered = rows.roots === "none" && rows.filter === null && rows.traceFilter === null;
      const few = await listCandidates(context, rows);
      if (few !== null) return few;
      const ranking = rankings[sort];
      if (ranking !== undefined) {
        const ranked = await listRanked(context, rows, ranking, unfiltered && !inPeriod);
        if (ranked !== null) return ranked;
      }
      const short = unfiltered && (sort === "startTime" || (sort === "arrival" && !inPeriod));
      return listSorted(context.database.read(context, short ? "short" : "slow"), rows, null);
    },

    /** One page of each trace, newest first. */
    async listOfTraces(context: CallContext, traceIds: readonly number[], rows: TraceSpanRows): Promise<SpanRecord[]> {
      const readClass = rows.filter === null ? "short" : "slow";
      if (traceIds.length === 1) return listOfTrace(context, traceIds[0]!, rows, readClass);
      let numbered = context.database
        .read(context, readClass)
        .selectFrom("spans")
        .select(columns)
        .select(sql<number>`row_number() over (partition by spans.trace_id order by spans.id desc)`.as("position"))
        .where(inTraces(traceIds));
      if (rows.roots !== "none") numbered = numbered.where(isRepresentative(rows.roots));
      if (rows.filter !== null) numbered = numbered.where(rows.filter.condition(dialect, "spans"));
      if (rows.beforeRowId !== null) numbered = numbered.where("spans.id", "<", rows.beforeRowId);
      const found = await context.database
        .read(context, readClass)
        .selectFrom(numbered.as("numbered"))
        .selectAll()
        .where("position", "<=", rows.limit)
        .orderBy("traceId")
        .orderBy("id", "desc")
        .limit(rows.most)
        .execute();
      return found.map(({ position: _position, ...row }) => recordOf(row));
    },

    find,

    /** The strict root of each trace that has one. */
    async findRoots(context: CallContext, traceIds: readonly number[]): Promise<SpanRecord[]> {
      const query = context.database
        .read(context, "short")
        .selectFrom("spans")
        .select(columns)
        .where(inTraces(traceIds))
        .where(isRepresentative("strict"));
      return (await query.execute()).map(recordOf);
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

    /** How many children the spans have that the keys name, by row id of the parent. */
    async countChildren(context: CallContext, ids: readonly number[]): Promise<Map<number, number>> {
      // A value for each row: joined, PostgreSQL would read every span once the keys are many.
      const children = sql<number>`(select count(*) from spans as child
        where child.trace_id = spans.trace_id and child.parent_key = spans.span_key)`;
      const query = context.database
        .read(context, "short")
        .selectFrom("spans")
        .select(["spans.id", children.as("count")]);
      const rows = await query.where(byIds(ids)).execute();
      return new Map(rows.map((row) => [row.id, Number(row.count)]));
    },

    /** By session: its first or last root in the order of trace start, trace and span. */
    async findSessionEnds(
      context: CallContext,
      sessionIds: readonly number[],
      end: "first" | "last",
    ): Promise<(SpanRecord & { readonly sessionId: number })[]> {
      const way = sql.raw(end === "first" ? "asc" : "desc");
      // A value for each session, found at an end of its traces: one may have thousands.
      const root = sql<number | null>`(select root.id from traces join spans as root on root.trace_id = traces.id
        where traces.session_id = sessions.id and root.parent_key is null
        order by traces.start_us ${way}, traces.id ${way}, root.id ${way} limit 1)`;
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

    /** By start: the spans of each trace that matter, and how many it has. Beyond `most` of a trace, those that failed and the
     *  earliest. */
    async listKeySpans(
      context: CallContext,
      traceIds: readonly number[],
      most: number,
    ): Promise<(SpanRecord & { readonly stepCount: number })[]> {
      const kinds = keySpanKinds.map((kind) => spanKinds.indexOf(kind));
      const numbered = context.database
        .read(context, "short")
        .selectFrom("spans")
        .select(columns)
        .select([
          sql<number>`row_number() over (partition by spans.trace_id
            order by case when spans.status = ${sql.lit(ERROR)} then 0 else 1 end, spans.start_us, spans.id)`.as(
            "position",
          ),
          sql<number>`count(*) over (partition by spans.trace_id)`.as("stepCount"),
        ])
        .where(inTraces(traceIds))
        .where((eb) => eb.or([eb("spans.kind", "in", kinds), eb("spans.status", "=", ERROR)]));
      const found = await context.database
        .read(context, "short")
        .selectFrom(numbered.as("numbered"))
        .selectAll()
        .where("position", "<=", most)
        .orderBy("traceId")
        .orderBy("startUs")
        .orderBy("id")
        .execute();
      return found.map(({ position: _position, stepCount, ...row }) => ({
        ...recordOf(row),
        stepCount: Number(stepCount),
      }));
    },

    /** Every span of the traces by start time, at most `most` in all. */
    async listLinks(context: CallContext, traceIds: readonly number[], most: number) {
      return context.database
        .read(context, "slow")
        .selectFrom("spans")
        .select(["spans.id", "spans.trace_id as traceId", "spans.span_key as spanKey", "spans.parent_key as parentKey"])
        .where(inTraces(traceIds))
        .orderBy("spans.trace_id")
        .orderBy("spans.start_us")
        .orderBy("spans.id")
        .limit(most)
        .execute();
    },
  };
}

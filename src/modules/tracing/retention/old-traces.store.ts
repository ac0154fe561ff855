// Which traces of a project are old enough to go, and what they hold.
import { type ExpressionBuilder, type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { Dialect } from "../../../storage/dialect.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { Tables } from "../../../storage/tables.ts";
import type { RetentionCounts, RetentionRule } from "./retention.schema.ts";

/** The place of a trace in its project, by start and then row. */
export interface TracePlace {
  readonly startUs: number;
  readonly id: number;
}

/** Traces before the place, but for those whose senders say how long they live, where they are not `beyond` what a project may have; and
 *  those that have lived that long. */
type OldBy =
  | { readonly kind: "rule"; readonly before: TracePlace; readonly beyond: TracePlace | null }
  | { readonly kind: "lifetime"; readonly nowUs: number; readonly beyond: TracePlace | null };

/** But for those that the policy keeps. */
export interface OldTraces extends Pick<RetentionRule, "keepsAnnotated" | "keepsDatasetSources"> {
  readonly projectId: number;
  readonly by: OldBy;
}

interface OldTrace extends TracePlace {
  readonly traceKey: string;
  readonly spanCount: number;
}

type TraceCounts = Pick<RetentionCounts, "traces" | "spans">;

interface SizedTrace extends TracePlace {
  /** Of the payloads of its spans. */
  readonly bytes: number;
}

export type OldTracesStore = ReturnType<typeof createOldTracesStore>;

export function createOldTracesStore(dialect: Dialect) {
  /** Of the payloads of a span as they are stored. `has_large` counts large values, and is 1 in old rows. */
  const payloadBytes =
    dialect.name === "sqlite"
      ? sql<number>`coalesce(length(p.attributes), 0) + coalesce(length(p.events), 0) + coalesce(length(p.extra), 0)
          + case when p.has_large > 1 then p.has_large else 0 end`
      : sql<number>`coalesce(pg_column_size(p.attributes), 0) + coalesce(pg_column_size(p.events), 0)
          + coalesce(pg_column_size(p.extra), 0) + case when p.has_large > 1 then p.has_large else 0 end`;
  const bytesOfTrace = sql<number>`(select coalesce(sum(${payloadBytes}), 0) from spans s
    join span_payloads p on p.span_id = s.id where s.trace_id = traces.id)`;

  const ofProject = (context: CallContext, column: RawBuilder<number>, projectId: number) =>
    context.database
      .read(context, "slow")
      .selectFrom("traces")
      .where(column, "=", projectId)
      .where("traces.span_count", ">", 0);

  const chosen = (context: CallContext, projectId: number, by: OldBy) => {
    const isBeyond = (builder: ExpressionBuilder<Tables, "traces">) =>
      by.beyond === null ? sql<boolean>`1 = 0` : isBefore(builder, by.beyond);
    if (by.kind === "rule") {
      return ofProject(context, project, projectId)
        .where((builder) => isBefore(builder, by.before))
        .where((builder) => builder.or([sql<boolean>`not ${hasLifetime}`, isBeyond(builder)]));
    }
    // Few traces have one: these are looked up, not all of the project.
    return ofProject(context, dialect.withoutIndex(sql.ref<number>("traces.project_id")), projectId)
      .where(sql<boolean>`traces.id in (select trace_id from trace_lifetimes)`)
      .where(sql<boolean>`traces.start_us + ${lifetimeUs} <= ${by.nowUs}`)
      .where((builder) => builder.not(isBeyond(builder)));
  };

  const old = (context: CallContext, { projectId, keepsAnnotated, keepsDatasetSources, by }: OldTraces) => {
    let query = chosen(context, projectId, by);
    if (keepsAnnotated) query = withoutAnnotated(query);
    if (keepsDatasetSources) query = withoutSources(query);
    return query;
  };

  return {
    /** The oldest of the newest so many traces; null where there are not more. */
    async findOldestKept(context: CallContext, projectId: number, count: number): Promise<TracePlace | null> {
      const rows = await ofProject(context, project, projectId)
        .select(["traces.start_us as startUs", "traces.id"])
        .orderBy("traces.start_us", "desc")
        .orderBy("traces.id", "desc")
        .limit(2)
        .offset(count - 1)
        .execute();
      return rows.length === 2 ? rows[0]! : null;
    },

    /** Traces before the place (null for all), the newest first. */
    async listSizes(
      context: CallContext,
      projectId: number,
      before: TracePlace | null,
      limit: number,
    ): Promise<SizedTrace[]> {
      let query = ofProject(context, project, projectId);
      if (before !== null) query = query.where((builder) => isBefore(builder, before));
      const rows = await query
        .select(["traces.start_us as startUs", "traces.id", bytesOfTrace.as("bytes")])
        .orderBy("traces.start_us", "desc")
        .orderBy("traces.id", "desc")
        .limit(limit)
        .execute();
      return rows.map((row) => ({ ...row, bytes: Number(row.bytes) }));
    },

    /** The oldest first, after the place (null for the beginning). */
    async list(context: CallContext, traces: OldTraces, after: TracePlace | null, limit: number): Promise<OldTrace[]> {
      let query = old(context, traces);
      if (after !== null) {
        query = query
          .where("traces.start_us", ">=", after.startUs)
          .where(({ or, eb }) => or([eb("traces.start_us", ">", after.startUs), eb("traces.id", ">", after.id)]));
      }
      return query
        .select(["traces.id", "trace_key as traceKey", "span_count as spanCount", "traces.start_us as startUs"])
        .orderBy("traces.start_us")
        .orderBy("traces.id")
        .limit(limit)
        .execute();
    },

    /** Of any so many of them; no payload is read. */
    async count(context: CallContext, traces: OldTraces, limit: number): Promise<TraceCounts> {
      const row = await context.database
        .read(context, "slow")
        .selectFrom(old(context, traces).select("traces.span_count as spans").limit(limit).as("found"))
        .select((eb) => [eb.fn.countAll<number>().as("traces"), sql<number>`coalesce(sum(found.spans), 0)`.as("spans")])
        .executeTakeFirstOrThrow();
      return { traces: Number(row.traces), spans: Number(row.spans) };
    },

    async countAll(context: CallContext, projectId: number): Promise<number> {
      const row = await ofProject(context, project, projectId)
        .select((eb) => eb.fn.countAll<number>().as("traces"))
        .executeTakeFirstOrThrow();
      return Number(row.traces);
    },

    /** Of those traces that are there. */
    async measure(context: CallContext, ids: readonly number[]): Promise<RetentionCounts> {
      const row = await context.database
        .read(context, "slow")
        .selectFrom("traces")
        .select((eb) => [
          eb.fn.countAll<number>().as("traces"),
          sql<number>`coalesce(sum(traces.span_count), 0)`.as("spans"),
          sql<number>`coalesce(sum(${bytesOfTrace}), 0)`.as("bytes"),
        ])
        .where(dialect.inList(sql.ref("traces.id"), ids))
        .executeTakeFirstOrThrow();
      return { traces: Number(row.traces), spans: Number(row.spans), bytes: Number(row.bytes) };
    },
  };
}

const project = sql.ref<number>("traces.project_id");
const hasLifetime = sql<boolean>`exists (select 1 from trace_lifetimes as named where named.trace_id = traces.id)`;
const lifetimeUs = sql<number>`(select named.lifetime_us from trace_lifetimes as named
  where named.trace_id = traces.id)`;

type TraceQuery<Row> = SelectQueryBuilder<Tables, "traces", Row>;

function isBefore({ and, or, eb }: ExpressionBuilder<Tables, "traces">, { startUs, id }: TracePlace) {
  return and([
    eb("traces.start_us", "<=", startUs),
    or([eb("traces.start_us", "<", startUs), eb("traces.id", "<", id)]),
  ]);
}

const HUMAN = "HUMAN";

/** The trace, one of its spans or documents, or its session has an annotation by a person. */
function withoutAnnotated<Row>(query: TraceQuery<Row>): TraceQuery<Row> {
  return query
    .where(sql<boolean>`not exists (select 1 from trace_annotations a
      where a.trace_id = traces.id and a.annotator_kind = ${HUMAN})`)
    .where(sql<boolean>`not exists (select 1 from spans s join span_annotations a on a.span_id = s.id
      where s.trace_id = traces.id and a.annotator_kind = ${HUMAN})`)
    .where(sql<boolean>`not exists (select 1 from spans s join document_annotations a on a.span_id = s.id
      where s.trace_id = traces.id and a.annotator_kind = ${HUMAN})`)
    .where(sql<boolean>`not exists (select 1 from session_annotations a
      where a.session_id = traces.session_id and a.annotator_kind = ${HUMAN})`);
}

function withoutSources<Row>(query: TraceQuery<Row>): TraceQuery<Row> {
  return query.where(sql<boolean>`not exists (select 1 from spans s join dataset_example_spans e on e.span_id = s.id
    where s.trace_id = traces.id)`);
}

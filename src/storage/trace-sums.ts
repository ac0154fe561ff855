// The sums in the rows of traces and sessions, by the lists of model/summaries/rollups: how they are read and written. Ingestion writes them with
// statements of its own for each database, made of the same parts.
import { sql } from "kysely";
import { integerToJson, type RawNumber } from "../kernel/json.ts";
import {
  countsBy,
  subtractTotals,
  type TraceCount,
  type TraceTotals,
  traceCounts,
} from "../model/summaries/rollups/rollup-totals.ts";
import { type SessionDifference, sessionCounts } from "../model/summaries/rollups/session-rollup.ts";
import type { CallContext, Storage } from "./storage.ts";

/** Column by column: the counts, and the cost. */
type Sums<Name extends string> = readonly { readonly name: Name | "cost"; readonly column: string }[];

export const traceSums = sumsOf(traceCounts);
export const sessionSums = sumsOf(sessionCounts);

function sumsOf<Name extends string>(counts: Readonly<Record<Name, { readonly column: string }>>): Sums<Name> {
  const names = Object.keys(counts) as Name[];
  return [...names.map((name) => ({ name, column: counts[name].column })), { name: "cost", column: "cost" }];
}

/** `span_count = t.span_count + <added>, …`: the assignments that add to every sum of a row. */
export function additions(sums: Sums<string>, table: string, added: (column: string) => string): string {
  return sums.map(({ column }) => `${column} = ${table}.${column} + ${added(column)}`).join(", ");
}

/** The sums of `traces` under an alias, for a row that `totalsOfRow` reads; the cost as text, because a number would lose digits. */
export function selectedSums(table: string): string {
  const counts = Object.values(traceCounts).map(({ column }) => `${table}.${column}`);
  return [...counts, `cast(${table}.cost as text) as cost`].join(", ");
}

type CountColumn = (typeof traceCounts)[TraceCount]["column"];

/** Bounds and sums of a trace as they are selected. */
export interface TotalsRow extends Readonly<Record<CountColumn, number>> {
  readonly start_us: number;
  readonly end_us: number;
  readonly cost: string;
}

export function totalsOfRow(row: TotalsRow): TraceTotals {
  return {
    ...countsBy((name) => row[traceCounts[name].column]),
    cost: BigInt(row.cost),
    startUs: row.start_us,
    endUs: row.end_us,
  };
}

/** A trace under its lock. */
export interface SummedTrace {
  readonly id: number;
  readonly traceKey: string;
  readonly projectId: number;
  readonly sessionId: number | null;
  readonly hasCycle: boolean;
  readonly totals: TraceTotals;
}

interface SummedRow extends TotalsRow {
  readonly id: number;
  readonly trace_key: string;
  readonly project_id: number;
  readonly session_id: number | null;
  readonly has_cycle: number;
}

/** What is added to a row; sums that are not named stay. */
type Addition<Name extends string> = { readonly id: number } & Partial<
  Readonly<Record<Name | "cost", number | bigint>>
>;

function changesAny<Name extends string>(sums: Sums<Name>) {
  return (row: Addition<Name>) => sums.some(({ name }) => row[name]);
}

export type TraceSumsStore = ReturnType<typeof createTraceSumsStore>;

export function createTraceSumsStore({ dialect, lockSessions }: Pick<Storage, "dialect" | "lockSessions">) {
  async function add<Name extends string>(
    context: CallContext,
    table: "traces" | "sessions",
    sums: Sums<Name>,
    rows: readonly Addition<Name>[],
  ): Promise<void> {
    const changed = sums.filter(({ name }) => rows.some((row) => row[name]));
    // Of 64 bits: a number or a raw number, never text.
    const values = rows.map((row) => [
      row.id,
      ...changed.map(({ name }) => integerToJson(row[name] ?? 0) as number | RawNumber),
    ]);
    const columns = ["id", ...changed.map(({ column }) => column)];
    await sql`update ${sql.table(table)} set ${sql.raw(additions(changed, table, (column) => `d.${column}`))}
      from ${dialect.integerRows(columns, values)} as d where ${sql.ref(`${table}.id`)} = d.id`.execute(
      context.database.write(context),
    );
  }

  /** Locks the sessions in the order of their ids: the last step of a transaction. */
  async function addToSessions(
    context: CallContext,
    rows: readonly Addition<keyof typeof sessionCounts>[],
  ): Promise<void> {
    const changing = rows.filter(changesAny(sessionSums));
    const ids = changing.map(({ id }) => id).sort((one, other) => one - other);
    if (ids.length === 0) return;
    await lockSessions(context, ids);
    await add(context, "sessions", sessionSums, changing);
  }

  async function addToTraces(context: CallContext, rows: readonly Addition<TraceCount>[]): Promise<void> {
    const changing = rows.filter(changesAny(traceSums));
    if (changing.length > 0) await add(context, "traces", traceSums, changing);
  }

  return {
    /** Those of the traces that there are. */
    async readTraces(context: CallContext, ids: readonly number[]): Promise<SummedTrace[]> {
      const { rows } =
        await sql<SummedRow>`select t.id, t.trace_key, t.project_id, t.session_id, t.has_cycle, t.start_us, t.end_us,
        ${sql.raw(selectedSums("t"))} from traces t where ${dialect.inList(sql.ref("t.id"), ids)}`.execute(
          context.database.write(context),
        );
      return rows.map((row) => ({
        id: row.id,
        traceKey: row.trace_key,
        projectId: row.project_id,
        sessionId: row.session_id,
        hasCycle: row.has_cycle !== 0,
        totals: totalsOfRow(row),
      }));
    },

    /** Adds to traces, which must be locked. */
    addToTraces,

    /** The sums of a trace become those of `totals`; its bounds stay. It must be locked. */
    changeTrace: (
      context: CallContext,
      { id, totals: before }: Pick<SummedTrace, "id" | "totals">,
      totals: TraceTotals,
    ) => addToTraces(context, [{ id, ...subtractTotals(totals, before) }]),

    addToSessions,

    changeSessions: (context: CallContext, differences: readonly SessionDifference[]) =>
      addToSessions(
        context,
        differences.map(({ sessionId: id, ...added }) => ({ id, ...added })),
      ),

    /** Widens the bounds of sessions, which must be locked. */
    async widenSessions(context: CallContext, differences: readonly SessionDifference[]): Promise<void> {
      const bounds = differences.map(({ sessionId, startUs, endUs }) => [sessionId, startUs, endUs]);
      if (bounds.length === 0) return;
      await sql`update sessions set
          start_us = case when d.start_us < sessions.start_us then d.start_us else sessions.start_us end,
          end_us = case when d.end_us > sessions.end_us then d.end_us else sessions.end_us end
        from ${dialect.integerRows(["id", "start_us", "end_us"], bounds)} as d where sessions.id = d.id`.execute(
        context.database.write(context),
      );
    },

    /** The span sums of the trace are recomputed before they are next read. */
    async markPending(context: CallContext, traceId: number): Promise<void> {
      await context.database
        .write(context)
        .insertInto("pending_rollups")
        .values({ trace_id: traceId })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
  };
}

// What statistics of projects are narrowed by: a range of time and conditions, on spans, on their traces, on sessions.
import { sql } from "kysely";
import type { Dialect } from "../storage/dialect.ts";
import { isUnbounded, type Range } from "../storage/period.ts";
import { mayRepresent, representativeOf } from "../storage/root-spans.ts";
import { type Filter, parseSessionFilter, parseSpanFilter } from "./filter.ts";
import type { Settled } from "./settled.ts";
import type { Sql } from "./sql-differences.ts";

/** Conditions as texts, so that scopes can be compared; null and blank ones narrow nothing. */
export interface StatisticScope extends Range {
  readonly spanCondition: string | null;
  readonly sessionCondition: string | null;
  /** Row ids of spans, those that a search found; absent narrows nothing. */
  readonly spanIds?: readonly number[];
}

interface TracesOfList {
  /** Row ids, those that a search found; null narrows nothing. */
  readonly traceIds: readonly number[] | null;
  /** Of the language of traces. */
  readonly filter: Settled<Filter> | null;
}

/** A range of time, without conditions. */
export function isPlain(scope: StatisticScope): boolean {
  return !scope.spanCondition?.trim() && !scope.sessionCondition?.trim() && scope.spanIds === undefined;
}

export function isWhole(scope: StatisticScope): boolean {
  return isUnbounded(scope) && isPlain(scope);
}

/** A scope without conditions: no sums are read. */
export function scopeOfRange({ startUs, endUs }: Range): Settled<StatisticScope> {
  return { startUs, endUs, spanCondition: null, sessionCondition: null } as Settled<StatisticScope>;
}

/** True when sums over child spans are read, so that waiting traces must be settled before. */
export function readsRollups({ spanCondition, sessionCondition }: StatisticScope): boolean {
  return parseSpanFilter(spanCondition ?? "").readsRollups || parseSessionFilter(sessionCondition ?? "").readsRollups;
}

/** True when groups of failures are read, which must be settled before. */
export function readsFailures({ spanCondition, sessionCondition }: StatisticScope): boolean {
  return parseSpanFilter(spanCondition ?? "").readsFailures || parseSessionFilter(sessionCondition ?? "").readsFailures;
}

function startsIn(table: "spans" | "traces", { startUs, endUs }: Range): Sql<boolean>[] {
  const start = sql.ref(`${table}.start_us`);
  return [
    ...(startUs === null ? [] : [sql<boolean>`${start} >= ${startUs}`]),
    ...(endUs === null ? [] : [sql<boolean>`${start} < ${endUs}`]),
  ];
}

function amongSpans(dialect: Dialect, { spanIds }: StatisticScope): Sql<boolean>[] {
  return spanIds === undefined ? [] : [dialect.inList(sql.ref("spans.id"), spanIds)];
}

function allOf(conditions: readonly Sql<boolean>[]): Sql<boolean> {
  return conditions.length === 0 ? sql<boolean>`1 = 1` : sql<boolean>`(${sql.join(conditions, sql` and `)})`;
}

/** What narrows the spans of a scope before they are looked at: null members narrow nothing. Throws `filter.invalid`, here and
 *  below. */
export function narrowingOf({ spanCondition }: StatisticScope): Pick<Filter, "required" | "annotated"> {
  return parseSpanFilter(spanCondition ?? "");
}

/** Of `spans`. `isCandidate`: true for every span that may match the condition on spans, null for all. */
export function spansInScope(
  dialect: Dialect,
  scope: Settled<StatisticScope>,
  isCandidate: Sql<boolean> | null = null,
): Sql<boolean> {
  const filter = settledWith(scope, parseSpanFilter(scope.spanCondition ?? ""));
  const inSessions = sql<boolean>`spans.trace_id in (
    select traces.id from traces where traces.session_id in (${sessionsMatching(dialect, scope)}))`;
  return allOf([
    ...(isCandidate === null ? [] : [isCandidate]),
    ...startsIn("spans", scope),
    ...amongSpans(dialect, scope),
    ...(filter.matchesAll ? [] : [filter.condition(dialect, "spans")]),
    ...(scope.sessionCondition?.trim() ? [inSessions] : []),
  ]);
}

/** Of `traces`: those that start in the range, hold a span that matches, and belong to a session that matches. */
export function tracesInScope(
  dialect: Dialect,
  scope: Settled<StatisticScope>,
  isCandidate: Sql<boolean> | null = null,
): Sql<boolean> {
  const filter = settledWith(scope, parseSpanFilter(scope.spanCondition ?? ""));
  const matches = allOf([filter.condition(dialect, "spans"), ...amongSpans(dialect, scope)]);
  const withSpans =
    isCandidate === null
      ? sql<boolean>`exists (select 1 from spans where spans.trace_id = traces.id and ${matches})`
      : sql<boolean>`traces.id in (select spans.trace_id from spans where ${isCandidate} and ${matches})`;
  const inSessions = sql<boolean>`traces.session_id in (${sessionsMatching(dialect, scope)})`;
  return allOf([
    ...startsIn("traces", scope),
    ...(filter.matchesAll && scope.spanIds === undefined ? [] : [withSpans]),
    ...(scope.sessionCondition?.trim() ? [inSessions] : []),
  ]);
}

/** Of `traces`: those that a list of traces goes through. */
export function tracesInList(
  dialect: Dialect,
  { startUs, endUs, traceIds, filter }: Range & TracesOfList,
): Sql<boolean> {
  return allOf([
    // A row without spans is not yet a trace.
    sql<boolean>`traces.span_count > 0`,
    ...startsIn("traces", { startUs, endUs }),
    ...(traceIds === null ? [] : [dialect.inList(sql.ref("traces.id"), traceIds)]),
    ...(filter === null ? [] : [filter.condition(dialect, "traces")]),
  ]);
}

/** Of `spans`: those that represent a trace that matches. */
export function rootsOfTraces(matches: Sql<boolean>): Sql<boolean> {
  // A case, so that the root of a trace is looked for only at spans that may be it.
  return sql<boolean>`(case when ${mayRepresent("spans", "orphans")}
    then exists (select 1 from traces where traces.id = spans.trace_id and ${matches})
      and spans.id = ${representativeOf(sql.ref<number>("spans.trace_id"), "orphans")} else false end)`;
}

/** Of `sessions`: those that were active in the range and match. */
export function sessionsInScope(dialect: Dialect, scope: Settled<StatisticScope>): Sql<boolean> {
  const filter = settledWith(scope, parseSessionFilter(scope.sessionCondition ?? ""));
  return allOf([
    ...(scope.endUs === null ? [] : [sql<boolean>`sessions.start_us < ${scope.endUs}`]),
    ...(scope.startUs === null ? [] : [sql<boolean>`sessions.end_us >= ${scope.startUs}`]),
    ...(filter.matchesAll ? [] : [filter.condition(dialect, "sessions")]),
  ]);
}

function sessionsMatching(dialect: Dialect, scope: Settled<StatisticScope>): Sql<number> {
  const filter = settledWith(scope, parseSessionFilter(scope.sessionCondition ?? ""));
  return sql<number>`select sessions.id from sessions where ${filter.condition(dialect, "sessions")}`;
}

/** The conditions of a scope are settled with it. */
function settledWith<Language extends Filter>(_scope: Settled<StatisticScope>, filter: Language): Settled<Language> {
  return filter as Settled<Language>;
}

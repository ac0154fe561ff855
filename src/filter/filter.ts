// The filter languages for everyone else: a text becomes a condition that a query takes, or a refusal.
import { sql } from "kysely";
import { allRequired, type RequiredValues } from "../model/summaries/blocks/required-values.ts";
import type { Dialect } from "../storage/dialect.ts";
import { analyse, type LanguageGrain } from "./analyse.ts";
import { annotatedRows } from "./annotated-rows.ts";
import { compileCondition } from "./compile.ts";
import { rowsOfErrorGroups } from "./place-sql.ts";
import { postgresDifferences } from "./postgres-sql.ts";
import { refuse } from "./refusal.ts";
import { requiredAnnotations } from "./required-annotations.ts";
import { requiredErrorGroups } from "./required-error-groups.ts";
import { requiredBy } from "./required-values.ts";
import { rootScopeOf } from "./root-scope.ts";
import type { Settled } from "./settled.ts";
import type { Sql, SqlDifferences } from "./sql-differences.ts";
import { sqliteDifferences } from "./sqlite-sql.ts";
import type { Condition } from "./tree.ts";
import { annotationsIn, walkCondition } from "./tree-walk.ts";

export interface Filter {
  /** True for the rows that match, false or null for all others. `alias`: the table of the rows in the query that takes it
   *  (`spans`, `traces` or `sessions`, or another name for it). */
  condition(this: Settled<Filter>, dialect: Dialect, alias: string): Sql<boolean>;
  /** An empty text: every row matches. */
  readonly matchesAll: boolean;
  /** Attributes are read, so that a row costs a look into its payload. */
  readonly readsPayloads: boolean;
  /** Sums over child spans are read: traces that wait for theirs must be settled before (`rollups.settledFilter`). */
  readonly readsRollups: boolean;
  /** Groups of failures are read, which must be settled before in the same way. */
  readonly readsFailures: boolean;
  /** Of a condition on spans, what the filters of blocks can tell of it; null when nothing. */
  readonly required: RequiredValues | null;
  /** The rows among which every match is, by the annotations or the group of failures that it must have: a query of their row ids as `id`, perhaps more than
   *  once. Null when a match may have none. */
  readonly annotated: ((dialect: Dialect) => Sql<number>) | null;
}

export interface SpanFilter extends Filter {
  /** With `payloads`, the name under which the query joins `span_payloads`, attributes are read from there. */
  condition(this: Settled<Filter>, dialect: Dialect, alias: string, payloads?: string): Sql<boolean>;
  /** Every match is a root, or a span whose parent is not stored. */
  readonly selectsRootSpansOnly: boolean;
}

/** Runs have no sums over child spans, so that nothing is settled before. */
export interface RunFilter {
  /** True for the runs that match, false or null for all others. */
  condition(dialect: Dialect, alias: string): Sql<boolean>;
  readonly matchesAll: boolean;
}

/** A condition of the span language. An empty or blank text matches every span. Throws `filter.invalid`. */
export function parseSpanFilter(text: string): SpanFilter {
  const condition = analyse("span", text);
  return {
    ...filterOf("span", condition),
    selectsRootSpansOnly: condition !== null && rootScopeOf(condition) !== null,
  };
}

/** A condition of the trace language. An empty or blank text matches every trace. Throws `filter.invalid`. */
export function parseTraceFilter(text: string): Filter {
  return filterOf("trace", analyse("trace", text));
}

/** A condition of the session language. An empty or blank text matches every session. Throws `filter.invalid`. */
export function parseSessionFilter(text: string): Filter {
  return filterOf("session", analyse("session", text));
}

/** A condition of the language of runs of experiments, on rows of `experiment_runs`. An empty or blank text matches every run. Throws
 *  `filter.invalid`. */
export function parseRunFilter(text: string): RunFilter {
  const filter = filterOf("run", analyse("run", text));
  return { matchesAll: filter.matchesAll, condition: (dialect, alias) => filter.condition(dialect, alias) };
}

/** The names of the evaluations that a condition on runs reads. Throws `filter.invalid`. */
export function evaluationsRead(text: string): string[] {
  const condition = analyse("run", text);
  return condition === null ? [] : annotationsIn(condition).map(({ name }) => name);
}

/** The condition of a request: an absent or empty text narrows nothing; clients expect that a blank one is refused. Throws
 *  `filter.invalid`. */
export function requestedFilter<Parsed extends RunFilter | Filter>(
  text: string | undefined,
  parse: (text: string) => Parsed,
): Parsed | null {
  if (text === undefined || text === "") return null;
  if (text.trim() === "") throw refuse("invalid syntax: the condition is blank");
  return parse(text);
}

/** True for the rows that both match. */
export function allOf(first: Filter, second: Filter): Filter {
  // Compiled only when the filter of both is settled.
  const compile = (filter: Filter, dialect: Dialect, alias: string) =>
    (filter as Settled<Filter>).condition(dialect, alias);
  return {
    condition: (dialect, alias) =>
      sql<boolean>`(${compile(first, dialect, alias)} and ${compile(second, dialect, alias)})`,
    matchesAll: first.matchesAll && second.matchesAll,
    readsPayloads: first.readsPayloads || second.readsPayloads,
    readsRollups: first.readsRollups || second.readsRollups,
    readsFailures: first.readsFailures || second.readsFailures,
    required: allRequired([first.required, second.required]),
    annotated: first.annotated ?? second.annotated,
  };
}

const differences: Readonly<Record<Dialect["name"], SqlDifferences>> = {
  sqlite: sqliteDifferences,
  postgres: postgresDifferences,
};

/** What this database says differently in a condition. */
export function differencesOf(dialect: Dialect): SqlDifferences {
  return differences[dialect.name];
}

function filterOf(grain: LanguageGrain, condition: Condition | null) {
  const annotations = condition === null ? null : requiredAnnotations(condition);
  const groups = condition === null ? null : requiredErrorGroups(condition);
  return {
    condition: (dialect: Dialect, alias: string, payloads?: string): Sql<boolean> =>
      condition === null
        ? sql<boolean>`true`
        : compileCondition(condition, { grain, alias, payloads: payloads ?? null }, differencesOf(dialect)),
    matchesAll: condition === null,
    required: grain === "span" && condition !== null ? requiredBy(condition) : null,
    annotated:
      groups !== null
        ? (dialect: Dialect) => rowsOfErrorGroups(differencesOf(dialect), groups.of, groups.keys)
        : annotations !== null
          ? (dialect: Dialect) => annotatedRows(annotations, grain, differencesOf(dialect))
          : null,
    ...readsOf(condition),
  };
}

function readsOf(condition: Condition | null): Pick<Filter, "readsPayloads" | "readsRollups" | "readsFailures"> {
  let [readsPayloads, readsRollups, readsFailures] = [false, false, false];
  if (condition !== null)
    walkCondition(condition, {
      condition: ({ kind }) => {
        if (kind === "any root contains") readsPayloads = true;
      },
      value: (value) => {
        if (value.kind === "attribute") readsPayloads = true;
        if (value.kind !== "field") return;
        if (value.field.place.in === "attribute" || value.field.place.in === "root text") readsPayloads = true;
        if (value.field.rollup) readsRollups = true;
        if (value.field.failures) readsFailures = true;
      },
    });
  return { readsPayloads, readsRollups, readsFailures };
}

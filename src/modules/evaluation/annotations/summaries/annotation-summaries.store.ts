// Statistics of the annotations of a project: mean scores, shares of labels, names in use. They may read every annotation: slow reads.
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { type StatisticScope, sessionsInScope, spansInScope, tracesInScope } from "../../../../filter/scope.ts";
import type { Settled } from "../../../../filter/settled.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import type { CallContext, Database } from "../../../../storage/storage.ts";
import type { TimeBins } from "../../../../storage/time-bins.ts";
import { createCandidatesStore } from "../../../../summaries/blocks/candidates.store.ts";
import type { TargetKind } from "../annotation-targets.rules.ts";
import type { AnnotationSummary } from "../annotations.schema.ts";

interface NamedCount {
  readonly name: string;
  readonly count: number;
}

/** What carries the annotation and agrees on a label, or has none, or several. */
interface Totals extends Pick<AnnotationSummary, "name" | "count" | "scoreCount" | "labelCount"> {
  readonly bin: number;
  readonly label: string | null;
  /** Spans, traces or sessions that are judged. */
  readonly carriers: number;
  /** The mean scores of the carriers that have any, added up. */
  readonly means: number | null;
  readonly rated: number;
  /** The same of the scores that people gave, and of those of programs. */
  readonly humanMeans: number | null;
  readonly humanRated: number;
  readonly programMeans: number | null;
  readonly programRated: number;
  /** Those with several labels. */
  readonly divided: number;
}

interface Share {
  readonly bin: number;
  readonly name: string;
  readonly label: string;
  /** Of each carrier that part of its labels, added up. */
  readonly share: number;
}

interface BinnedSummary extends AnnotationSummary {
  readonly bin: number;
}

export type AnnotationSummariesStore = ReturnType<typeof createAnnotationSummariesStore>;

export function createAnnotationSummariesStore(dialect: Dialect) {
  const candidates = createCandidatesStore(dialect);

  /** Spans and traces that start in the range, sessions that were active in it. */
  async function inScope(context: CallContext, kind: TargetKind, scope: Settled<StatisticScope>) {
    if (kind.owners === "spans") return spansInScope(dialect, scope, await candidates.inScope(context, scope));
    if (kind.owners === "traces") {
      return tracesInScope(dialect, scope, await candidates.inScope(context, { ...scope, startUs: null, endUs: null }));
    }
    return sessionsInScope(dialect, scope);
  }

  /** Annotations of a project that say something. Nothing but the annotations may choose the way: they are fewer than the spans. */
  function annotationsIn(kind: TargetKind, projectId: number, matches: RawBuilder<SqlBool>) {
    const project = dialect.withoutIndex(sql.ref(`${kind.owners}.project_id`));
    return sql`${sql.table(kind.table)} a join ${sql.table(kind.owners)} on ${sql.ref(`${kind.owners}.id`)} = a.${sql.ref(kind.column)}
      where ${project} = ${projectId} and (a.label is not null or a.score is not null) and ${matches}`;
  }

  /** By bin and name: means over what carries the annotation, so that what was judged often does not weigh more. */
  async function summaries(context: CallContext, kind: TargetKind, from: RawBuilder<unknown>, bin: RawBuilder<number>) {
    const database = context.database.read(context, "slow");
    const rows = sql`(select ${bin} as bin, a.name as name, a.${sql.ref(kind.column)} as carrier, a.label as label,
      a.score as score,
      a.annotator_kind as kind from ${from}) annotations`;
    // What carries an annotation starts once: its bin needs no sorting.
    const totals = await sql<Totals>`
      select bin, name, label, count(*) as carriers, cast(sum(total) as bigint) as "count",
        cast(sum(scored) as bigint) as "scoreCount", cast(sum(labelled) as bigint) as "labelCount",
        sum(mean) as "means", count(mean) as "rated", sum(human) as "humanMeans", count(human) as "humanRated",
        sum(program) as "programMeans", count(program) as "programRated", cast(sum(divided) as bigint) as "divided"
      from (select min(bin) as bin, name, count(*) as total, count(score) as scored, count(label) as labelled, avg(score) as mean,
          avg(case when kind = 'HUMAN' then score end) as human, avg(case when kind <> 'HUMAN' then score end) as program,
          case when min(label) = max(label) then min(label) end as label, case when min(label) <> max(label) then 1 else 0 end as divided
        from ${rows} group by carrier, name) carriers
      group by bin, name, label order by bin, name, label`.execute(database);
    const agreed = totals.rows.map((row) => ({ ...row, bin: Number(row.bin), carriers: Number(row.carriers) }));
    const divided = agreed.some((row) => Number(row.divided) > 0) ? await dividedShares(database, rows) : [];
    const sharesOf = Map.groupBy(
      [
        ...agreed.flatMap(({ label, ...row }) => (label === null ? [] : [{ ...row, label, share: row.carriers }])),
        ...divided,
      ],
      placeOf,
    );
    return [...Map.groupBy(agreed, placeOf)].map(([place, parts]) => summaryOf(parts, sharesOf.get(place) ?? []));
  }

  /** The shares of labels where those of one carrier differ, which is rare: only then are annotations sorted by label. */
  async function dividedShares(database: Database, rows: RawBuilder<unknown>): Promise<Share[]> {
    const found = await sql<Share>`
      select bin, name, label, sum(cast(total as double precision) / labelled) as "share"
      from (select min(bin) as bin, name, label, count(*) as total, sum(count(*)) over (partition by carrier, name) as labelled
        from ${rows} where label is not null and (carrier, name) in (
          select carrier, name from ${rows} group by carrier, name having min(label) <> max(label))
        group by carrier, name, label) labels
      group by bin, name, label order by label`.execute(database);
    return found.rows.map((row) => ({ ...row, bin: Number(row.bin) }));
  }

  return {
    /** Null where nothing in the scope has a label or a score of the name. */
    async summary(
      context: CallContext,
      kind: TargetKind,
      projectId: number,
      scope: Settled<StatisticScope> & { readonly name: string },
    ): Promise<AnnotationSummary | null> {
      const named = sql`${annotationsIn(kind, projectId, await inScope(context, kind, scope))} and a.name = ${scope.name}`;
      const [found] = await summaries(context, kind, named, sql<number>`0`);
      return found ?? null;
    },

    /** By the bin in which the span, trace or session started, and by name; of one name if one is given. */
    async binned(
      context: CallContext,
      kind: TargetKind,
      projectId: number,
      scope: Settled<StatisticScope> & { readonly name: string | null },
      bins: TimeBins,
    ): Promise<BinnedSummary[]> {
      const all = annotationsIn(kind, projectId, startedInScope(kind, scope));
      const named = scope.name === null ? all : sql`${all} and a.name = ${scope.name}`;
      return summaries(context, kind, named, dialect.timeBin(sql.ref(`${kind.owners}.start_us`), bins));
    },

    /** Every name in use and how many annotations have it, by name. */
    async countNames(context: CallContext, kind: TargetKind, projectId: number): Promise<NamedCount[]> {
      const project = dialect.withoutIndex(sql.ref("owner.project_id"));
      const { rows } = await sql<NamedCount>`
        select a.name as name, count(*) as "count"
        from ${sql.table(kind.table)} a join ${sql.table(kind.owners)} owner on owner.id = a.${sql.ref(kind.column)}
        where ${project} = ${projectId} group by a.name order by a.name`.execute(
        context.database.read(context, "slow"),
      );
      return rows.map(({ name, count }) => ({ name, count: Number(count) }));
    },

    /** The names with a label or a score in the range, by name. */
    async listMetricNames(
      context: CallContext,
      kind: TargetKind,
      projectId: number,
      scope: Settled<StatisticScope>,
    ): Promise<string[]> {
      const all = annotationsIn(kind, projectId, await inScope(context, kind, scope));
      const { rows } = await sql<{ name: string }>`select distinct a.name as name from ${all} order by a.name`.execute(
        context.database.read(context, "slow"),
      );
      return rows.map(({ name }) => name);
    },
  };
}

/** Without conditions; sessions too count where they start. */
function startedInScope({ owners }: TargetKind, { startUs, endUs }: StatisticScope) {
  const start = sql.ref(`${owners}.start_us`);
  const conditions = [
    startUs === null ? sql<SqlBool>`1 = 1` : sql<SqlBool>`${start} >= ${startUs}`,
    ...(endUs === null ? [] : [sql<SqlBool>`${start} < ${endUs}`]),
  ];
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

function placeOf({ bin, name }: Pick<Totals, "bin" | "name">): string {
  return JSON.stringify([bin, name]);
}

/** The parts are of one bin and name. */
function summaryOf(parts: readonly Totals[], shares: readonly Share[]): BinnedSummary {
  const sum = (read: (part: Totals) => number) => parts.reduce((all, part) => all + Number(read(part)), 0);
  const carriers = sum((part) => part.carriers);
  const meanOf = (means: "means" | "humanMeans" | "programMeans", rated: "rated" | "humanRated" | "programRated") => {
    const amount = sum((part) => part[rated]);
    return amount === 0 ? null : sum((part) => part[means] ?? 0) / amount;
  };
  const byLabel = Map.groupBy(shares, ({ label }) => label);
  const labels = [...byLabel].map(([label, each]) => {
    return { label, fraction: each.reduce((all, { share }) => all + share, 0) / carriers };
  });
  return {
    bin: parts[0]!.bin,
    name: parts[0]!.name,
    count: sum((part) => part.count),
    scoreCount: sum((part) => part.scoreCount),
    labelCount: sum((part) => part.labelCount),
    meanScore: meanOf("means", "rated"),
    humanMeanScore: meanOf("humanMeans", "humanRated"),
    programMeanScore: meanOf("programMeans", "programRated"),
    labels: labels.sort((one, other) => (one.label < other.label ? -1 : 1)),
  };
}

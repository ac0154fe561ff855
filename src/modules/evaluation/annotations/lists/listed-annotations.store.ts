// Annotations of the rows of a list, counted for the figures and facets beside it: by name, how many rows carry it, their mean score,
// their labels, bands of scores, and those in which people and programs disagree. Slow reads.
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { contradicts } from "../../../../filter/annotation-sql.ts";
import { NOTE } from "../../../../model/annotation.ts";
import { VALUE_CHARACTERS } from "../../../../model/summaries/blocks/facets.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import { numberBin } from "../../../../storage/number-bin.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { TargetKind } from "../annotation-targets.rules.ts";
import type { AnnotationFigures } from "../annotations.schema.ts";
import { scoreBounds } from "./score-bands.rules.ts";

interface Totals {
  readonly name: string;
  readonly rows: number;
  readonly labelled: number;
  readonly scored: number;
  readonly mean: number | null;
  readonly lowest: number | null;
  readonly highest: number | null;
  /** Judged by people and by programs. */
  readonly both: number;
}

interface LabelRow {
  readonly name: string;
  readonly label: string;
  readonly amount: number;
  readonly share: number;
}

/** Annotations that are counted, as `a`. */
interface CountedAnnotations {
  readonly kind: TargetKind;
  readonly from: RawBuilder<unknown>;
  /** What is judged. */
  readonly carrier: RawBuilder<unknown>;
  readonly database: ReturnType<CallContext["database"]["read"]>;
}

/** Labels of a name that are counted one by one. */
const MOST_LABELS = 20;

export type ListedAnnotationsStore = ReturnType<typeof createListedAnnotationsStore>;

export function createListedAnnotationsStore(dialect: Dialect) {
  /** Annotations of the rows of the project that match. Nothing but the annotations may choose the way: they are fewer than the rows. */
  function annotationsIn(
    context: CallContext,
    kind: TargetKind,
    projectId: number,
    matches: RawBuilder<SqlBool>,
  ): CountedAnnotations {
    const project = dialect.withoutIndex(sql.ref(`${kind.owners}.project_id`));
    const owner = dialect.withoutIndex(sql.ref<number>(`a.${kind.column}`));
    const from = sql`${sql.table(kind.table)} a join ${sql.table(kind.owners)} on ${sql.ref(`${kind.owners}.id`)} = ${owner}
      where ${project} = ${projectId} and ${matches}`;
    return { kind, from, carrier: sql`a.${sql.ref(kind.column)}`, database: context.database.read(context, "slow") };
  }

  const among = (names: readonly string[]) => sql`a.name in (${sql.join(names)})`;
  const counted = (what: RawBuilder<unknown>) => sql`cast(sum(case when ${what} then 1 else 0 end) as bigint)`;

  async function countLabels({ from, carrier, database }: CountedAnnotations, names: readonly string[]) {
    if (names.length === 0) return new Map<string, LabelRow[]>();
    const short = sql`substr(a.label, 1, ${sql.lit(VALUE_CHARACTERS)})`;
    const { rows } = await sql<LabelRow>`
      select name, label, amount, share from (
        select name, label, count(*) as amount, sum(cast(total as double precision) / labelled) as share,
          row_number() over (partition by name order by count(*) desc, label) as place
        from (select a.name as name, ${short} as label, count(*) as total,
            sum(count(*)) over (partition by a.name, ${carrier}) as labelled
          from ${from} and ${among(names)} and a.label is not null group by a.name, ${carrier}, ${short}) labels
        group by name, label) placed
      where place <= ${sql.lit(MOST_LABELS)} order by place`.execute(database);
    return Map.groupBy(rows, (row) => row.name);
  }

  async function countBands({ from, carrier, database }: CountedAnnotations, all: readonly Totals[]) {
    const bounded = all
      .map(({ name, lowest, highest }) => ({ name, bounds: scoreBounds(lowest ?? 0, highest ?? 0) }))
      .filter(({ bounds }) => bounds.length > 0);
    if (bounded.length === 0) return new Map<string, AnnotationFigures["scores"][number][]>();
    const bandOf = ({ name, bounds }: (typeof bounded)[number]) =>
      sql`when a.name = ${name} then ${numberBin(sql`a.score`, bounds)}`;
    const band = sql`case ${sql.join(bounded.map(bandOf), sql` `)} end`;
    const { rows } = await sql<{ name: string; band: number; amount: number }>`
      select name, band, count(distinct carrier) as amount
      from (select a.name as name, ${carrier} as carrier, ${band} as band
        from ${from} and ${among(bounded.map(({ name }) => name))} and a.score is not null) scored
      group by name, band order by band`.execute(database);
    const byName = Map.groupBy(rows, ({ name }) => name);
    return new Map(
      bounded.map(({ name, bounds }) => [
        name,
        (byName.get(name) ?? []).map(({ band: at, amount }) => ({
          min: bounds[Number(at) - 1] ?? null,
          max: bounds[Number(at)] ?? null,
          count: Number(amount),
        })),
      ]),
    );
  }

  async function countDisputed({ kind, from, carrier, database }: CountedAnnotations, names: readonly string[]) {
    if (names.length === 0) return new Map<string, number>();
    const program = sql`exists (select 1 from ${sql.table(kind.table)} program
      where program.${sql.ref(kind.column)} = ${carrier} and program.name = a.name and program.annotator_kind <> 'HUMAN'
        and ${contradicts("a", "program")})`;
    const { rows } = await sql<{ name: string; amount: number }>`
      select name, count(distinct carrier) as amount
      from (select a.name as name, ${carrier} as carrier
        from ${from} and ${among(names)} and a.annotator_kind = 'HUMAN' and ${program}) disputed
      group by name`.execute(database);
    return new Map(rows.map(({ name, amount }) => [name, Number(amount)]));
  }

  return {
    /** The names that most rows carry, those first. */
    async count(
      context: CallContext,
      kind: TargetKind,
      projectId: number,
      matches: RawBuilder<SqlBool>,
      limit: number,
    ): Promise<AnnotationFigures[]> {
      const annotations = annotationsIn(context, kind, projectId, matches);
      const { from, carrier, database } = annotations;
      const { rows: totals } = await sql<Totals>`
        select name, count(*) as "rows", ${counted(sql`labels > 0`)} as labelled, ${counted(sql`mean is not null`)} as scored,
          avg(mean) as mean, min(low) as lowest, max(high) as highest, ${counted(sql`people > 0 and people < total`)} as "both"
        from (select a.name as name, count(*) as total, count(a.label) as labels, avg(a.score) as mean, min(a.score) as low,
            max(a.score) as high, sum(case when a.annotator_kind = 'HUMAN' then 1 else 0 end) as people
          from ${from} and a.name <> ${NOTE} group by a.name, ${carrier}) carriers
        group by name order by "rows" desc, name limit ${sql.lit(limit)}`.execute(database);
      const named = (has: (total: Totals) => boolean) => totals.filter(has).map(({ name }) => name);
      const [labels, bands, disputed] = await Promise.all([
        countLabels(
          annotations,
          named(({ labelled }) => Number(labelled) > 0),
        ),
        countBands(annotations, totals),
        countDisputed(
          annotations,
          named(({ both }) => Number(both) > 0),
        ),
      ]);
      return totals.map(({ name, rows, labelled, scored, mean }) => ({
        name,
        count: Number(rows),
        labelledCount: Number(labelled),
        scoredCount: Number(scored),
        meanScore: mean,
        labels: (labels.get(name) ?? []).map(({ label, amount, share }) => ({
          label,
          count: Number(amount),
          fraction: share / Number(labelled),
        })),
        scores: bands.get(name) ?? [],
        disputedCount: disputed.get(name) ?? 0,
      }));
    },
  };
}

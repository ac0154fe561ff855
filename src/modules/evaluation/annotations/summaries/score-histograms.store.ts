// Scores of each name in bins, those of people beside those of programs. They may read every annotation: slow reads.
import { sql } from "kysely";
import type { Settled } from "../../../../filter/settled.ts";
import { evenEdges, histogramBins } from "../../../../kernel/histogram.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import { numberBin } from "../../../../storage/number-bin.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { TargetKind } from "../annotation-targets.rules.ts";
import type { ScoreHistogram } from "../annotations.schema.ts";

/** A fifth of a tenth, where scores are shares. */
const MOST_BINS = 20;
/** Above it every number is whole. */
const WHOLE_ABOVE = 1e15;

interface Bounds {
  readonly name: string;
  readonly lowest: number;
  readonly highest: number;
  /** Scores that are no whole numbers. */
  readonly broken: number;
}

interface Cell {
  readonly name: string;
  readonly bin: number;
  readonly human: number;
  readonly count: number;
}

export type ScoreHistogramsStore = ReturnType<typeof createScoreHistogramsStore>;

export function createScoreHistogramsStore(dialect: Dialect) {
  return {
    /** Of what starts in the range: the names with most scores, those first. */
    async list(
      context: CallContext,
      kind: TargetKind,
      projectId: number,
      { startUs, endUs }: Settled<{ readonly startUs: number; readonly endUs: number }>,
      limit: number,
    ): Promise<ScoreHistogram[]> {
      const database = context.database.read(context, "slow");
      // Nothing but the annotations may choose the way: they are fewer than the spans.
      const project = dialect.withoutIndex(sql.ref(`${kind.owners}.project_id`));
      const start = sql.ref(`${kind.owners}.start_us`);
      const scored = sql`${sql.table(kind.table)} a join ${sql.table(kind.owners)} on ${sql.ref(`${kind.owners}.id`)} = a.${sql.ref(kind.column)}
        where ${project} = ${projectId} and a.score is not null and ${start} >= ${startUs} and ${start} < ${endUs}`;
      const isWhole = sql`case when abs(a.score) >= ${sql.lit(WHOLE_ABOVE)} then 1
        else case when cast(a.score as bigint) = a.score then 1 else 0 end end`;
      const { rows: bounds } = await sql<Bounds>`
        select a.name as name, min(a.score) as lowest, max(a.score) as highest, sum(1 - (${isWhole})) as broken
        from ${scored} group by a.name order by count(*) desc, a.name limit ${limit}`.execute(database);
      if (bounds.length === 0) return [];
      const edged = bounds.map(({ name, lowest, highest, broken }) => {
        const whole = Number(broken) === 0;
        // The highest of whole scores has a bin of its own, too: five stars are not four.
        return { name, edges: evenEdges(lowest, whole && highest > lowest ? highest + 1 : highest, MOST_BINS, whole) };
      });
      const bin = sql`case ${sql.join(
        edged.map(({ name, edges }) => sql`when a.name = ${name} then ${numberBin(sql`a.score`, edges.slice(1, -1))}`),
        sql` `,
      )} end`;
      const { rows } = await sql<Cell>`
        select name, bin, count(*) as "count", sum(human) as "human"
        from (select a.name as name, ${bin} as bin, case when a.annotator_kind = 'HUMAN' then 1 else 0 end as human
          from ${scored} and ${dialect.inList(
            sql.ref("a.name"),
            edged.map(({ name }) => name),
          )}) scores
        group by name, bin`.execute(database);
      const byName = Map.groupBy(rows, ({ name }) => name);
      return edged.map(({ name, edges }) => {
        const cells = byName.get(name) ?? [];
        const people = new Map(cells.map((cell) => [Number(cell.bin), Number(cell.human)]));
        const counts = new Map(cells.map((cell) => [Number(cell.bin), Number(cell.count)]));
        const bins = histogramBins(edges, counts).map((each, at) => ({ ...each, humanCount: people.get(at) ?? 0 }));
        return { name, bins };
      });
    },
  };
}

// The scores of experiments beside those of their base, added up in the database.
import { sql } from "kysely";
import type { Dialect } from "../../../../storage/dialect.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { ScoreSpread } from "./score-differences.schema.ts";

export type ScoreDifferencesStore = ReturnType<typeof createScoreDifferencesStore>;

export function createScoreDifferencesStore(dialect: Dialect) {
  return {
    /** A row for each of the others and each evaluation that gave scores for an example in both, by experiment and name. */
    async findSpreads(
      context: CallContext,
      baseId: number,
      otherIds: readonly number[],
      threshold: number,
    ): Promise<ScoreSpread[]> {
      const { rows } = await sql<ScoreSpread>`
        with means as (
          select runs.experiment_id, runs.example_id, evaluations.name, avg(evaluations.score) as mean
          from experiment_runs as runs join experiment_evaluations as evaluations on evaluations.run_id = runs.id
          where ${dialect.inList(sql.ref("runs.experiment_id"), [baseId, ...otherIds])} and evaluations.score is not null
          group by runs.experiment_id, runs.example_id, evaluations.name
        ),
        differences as (
          select others.experiment_id, others.name, others.mean - base.mean as difference
          from means as base
          join means as others on others.example_id = base.example_id and others.name = base.name
          where base.experiment_id = ${baseId} and others.experiment_id <> ${baseId}
        ),
        centres as (
          select experiment_id, name, count(*) as examples, avg(difference) as mean
          from differences group by experiment_id, name
        )
        select centres.experiment_id as "experimentId", centres.name, centres.examples, centres.mean,
          sum((difference - mean) * (difference - mean)) as squares,
          count(case when difference > ${threshold} then 1 end) as higher,
          count(case when difference < ${-threshold} then 1 end) as lower
        from centres
        join differences on differences.experiment_id = centres.experiment_id and differences.name = centres.name
        group by centres.experiment_id, centres.name, centres.examples, centres.mean
        order by centres.experiment_id, centres.name`.execute(context.database.read(context, "slow"));
      return rows.map((row) => ({
        ...row,
        examples: Number(row.examples),
        mean: Number(row.mean),
        squares: Number(row.squares),
        higher: Number(row.higher),
        lower: Number(row.lower),
      }));
    },
  };
}

// Runs of several experiments side by side, by example, without their outputs, which are read where they are shown.
import { type RawBuilder, sql } from "kysely";
import type { RunFilter } from "../../../../filter/filter.ts";
import { ARRIVAL, type PageRequest, type PlacedPage, type SortedRequest } from "../../../../kernel/list.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import { arrivalOrder, type ListOrder, readPage, readPages } from "../../../../storage/list.ts";
import type { CallContext, ReadClass } from "../../../../storage/storage.ts";
import { isNotDeleted } from "../experiments.store.ts";
import type { ListedRun, RunScore, RunSort } from "../runs/compared-runs.schema.ts";

const columns = [
  "id",
  "experiment_id as experimentId",
  "example_id as exampleId",
  "repetition",
  "error",
  "trace_key as traceKey",
  "start_us as startUs",
  "end_us as endUs",
] as const;

export type ComparedRunsStore = ReturnType<typeof createComparedRunsStore>;

export function createComparedRunsStore(dialect: Dialect) {
  const runs = (context: CallContext, readClass: ReadClass = "short") =>
    context.database.read(context, readClass).selectFrom("experiment_runs").select(columns);

  return {
    /** Of the snapshot of the first experiment, in the order of their ids. With a filter those of which some run in one of the
     *  experiments matches. */
    async listExamples(
      context: CallContext,
      experimentIds: readonly [number, ...number[]],
      filter: RunFilter | null,
      request: PageRequest,
    ): Promise<PlacedPage<{ readonly id: number }>> {
      let query = context.database
        .read(context, filter === null ? "short" : "slow")
        .selectFrom("experiment_examples as listed")
        .where("listed.experiment_id", "=", experimentIds[0])
        .select("listed.example_id as id");
      if (filter !== null && !filter.matchesAll) {
        query = query.where(sql<boolean>`exists (select 1 from experiment_runs as compared
          where ${dialect.inList(sql.ref("compared.experiment_id"), experimentIds)}
            and compared.example_id = listed.example_id and ${filter.condition(dialect, "compared")})`);
      }
      return readPage(query, arrivalOrder(sql.ref("listed.example_id"), "asc"), request);
    },

    /** By example, each by experiment and repetition; of every experiment where that is null. */
    async findOfExamples(
      context: CallContext,
      exampleIds: readonly number[],
      experimentIds: readonly number[] | null,
    ): Promise<Map<number, ListedRun[]>> {
      let query = runs(context).where(dialect.inList(sql.ref("example_id"), exampleIds));
      query =
        experimentIds === null
          ? query.where(
              sql<boolean>`experiment_id in (select id from experiments where dismissed_us is null and ${isNotDeleted})`,
            )
          : query.where(dialect.inList(sql.ref("experiment_id"), experimentIds));
      const rows = await query.orderBy("experiment_id").orderBy("repetition").execute();
      return Map.groupBy(rows, ({ exampleId }) => exampleId);
    },

    async find(context: CallContext, ids: readonly number[]): Promise<Map<number, ListedRun>> {
      const rows = await runs(context)
        .where(dialect.inList(sql.ref("id"), ids))
        .execute();
      return new Map(rows.map((run) => [run.id, run]));
    },

    /** By experiment; runs without the value stand last. */
    listOfExperiments(
      context: CallContext,
      experimentIds: readonly number[],
      request: SortedRequest<RunSort>,
    ): Promise<Map<number, PlacedPage<ListedRun>>> {
      const { sort, order: direction } = request;
      const readClass = sort === ARRIVAL ? "short" : "slow";
      const rowId = sql.ref<number>("experiment_runs.id");
      const score = (name: string) =>
        sql<number | null>`(select evaluations.score from experiment_evaluations as evaluations
          where evaluations.run_id = experiment_runs.id and evaluations.name = ${name})`;
      const by = (value: RawBuilder<number | null>): ListOrder => ({ value, rowId, direction, nullable: true });
      return readPages(
        context.database.read(context, readClass),
        experimentIds,
        {
          listOf: (id) => runs(context, readClass).where("experiment_id", "=", id),
          ownerOf: ({ experimentId }) => experimentId,
          itemOf: (run): ListedRun => run,
        },
        sort === ARRIVAL
          ? arrivalOrder(rowId, direction)
          : by(sort === "latency" ? sql`(end_us - start_us)` : score(sort.evaluation)),
        request,
      );
    },

    /** JSON texts. */
    async findOutputs(context: CallContext, runIds: readonly number[]): Promise<Map<number, string>> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("experiment_runs")
        .select(["id", "output"])
        .where(dialect.inList(sql.ref("id"), runIds))
        .execute();
      return new Map(rows.map(({ id, output }) => [id, output]));
    },

    /** By run: the scores of its evaluations, by name. */
    async findScores(context: CallContext, runIds: readonly number[]): Promise<Map<number, RunScore[]>> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("experiment_evaluations")
        .select(["run_id as runId", "name", "score"])
        .where(dialect.inList(sql.ref("run_id"), runIds))
        .orderBy("name")
        .execute();
      return Map.groupBy(rows, ({ runId }) => runId);
    },
  };
}

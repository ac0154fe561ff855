// The rows of runs, and the examples of a snapshot that still lack some.
import { type Selectable, sql } from "kysely";
import { mapPage, type PageRequest, type PlacedPage } from "../../../../kernel/list.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import { arrivalOrder, readPage } from "../../../../storage/list.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { isNotDeleted } from "../experiments.store.ts";
import type { ExperimentRunsTable } from "../experiments.tables.ts";
import type { ExperimentRun, NewRunRow, PutRun, SnapshotExample } from "./experiment-runs.schema.ts";

export type ExperimentRunsStore = ReturnType<typeof createExperimentRunsStore>;

const insertedColumns = [
  ["experiment_id", "integer"],
  ["example_id", "integer"],
  ["repetition", "integer"],
  ["output", "text"],
  ["error", "text"],
  ["trace_key", "text"],
  ["start_us", "integer"],
  ["end_us", "integer"],
] as const;

/** In one parameter: a statement of 1,600 for two hundred runs takes longer to put together than the runs themselves. */
async function insertNew(
  context: CallContext,
  dialect: Dialect,
  runs: readonly NewRunRow[],
): Promise<Map<string, number>> {
  const values = runs.map((run) => {
    const row = { ...placeColumns(run), ...outcomeColumns(run) };
    return insertedColumns.map(([name]) => row[name]);
  });
  const names = insertedColumns.map(([name]) => sql.ref(name));
  const read = insertedColumns.map(([, type], position) => dialect.member(sql.ref("value"), position, type));
  const { rows } = await sql<RunPlace & { id: number }>`insert into experiment_runs (${sql.join(names)})
    select ${sql.join(read)} from ${dialect.jsonRows(values)} where 1 = 1
    on conflict (experiment_id, example_id, repetition) do nothing
    returning id, experiment_id as "experimentId", example_id as "exampleId", repetition`.execute(
    context.database.write(context),
  );
  return new Map(rows.map((row) => [placeOf(row), row.id]));
}

async function replaceFailed(context: CallContext, run: NewRunRow): Promise<PutRun> {
  const database = context.database.write(context);
  const replaced = await database
    .updateTable("experiment_runs")
    .set(outcomeColumns(run))
    .where((of) => of.and(placeColumns(run)))
    .where("error", "is not", null)
    .returning("id")
    .executeTakeFirst();
  if (replaced === undefined) {
    const there = database
      .selectFrom("experiment_runs")
      .select("id")
      .where((of) => of.and(placeColumns(run)));
    return { ...(await there.executeTakeFirstOrThrow()), isTaken: true };
  }
  await database
    .deleteFrom("experiment_evaluations")
    .where("run_id", "=", replaced.id)
    .where("annotator_kind", "!=", "HUMAN")
    .execute();
  return { id: replaced.id, isTaken: false };
}

export function createExperimentRunsStore(dialect: Dialect) {
  return {
    /** Holds the experiments until the end of the transaction, so that none is deleted meanwhile. Those that are there. */
    async hold(context: CallContext, experimentIds: readonly number[]): Promise<Set<number>> {
      const query = context.database
        .write(context)
        .selectFrom("experiments")
        .select("id")
        .where(dialect.inList(sql.ref("id"), experimentIds))
        .where(isNotDeleted)
        .orderBy("id");
      // SQLite has one writer anyway.
      const rows = await (dialect.name === "sqlite" ? query : query.forKeyShare()).execute();
      return new Set(rows.map(({ id }) => id));
    },

    /** One a run, in order. A run takes the place of one with an error, whose evaluations
     *  go, those of persons excepted. */
    async putAll(context: CallContext, runs: readonly NewRunRow[]): Promise<PutRun[]> {
      // Every transaction takes its places in the same order: two of them never wait for each other.
      const placed = runs.map((run, position) => ({ run, position })).sort((one, other) => byPlace(one.run, other.run));
      const added = await insertNew(
        context,
        dialect,
        placed.map(({ run }) => run),
      );
      const put = new Array<PutRun>(runs.length);
      for (const { run, position } of placed) {
        const place = placeOf(run);
        const id = added.get(place);
        // Only the first of those that were sent together was added.
        added.delete(place);
        put[position] = id === undefined ? await replaceFailed(context, run) : { id, isTaken: false };
      }
      return put;
    },

    /** Newest first. */
    async list(context: CallContext, experimentId: number, request: PageRequest): Promise<PlacedPage<ExperimentRun>> {
      const query = context.database
        .read(context, "short")
        .selectFrom("experiment_runs")
        .innerJoin("experiments", "experiments.id", "experiment_runs.experiment_id")
        .innerJoin("datasets", "datasets.id", "experiments.dataset_id")
        .where("datasets.deleting", "=", 0)
        .where(isNotDeleted)
        .where("experiment_runs.experiment_id", "=", experimentId)
        .selectAll("experiment_runs");
      return mapPage(await readPage(query, arrivalOrder(sql.ref("experiment_runs.id"), "desc"), request), runOfRow);
    },

    /** Examples of the snapshot with a repetition that has no successful run, in the order of their ids. */
    async listIncomplete(
      context: CallContext,
      experiment: { readonly id: number; readonly repetitions: number },
      request: PageRequest,
    ): Promise<PlacedPage<SnapshotExample>> {
      const query = context.database
        .read(context, "slow")
        .selectFrom("experiment_examples as taken")
        .innerJoin("dataset_revisions as revisions", (join) =>
          join
            .onRef("revisions.example_id", "=", "taken.example_id")
            .onRef("revisions.version_id", "=", "taken.revision_id"),
        )
        .innerJoin("experiments", (join) =>
          join
            .onRef("experiments.id", "=", "taken.experiment_id")
            .onRef("experiments.dataset_id", "=", "revisions.dataset_id"),
        )
        .innerJoin("dataset_contents as contents", "contents.id", "revisions.content_id")
        .innerJoin("dataset_versions as versions", "versions.id", "revisions.version_id")
        .where("taken.experiment_id", "=", experiment.id)
        .where(
          sql<boolean>`(select count(*) from experiment_runs as runs
            where runs.experiment_id = ${experiment.id} and runs.example_id = taken.example_id
              and runs.repetition between 1 and ${experiment.repetitions} and runs.error is null
          ) < ${experiment.repetitions}`,
        )
        .select([
          "taken.example_id as id",
          "contents.input",
          "contents.output",
          "contents.metadata",
          "versions.created_us as revisedUs",
        ]);
      const page = await readPage(query, arrivalOrder(sql.ref("taken.example_id"), "asc"), request);
      return page as PlacedPage<SnapshotExample>;
    },

    /** Repetitions of examples with a successful run, by example. */
    async findSuccessful(
      context: CallContext,
      experimentId: number,
      exampleIds: readonly number[],
    ): Promise<Map<number, Set<number>>> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("experiment_runs")
        .select(["example_id", "repetition"])
        .where("experiment_id", "=", experimentId)
        .where("error", "is", null)
        .where(dialect.inList(sql.ref("example_id"), exampleIds))
        .execute();
      const groups = Map.groupBy(rows, (row) => row.example_id);
      return new Map([...groups].map(([id, found]) => [id, new Set(found.map(({ repetition }) => repetition))]));
    },
  };
}

type RunPlace = Pick<ExperimentRun, "experimentId" | "exampleId" | "repetition">;

function placeOf({ experimentId, exampleId, repetition }: RunPlace): string {
  return `${experimentId} ${exampleId} ${repetition}`;
}

function byPlace(one: RunPlace, other: RunPlace): number {
  return one.experimentId - other.experimentId || one.exampleId - other.exampleId || one.repetition - other.repetition;
}

function placeColumns({ experimentId, exampleId, repetition }: RunPlace) {
  return { experiment_id: experimentId, example_id: exampleId, repetition };
}

function outcomeColumns({ output, error, traceKey, startUs, endUs }: NewRunRow) {
  return { output, error, trace_key: traceKey, start_us: startUs, end_us: endUs };
}

function runOfRow(row: Selectable<ExperimentRunsTable>): ExperimentRun {
  return {
    id: row.id,
    experimentId: row.experiment_id,
    exampleId: row.example_id,
    repetition: row.repetition,
    output: row.output,
    error: row.error,
    traceKey: row.trace_key,
    startUs: row.start_us,
    endUs: row.end_us,
  };
}

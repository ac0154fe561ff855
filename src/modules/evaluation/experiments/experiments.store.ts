// The rows of experiments, and the snapshots of the examples that they are about.
import { type Selectable, sql } from "kysely";
import { ARRIVAL, type PlacedPage, type SortedRequest } from "../../../kernel/list.ts";
import type { Dialect } from "../../../storage/dialect.ts";
import { arrivalOrder, type ListOrder, readPages } from "../../../storage/list.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { CountedExperiment, Experiment, ExperimentSort } from "./experiments.schema.ts";
import type { ExperimentsTable } from "./experiments.tables.ts";

type NewExperimentRow = Omit<
  Experiment,
  "id" | "exampleCount" | "updatedUs" | "dismissedUs" | "deletionBeganUs" | "deletesProject"
>;

/** Hides experiments that are being deleted, in every query of the table. */
export const isNotDeleted = sql<boolean>`experiments.deletion_began_us is null`;

export interface ChosenExperiments {
  /** Also dismissed ones. */
  readonly withDismissed: boolean;
  readonly versionId?: number | undefined;
  readonly ids?: readonly number[] | undefined;
  /** Their numbers among the experiments of the dataset; one that no experiment has is ignored. */
  readonly numbers?: readonly number[] | undefined;
  /** Somewhere in the name or the description, in any letter case. */
  readonly text?: string | undefined;
}

interface ChosenExamples {
  readonly splitIds: readonly number[];
  readonly exampleIds: readonly number[] | null;
}

export type ExperimentsStore = ReturnType<typeof createExperimentsStore>;

export function createExperimentsStore(dialect: Dialect) {
  return { ...experimentReads(dialect), ...chosenExperiments(dialect), ...experimentWrites(dialect) };
}

/** Those that are being deleted are gone, and those of datasets that are. */
const livingExperiments = (context: CallContext) =>
  context.database
    .read(context, "short")
    .selectFrom("experiments")
    .innerJoin("datasets", "datasets.id", "experiments.dataset_id")
    .where("datasets.deleting", "=", 0)
    .where(isNotDeleted)
    .selectAll("experiments");

function chosenExperiments(dialect: Dialect) {
  function chosen(context: CallContext, datasetIds: readonly number[], choice: ChosenExperiments) {
    let query = livingExperiments(context).where(dialect.inList(sql.ref("experiments.dataset_id"), datasetIds));
    if (!choice.withDismissed) query = query.where("experiments.dismissed_us", "is", null);
    if (choice.versionId !== undefined) query = query.where("experiments.version_id", "=", choice.versionId);
    if (choice.ids !== undefined) query = query.where(dialect.inList(sql.ref("experiments.id"), choice.ids));
    if (choice.numbers !== undefined)
      query = query.where(dialect.inList(sql.ref("experiments.number"), choice.numbers));
    if (choice.text !== undefined) {
      const { text } = choice;
      const name = dialect.containsIgnoringCase(sql.ref("experiments.name"), text);
      const description = dialect.containsIgnoringCase(sql<string>`coalesce(experiments.description, '')`, text);
      query = query.where(sql<boolean>`(${name} or ${description})`);
    }
    return query;
  }

  return {
    /** Those that are chosen, by dataset. */
    listOfDatasets(
      context: CallContext,
      datasetIds: readonly number[],
      request: SortedRequest<ExperimentSort> & ChosenExperiments,
    ): Promise<Map<number, PlacedPage<Experiment>>> {
      const rowId = sql.ref<number>("experiments.id");
      const order: ListOrder =
        request.sort === ARRIVAL
          ? arrivalOrder(rowId, request.order)
          : { value: sql.ref("experiments.created_us"), rowId, direction: request.order, nullable: false };
      return readPages(
        context.database.read(context, request.text === undefined ? "short" : "slow"),
        datasetIds,
        {
          listOf: (id) => chosen(context, [id], request),
          ownerOf: ({ dataset_id }) => dataset_id,
          itemOf: experimentOfRow,
        },
        order,
        request,
      );
    },

    /** By dataset; one without such experiments is left out. */
    async countChosen(
      context: CallContext,
      datasetIds: readonly number[],
      choice: ChosenExperiments,
    ): Promise<Map<number, number>> {
      const rows = await chosen(context, datasetIds, choice)
        .clearSelect()
        .select((of) => ["experiments.dataset_id as id", of.fn.countAll<number>().as("count")])
        .groupBy("experiments.dataset_id")
        .execute();
      return new Map(rows.map(({ id, count }) => [id, Number(count)]));
    },
  };
}

function experimentReads(dialect: Dialect) {
  async function counted(context: CallContext, found: readonly Experiment[]): Promise<CountedExperiment[]> {
    const rows = await context.database
      .read(context, "slow")
      .selectFrom("experiment_runs")
      .select((eb) => [
        "experiment_id",
        eb.fn.countAll<number>().as("runs"),
        eb.fn.count<number>("experiment_runs.error").as("failed"),
      ])
      .where(
        dialect.inList(
          sql.ref("experiment_id"),
          found.map(({ id }) => id),
        ),
      )
      .groupBy("experiment_id")
      .execute();
    const counts = new Map(rows.map((row) => [row.experiment_id, row]));
    return found.map((experiment) => {
      const { runs = 0, failed = 0 } = counts.get(experiment.id) ?? {};
      return { ...experiment, failedRuns: Number(failed), successfulRuns: Number(runs) - Number(failed) };
    });
  }

  return {
    counted,

    async find(context: CallContext, id: number): Promise<Experiment | null> {
      const row = await livingExperiments(context).where("experiments.id", "=", id).executeTakeFirst();
      return row === undefined ? null : experimentOfRow(row);
    },

    async findAll(context: CallContext, ids: readonly number[]): Promise<Experiment[]> {
      const rows = await livingExperiments(context)
        .where(dialect.inList(sql.ref("experiments.id"), ids))
        .execute();
      return rows.map(experimentOfRow);
    },

    /** Ids of the splits by which the examples were chosen, by experiment. */
    async findSplitIds(context: CallContext, ids: readonly number[]): Promise<Map<number, number[]>> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("experiment_splits")
        .select(["experiment_id", "split_id"])
        .where(dialect.inList(sql.ref("experiment_id"), ids))
        .orderBy("split_id")
        .execute();
      const groups = Map.groupBy(rows, (row) => row.experiment_id);
      return new Map([...groups].map(([id, found]) => [id, found.map((row) => row.split_id)]));
    },
  };
}

function experimentWrites(dialect: Dialect) {
  return {
    /** The next number among the experiments of the dataset, which is held until the end of the transaction. Null when it is gone. */
    async takeNumber(context: CallContext, datasetId: number): Promise<number | null> {
      const row = await context.database
        .write(context)
        .updateTable("datasets")
        .set((eb) => ({ last_experiment: eb("last_experiment", "+", 1) }))
        .where("id", "=", datasetId)
        .where("deleting", "=", 0)
        .returning("last_experiment")
        .executeTakeFirst();
      return row?.last_experiment ?? null;
    },

    /** With the examples that live at the version and, where splits are named, are in one of them; where ids are, with no others. */
    async insert(
      context: CallContext,
      experiment: NewExperimentRow,
      { splitIds: splits, exampleIds }: ChosenExamples,
    ): Promise<Experiment> {
      const database = context.database.write(context);
      const { id } = await database
        .insertInto("experiments")
        .values({
          dataset_id: experiment.datasetId,
          version_id: experiment.versionId,
          user_id: experiment.userId,
          number: experiment.number,
          name: experiment.name,
          description: experiment.description,
          metadata: experiment.metadata,
          repetitions: experiment.repetitions,
          project_name: experiment.projectName,
          example_count: 0,
          created_us: experiment.createdUs,
          updated_us: experiment.createdUs,
        })
        .returning("id")
        .executeTakeFirstOrThrow();
      if (splits.length > 0) {
        await database
          .insertInto("experiment_splits")
          .values(splits.map((splitId) => ({ experiment_id: id, split_id: splitId })))
          .execute();
      }
      const chosen =
        splits.length === 0
          ? sql``
          : sql`and revisions.example_id in (
              select example_id from dataset_split_examples where ${dialect.inList(sql.ref("split_id"), splits)})`;
      const named =
        exampleIds === null ? sql`` : sql`and ${dialect.inList(sql.ref("revisions.example_id"), exampleIds)}`;
      const taken = await sql`insert into experiment_examples (experiment_id, example_id, revision_id)
        select ${sql.lit(id)}, revisions.example_id, revisions.version_id from dataset_revisions as revisions
        where revisions.dataset_id = ${experiment.datasetId} and revisions.hash is not null
          and revisions.version_id <= ${experiment.versionId}
          and (revisions.until_version_id is null or revisions.until_version_id > ${experiment.versionId}) ${chosen} ${named}`.execute(
        database,
      );
      const row = await database
        .updateTable("experiments")
        .set({ example_count: Number(taken.numAffectedRows ?? 0n) })
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirstOrThrow();
      return experimentOfRow(row);
    },

    /** Null when the experiment is gone. */
    async update(
      context: CallContext,
      id: number,
      changes: Partial<Pick<Experiment, "name" | "description" | "metadata">>,
      nowUs: number,
    ): Promise<Experiment | null> {
      const row = await context.database
        .write(context)
        .updateTable("experiments")
        .set({ ...changes, updated_us: nowUs })
        .where("id", "=", id)
        .where(isNotDeleted)
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : experimentOfRow(row);
    },

    /** Dismisses it, or takes that back where the time is null. Null when the experiment is gone. */
    async dismiss(context: CallContext, id: number, dismissedUs: number | null): Promise<Experiment | null> {
      const row = await context.database
        .write(context)
        .updateTable("experiments")
        .set({ dismissed_us: dismissedUs })
        .where("id", "=", id)
        .where(isNotDeleted)
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : experimentOfRow(row);
    },
  };
}

export function experimentOfRow(row: Selectable<ExperimentsTable>): Experiment {
  return {
    id: row.id,
    datasetId: row.dataset_id,
    versionId: row.version_id,
    userId: row.user_id,
    number: row.number,
    name: row.name,
    description: row.description,
    metadata: row.metadata,
    repetitions: row.repetitions,
    projectName: row.project_name,
    exampleCount: row.example_count,
    createdUs: row.created_us,
    updatedUs: row.updated_us,
    dismissedUs: row.dismissed_us,
    deletionBeganUs: row.deletion_began_us,
    deletesProject: row.deletes_project === 1,
  };
}

// The rows of splits, and which examples are in them.
import { type RawBuilder, type Selectable, sql } from "kysely";
import { mapPage, type PlacedPage, type SortedRequest } from "../../../../kernel/list.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import { type NameSort, nameOrder, readPage } from "../../../../storage/list.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { DatasetSplitsTable } from "../datasets.tables.ts";
import type { CountedSplit, DatasetSplit } from "./dataset-splits.schema.ts";

interface NewSplitRow {
  readonly name: string;
  readonly description: string | null;
  readonly color: string;
  readonly metadata: string;
  readonly userId: number | null;
  readonly nowUs: number;
}

interface SplitFilter {
  /** Those that examples of the dataset are or were in; null is any. */
  readonly datasetId: number | null;
  readonly names: readonly string[] | null;
}

/** A split and an example. */
type Membership = readonly [splitId: number, exampleId: number];

export type DatasetSplitsStore = ReturnType<typeof createDatasetSplitsStore>;

export function createDatasetSplitsStore(dialect: Dialect) {
  return { ...splitReads(dialect), ...splitWrites(dialect) };
}

function splitReads(dialect: Dialect) {
  const splits = (context: CallContext) =>
    context.database.read(context, "short").selectFrom("dataset_splits").selectAll("dataset_splits");

  /** Living members of a dataset, by split. */
  async function countMembers(
    context: CallContext,
    datasetId: number,
    splitIds: readonly number[],
  ): Promise<Map<number, number>> {
    const rows = await context.database
      .read(context, "slow")
      .selectFrom("dataset_split_examples as members")
      .innerJoin("dataset_revisions as revisions", (join) =>
        join
          .onRef("revisions.example_id", "=", "members.example_id")
          .on("revisions.dataset_id", "=", datasetId)
          .on("revisions.until_version_id", "is", null)
          .on("revisions.hash", "is not", null),
      )
      .select((eb) => ["members.split_id as id", eb.fn.countAll<number>().as("count")])
      .where(dialect.inList(sql.ref("members.split_id"), splitIds))
      .groupBy("members.split_id")
      .execute();
    return new Map(rows.map(({ id, count }) => [id, Number(count)]));
  }

  async function counted(
    context: CallContext,
    datasetId: number,
    found: readonly DatasetSplit[],
  ): Promise<CountedSplit[]> {
    const counts = await countMembers(
      context,
      datasetId,
      found.map(({ id }) => id),
    );
    return found.map((split) => ({ ...split, exampleCount: counts.get(split.id) ?? 0 }));
  }

  /** True for the splits that an example of the dataset is in, living or not. */
  const usedIn = (datasetId: number | RawBuilder<unknown>) => sql<boolean>`exists (
    select 1 from dataset_split_examples as members
    inner join dataset_examples as examples on examples.id = members.example_id
    where members.split_id = dataset_splits.id and examples.dataset_id = ${datasetId}
  )`;

  return {
    counted,

    async list(
      context: CallContext,
      { datasetId, names }: SplitFilter,
      request: SortedRequest<NameSort>,
    ): Promise<PlacedPage<DatasetSplit>> {
      let query = splits(context);
      if (datasetId !== null) query = query.where(usedIn(datasetId));
      if (names !== null) query = query.where(dialect.inList(sql.ref("dataset_splits.name"), names));
      return mapPage(await readPage(query, nameOrder("dataset_splits", request), request), splitOfRow);
    },

    async find(context: CallContext, ids: readonly number[]): Promise<Map<number, DatasetSplit>> {
      const rows = await splits(context)
        .where(dialect.inList(sql.ref("id"), ids))
        .execute();
      return new Map(rows.map((row) => [row.id, splitOfRow(row)]));
    },

    async findByNames(context: CallContext, names: readonly string[]): Promise<Map<string, DatasetSplit>> {
      const rows = await splits(context)
        .where(dialect.inList(sql.ref("name"), names))
        .execute();
      return new Map(rows.map((row) => [row.name, splitOfRow(row)]));
    },

    /** By name, of datasets; one without any is left out. */
    async listOfDatasets(context: CallContext, datasetIds: readonly number[]): Promise<Map<number, DatasetSplit[]>> {
      const rows = await context.database
        .read(context, "slow")
        .selectFrom("datasets")
        .innerJoin("dataset_splits", (join) => join.on(usedIn(sql.ref("datasets.id"))))
        .selectAll("dataset_splits")
        .select("datasets.id as datasetId")
        .where(dialect.inList(sql.ref("datasets.id"), datasetIds))
        .orderBy("dataset_splits.name")
        .execute();
      const byDataset = Map.groupBy(rows, ({ datasetId }) => datasetId);
      return new Map([...byDataset].map(([id, found]) => [id, found.map(splitOfRow)]));
    },

    /** By name, of examples; those that are in none are left out. */
    async listOfExamples(context: CallContext, exampleIds: readonly number[]): Promise<Map<number, DatasetSplit[]>> {
      const rows = await splits(context)
        .innerJoin("dataset_split_examples as members", "members.split_id", "dataset_splits.id")
        .select("members.example_id")
        .where(dialect.inList(sql.ref("members.example_id"), exampleIds))
        .orderBy("dataset_splits.name")
        .execute();
      return new Map(
        [...Map.groupBy(rows, ({ example_id }) => example_id)].map(([id, of]) => [id, of.map(splitOfRow)]),
      );
    },
  };
}

function splitWrites(dialect: Dialect) {
  return {
    /** Null when the name is taken. */
    async insert(context: CallContext, { nowUs, userId, ...split }: NewSplitRow): Promise<DatasetSplit | null> {
      const row = await context.database
        .write(context)
        .insertInto("dataset_splits")
        .values({ ...split, user_id: userId, created_us: nowUs, updated_us: nowUs })
        .onConflict((conflict) => conflict.column("name").doNothing())
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : splitOfRow(row);
    },

    /** Null when the split is gone. Fails as a duplicate when the name is taken. */
    async update(
      context: CallContext,
      id: number,
      changes: Partial<Pick<DatasetSplit, "name" | "description" | "color" | "metadata">>,
      nowUs: number,
    ): Promise<DatasetSplit | null> {
      const row = await context.database
        .write(context)
        .updateTable("dataset_splits")
        .set({ ...changes, updated_us: nowUs })
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : splitOfRow(row);
    },

    /** With who is in them. Answers with those that were there. */
    async remove(context: CallContext, ids: readonly number[]): Promise<DatasetSplit[]> {
      const rows = await context.database
        .write(context)
        .deleteFrom("dataset_splits")
        .where(dialect.inList(sql.ref("id"), ids))
        .returningAll()
        .execute();
      return rows.map(splitOfRow);
    },

    /** Those that are members already stay so. */
    async addMembers(context: CallContext, members: readonly Membership[]): Promise<void> {
      if (members.length === 0) return;
      await sql`insert into dataset_split_examples (split_id, example_id)
        select distinct split_id, example_id from ${dialect.integerRows(["split_id", "example_id"], members)} as added
        where true order by split_id, example_id
        on conflict (split_id, example_id) do nothing`.execute(context.database.write(context));
    },

    async removeMembers(context: CallContext, splitId: number, exampleIds: readonly number[]): Promise<void> {
      await context.database
        .write(context)
        .deleteFrom("dataset_split_examples")
        .where("split_id", "=", splitId)
        .where(dialect.inList(sql.ref("example_id"), exampleIds))
        .execute();
    },

    /** Takes examples out of every split. */
    async clearMembers(context: CallContext, exampleIds: readonly number[]): Promise<void> {
      await context.database
        .write(context)
        .deleteFrom("dataset_split_examples")
        .where(dialect.inList(sql.ref("example_id"), exampleIds))
        .execute();
    },
  };
}

function splitOfRow(row: Selectable<DatasetSplitsTable>): DatasetSplit {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    color: row.color,
    metadata: row.metadata,
    createdUs: row.created_us,
    updatedUs: row.updated_us,
  };
}

// The rows of datasets and of their versions.
import { type Selectable, sql } from "kysely";
import { type ARRIVAL, mapPage, type PlacedPage, type SortedRequest } from "../../../kernel/list.ts";
import type { Dialect } from "../../../storage/dialect.ts";
import { arrivalOrder, type NameSort, nameOrder, readPage, readPages } from "../../../storage/list.ts";
import type { CallContext, ReadClass } from "../../../storage/storage.ts";
import { BEING_MADE, type Dataset, type DatasetVersion } from "./datasets.schema.ts";
import type { DatasetsTable, DatasetVersionsTable } from "./datasets.tables.ts";

/** How a dataset is identified: by row id or by name. */
type DatasetKey = { readonly id: number } | { readonly name: string };

interface NewDataset {
  readonly name: string;
  readonly description: string | null;
  /** JSON text of an object. */
  readonly metadata: string;
  readonly userId: number | null;
  readonly nowUs: number;
}

type NewVersion = Omit<DatasetVersion, "id">;

export interface DatasetFilter {
  /** Exactly this name. */
  readonly name?: string | undefined;
  /** In any letter case, somewhere in the name. */
  readonly nameContains?: string | undefined;
  /** Row ids: one of these labels. */
  readonly labels?: readonly number[] | undefined;
}

export type DatasetsStore = ReturnType<typeof createDatasetsStore>;

export function createDatasetsStore(dialect: Dialect) {
  return { ...datasetReads(dialect), ...datasetWrites(dialect), ...versionRows(dialect) };
}

function datasetReads(dialect: Dialect) {
  const datasets = (context: CallContext, readClass: ReadClass = "short") =>
    context.database
      .read(context, readClass)
      .selectFrom("datasets")
      .selectAll("datasets")
      .where("datasets.deleting", "=", 0);

  const filtered = (context: CallContext, { name, nameContains, labels }: DatasetFilter) => {
    let query = datasets(context, nameContains === undefined ? "short" : "slow");
    if (name !== undefined) query = query.where("datasets.name", "=", name);
    if (nameContains !== undefined)
      query = query.where(dialect.containsIgnoringCase(sql.ref("datasets.name"), nameContains));
    if (labels !== undefined) {
      query = query.where("datasets.id", "in", (eb) =>
        eb
          .selectFrom("dataset_label_uses")
          .select("dataset_id")
          .where(dialect.inList(sql.ref("label_id"), labels)),
      );
    }
    return query;
  };

  return {
    async list(
      context: CallContext,
      filter: DatasetFilter,
      request: SortedRequest<NameSort>,
    ): Promise<PlacedPage<Dataset>> {
      return mapPage(await readPage(filtered(context, filter), nameOrder("datasets", request), request), datasetOfRow);
    },

    async count(context: CallContext): Promise<number> {
      const row = await context.database
        .read(context, "short")
        .selectFrom("datasets")
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .where("deleting", "=", 0)
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },

    /** Number and last change of all datasets and their newest version, as one text; null without datasets. */
    async findEnds(context: CallContext): Promise<string | null> {
      const { rows } = await sql<Readonly<Record<string, number | null>>>`
        select (select count(*) from datasets where deleting = 0) as "datasets",
          (select max(updated_us) from datasets) as "changed", (select max(id) from dataset_versions) as "version"`.execute(
        context.database.read(context, "short"),
      );
      const [ends] = rows;
      return Number(ends?.datasets) === 0 ? null : JSON.stringify(ends);
    },

    async find(context: CallContext, key: DatasetKey): Promise<Dataset | null> {
      const query = datasets(context);
      const row = await ("id" in key
        ? query.where("id", "=", key.id)
        : query.where("name", "=", key.name)
      ).executeTakeFirst();
      return row === undefined ? null : datasetOfRow(row);
    },

    /** Also one that is being deleted. */
    async findWithDeleting(context: CallContext, id: number): Promise<Dataset | null> {
      const query = context.database.read(context, "short").selectFrom("datasets").selectAll();
      const row = await query.where("id", "=", id).executeTakeFirst();
      return row === undefined ? null : datasetOfRow(row);
    },

    async findAll(context: CallContext, ids: readonly number[]): Promise<Dataset[]> {
      const rows = await datasets(context)
        .where(dialect.inList(sql.ref("id"), ids))
        .execute();
      return rows.map(datasetOfRow);
    },
  };
}

function datasetWrites(dialect: Dialect) {
  return {
    /** Locks the dataset: other writers wait until the end of the transaction. Null when it is gone. */
    async lock(context: CallContext, key: DatasetKey): Promise<Dataset | null> {
      const query = context.database
        .write(context)
        .selectFrom("datasets")
        .selectAll()
        .where("deleting", "=", 0)
        .where("id" in key ? sql.ref("id") : sql.ref("name"), "=", "id" in key ? key.id : key.name);
      // SQLite has one writer anyway.
      const row = await (dialect.name === "sqlite" ? query : query.forNoKeyUpdate()).executeTakeFirst();
      return row === undefined ? null : datasetOfRow(row);
    },

    /** Null when the name is taken. */
    async insert(context: CallContext, { nowUs, userId, ...dataset }: NewDataset): Promise<Dataset | null> {
      const row = await context.database
        .write(context)
        .insertInto("datasets")
        .values({ ...dataset, user_id: userId, created_us: nowUs, updated_us: nowUs })
        .onConflict((conflict) => conflict.column("name").where("deleting", "=", sql.lit(0)).doNothing())
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : datasetOfRow(row);
    },

    /** Creates a dataset that is hidden before `publish`: its name is not taken until then. Returns its row id. */
    async insertHidden(context: CallContext, { nowUs, userId, ...dataset }: NewDataset): Promise<number> {
      const { id } = await context.database
        .write(context)
        .insertInto("datasets")
        .values({ ...dataset, user_id: userId, created_us: nowUs, updated_us: nowUs, deleting: BEING_MADE })
        .returning("id")
        .executeTakeFirstOrThrow();
      return id;
    },

    /** Shows it. False when it was given up. Fails as a duplicate when the name was taken meanwhile. */
    async publish(context: CallContext, id: number): Promise<boolean> {
      const published = await context.database
        .write(context)
        .updateTable("datasets")
        .set({ deleting: 0 })
        .where("id", "=", id)
        .where("deleting", "=", BEING_MADE)
        .executeTakeFirst();
      return published.numUpdatedRows > 0n;
    },

    /** Null when the dataset is gone. Fails as a duplicate when the name is taken. */
    async update(
      context: CallContext,
      id: number,
      changes: Partial<Pick<Dataset, "name" | "description" | "metadata">> & { readonly updatedUs: number },
    ): Promise<Dataset | null> {
      const { updatedUs, ...changed } = changes;
      const row = await context.database
        .write(context)
        .updateTable("datasets")
        .set({ ...changed, updated_us: updatedUs })
        .where("id", "=", id)
        .where("deleting", "=", 0)
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : datasetOfRow(row);
    },
  };
}

function versionRows(dialect: Dialect) {
  const versions = (context: CallContext) =>
    context.database.read(context, "short").selectFrom("dataset_versions").selectAll("dataset_versions");

  return {
    /** By dataset. */
    listVersions: (
      context: CallContext,
      datasetIds: readonly number[],
      request: SortedRequest<typeof ARRIVAL>,
    ): Promise<Map<number, PlacedPage<DatasetVersion>>> =>
      readPages(
        context.database.read(context, "short"),
        datasetIds,
        {
          listOf: (id) => versions(context).where("dataset_id", "=", id),
          ownerOf: ({ dataset_id }) => dataset_id,
          itemOf: versionOfRow,
        },
        arrivalOrder(sql.ref("dataset_versions.id"), request.order),
        request,
      ),

    async findVersions(context: CallContext, ids: readonly number[]): Promise<DatasetVersion[]> {
      const rows = await versions(context)
        .where(dialect.inList(sql.ref("id"), ids))
        .execute();
      return rows.map(versionOfRow);
    },

    /** By dataset; those without any version are left out. */
    async findNewestVersions(
      context: CallContext,
      datasetIds: readonly number[],
    ): Promise<Map<number, DatasetVersion>> {
      const rows = await versions(context)
        .where("id", "in", (eb) =>
          eb
            .selectFrom("dataset_versions as newest")
            .select((inner) => inner.fn.max("newest.id").as("id"))
            .where(dialect.inList(sql.ref("newest.dataset_id"), datasetIds))
            .groupBy("newest.dataset_id"),
        )
        .execute();
      return new Map(rows.map((row) => [row.dataset_id, versionOfRow(row)]));
    },

    async insertVersion(context: CallContext, version: NewVersion): Promise<DatasetVersion> {
      const row = await context.database
        .write(context)
        .insertInto("dataset_versions")
        .values({
          dataset_id: version.datasetId,
          description: version.description,
          metadata: version.metadata,
          user_id: version.userId,
          created_us: version.createdUs,
          example_count: version.exampleCount,
          created_count: version.createdCount,
          updated_count: version.updatedCount,
          deleted_count: version.deletedCount,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return versionOfRow(row);
    },
  };
}

function datasetOfRow(row: Selectable<DatasetsTable>): Dataset {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    metadata: row.metadata,
    userId: row.user_id,
    createdUs: row.created_us,
    updatedUs: row.updated_us,
  };
}

function versionOfRow(row: Selectable<DatasetVersionsTable>): DatasetVersion {
  return {
    id: row.id,
    datasetId: row.dataset_id,
    description: row.description,
    metadata: row.metadata,
    userId: row.user_id,
    createdUs: row.created_us,
    exampleCount: row.example_count,
    createdCount: row.created_count,
    updatedCount: row.updated_count,
    deletedCount: row.deleted_count,
  };
}

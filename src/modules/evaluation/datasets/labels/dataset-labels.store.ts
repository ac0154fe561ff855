// The rows of labels of datasets, and which datasets have them.
import { type Selectable, sql } from "kysely";
import { mapPage, type PlacedPage, type SortedRequest } from "../../../../kernel/list.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import { type NameSort, nameOrder, readPage } from "../../../../storage/list.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { DatasetLabelsTable } from "../datasets.tables.ts";
import type { DatasetLabel, NewDatasetLabel } from "./dataset-labels.schema.ts";

export type DatasetLabelsStore = ReturnType<typeof createDatasetLabelsStore>;

export function createDatasetLabelsStore(dialect: Dialect) {
  const labels = (context: CallContext) =>
    context.database.read(context, "short").selectFrom("dataset_labels").selectAll("dataset_labels");

  return {
    /** `names` null is all. */
    async list(
      context: CallContext,
      names: readonly string[] | null,
      request: SortedRequest<NameSort>,
    ): Promise<PlacedPage<DatasetLabel>> {
      let query = labels(context);
      if (names !== null) query = query.where(dialect.inList(sql.ref("dataset_labels.name"), names));
      return mapPage(await readPage(query, nameOrder("dataset_labels", request), request), labelOfRow);
    },

    async find(context: CallContext, ids: readonly number[]): Promise<Map<number, DatasetLabel>> {
      const rows = await labels(context)
        .where(dialect.inList(sql.ref("id"), ids))
        .execute();
      return new Map(rows.map((row) => [row.id, labelOfRow(row)]));
    },

    /** Newest first, of datasets; those that have none are left out. */
    async listOfDatasets(context: CallContext, datasetIds: readonly number[]): Promise<Map<number, DatasetLabel[]>> {
      const rows = await labels(context)
        .innerJoin("dataset_label_uses as uses", "uses.label_id", "dataset_labels.id")
        .select("uses.dataset_id")
        .where(dialect.inList(sql.ref("uses.dataset_id"), datasetIds))
        .orderBy("dataset_labels.id", "desc")
        .execute();
      return new Map(
        [...Map.groupBy(rows, ({ dataset_id }) => dataset_id)].map(([id, of]) => [id, of.map(labelOfRow)]),
      );
    },

    /** How many datasets have each label; those that none has are left out. */
    async countUses(context: CallContext, labelIds: readonly number[]): Promise<Map<number, number>> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("dataset_label_uses")
        .innerJoin("datasets", "datasets.id", "dataset_label_uses.dataset_id")
        .select((eb) => ["label_id as id", eb.fn.countAll<number>().as("count")])
        .where(dialect.inList(sql.ref("label_id"), labelIds))
        .where("datasets.deleting", "=", 0)
        .groupBy("label_id")
        .execute();
      return new Map(rows.map(({ id, count }) => [id, Number(count)]));
    },

    /** Null when the name is taken. */
    async insert(context: CallContext, label: NewDatasetLabel, userId: number | null): Promise<DatasetLabel | null> {
      const row = await context.database
        .write(context)
        .insertInto("dataset_labels")
        .values({ name: label.name, description: label.description, color: label.color, user_id: userId })
        .onConflict((conflict) => conflict.column("name").doNothing())
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : labelOfRow(row);
    },

    /** Null when the label is gone. Fails as a duplicate when the name is taken. */
    async update(context: CallContext, id: number, changes: Partial<NewDatasetLabel>): Promise<DatasetLabel | null> {
      const row = await context.database
        .write(context)
        .updateTable("dataset_labels")
        .set(changes)
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : labelOfRow(row);
    },

    /** Datasets have them no longer. Answers with those that were there. */
    async remove(context: CallContext, ids: readonly number[]): Promise<DatasetLabel[]> {
      const rows = await context.database
        .write(context)
        .deleteFrom("dataset_labels")
        .where(dialect.inList(sql.ref("id"), ids))
        .returningAll()
        .execute();
      return rows.map(labelOfRow);
    },

    /** Also those that the dataset has already. */
    async add(context: CallContext, datasetId: number, labelIds: readonly number[]): Promise<void> {
      const rows = [...new Set(labelIds)].sort((one, other) => one - other);
      if (rows.length === 0) return;
      await context.database
        .write(context)
        .insertInto("dataset_label_uses")
        .values(rows.map((labelId) => ({ dataset_id: datasetId, label_id: labelId })))
        .onConflict((conflict) => conflict.columns(["dataset_id", "label_id"]).doNothing())
        .execute();
    },

    /** `labelIds` null is all. */
    async take(context: CallContext, datasetId: number, labelIds: readonly number[] | null): Promise<void> {
      let query = context.database.write(context).deleteFrom("dataset_label_uses").where("dataset_id", "=", datasetId);
      if (labelIds !== null) query = query.where(dialect.inList(sql.ref("label_id"), labelIds));
      await query.execute();
    },
  };
}

function labelOfRow({ id, name, description, color }: Selectable<DatasetLabelsTable>): DatasetLabel {
  return { id, name, description, color };
}

// The rows that attach evaluators to datasets. One whose deletion has begun is seen by its deletion only.
import { type Selectable, sql } from "kysely";
import { parseStoredJson, stringifyJson } from "../../../../kernel/json.ts";
import type { PlacedPage, SortedRequest } from "../../../../kernel/list.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import { isDuplicate } from "../../../../storage/duplicate.ts";
import { readPages } from "../../../../storage/list.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { DatasetEvaluator, EvaluatorSort, InputMapping } from "../evaluators.schema.ts";
import { evaluatorOrder } from "../evaluators.store.ts";
import type { DatasetEvaluatorsTable } from "../evaluators.tables.ts";
import { outputsOfText, textOfOutputs } from "../output-configs.rules.ts";

type NewLink = Omit<DatasetEvaluator, "id" | "updatedUs">;
type LinkChanges = Pick<DatasetEvaluator, "name" | "description" | "inputMapping" | "outputs" | "updatedUs">;

export type DatasetEvaluatorsStore = ReturnType<typeof createDatasetEvaluatorsStore>;

export function createDatasetEvaluatorsStore(dialect: Dialect) {
  const links = (context: CallContext) =>
    context.database
      .read(context, "short")
      .selectFrom("dataset_evaluators as links")
      .selectAll("links")
      .where("links.deletion_began_us", "is", null);

  return {
    async findAll(context: CallContext, ids: readonly number[]): Promise<DatasetEvaluator[]> {
      const rows = await links(context)
        .where(dialect.inList(sql.ref("links.id"), ids))
        .execute();
      return rows.map(linkOfRow);
    },

    /** By dataset. `nameContains` in any letter case. */
    listOfDatasets: (
      context: CallContext,
      datasetIds: readonly number[],
      { nameContains, ...request }: SortedRequest<EvaluatorSort> & { readonly nameContains: string },
    ): Promise<Map<number, PlacedPage<DatasetEvaluator>>> =>
      readPages(
        context.database.read(context, "short"),
        datasetIds,
        {
          listOf(id) {
            const ofDataset = links(context)
              .innerJoin("evaluators", "evaluators.id", "links.evaluator_id")
              .where("links.dataset_id", "=", id);
            return nameContains === ""
              ? ofDataset
              : ofDataset.where(dialect.containsIgnoringCase(sql.ref("links.name"), nameContains));
          },
          ownerOf: ({ dataset_id }) => dataset_id,
          itemOf: linkOfRow,
        },
        evaluatorOrder(request, { names: "links", times: "links" }),
        request,
      ),

    /** By evaluator, by name; an evaluator without any has an empty list. */
    async listOfEvaluators(
      context: CallContext,
      evaluatorIds: readonly number[],
    ): Promise<Map<number, DatasetEvaluator[]>> {
      const rows = await links(context)
        .where(dialect.inList(sql.ref("links.evaluator_id"), evaluatorIds))
        .orderBy("links.name")
        .orderBy("links.id")
        .execute();
      const found = new Map<number, DatasetEvaluator[]>(evaluatorIds.map((id) => [id, []]));
      for (const row of rows) found.get(row.evaluator_id)?.push(linkOfRow(row));
      return found;
    },

    /** By dataset; one without any is left out. */
    async countOfDatasets(context: CallContext, datasetIds: readonly number[]): Promise<Map<number, number>> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("dataset_evaluators")
        .select((eb) => ["dataset_id", eb.fn.countAll<number>().as("count")])
        .where(dialect.inList(sql.ref("dataset_id"), datasetIds))
        .where("deletion_began_us", "is", null)
        .groupBy("dataset_id")
        .execute();
      return new Map(rows.map(({ dataset_id, count }) => [dataset_id, Number(count)]));
    },

    /** Null when the name is taken in the dataset: what was written in the transaction must then be given up. */
    async insert(context: CallContext, link: NewLink): Promise<DatasetEvaluator | null> {
      return orTaken(async () => {
        const row = await context.database
          .write(context)
          .insertInto("dataset_evaluators")
          .values({
            dataset_id: link.datasetId,
            evaluator_id: link.evaluatorId,
            name: link.name,
            description: link.description,
            input_mapping: textOfMapping(link.inputMapping),
            outputs: link.outputs === null ? null : textOfOutputs(link.outputs),
            project_name: link.projectName,
            user_id: link.userId,
            created_us: link.createdUs,
            updated_us: link.createdUs,
            deletion_began_us: null,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        return linkOfRow(row);
      });
    },

    /** Null when the name is taken, or the link is gone. */
    async update(context: CallContext, id: number, changes: LinkChanges): Promise<DatasetEvaluator | null> {
      return orTaken(async () => {
        const row = await context.database
          .write(context)
          .updateTable("dataset_evaluators")
          .set({
            name: changes.name,
            description: changes.description,
            input_mapping: textOfMapping(changes.inputMapping),
            outputs: changes.outputs === null ? null : textOfOutputs(changes.outputs),
            updated_us: changes.updatedUs,
          })
          .where("id", "=", id)
          .where("deletion_began_us", "is", null)
          .returningAll()
          .executeTakeFirst();
        return row === undefined ? null : linkOfRow(row);
      });
    },
  };
}

async function orTaken(write: () => Promise<DatasetEvaluator | null>): Promise<DatasetEvaluator | null> {
  try {
    return await write();
  } catch (error) {
    if (isDuplicate(error)) return null;
    throw error;
  }
}

function textOfMapping({ literalMapping, pathMapping }: InputMapping): string {
  return stringifyJson({ literal_mapping: literalMapping, path_mapping: { ...pathMapping } });
}

function mappingOfText(text: string): InputMapping {
  const { literal_mapping, path_mapping } = parseStoredJson<{
    readonly literal_mapping: InputMapping["literalMapping"];
    readonly path_mapping: InputMapping["pathMapping"];
  }>(text);
  return { literalMapping: literal_mapping, pathMapping: path_mapping };
}

function linkOfRow(row: Selectable<DatasetEvaluatorsTable>): DatasetEvaluator {
  return {
    id: row.id,
    datasetId: row.dataset_id,
    evaluatorId: row.evaluator_id,
    name: row.name,
    description: row.description,
    inputMapping: mappingOfText(row.input_mapping),
    outputs: row.outputs === null ? null : outputsOfText(row.outputs),
    projectName: row.project_name,
    userId: row.user_id,
    createdUs: row.created_us,
    updatedUs: row.updated_us,
  };
}

// Exports of datasets, written as they are read: neither ever holds more than a part.
import type { CallContext } from "../../../../storage/storage.ts";
import { DATASET, DATASET_VERSION, type Dataset } from "../datasets.schema.ts";
import { type DatasetsService, requireIdOf } from "../datasets.service.ts";
import type { DatasetSplitsService } from "../splits/dataset-splits.service.ts";
import {
  createCsvColumns,
  type ExportedExample,
  evaluationLine,
  fineTuningLine,
  jsonLine,
} from "./dataset-export.rules.ts";

export type ExportFormat = "csv" | "jsonl" | "openai_ft" | "openai_evals" | "parquet";

interface ExportsDependencies {
  readonly datasets: DatasetsService;
  readonly splits: DatasetSplitsService;
  readonly notFound: (id: string) => Error;
}

interface DatasetExport {
  readonly dataset: Dataset;
  readonly parts: AsyncGenerator<string | Uint8Array>;
}

export interface DatasetExportsService {
  /** Nothing but the frame of the file for a version that is not of the dataset. Throws kind `invalid` for the ids, and for a
   *  dataset that is not there. */
  exportDataset(
    context: CallContext,
    id: string,
    versionId: string | undefined,
    format: ExportFormat,
  ): Promise<DatasetExport>;
}

const lines: Readonly<Record<Exclude<ExportFormat, "csv" | "parquet">, (example: ExportedExample) => string>> = {
  jsonl: jsonLine,
  openai_ft: fineTuningLine,
  openai_evals: evaluationLine,
};

export function createDatasetExportsService(dependencies: ExportsDependencies): DatasetExportsService {
  const { datasets, splits, notFound } = dependencies;

  async function findVersionId(context: CallContext, dataset: Dataset, wanted: number | null): Promise<number | null> {
    if (wanted === null) return (await datasets.findNewestVersions(context, [dataset.id])).get(dataset.id)?.id ?? null;
    const version = (await datasets.findVersions(context, [wanted])).get(wanted);
    return version?.datasetId === dataset.id ? wanted : null;
  }

  async function* walk(context: CallContext, at: { datasetId: number; versionId: number } | null) {
    if (at === null) return;
    for await (const part of datasets.walkExamples(context, at, {})) {
      const members = await splits.listOfExamples(
        context,
        part.map(({ id }) => id),
      );
      yield part.map(
        (example): ExportedExample => ({
          ...example,
          splits: (members.get(example.id) ?? []).map(({ name }) => name).sort(),
        }),
      );
    }
  }

  async function* written(
    context: CallContext,
    at: { datasetId: number; versionId: number } | null,
    format: ExportFormat,
  ): AsyncGenerator<string | Uint8Array> {
    if (format === "parquet") {
      // Loaded by the first one: most servers never write any.
      yield* (await import("./dataset-parquet.rules.ts")).parquetFile(walk(context, at));
      return;
    }
    if (format !== "csv") {
      for await (const part of walk(context, at)) yield part.map(lines[format]).join("");
      return;
    }
    // Read twice: the columns are those of all rows, and only then can the first line be written.
    const columns = createCsvColumns();
    for await (const part of walk(context, at)) for (const example of part) columns.add(example);
    yield columns.header();
    for await (const part of walk(context, at)) yield part.map(columns.row).join("");
  }

  return {
    async exportDataset(context, id, versionText, format) {
      const rowId = requireIdOf(DATASET, "dataset", id);
      const wanted =
        versionText === undefined || versionText === "" ? null : requireIdOf(DATASET_VERSION, "version", versionText);
      const dataset = (await datasets.findDatasets(context, [rowId])).get(rowId);
      if (dataset === undefined) throw notFound(id);
      const versionId = await findVersionId(context, dataset, wanted);
      const at = versionId === null ? null : { datasetId: dataset.id, versionId };
      return { dataset, parts: written(context, at, format) };
    },
  };
}

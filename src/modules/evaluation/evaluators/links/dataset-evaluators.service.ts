// The use cases of evaluators of datasets: reading them, and attaching built-in ones. Who may call them is decided by the policy before.
import { randomBytes } from "node:crypto";
import { authorIdOf } from "../../../../access/principal.ts";
import type { Clock } from "../../../../kernel/clock.ts";
import { findGlobalId, globalId } from "../../../../kernel/ids.ts";
import type { CallContext, Storage } from "../../../../storage/storage.ts";
import type { ProjectsService } from "../../../tracing/projects/projects.service.ts";
import type { NewAnnotationConfig } from "../../annotation-configs/annotation-configs.schema.ts";
import { DATASET } from "../../datasets/datasets.schema.ts";
import type { DatasetsService } from "../../datasets/datasets.service.ts";
import { requireLiterals } from "../built-in/built-in-evaluators.rules.ts";
import {
  builtInEvaluatorNotFound,
  datasetEvaluatorIdRefused,
  datasetEvaluatorNameTaken,
  datasetEvaluatorNotFound,
  evaluatedDatasetNotFound,
  evaluatorIdRefused,
  otherKindOfEvaluator,
} from "../evaluators.errors.ts";
import {
  BUILT_IN_EVALUATOR,
  type BuiltInEvaluatorKey,
  DATASET_EVALUATOR,
  type DatasetEvaluator,
  type Evaluator,
  type InputMapping,
} from "../evaluators.schema.ts";
import type { EvaluatorsStore } from "../evaluators.store.ts";
import { requireBuiltInOutputs } from "../output-configs.rules.ts";
import type { DatasetEvaluatorsStore } from "./dataset-evaluators.store.ts";

export interface LinkDependencies {
  readonly store: DatasetEvaluatorsStore;
  readonly evaluators: EvaluatorsStore;
  readonly datasets: Pick<DatasetsService, "findDatasets">;
  readonly projects: Pick<ProjectsService, "createProject">;
  readonly storage: Pick<Storage, "transaction">;
  readonly clock: Clock;
}

/** What a link has of its own; `outputs` null for those of the evaluator. */
interface LinkFields {
  readonly name: string;
  readonly description: string | null;
  readonly inputMapping: InputMapping;
  readonly outputs: readonly NewAnnotationConfig[] | null;
}

export interface DatasetEvaluatorsService {
  /** By row id. */
  findDatasetEvaluators(context: CallContext, ids: readonly number[]): Promise<Map<number, DatasetEvaluator>>;
  /** By dataset. */
  listOfDatasets: DatasetEvaluatorsStore["listOfDatasets"];
  /** By evaluator, by name. */
  listOfEvaluators(context: CallContext, evaluatorIds: readonly number[]): Promise<Map<number, DatasetEvaluator[]>>;
  /** By dataset. */
  countOfDatasets(context: CallContext, datasetIds: readonly number[]): Promise<Map<number, number>>;
  /** By global id. Throws kind `invalid` for what is not the id of a dataset evaluator, `not_found` also for one of another dataset. */
  getOfDataset(context: CallContext, datasetId: number, id: string): Promise<DatasetEvaluator>;
  /** Attaches a built-in evaluator. Ids are global. Throws kind `invalid`, `malformed`, `not_found`, `conflict` for a name that is taken. */
  createBuiltIn(
    context: CallContext,
    given: LinkFields & { readonly datasetId: string; readonly evaluatorId: string },
  ): Promise<DatasetEvaluator>;
  /** Throws as `createBuiltIn`, and kind `invalid` for another kind of evaluator. */
  updateBuiltIn(context: CallContext, id: string, fields: LinkFields): Promise<DatasetEvaluator>;
}

export function createDatasetEvaluatorsService(dependencies: LinkDependencies): DatasetEvaluatorsService {
  const { store, evaluators, storage, clock } = dependencies;
  return {
    findDatasetEvaluators: async (context, ids) =>
      new Map((await store.findAll(context, ids)).map((link) => [link.id, link])),
    listOfDatasets: store.listOfDatasets,
    listOfEvaluators: (context, evaluatorIds) => store.listOfEvaluators(context, evaluatorIds),
    countOfDatasets: (context, datasetIds) => store.countOfDatasets(context, datasetIds),

    async getOfDataset(context, datasetId, id) {
      const link = await getDatasetEvaluator(dependencies, context, id);
      if (link.datasetId !== datasetId) throw datasetEvaluatorNotFound(id);
      return link;
    },

    async createBuiltIn(context, { datasetId, evaluatorId, ...fields }) {
      const dataset = await requireEvaluatedDataset(dependencies, context, datasetId);
      const [evaluator] = await evaluators.findAll(context, [requireBuiltInId(evaluatorId)]);
      if (evaluator?.kind !== "BUILTIN") throw builtInEvaluatorNotFound(evaluatorId);
      requireBuiltInFields(evaluator.name, fields);
      return storage.transaction(context, (inner) => insertLink(dependencies, inner, dataset, evaluator.id, fields));
    },

    async updateBuiltIn(context, id, fields) {
      const link = await getDatasetEvaluator(dependencies, context, id);
      const evaluator = await getEvaluatorOf(dependencies, context, link);
      if (evaluator.kind !== "BUILTIN") throw otherKindOfEvaluator("LLM");
      requireBuiltInFields(evaluator.name, fields);
      return updateLink(dependencies, context, link, { ...fields, updatedUs: clock.now() });
    },
  };
}

/** Throws kind `invalid` or `malformed`. */
function requireBuiltInFields(key: BuiltInEvaluatorKey, { outputs, inputMapping }: LinkFields): void {
  if (outputs !== null) requireBuiltInOutputs(key, outputs);
  requireLiterals(key, inputMapping.literalMapping);
}

/** The row id of the dataset. Throws kind `not_found` for every other text. */
export async function requireEvaluatedDataset(
  { datasets }: Pick<LinkDependencies, "datasets">,
  context: CallContext,
  id: string,
): Promise<number> {
  const found = findGlobalId(id);
  if (found?.type !== DATASET) throw evaluatedDatasetNotFound(id);
  if (!(await datasets.findDatasets(context, [found.rowId])).has(found.rowId)) throw evaluatedDatasetNotFound(id);
  return found.rowId;
}

/** By global id. Throws kind `invalid`, `not_found`. */
export async function getDatasetEvaluator(
  { store }: Pick<LinkDependencies, "store">,
  context: CallContext,
  id: string,
): Promise<DatasetEvaluator> {
  const found = findGlobalId(id);
  if (found?.type !== DATASET_EVALUATOR) throw datasetEvaluatorIdRefused(id);
  const [link] = await store.findAll(context, [found.rowId]);
  if (link === undefined) throw datasetEvaluatorNotFound(id);
  return link;
}

/** Throws kind `not_found` for a built-in evaluator of a newer version of the program. */
export async function getEvaluatorOf(
  { evaluators }: Pick<LinkDependencies, "evaluators">,
  context: CallContext,
  { id, evaluatorId }: DatasetEvaluator,
): Promise<Evaluator> {
  const [evaluator] = await evaluators.findAll(context, [evaluatorId]);
  if (evaluator === undefined) throw datasetEvaluatorNotFound(globalId(DATASET_EVALUATOR, id));
  return evaluator;
}

/** With the project of its traces, in the transaction of the caller. Throws kind `conflict` for a name that is taken. */
export async function insertLink(
  { store, projects, clock }: LinkDependencies,
  inner: CallContext,
  datasetId: number,
  evaluatorId: number,
  fields: LinkFields,
): Promise<DatasetEvaluator> {
  const projectName = `dataset-evaluator-${randomBytes(12).toString("hex")}`;
  await projects.createProject(inner, {
    name: projectName,
    description: `Traces of the evaluator ${fields.name}\ndataset_id: ${globalId(DATASET, datasetId)}`,
  });
  const link = await store.insert(inner, {
    ...fields,
    datasetId,
    evaluatorId,
    projectName,
    userId: authorIdOf(inner.principal),
    createdUs: clock.now(),
  });
  if (link === null) throw datasetEvaluatorNameTaken(fields.name, globalId(DATASET, datasetId));
  return link;
}

/** Throws kind `conflict` for a name that is taken. */
export async function updateLink(
  { store }: Pick<LinkDependencies, "store">,
  context: CallContext,
  link: DatasetEvaluator,
  changes: LinkFields & { readonly updatedUs: number },
): Promise<DatasetEvaluator> {
  const updated = await store.update(context, link.id, changes);
  if (updated !== null) return updated;
  if ((await store.findAll(context, [link.id])).length === 0)
    throw datasetEvaluatorNotFound(globalId(DATASET_EVALUATOR, link.id));
  throw datasetEvaluatorNameTaken(changes.name, globalId(DATASET, link.datasetId));
}

function requireBuiltInId(id: string): number {
  const found = findGlobalId(id);
  if (found?.type !== BUILT_IN_EVALUATOR) {
    if (found?.type === "LLMEvaluator" || found?.type === "CodeEvaluator") throw builtInEvaluatorNotFound(id);
    throw evaluatorIdRefused(id, found?.type ?? null);
  }
  return found.rowId;
}

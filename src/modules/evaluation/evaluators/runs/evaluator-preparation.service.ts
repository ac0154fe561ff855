// Reads evaluators of datasets so that they can run: with the versions of their prompts as they are now.
import { globalId } from "../../../../kernel/ids.ts";
import { parseStoredJson } from "../../../../kernel/json.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { InvocationParameters, Template, Tools } from "../../prompts/prompt-content.schema.ts";
import type { VersionContent } from "../../prompts/prompts.schema.ts";
import type { PromptsService } from "../../prompts/prompts.service.ts";
import { datasetEvaluatorNotFound, datasetEvaluatorRepeated, evaluatorWithoutPrompt } from "../evaluators.errors.ts";
import { DATASET_EVALUATOR, type DatasetEvaluator, type Evaluator } from "../evaluators.schema.ts";
import type { EvaluatorsService } from "../evaluators.service.ts";
import type { DatasetEvaluatorsService } from "../links/dataset-evaluators.service.ts";
import { chatOf } from "../llm/evaluator-prompt.rules.ts";
import type { LlmDefinition, PreparedEvaluator } from "./evaluator-runs.schema.ts";
import { resultNames } from "./result-names.rules.ts";

interface PreparationDependencies {
  readonly evaluators: Pick<EvaluatorsService, "findEvaluators" | "findRunningVersions">;
  readonly links: Pick<DatasetEvaluatorsService, "findDatasetEvaluators">;
  readonly prompts: Pick<PromptsService, "findPrompts">;
}

export interface EvaluatorPreparationService {
  /** Dataset evaluators by row id, in the order of the ids, as they are now. Throws kind `not_found` for one that is not there or is of
   *  another dataset, `invalid` for a repeated one and for one whose prompt has no version. */
  prepareEvaluators(context: CallContext, datasetId: number, ids: readonly number[]): Promise<PreparedEvaluator[]>;
}

export function createEvaluatorPreparation(dependencies: PreparationDependencies): EvaluatorPreparationService {
  const { evaluators, links, prompts } = dependencies;
  return {
    async prepareEvaluators(context, datasetId, ids) {
      const found = await links.findDatasetEvaluators(context, ids);
      const wanted = ids.map((id, position) => {
        const link = found.get(id);
        if (link === undefined || link.datasetId !== datasetId) throw datasetEvaluatorNotFound(linkId(id));
        if (ids.indexOf(id) < position) throw datasetEvaluatorRepeated(linkId(id));
        return link;
      });
      const byId = await evaluators.findEvaluators(
        context,
        wanted.map(({ evaluatorId }) => evaluatorId),
      );
      const llm = [...byId.values()].filter((evaluator) => evaluator.kind === "LLM");
      const [versions, named] = await Promise.all([
        evaluators.findRunningVersions(
          context,
          llm.map(({ id }) => id),
        ),
        prompts.findPrompts(
          context,
          llm.map(({ promptId }) => promptId),
        ),
      ]);
      return wanted.map((link) => {
        const evaluator = byId.get(link.evaluatorId);
        if (evaluator === undefined) throw datasetEvaluatorNotFound(linkId(link.id));
        if (evaluator.kind === "BUILTIN") return prepared(link, evaluator, { kind: "BUILTIN", key: evaluator.name });
        const version = versions.get(evaluator.id);
        if (version === undefined) throw evaluatorWithoutPrompt(link.name);
        return prepared(link, evaluator, llmDefinition(named.get(evaluator.promptId)?.name ?? "", version));
      });
    },
  };
}

const linkId = (id: number) => globalId(DATASET_EVALUATOR, id);

function prepared(
  link: DatasetEvaluator,
  evaluator: Evaluator,
  definition: PreparedEvaluator["definition"],
): PreparedEvaluator {
  const outputs = link.outputs ?? evaluator.outputs;
  return {
    datasetEvaluatorId: link.id,
    name: link.name,
    projectName: link.projectName,
    outputs,
    resultNames: resultNames(link.name, outputs),
    inputMapping: link.inputMapping,
    definition,
  };
}

/** How a model judges by a version of a prompt. */
export function llmDefinition(promptName: string, version: VersionContent): LlmDefinition {
  return {
    kind: "LLM",
    model: {
      provider: version.modelProvider,
      model: version.modelName,
      customProviderId: version.customProviderId,
    },
    promptName,
    templateFormat: version.templateFormat,
    messages: chatOf(parseStoredJson<Template>(version.template)),
    tools: version.tools === null ? { type: "tools", tools: [] } : parseStoredJson<Tools>(version.tools),
    parameters: parseStoredJson<InvocationParameters>(version.invocationParameters),
  };
}

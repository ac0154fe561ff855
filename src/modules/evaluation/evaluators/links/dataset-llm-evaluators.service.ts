// Attaching LLM evaluators to datasets: the evaluator, its prompt with a version and a tag, the link and the project of its traces are
// written together.
import { randomBytes } from "node:crypto";
import { authorIdOf } from "../../../../access/principal.ts";
import { globalId } from "../../../../kernel/ids.ts";
import { parseJson } from "../../../../kernel/json.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { NewAnnotationConfig } from "../../annotation-configs/annotation-configs.schema.ts";
import type { Label } from "../../labels/labels.schema.ts";
import type { LabelsService } from "../../labels/labels.service.ts";
import type { PromptVersionsService } from "../../prompts/prompt-versions.service.ts";
import { PROMPT, type PromptVersion, type VersionContent } from "../../prompts/prompts.schema.ts";
import type { PromptsService } from "../../prompts/prompts.service.ts";
import type { PromptTagsService } from "../../prompts/versions/prompt-tags.service.ts";
import { evaluatorNameTaken, otherKindOfEvaluator } from "../evaluators.errors.ts";
import type { DatasetEvaluator, InputMapping } from "../evaluators.schema.ts";
import { requireEvaluatorContent } from "../llm/evaluator-content.rules.ts";
import {
  getDatasetEvaluator,
  getEvaluatorOf,
  insertLink,
  type LinkDependencies,
  requireEvaluatedDataset,
  updateLink,
} from "./dataset-evaluators.service.ts";

interface LlmDependencies extends LinkDependencies {
  readonly prompts: Pick<PromptsService, "createPrompt" | "addVersion">;
  readonly versions: Pick<PromptVersionsService, "getVersion" | "findEndVersions">;
  readonly tags: Pick<PromptTagsService, "setTags" | "listOfVersions" | "findTags">;
  readonly labels: Pick<LabelsService<Label, number>, "ensureLabel">;
}

export interface LlmEvaluatorFields {
  readonly name: string;
  readonly description: string | null;
  readonly inputMapping: InputMapping;
  readonly outputs: readonly NewAnnotationConfig[];
  /** What runs from now on. */
  readonly content: VersionContent;
  /** Global id of the version that `content` was made from: a new version of its prompt is made only if `content` differs. Null for a new
   *  prompt. */
  readonly promptVersionId: string | null;
}

export interface DatasetLlmEvaluatorsService {
  /** Throws kind `invalid` or `malformed` for parts that do not fit together, `not_found` for the dataset or the version, `conflict` for a
   *  name that is taken in the dataset. */
  createLlm(context: CallContext, datasetId: string, fields: LlmEvaluatorFields): Promise<DatasetEvaluator>;
  /** Changes the link, and the evaluator for every dataset that uses it. Throws as `createLlm`, and kind `invalid` for a built-in one. */
  updateLlm(context: CallContext, id: string, fields: LlmEvaluatorFields): Promise<DatasetEvaluator>;
}

/** Of prompts that evaluators are made of. */
const EVALUATOR_LABEL = { name: "evaluator", description: "Prompts of evaluators", color: "#4ecf50" };

interface EvaluatorPrompt {
  readonly promptId: number;
  readonly promptTagId: number;
  readonly madePrompt: boolean;
}

export function createDatasetLlmEvaluators(dependencies: LlmDependencies): DatasetLlmEvaluatorsService {
  const { evaluators, prompts, versions, tags, labels, storage, clock } = dependencies;

  /** The version with this content, of the given prompt or of a new one. */
  async function versionOf(
    inner: CallContext,
    { name, content, promptVersionId }: LlmEvaluatorFields,
  ): Promise<{ readonly version: PromptVersion; readonly madePrompt: boolean }> {
    if (promptVersionId === null) {
      const prompt = { name: suffixed(`${name}-evaluator`), description: null, metadata: "{}" };
      const { id } = await prompts.createPrompt(inner, prompt, content, []);
      const version = (await versions.findEndVersions(inner, [id], "latest")).get(id)!;
      return { version, madePrompt: true };
    }
    const version = await versions.getVersion(inner, promptVersionId);
    if (isSameContent(version, content)) return { version, madePrompt: false };
    const added = await prompts.addVersion(inner, globalId(PROMPT, version.promptId), content, []);
    return { version: added, madePrompt: false };
  }

  async function tagId(inner: CallContext, version: PromptVersion, name: string): Promise<number> {
    await tags.setTags(inner, version, [{ name }]);
    const found = (await tags.listOfVersions(inner, [version.id])).get(version.id)!;
    return found.find((tag) => tag.name === name)!.id;
  }

  async function newPrompt(inner: CallContext, fields: LlmEvaluatorFields): Promise<EvaluatorPrompt> {
    const { version, madePrompt } = await versionOf(inner, fields);
    await labels.ensureLabel(inner, version.promptId, EVALUATOR_LABEL);
    const promptTagId = await tagId(inner, version, suffixed(`${fields.name}-evaluator`));
    return { promptId: version.promptId, promptTagId, madePrompt };
  }

  /** The tag moves if the prompt is still the same. */
  async function nextPrompt(
    inner: CallContext,
    fields: LlmEvaluatorFields,
    current: { readonly promptId: number; readonly promptTagId: number | null; readonly madePrompt: boolean },
  ): Promise<EvaluatorPrompt> {
    const { promptTagId, promptId } = current;
    if (fields.promptVersionId === null || promptTagId === null) return newPrompt(inner, fields);
    const { version, madePrompt } = await versionOf(inner, fields);
    const tag = (await tags.findTags(inner, [promptTagId])).get(promptTagId);
    const isSame = version.promptId === promptId && tag !== undefined;
    await labels.ensureLabel(inner, version.promptId, EVALUATOR_LABEL);
    const moved = await tagId(inner, version, isSame ? tag.name : suffixed(`${fields.name}-evaluator`));
    return {
      promptId: version.promptId,
      promptTagId: moved,
      madePrompt: version.promptId === promptId ? current.madePrompt : madePrompt,
    };
  }

  async function insertEvaluator(inner: CallContext, fields: LlmEvaluatorFields): Promise<number> {
    const row = {
      ...(await newPrompt(inner, fields)),
      description: fields.description,
      outputs: fields.outputs,
      userId: authorIdOf(inner.principal),
      createdUs: clock.now(),
    };
    const id =
      (await evaluators.insertLlm(inner, { ...row, name: fields.name })) ??
      (await evaluators.insertLlm(inner, { ...row, name: suffixed(fields.name) }));
    if (id === null) throw evaluatorNameTaken(fields.name);
    return id;
  }

  /** What the link has of its own: descriptions and outputs are those of the evaluator. */
  const linkOf = ({ name, inputMapping }: LlmEvaluatorFields) => ({
    name,
    description: null,
    inputMapping,
    outputs: null,
  });

  return {
    async createLlm(context, datasetId, fields) {
      requireEvaluatorContent(fields);
      const dataset = await requireEvaluatedDataset(dependencies, context, datasetId);
      return storage.transaction(context, async (inner) =>
        insertLink(dependencies, inner, dataset, await insertEvaluator(inner, fields), linkOf(fields)),
      );
    },

    async updateLlm(context, id, fields) {
      const link = await getDatasetEvaluator(dependencies, context, id);
      const { kind } = await getEvaluatorOf(dependencies, context, link);
      if (kind !== "LLM") throw otherKindOfEvaluator("BUILTIN");
      requireEvaluatorContent(fields);
      return storage.transaction(context, async (inner) => {
        const evaluator = await evaluators.lock(inner, link.evaluatorId);
        if (evaluator?.kind !== "LLM") throw otherKindOfEvaluator("BUILTIN");
        const updatedUs = clock.now();
        const { name, description, outputs } = fields;
        const prompt = await nextPrompt(inner, fields, evaluator);
        await evaluators.updateLlm(inner, evaluator.id, { ...prompt, name, description, outputs, updatedUs });
        return updateLink(dependencies, inner, link, { ...linkOf(fields), updatedUs });
      });
    },
  };
}

function suffixed(name: string): string {
  return `${name}-${randomBytes(4).toString("hex")}`;
}

/** What a model is asked with is the same. */
function isSameContent(one: VersionContent, other: VersionContent): boolean {
  const same = (text: string | null, second: string | null) =>
    text === second || (text !== null && second !== null && Bun.deepEquals(parseJson(text), parseJson(second)));
  return (
    one.modelProvider === other.modelProvider &&
    one.customProviderId === other.customProviderId &&
    one.modelName === other.modelName &&
    one.templateFormat === other.templateFormat &&
    same(one.template, other.template) &&
    same(one.tools, other.tools) &&
    same(one.responseFormat, other.responseFormat) &&
    same(one.invocationParameters, other.invocationParameters)
  );
}

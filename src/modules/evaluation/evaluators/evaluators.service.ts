// The use cases of evaluators themselves. Who may call them is decided by the policy before.
import type { CallContext } from "../../../storage/storage.ts";
import type { PromptVersionsService } from "../prompts/prompt-versions.service.ts";
import type { PromptVersion } from "../prompts/prompts.schema.ts";
import type { PromptTagsService } from "../prompts/versions/prompt-tags.service.ts";
import type { BuiltInEvaluator, Evaluator } from "./evaluators.schema.ts";
import type { EvaluatorsStore } from "./evaluators.store.ts";

interface EvaluatorsDependencies {
  readonly store: EvaluatorsStore;
  readonly tags: Pick<PromptTagsService, "findTags">;
  readonly versions: Pick<PromptVersionsService, "findVersions" | "findEndVersions">;
}

export interface EvaluatorsService {
  /** LLM evaluators, and built-in ones that a dataset uses. The name may also be the one that a dataset calls it by. */
  listEvaluators: EvaluatorsStore["list"];
  /** How many `listEvaluators` gives without a name. */
  countEvaluators(context: CallContext): Promise<number>;
  /** By name. */
  listBuiltIn(context: CallContext): Promise<BuiltInEvaluator[]>;
  /** By row id. */
  findEvaluators(context: CallContext, ids: readonly number[]): Promise<Map<number, Evaluator>>;
  /** The versions that run now, by the row id of the evaluator: the tagged one, else the newest of the prompt. */
  findRunningVersions(context: CallContext, ids: readonly number[]): Promise<Map<number, PromptVersion>>;
}

export function createEvaluatorsService({ store, tags, versions }: EvaluatorsDependencies): EvaluatorsService {
  return {
    listEvaluators: store.list,
    countEvaluators: (context) => store.count(context),

    async listBuiltIn(context) {
      return (await store.listBuiltIn(context)).filter((evaluator) => evaluator.kind === "BUILTIN");
    },

    findEvaluators: async (context, ids) =>
      new Map((await store.findAll(context, ids)).map((evaluator) => [evaluator.id, evaluator])),

    async findRunningVersions(context, ids) {
      const evaluators = (await store.findAll(context, ids)).filter((evaluator) => evaluator.kind === "LLM");
      const tagIds = evaluators.flatMap(({ promptTagId }) => (promptTagId === null ? [] : [promptTagId]));
      const tagged = await tags.findTags(context, tagIds);
      const versionIds = [...tagged.values()].map(({ versionId }) => versionId);
      const untagged = evaluators.filter(({ promptTagId }) => promptTagId === null || !tagged.has(promptTagId));
      const [byId, newest] = await Promise.all([
        versions.findVersions(context, versionIds),
        versions.findEndVersions(
          context,
          untagged.map(({ promptId }) => promptId),
          "latest",
        ),
      ]);
      const running = new Map<number, PromptVersion>();
      for (const { id, promptId, promptTagId } of evaluators) {
        const tag = promptTagId === null ? undefined : tagged.get(promptTagId);
        const version = tag === undefined ? newest.get(promptId) : byId.get(tag.versionId);
        if (version !== undefined) running.set(id, version);
      }
      return running;
    },
  };
}

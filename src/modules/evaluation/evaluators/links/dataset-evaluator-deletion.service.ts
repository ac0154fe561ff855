// Deletes evaluators of datasets with the traces of their evaluations, in steps that may be repeated by any server at any time. Who may
// ask for it is decided by the policy before.
import type { JobContext } from "../../../../jobs/job.ts";
import type { Clock } from "../../../../kernel/clock.ts";
import { Failure } from "../../../../kernel/failure.ts";
import { findGlobalId, globalId } from "../../../../kernel/ids.ts";
import type { CallContext, Storage } from "../../../../storage/storage.ts";
import type { ProjectsService } from "../../../tracing/projects/projects.service.ts";
import { PROMPT } from "../../prompts/prompts.schema.ts";
import type { PromptsService } from "../../prompts/prompts.service.ts";
import { datasetEvaluatorIdRefused } from "../evaluators.errors.ts";
import { DATASET_EVALUATOR } from "../evaluators.schema.ts";
import type { EvaluatorsStore } from "../evaluators.store.ts";
import type { DatasetEvaluatorDeletionStore } from "./dataset-evaluator-deletion.store.ts";

interface DeletionDependencies {
  readonly store: DatasetEvaluatorDeletionStore;
  readonly evaluators: Pick<EvaluatorsStore, "removeUnused">;
  readonly prompts: Pick<PromptsService, "deletePrompt">;
  readonly projects: Pick<ProjectsService, "deleteProject">;
  readonly storage: Pick<Storage, "transaction">;
  readonly clock: Clock;
}

export interface DatasetEvaluatorDeletionService {
  /** By global id, with the projects of their traces. LLM evaluators that no dataset uses any more go as well, and with `withPrompts` the
   *  prompts that were made for them. Ids that are not there are left out of the answer. Asked again after a failure, it goes on. Throws
   *  kind `invalid` for what is not the id of a dataset evaluator. */
  deleteDatasetEvaluators(context: CallContext, ids: readonly string[], withPrompts: boolean): Promise<string[]>;
  /** Goes on with deletions that were cut off. Resolves to false when more is left. */
  finishDeletions(job: JobContext): Promise<boolean>;
}

/** What is gone, or stays: the default project, a prompt with a protected tag or of another evaluator. */
const LEFT: readonly string[] = ["not_found", "forbidden", "conflict"];

export function createDatasetEvaluatorDeletion(dependencies: DeletionDependencies): DatasetEvaluatorDeletionService {
  const { store, evaluators, prompts, projects, storage, clock } = dependencies;

  async function removeBegun(
    context: CallContext,
    link: Awaited<ReturnType<DatasetEvaluatorDeletionStore["listBegun"]>>[number],
  ): Promise<void> {
    await projects.deleteProject(context, link.projectName).catch(ignoringWhatStays);
    await storage.transaction(context, async (inner) => {
      await store.remove(inner, link.id);
      await evaluators.removeUnused(inner, link.evaluatorId);
      if (link.promptId === null || (await store.isPromptUsed(inner, link.promptId))) return;
      await prompts.deletePrompt(inner, globalId(PROMPT, link.promptId)).catch(ignoringWhatStays);
    });
  }

  return {
    async deleteDatasetEvaluators(context, ids, withPrompts) {
      const rowIds = ids.map((id) => {
        const found = findGlobalId(id);
        if (found?.type !== DATASET_EVALUATOR) throw datasetEvaluatorIdRefused(id);
        return found.rowId;
      });
      const begun = await storage.transaction(context, (inner) =>
        store.begin(inner, rowIds, { withPrompts, nowUs: clock.now() }),
      );
      for (const link of await store.findBegun(context, begun)) await removeBegun(context, link);
      return begun.map((id) => globalId(DATASET_EVALUATOR, id));
    },

    async finishDeletions({ context, goOn, attempt }) {
      for (const link of await store.listBegun(context())) {
        if (!goOn()) return false;
        await attempt(globalId(DATASET_EVALUATOR, link.id), () => removeBegun(context(), link));
      }
      return goOn();
    },
  };
}

function ignoringWhatStays(error: unknown): void {
  if (!(error instanceof Failure && LEFT.includes(error.kind))) throw error;
}

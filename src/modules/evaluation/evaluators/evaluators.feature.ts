// Evaluators: what judges the runs of experiments, attached to datasets.
import type { ActionRows } from "../../../access/policy.ts";
import { givenAccounts } from "../../accounts/users/users.feature.ts";
import { feature } from "../../feature.ts";
import { projectsFeature } from "../../tracing/projects/projects.feature.ts";
import { datasetsFeature } from "../datasets/datasets.feature.ts";
import { modelCallsFeature } from "../model-calls/model-calls.feature.ts";
import { modelProvidersFeature } from "../model-providers/model-providers.feature.ts";
import { promptsFeature } from "../prompts/prompts.feature.ts";
import { createBuiltInJudge } from "./built-in/built-in-judge.rules.ts";
import { createEvaluatorsService } from "./evaluators.service.ts";
import { createEvaluatorsStore } from "./evaluators.store.ts";
import { createDatasetEvaluatorDeletion } from "./links/dataset-evaluator-deletion.service.ts";
import { createDatasetEvaluatorDeletionStore } from "./links/dataset-evaluator-deletion.store.ts";
import { createDatasetEvaluatorsService } from "./links/dataset-evaluators.service.ts";
import { createDatasetEvaluatorsStore } from "./links/dataset-evaluators.store.ts";
import { createDatasetLlmEvaluators } from "./links/dataset-llm-evaluators.service.ts";
import { createEvaluatorPreparation } from "./runs/evaluator-preparation.service.ts";
import { createEvaluatorPreviews } from "./runs/evaluator-previews.service.ts";
import { createEvaluatorRunsService } from "./runs/evaluator-runs.service.ts";

/** Between two looks for deletions that were cut off. */
const LOOK_MS = 60_000;

const actions = {
  /** With what attaches them to datasets. `try` calls models and stores nothing. */
  evaluators: { read: "read", change: "write", try: "write" },
} as const satisfies ActionRows;
type EvaluatorsActions = typeof actions;

declare module "../../../access/policy.ts" {
  interface Actions extends EvaluatorsActions {}
}

export const evaluatorsFeature = feature("evaluators", { actions }, ({ storage, clock, evaluationThread, use }) => {
  const { users } = use(givenAccounts);
  const { prompts, versions, tags, labels } = use(promptsFeature);
  const { datasets } = use(datasetsFeature);
  const projects = use(projectsFeature);
  const store = createEvaluatorsStore(storage.dialect);
  const evaluators = createEvaluatorsService({ store, tags, versions });
  const linkStore = createDatasetEvaluatorsStore(storage.dialect);
  const linkNeeds = { store: linkStore, evaluators: store, datasets, projects, storage, clock };
  const links = createDatasetEvaluatorsService(linkNeeds);
  const llm = createDatasetLlmEvaluators({ ...linkNeeds, prompts, versions, tags, labels });
  const deletion = createDatasetEvaluatorDeletion({
    store: createDatasetEvaluatorDeletionStore(storage.dialect),
    evaluators: store,
    prompts,
    projects,
    storage,
    clock,
  });
  const runs = createEvaluatorRunsService({ clock, judge: createBuiltInJudge(evaluationThread) });
  const preparation = createEvaluatorPreparation({ evaluators, links, prompts });
  const previews = createEvaluatorPreviews({
    runs,
    endpoints: use(modelProvidersFeature).endpoints,
    calls: use(modelCallsFeature).calls,
  });
  return {
    service: { evaluators, links, runs, preparation },
    graphql: async () => {
      const [evaluatorTypes, linkTypes, linkMutations, previewTypes, chatTemplates, classification] = await Promise.all(
        [
          import("./evaluators.graphql.ts"),
          import("./links/dataset-evaluators.graphql.ts"),
          import("./links/dataset-evaluator-mutations.graphql.ts"),
          import("./runs/evaluator-previews.graphql.ts"),
          import("./llm/chat-template.graphql.ts"),
          import("./classification/classification-configs.graphql.ts"),
        ],
      );
      return (types) => {
        evaluatorTypes.addEvaluatorTypes(types, { evaluators, links, datasets, tags, users });
        linkTypes.addDatasetEvaluatorTypes(types, { links, evaluators, projects, users });
        linkMutations.addDatasetEvaluatorMutations(types, { links, llm, deletion });
        previewTypes.addEvaluatorPreviews(types, { previews, evaluators });
        chatTemplates.addChatTemplateQuery(types);
        classification.addClassificationConfigs(types);
      };
    },
    parts: [{ name: "evaluation worker", changes: false, stop: evaluationThread.stop }],
    jobs: [
      {
        name: "deleted-evaluators",
        changes: true,
        everyMilliseconds: LOOK_MS,
        lease: "evaluatorDeletions",
        run: deletion.finishDeletions,
      },
    ],
  };
});

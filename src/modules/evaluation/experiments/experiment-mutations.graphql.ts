// Changes of experiments in GraphQL.
import type { GraphqlTypes } from "../../../graphql/types.ts";
import { getNode } from "../../../graphql/types.ts";
import { changedWords, requireObject } from "../datasets/dataset-inputs.graphql.ts";
import { DATASET } from "../datasets/datasets.schema.ts";
import { EXPERIMENT, type Experiment } from "./experiments.schema.ts";
import type { ExperimentsService } from "./experiments.service.ts";
import type { ExperimentTagsService } from "./tags/experiment-tags.service.ts";

interface ExperimentMutationServices {
  readonly experiments: ExperimentsService;
  readonly tags: ExperimentTagsService;
}

interface ChangedExperiment {
  readonly experiment: Experiment;
}

interface MovedBaseline extends ChangedExperiment {
  readonly previousId: number | null;
}

export function addExperimentMutations(types: GraphqlTypes, services: ExperimentMutationServices): void {
  addPatch(types, services);
  addBaseline(types, services);
  addDismissal(types, services);
  addDeletion(types, services);
}

/** What a change of one experiment answers. */
const payloadOf = (types: GraphqlTypes, name: string) =>
  types.payload<ChangedExperiment>(name, (t) => ({
    experiment: t.field({ type: types.ref(EXPERIMENT), resolve: ({ experiment }) => experiment }),
  }));

function addPatch(types: GraphqlTypes, { experiments }: ExperimentMutationServices): void {
  const { builder } = types;
  const Input = builder.inputType("PatchExperimentInput", {
    fields: (t) => ({
      experimentId: t.id({ required: true }),
      name: t.string(),
      description: t.string(),
      metadata: t.field({ type: "JSON" }),
    }),
  });
  const Payload = payloadOf(types, "PatchExperimentPayload");
  builder.mutationField("patchExperiment", (t) =>
    t.field({
      type: Payload,
      description: "What is left out stays; null clears the description.",
      may: "experiments.change",
      adds: true,
      args: { input: t.arg({ type: Input, required: true }) },
      resolve: async (_root, { input: { experimentId, ...given } }, call) => {
        const changes = {
          ...changedWords(given),
          ...(given.metadata === undefined
            ? {}
            : { metadata: requireObject(given.metadata, "metadata: must be a JSON object") }),
        };
        return { experiment: await experiments.updateExperiment(call.context, experimentId, changes) };
      },
    }),
  );
}

function addBaseline(types: GraphqlTypes, { experiments, tags }: ExperimentMutationServices): void {
  const Payload = types.payload<MovedBaseline>("SetExperimentBaselinePayload", (t) => ({
    dataset: t.field({
      type: types.ref(DATASET),
      resolve: ({ experiment }, _given, call) => getNode(types, call, DATASET, experiment.datasetId),
    }),
    experiment: t.field({ type: types.ref(EXPERIMENT), resolve: ({ experiment }) => experiment }),
    previousBaselineExperiment: t.field({
      type: types.ref(EXPERIMENT),
      nullable: true,
      resolve: ({ previousId }, _given, call) =>
        previousId === null ? null : call.load(experiments.findExperiments, previousId, null),
    }),
  }));
  types.builder.mutationField("setExperimentBaseline", (t) =>
    t.field({
      type: Payload,
      description: "One experiment of a dataset is the one that others are compared with.",
      may: "experiments.change",
      adds: true,
      args: { experimentId: t.arg.id({ required: true }), baseline: t.arg.boolean({ required: true }) },
      resolve: async (_root, { experimentId, baseline }, call) => {
        const experiment = await experiments.getExperiment(call.context, experimentId);
        return { experiment, previousId: await tags.setBaseline(call.context, experiment, baseline) };
      },
    }),
  );
}

function addDismissal(types: GraphqlTypes, { experiments }: ExperimentMutationServices): void {
  const Dismissed = payloadOf(types, "DismissExperimentPayload");
  const Reinstated = payloadOf(types, "ReinstateExperimentPayload");
  types.builder.mutationFields((t) => ({
    dismissExperiment: t.field({
      type: Dismissed,
      description: "Lists leave it out from now on, and it is deleted a day later.",
      may: "experiments.change",
      adds: false,
      args: { experimentId: t.arg.id({ required: true }) },
      resolve: async (_root, { experimentId }, call) => ({
        experiment: await experiments.setDismissed(call.context, experimentId, true),
      }),
    }),
    reinstateExperiment: t.field({
      type: Reinstated,
      description: "Undoes that it was dismissed.",
      may: "experiments.change",
      adds: false,
      args: { experimentId: t.arg.id({ required: true }) },
      resolve: async (_root, { experimentId }, call) => ({
        experiment: await experiments.setDismissed(call.context, experimentId, false),
      }),
    }),
  }));
}

function addDeletion(types: GraphqlTypes, { experiments }: ExperimentMutationServices): void {
  const { builder } = types;
  const Input = builder.inputType("DeleteExperimentsInput", {
    fields: (t) => ({ experimentIds: t.idList({ required: true }) }),
  });
  const Payload = types.payload<{ readonly experiments: readonly Experiment[] }>("ExperimentMutationPayload", (t) => ({
    experiments: t.field({ type: [types.ref(EXPERIMENT)], resolve: (deleted) => [...deleted.experiments] }),
  }));
  builder.mutationField("deleteExperiments", (t) =>
    t.field({
      type: Payload,
      description:
        "With their runs, evaluations and traces: the projects of the experiments, and what the server's evaluators recorded of them. All of them, or none where one is unknown.",
      may: "experiments.delete",
      adds: false,
      args: { input: t.arg({ type: Input, required: true }) },
      resolve: async (_root, { input: { experimentIds } }, call) => {
        const ids = [...new Set(experimentIds)];
        const found = await Promise.all(ids.map((id) => experiments.getDeletable(call.context, id)));
        for (const id of ids) await experiments.deleteExperiment(call.context, id, true);
        return { experiments: found };
      },
    }),
  );
}

// Tags of experiments over REST: names that point at one experiment of a dataset each.
import { type Route, route } from "../../../../api/route.ts";
import { findRowId, globalId } from "../../../../kernel/ids.ts";
import { requireExperimentIdAlone } from "../experiment-ids.rules.ts";
import { invalidExperimentTag } from "../experiments.errors.ts";
import { EXPERIMENT } from "../experiments.schema.ts";
import type { ExperimentsService } from "../experiments.service.ts";
import {
  EXPERIMENT_TAG,
  ExperimentTagsAnswer,
  experimentTagBody,
  isTagName,
  NewExperimentTag,
  OneExperimentTag,
} from "./experiment-tags.schema.ts";
import type { ExperimentTagsService } from "./experiment-tags.service.ts";

interface TagRoutesNeeds {
  readonly experiments: ExperimentsService;
  readonly tags: ExperimentTagsService;
}

const experiment_id = globalId(EXPERIMENT, 1);
const parameters = { experiment_id };
const errors = { not_found: "No experiment has this id.", invalid: "This is no id." };
const tag = { id: globalId(EXPERIMENT_TAG, 1), name: "baseline", description: null };

export function experimentTagRoutes({ experiments, tags }: TagRoutesNeeds): Route[] {
  return [
    route({
      method: "GET",
      path: "/v1/experiments/{experiment_id}/tags",
      operationId: "listExperimentTags",
      summary: "List the tags of an experiment",
      description: "Those that point at it, by name.",
      action: "experiments.read",
      status: 200,
      response: ExperimentTagsAnswer,
      errors,
      example: { parameters, response: { data: [tag] } },
      handler: async ({ context, params }) => {
        requireExperimentIdAlone(params.experiment_id);
        const { id } = await experiments.getExperiment(context, params.experiment_id);
        return { data: ((await tags.findOfExperiments(context, [id])).get(id) ?? []).map(experimentTagBody) };
      },
    }),
    route({
      method: "POST",
      path: "/v1/experiments/{experiment_id}/tags",
      operationId: "setExperimentTag",
      summary: "Set a tag on an experiment",
      description:
        "A tag of the dataset that points at another experiment moves. `baseline` is the experiment that others are compared with.",
      action: "experiments.change",
      status: 200,
      storageLocked: true,
      body: NewExperimentTag,
      response: OneExperimentTag,
      errors: { ...errors, invalid: "This is no id, or the experiment is dismissed and cannot be the baseline." },
      example: { parameters, body: { name: "baseline" }, response: { data: tag } },
      handler: async ({ context, params, body: { name, description = null } }) => {
        requireExperimentIdAlone(params.experiment_id);
        const experiment = await experiments.getExperiment(context, params.experiment_id);
        return { data: experimentTagBody(await tags.setTag(context, experiment, { name, description })) };
      },
    }),
    route({
      method: "DELETE",
      path: "/v1/experiments/{experiment_id}/tags/{tag_identifier}",
      operationId: "deleteExperimentTag",
      summary: "Remove a tag from an experiment",
      description: "By its id or name, only where it points at this experiment.",
      action: "experiments.delete",
      status: 204,
      errors: { ...errors, invalid: "This is no id of an experiment, or neither the id nor a name of a tag." },
      example: { parameters: { experiment_id, tag_identifier: "baseline" } },
      handler: async ({ context, params: { experiment_id: experimentId, tag_identifier: identifier } }) => {
        const id = findRowId(EXPERIMENT_TAG, identifier);
        if (id === null && !isTagName(identifier)) throw invalidExperimentTag(identifier);
        requireExperimentIdAlone(experimentId);
        const experiment = await experiments.getExperiment(context, experimentId);
        await tags.removeTag(context, experiment, id === null ? { name: identifier } : { id });
      },
    }),
  ];
}

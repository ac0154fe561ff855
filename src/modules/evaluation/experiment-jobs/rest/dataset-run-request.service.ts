// What REST asks for, as the service takes it.

import { globalId } from "../../../../kernel/ids.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { DATASET_EVALUATOR } from "../../evaluators/evaluators.schema.ts";
import { CUSTOM_PROVIDER } from "../../model-providers/custom/custom-providers.schema.ts";
import { connectionOf } from "../../model-providers/sent-connection.rules.ts";
import { requireParametersOf } from "../../prompts/content/prompt-content.rules.ts";
import type { PromptVersionsService } from "../../prompts/prompt-versions.service.ts";
import { PROMPT_VERSION } from "../../prompts/prompts.schema.ts";
import type { NewJob } from "../experiment-jobs.service.ts";
import { requireNode } from "../tasks/job-datasets.service.ts";
import { type DatasetRunBody, frozenPrompt, limitsOf, objectOf } from "./dataset-runs.schema.ts";

/** Throws kind `invalid`, `not_found`. */
export async function newJobOf(
  versions: PromptVersionsService,
  context: CallContext,
  sent: DatasetRunBody,
): Promise<NewJob> {
  const versionId = sent.prompt_version_id == null ? null : requireNode(PROMPT_VERSION, sent.prompt_version_id);
  const version = versionId === null ? null : await versions.getVersion(context, globalId(PROMPT_VERSION, versionId));
  const { prompt } = sent;
  if (prompt !== undefined) requireParametersOf(prompt);
  // A version that is run as it is runs where it says.
  const ofVersion = prompt === undefined ? (version?.customProviderId ?? null) : null;
  const customProviderId =
    sent.custom_provider_id == null ? ofVersion : requireNode(CUSTOM_PROVIDER, sent.custom_provider_id);
  return {
    task: {
      prompt: prompt === undefined ? version! : frozenPrompt(prompt),
      promptVersionId: versionId,
      customProviderId,
      usesCustomProvider: customProviderId !== null,
      connection: sent.connection == null ? null : connectionOf(sent.connection),
      templateVariablesPath:
        sent.template_variables_path === undefined ? "input" : (sent.template_variables_path ?? ""),
      appendedMessagesPath: sent.appended_messages_path || null,
      streamModelOutput: sent.stream_model_output ?? true,
      tracingEnabled: sent.tracing_enabled ?? true,
      maxConcurrency: sent.max_concurrency ?? 10,
    },
    limits: limitsOf(sent.limits),
    datasetId: sent.dataset_id,
    datasetVersionId: sent.dataset_version_id ?? null,
    splitIds: sent.split_ids ?? [],
    filter: sent.filter ?? null,
    promptName: null,
    experimentName: sent.name ?? null,
    experimentDescription: sent.description ?? null,
    experimentMetadata: objectOf(sent.metadata),
    repetitions: sent.repetitions ?? 1,
    evaluatorIds: (sent.evaluator_ids ?? []).map((id) => requireNode(DATASET_EVALUATOR, id)),
    isEphemeral: sent.ephemeral ?? false,
    credentials: sent.credentials ?? [],
    headers: sent.headers ?? null,
  };
}

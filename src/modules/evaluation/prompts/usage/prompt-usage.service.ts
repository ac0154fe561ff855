// How a version of a prompt fares: the spans that name it, by project.

import { globalId } from "../../../../kernel/ids.ts";
import type { Range } from "../../../../storage/period.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { RollupsService } from "../../../../summaries/rollups/rollups.service.ts";
import { PROMPT_VERSION, type VersionFigures, type VersionScore } from "../prompts.schema.ts";
import { conditionOfVersion } from "./prompt-usage.rules.ts";
import type { PromptUsageStore } from "./prompt-usage.store.ts";

export interface VersionUsage extends VersionFigures {
  /** By name. */
  readonly scores: readonly VersionScore[];
}

export interface PromptUsageService {
  /** Of the spans that start in the range, the project with most of them first. */
  listUsage(context: CallContext, versionId: number, range: Range): Promise<VersionUsage[]>;
}

export function createPromptUsageService(store: PromptUsageStore, rollups: RollupsService): PromptUsageService {
  return {
    async listUsage(context, versionId, range) {
      const spanCondition = conditionOfVersion(globalId(PROMPT_VERSION, versionId));
      const scope = await rollups.settledScope(context, [], { ...range, spanCondition, sessionCondition: null });
      const figures = await store.readFigures(context, scope);
      const scores = figures.length === 0 ? [] : await store.readScores(context, scope);
      return figures
        .map((each) => ({ ...each, scores: scores.filter(({ projectId }) => projectId === each.projectId) }))
        .sort((one, other) => other.spanCount - one.spanCount || one.projectId - other.projectId);
    },
  };
}

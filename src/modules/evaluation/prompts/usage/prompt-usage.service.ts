// How a version of a prompt fares: the spans that name it, by project.

import { globalId } from "../../../../kernel/ids.ts";
import type { Range } from "../../../../storage/period.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { RollupsService } from "../../../../summaries/rollups/rollups.service.ts";
import { PROMPT_VERSION, type VersionFigures, type VersionScore } from "../prompts.schema.ts";
import { conditionOfVersions } from "./prompt-usage.rules.ts";
import type { PromptUsageStore } from "./prompt-usage.store.ts";

export interface VersionUsage extends VersionFigures {
  /** By name. */
  readonly scores: readonly VersionScore[];
}

/** Versions of one statement: their ids stand in a condition, whose length is bounded. */
const MOST_VERSIONS = 400;

export interface PromptUsageService {
  /** By row id of the version, of the spans that start in the range, the project with most of them first. Versions that no span names are
   *  left out. */
  listUsage(context: CallContext, versionIds: readonly number[], range: Range): Promise<Map<number, VersionUsage[]>>;
}

export function createPromptUsageService(store: PromptUsageStore, rollups: RollupsService): PromptUsageService {
  async function listSome(context: CallContext, versionIds: readonly number[], range: Range) {
    const ids = new Map(versionIds.map((id) => [globalId(PROMPT_VERSION, id), id]));
    const versions = [...ids.keys()];
    const spanCondition = conditionOfVersions(versions);
    const scope = await rollups.settledScope(context, [], { ...range, spanCondition, sessionCondition: null });
    const figures = await store.readFigures(context, versions, scope);
    const scores = figures.length === 0 ? [] : await store.readScores(context, versions, scope);
    const usage = figures
      .map(({ version, ...each }) => ({
        ...each,
        versionId: ids.get(version)!,
        scores: scores.filter((score) => score.version === version && score.projectId === each.projectId),
      }))
      .sort((one, other) => other.spanCount - one.spanCount || one.projectId - other.projectId);
    return Map.groupBy(usage, ({ versionId }) => versionId);
  }

  return {
    async listUsage(context, versionIds, range) {
      const found = new Map<number, VersionUsage[]>();
      for (let first = 0; first < versionIds.length; first += MOST_VERSIONS) {
        const some = await listSome(context, versionIds.slice(first, first + MOST_VERSIONS), range);
        for (const [id, usage] of some) found.set(id, usage);
      }
      return found;
    },
  };
}

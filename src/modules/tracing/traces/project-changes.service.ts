// When a project last changed, for pages that fetch again when it moves. Nothing is written for it: this server notices that the
// ends of the project are no longer where they were when it last looked (GraphQL `streamingLastUpdatedAt`).
import type { Clock } from "../../../kernel/clock.ts";
import { createLastUsed } from "../../../kernel/last-used.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { ProjectChangesStore } from "./project-changes.store.ts";

/** Projects that are remembered; those that were asked for longest ago are dropped first. */
const MOST_REMEMBERED = 10_000;

export interface ProjectChangesService {
  /** Microseconds UTC; null for a project without spans. The first answer is the time of the question. */
  findLastChange(context: CallContext, projectId: number): Promise<number | null>;
}

export function createProjectChangesService(store: ProjectChangesStore, clock: Clock): ProjectChangesService {
  const known = createLastUsed<number, { readonly ends: string | null; readonly atUs: number }>(MOST_REMEMBERED);
  return {
    async findLastChange(context, projectId) {
      const ends = await store.findEnds(context, projectId);
      const last = known.find(projectId);
      // Two states never have the same time, however fast they follow.
      const changedUs = Math.max(clock.now(), (last?.atUs ?? 0) + 1);
      const atUs = last !== undefined && last.ends === ends ? last.atUs : changedUs;
      known.set(projectId, { ends, atUs });
      return ends === null ? null : atUs;
    },
  };
}

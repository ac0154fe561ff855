// When a project, or any of them, last changed, for pages and programs that fetch again when it moves. Nothing is written for it: this
// server notices that the ends of the project are no longer where they were when it last looked (GraphQL `streamingLastUpdatedAt`,
// `projectsLastUpdatedAt`).
import type { Clock } from "../../../kernel/clock.ts";
import { createNoticedChanges } from "../../../kernel/noticed-changes.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { ProjectChangesStore } from "./project-changes.store.ts";

/** Projects that are remembered; those that were asked for longest ago are dropped first. */
const MOST_REMEMBERED = 10_000;

export interface ProjectChangesService {
  /** Microseconds UTC; null for a project without spans. The first answer is the time of the question. */
  findLastChange(context: CallContext, projectId: number): Promise<number | null>;
  /** Of any project, or of the spans in it. */
  getLastChangeOfAny(context: CallContext): Promise<number | null>;
}

export function createProjectChangesService(store: ProjectChangesStore, clock: Clock): ProjectChangesService {
  const changes = createNoticedChanges<number | "any">(clock, MOST_REMEMBERED);
  return {
    findLastChange: async (context, projectId) => changes.notice(projectId, await store.findEnds(context, projectId)),
    getLastChangeOfAny: async (context) => changes.notice("any", await store.getEndsOfAll(context)),
  };
}

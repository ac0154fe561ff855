// Sessions for GraphQL, which follows links, and statistics of projects over them.
import { parseSessionFilter } from "../../filter/filter.ts";
import type { CallContext } from "../../storage/storage.ts";
import { sessionKeyOf } from "../traces/ingest/span-columns.rules.ts";
import type { RollupsService } from "../traces/rollups/rollups.service.ts";
import type {
  CountedBand,
  SessionFacets,
  SessionPageRows,
  SessionPageSort,
  SessionReadsStore,
  SortedSession,
} from "./session-reads.store.ts";
import type { SessionRecord } from "./sessions.schema.ts";

export type { CountedBand, SessionFacets, SessionPageSort };

export interface SessionReadsService extends Pick<SessionReadsStore, "totals" | "facets" | "durationQuantile"> {
  /** Throws `filter.invalid`. */
  listOfProject(
    context: CallContext,
    page: Omit<SessionPageRows, "filter"> & { readonly condition: string },
  ): Promise<SortedSession[]>;
  /** By row id. */
  findSessions(context: CallContext, ids: readonly number[]): Promise<Map<number, SessionRecord>>;
  /** By row id or the sender's id: a session of the project, or one that has traces in it. */
  findInProject(context: CallContext, projectId: number, key: number | string): Promise<SessionRecord | null>;
  /** By the sender's id. */
  findSessionByKey(context: CallContext, sessionKey: string): Promise<SessionRecord | null>;
}

export function createSessionReadsService(store: SessionReadsStore, rollups: RollupsService): SessionReadsService {
  async function settle(context: CallContext, projectIds: readonly number[], condition: string): Promise<void> {
    if (!parseSessionFilter(condition).readsRollups) return;
    for (const id of projectIds) await rollups.settleProject(context, id);
  }

  async function findSessionByKey(context: CallContext, text: string): Promise<SessionRecord | null> {
    const sessionKey = sessionKeyOf(text);
    if (sessionKey === null) return null;
    const [session] = await store.find(context, { sessionKey });
    return session ?? null;
  }

  return {
    findSessionByKey,

    async listOfProject(context, { condition, ...page }) {
      const filter = parseSessionFilter(condition);
      if (filter.readsRollups) await rollups.settleProject(context, page.projectId);
      return store.listOfProject(context, { ...page, filter: filter.matchesAll ? null : filter });
    },

    async totals(context, projectIds, scope) {
      await settle(context, projectIds, scope.condition);
      return store.totals(context, projectIds, scope);
    },

    async facets(context, projectIds, scope) {
      await settle(context, projectIds, scope.condition);
      return store.facets(context, projectIds, scope);
    },

    async durationQuantile(context, projectIds, scope) {
      await settle(context, projectIds, scope.condition);
      return store.durationQuantile(context, projectIds, scope);
    },

    async findSessions(context, ids) {
      const found = await store.find(context, { ids });
      return new Map(found.map((session) => [session.id, session]));
    },

    async findInProject(context, projectId, key) {
      const found =
        typeof key === "number" ? (await store.find(context, { ids: [key] }))[0] : await findSessionByKey(context, key);
      if (!found) return null;
      const belongs = found.projectId === projectId || (await store.hasTracesIn(context, found.id, projectId));
      return belongs ? found : null;
    },
  };
}

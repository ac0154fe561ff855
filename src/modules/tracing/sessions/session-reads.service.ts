// Sessions for GraphQL, which follows links, and statistics of projects over them.
import { parseSessionFilter } from "../../../filter/filter.ts";
import { sessionKeyOf } from "../../../ingest/span-columns.ts";
import type { Identified } from "../../../kernel/ids.ts";
import type { Range } from "../../../storage/period.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { RollupsService } from "../../../summaries/rollups/rollups.service.ts";
import type { CountedBand, SessionFacets, SessionReadsStore, SessionScope } from "./session-reads.store.ts";
import type { SessionRecord } from "./sessions.schema.ts";

export type { CountedBand, SessionFacets };

/** The condition as text; a blank one matches everything. */
interface SessionStatisticScope extends Range {
  readonly condition: string;
}

/** A statistic by project. Throws `filter.invalid`. */
type SessionStatistic<Scope, Value> = (
  context: CallContext,
  projectIds: readonly number[],
  scope: Scope,
) => Promise<Map<number, Value>>;

interface SessionTotals {
  readonly count: number;
  readonly traces: number;
  /** How long they lasted together, in microseconds. */
  readonly durationUs: number;
}

export interface SessionReadsService {
  readonly totals: SessionStatistic<SessionStatisticScope, SessionTotals>;
  readonly facets: SessionStatistic<SessionStatisticScope, SessionFacets>;
  /** Microseconds. */
  readonly durationQuantile: SessionStatistic<SessionStatisticScope & { readonly probability: number }, number>;
  /** By row id. */
  findSessions(context: CallContext, ids: readonly number[]): Promise<Map<number, SessionRecord>>;
  /** By row id or the sender's id: a session of the project, or one that has traces in it. */
  findInProject(context: CallContext, projectId: number, named: Identified): Promise<SessionRecord | null>;
  /** By the sender's id. */
  findSessionByKey(context: CallContext, sessionKey: string): Promise<SessionRecord | null>;
}

export function createSessionReadsService(store: SessionReadsStore, rollups: RollupsService): SessionReadsService {
  const filterOf = async (context: CallContext, projectIds: readonly number[], condition: string) =>
    rollups.settledFilter(context, { projectIds }, parseSessionFilter(condition));

  const statistic =
    <Given extends Range, Value>(
      read: (
        context: CallContext,
        projectIds: readonly number[],
        scope: Given & SessionScope,
      ) => Promise<Map<number, Value>>,
    ): SessionStatistic<Given & SessionStatisticScope, Value> =>
    async (context, projectIds, scope) =>
      read(context, projectIds, { ...scope, filter: await filterOf(context, projectIds, scope.condition) });

  async function findSessionByKey(context: CallContext, text: string): Promise<SessionRecord | null> {
    const sessionKey = sessionKeyOf(text);
    if (sessionKey === null) return null;
    const [session] = await store.find(context, { sessionKey });
    return session ?? null;
  }

  return {
    findSessionByKey,

    totals: statistic(store.totals),
    facets: statistic(store.facets),
    durationQuantile: statistic<Range & { readonly probability: number }, number>(store.durationQuantile),

    async findSessions(context, ids) {
      const found = await store.find(context, { ids });
      return new Map(found.map((session) => [session.id, session]));
    },

    async findInProject(context, projectId, named) {
      const found =
        "id" in named
          ? (await store.find(context, { ids: [named.id] }))[0]
          : await findSessionByKey(context, named.key);
      if (!found) return null;
      const belongs = found.projectId === projectId || (await store.hasTracesIn(context, found.id, projectId));
      return belongs ? found : null;
    },
  };
}

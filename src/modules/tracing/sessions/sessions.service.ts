// The use cases of sessions. Their rows come from ingestion; what is here reads and deletes them.
import { parseSessionFilter, requestedFilter } from "../../../filter/filter.ts";
import { sessionKeyOf } from "../../../ingest/span-columns.ts";
import { identified, identifiedAll } from "../../../kernel/ids.ts";
import {
  beginningOf,
  countFitting,
  MAX_PAGE_ROWS,
  type Order,
  type Page,
  type PlacedPage,
  readRestCursor,
  restCursors,
  type SortedRequest,
  startAt,
} from "../../../kernel/list.ts";
import type { AnnotationOrderRequest } from "../../../storage/annotation-order.ts";
import type { Range } from "../../../storage/period.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { RollupsService } from "../../../summaries/rollups/rollups.service.ts";
import type { DeletionService } from "../deletion/deletion.service.ts";
import type { ProjectsService } from "../projects/projects.service.ts";
import { type SessionSort, sessionList } from "./session-list.rules.ts";
import type { SessionListStore } from "./session-list.store.ts";
import { mixedSessionIdentifiers, noSessionsNamed, sessionNotFound } from "./sessions.errors.ts";
import { SESSION, type Session, type SessionRecord } from "./sessions.schema.ts";
import type { SessionKey, SessionRow, SessionsStore } from "./sessions.store.ts";

/** A page of sessions with their traces ends before its limit when it would hold more traces than this; one session it holds
 *  always. */
export const MOST_PAGE_TRACES = 5000;

/** What REST asks for. */
interface RestSessionList {
  readonly sort: SessionSort;
  readonly order: Order;
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** A condition of the session language; empty is no condition. */
  readonly condition?: string | undefined;
}

export interface SessionsDependencies {
  readonly store: SessionsStore;
  readonly list: SessionListStore;
  readonly projects: ProjectsService;
  readonly deletion: DeletionService;
  readonly rollups: RollupsService;
}

interface ProjectSessions {
  readonly projectId: number;
  readonly range: Range;
  readonly condition: string;
}

export interface SessionsService {
  /** The sessions of a project, or of all; a page may end before its limit. Throws kind `not_found` for the project, then `malformed` for the condition,
   *  then `invalid` for the cursor. */
  listSessions(context: CallContext, projectIdentifier: string | null, page: RestSessionList): Promise<Page<Session>>;
  /** One page of the same list of a project, of the sessions that were active in the range and match the condition; an empty one
   *  narrows nothing. Throws `filter.invalid`. */
  listOfProject(
    context: CallContext,
    scope: ProjectSessions,
    request: SortedRequest<SessionSort>,
  ): Promise<PlacedPage<SessionRecord>>;
  /** Those of them that have the annotation, in the order of its score or label. */
  listByAnnotation(
    context: CallContext,
    scope: ProjectSessions,
    request: AnnotationOrderRequest,
  ): Promise<PlacedPage<SessionRecord>>;
  /** By global id or the sender's id; in another project than the given one it is not found. Throws kind `not_found`. */
  getSession(context: CallContext, identifier: string, projectIdentifier?: string): Promise<Session>;
  findSessionByKey(context: CallContext, sessionKey: string): Promise<SessionRow | null>;
  /** With all its traces, in any project. Throws kind `not_found`. */
  deleteSession(context: CallContext, identifier: string): Promise<void>;
  /** Unknown ones are passed over. Throws kind `invalid` for none at all and for global ids beside the sender's. */
  deleteSessions(context: CallContext, identifiers: readonly string[]): Promise<void>;
}

/** Null for a text that no session can have as its id. */
function keyOf(identifier: string): SessionKey | null {
  const named = identified(SESSION, identifier);
  if ("id" in named) return named;
  const sessionKey = sessionKeyOf(named.key);
  return sessionKey === null ? null : { sessionKey };
}

export function createSessionsService({
  store,
  list,
  projects,
  deletion,
  rollups,
}: SessionsDependencies): SessionsService {
  async function find(context: CallContext, identifier: string): Promise<SessionRow | null> {
    const key = keyOf(identifier);
    return key === null ? null : store.find(context, key);
  }

  async function get(context: CallContext, identifier: string): Promise<SessionRow> {
    const session = await find(context, identifier);
    if (session === null) throw sessionNotFound(identifier);
    return session;
  }

  async function complete(context: CallContext, rows: readonly SessionRow[]): Promise<Session[]> {
    const traces = await store.listTraces(
      context,
      rows.map((row) => row.id),
    );
    return rows.map((row) => ({ ...row, traces: traces.get(row.id) ?? [] }));
  }

  return {
    async listSessions(context, projectIdentifier, { sort, order, cursor, condition, ...page }) {
      const project = projectIdentifier === null ? null : await projects.getProject(context, projectIdentifier);
      const requested = requestedFilter(condition, parseSessionFilter);
      const start = startAt(readRestCursor(restCursors(sessionList, sort), cursor));
      const limit = Math.min(page.limit, MAX_PAGE_ROWS);
      // A session may hold traces of several projects.
      const filter = await rollups.settledFilter(context, "every trace", requested);
      const scope = { projectId: project?.id ?? null, range: { startUs: null, endUs: null }, filter };
      const found = await list.list(context, scope, { sort, order, start, limit });
      const fitting = countFitting(found.items, MOST_PAGE_TRACES, (session) => session.traceCount);
      const { items, next } = beginningOf(found, fitting);
      return { items: await complete(context, items), next };
    },

    async listOfProject(context, { projectId, range, condition }, request) {
      const of = { projectIds: [projectId] };
      const filter = await rollups.settledFilter(context, of, parseSessionFilter(condition));
      return list.list(context, { projectId, range, filter }, request);
    },

    async listByAnnotation(context, { projectId, range, condition }, request) {
      const of = { projectIds: [projectId] };
      const filter = await rollups.settledFilter(context, of, parseSessionFilter(condition));
      return list.listByAnnotation(context, { projectId, range, filter }, request);
    },

    async getSession(context, identifier, projectIdentifier) {
      const session = await get(context, identifier);
      if (projectIdentifier !== undefined) {
        const project = await projects.getProject(context, projectIdentifier);
        if (project.id !== session.projectId) throw sessionNotFound(identifier);
      }
      const [whole] = await complete(context, [session]);
      return whole!;
    },

    findSessionByKey: (context, sessionKey) => store.find(context, { sessionKey }),

    async deleteSession(context, identifier) {
      const session = await get(context, identifier);
      await deletion.deleteSession(context, session.id);
    },

    async deleteSessions(context, identifiers) {
      if (identifiers.length === 0) throw noSessionsNamed();
      const { ids, keys } = identifiedAll(SESSION, identifiers);
      if (ids.length > 0 && keys.length > 0) throw mixedSessionIdentifiers();
      for (const identifier of new Set(identifiers)) {
        const session = await find(context, identifier);
        if (session !== null) await deletion.deleteSession(context, session.id);
      }
    },
  };
}

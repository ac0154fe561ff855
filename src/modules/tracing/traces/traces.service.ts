// The use cases of traces: finding, moving and deleting them. How rows are moved and deleted is in tracing/deletion.
import { globalId, identified, identifiedAll } from "../../../kernel/ids.ts";
import type { CallContext } from "../../../storage/storage.ts";
import { type DeletionService, requirePeriod } from "../deletion/deletion.service.ts";
import type { TransferService } from "../deletion/transfer.service.ts";
import type { Project } from "../projects/projects.schema.ts";
import type { ProjectsService } from "../projects/projects.service.ts";
import {
  noTracesNamed,
  traceNotFound,
  tracesNotFound,
  tracesOfSeveralProjects,
  unknownTraces,
} from "./traces.errors.ts";
import { TRACE, type Trace } from "./traces.schema.ts";
import type { TracesStore } from "./traces.store.ts";

interface TracesDependencies {
  readonly store: TracesStore;
  readonly projects: ProjectsService;
  readonly deletion: DeletionService;
  readonly transfer: TransferService;
}

interface Transferred {
  /** Distinct traces. */
  readonly count: number;
  readonly destination: Project;
}

export interface TracesService {
  findTraceByKey(context: CallContext, traceKey: string): Promise<Trace | null>;
  /** By global id or external id. Throws kind `not_found`. */
  deleteTrace(context: CallContext, identifier: string): Promise<void>;
  /** By row id. Throws kind `invalid` for none at all, for one that does not exist, and for traces of several projects; then
   *  nothing is deleted. Sessions of the project that lose their last trace go along. */
  deleteTraces(context: CallContext, ids: readonly number[]): Promise<void>;
  /** All traces of a project, or those that started before an instant, with the sessions that lose their last trace by it. A
   *  project that does not exist is cleared already. */
  clearProject(context: CallContext, projectId: number, endUs: number | null): Promise<void>;
  /** Traces by global id or external id. Throws kind `not_found` for the project, then for any trace, then `invalid` when the
   *  traces are in several projects; nothing is moved then. Sessions stay where they are. */
  transferTraces(context: CallContext, identifiers: readonly string[], destination: string): Promise<Transferred>;
  /** The traces of a project that start in the period, in microseconds UTC. Throws kind `invalid` for an empty period, then
   *  `not_found` for the project. */
  deletePeriod(context: CallContext, projectIdentifier: string, startUs: number, endUs: number): Promise<void>;
}

export function createTracesService(dependencies: TracesDependencies): TracesService {
  const { store, projects, deletion, transfer } = dependencies;

  /** Every trace that is named, once. */
  async function getTraces(context: CallContext, identifiers: readonly string[]): Promise<Trace[]> {
    const { ids, keys: traceKeys } = identifiedAll(TRACE, identifiers);
    const byKey = traceKeys.length === 0 ? [] : await store.find(context, { traceKeys });
    const byId = ids.length === 0 ? [] : await store.find(context, { ids });
    const found = new Map([...byKey, ...byId].map((trace) => [trace.id, trace]));
    const keys = new Set(byKey.map((trace) => trace.traceKey));
    const missing = identifiers.filter((identifier) => {
      const named = identified(TRACE, identifier);
      return "id" in named ? !found.has(named.id) : !keys.has(named.key);
    });
    if (missing.length > 0) throw tracesNotFound(missing);
    return [...found.values()];
  }

  return {
    async findTraceByKey(context, traceKey) {
      const [trace] = await store.find(context, { traceKeys: [traceKey] });
      return trace ?? null;
    },

    async deleteTrace(context, identifier) {
      const named = identified(TRACE, identifier);
      const [trace] = await store.find(context, "id" in named ? { ids: [named.id] } : { traceKeys: [named.key] });
      if (trace === undefined) throw traceNotFound(identifier);
      await deletion.deleteTrace(context, trace);
    },

    async deleteTraces(context, ids) {
      if (ids.length === 0) throw noTracesNamed();
      const found = await store.find(context, { ids });
      const known = new Set(found.map((trace) => trace.id));
      const missing = ids.filter((id) => !known.has(id));
      if (missing.length > 0) throw unknownTraces(missing.map((id) => globalId(TRACE, id)));
      const [first] = found;
      if (found.some((trace) => trace.projectId !== first!.projectId)) throw tracesOfSeveralProjects();
      await deletion.deleteTraces(context, first!.projectId, found);
    },

    async clearProject(context, projectId, endUs) {
      await deletion.deletePeriod(context, projectId, { startUs: 0, endUs: endUs ?? Number.MAX_SAFE_INTEGER });
    },

    async transferTraces(context, identifiers, destinationIdentifier) {
      const destination = await projects.getProject(context, destinationIdentifier);
      const moving = await getTraces(context, identifiers);
      if (new Set(moving.map((trace) => trace.projectId)).size > 1) throw tracesOfSeveralProjects();
      const ids = moving.map((trace) => trace.id);
      await transfer.transferTraces(context, ids, destination.id);
      return { count: ids.length, destination };
    },

    async deletePeriod(context, projectIdentifier, startUs, endUs) {
      requirePeriod({ startUs, endUs });
      const { id } = await projects.getProject(context, projectIdentifier);
      await deletion.deletePeriod(context, id, { startUs, endUs });
    },
  };
}

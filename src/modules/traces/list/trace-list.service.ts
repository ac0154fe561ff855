// The list of a project's traces and the figures over it, both narrowed by one condition of the trace language.
import { parseTraceFilter } from "../../../filter/filter.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { RollupsService } from "../rollups/rollups.service.ts";
import {
  type SortedTrace,
  type TraceFigures,
  type TraceListRows,
  type TraceListScope,
  type TraceListStore,
  traceListSorts,
} from "./trace-list.store.ts";

export { type TraceFigures, traceListSorts };

/** The condition is a text; an empty one narrows nothing. */
type Asked<Rows extends TraceListScope> = Omit<Rows, "filter"> & { readonly condition: string };

export interface TraceListService {
  /** One page behind a place, by the sort and then by row id. Throws `filter.invalid`. */
  listTraces(context: CallContext, asked: Asked<TraceListRows>): Promise<SortedTrace[]>;
  /** Microseconds. Throws `filter.invalid`. */
  getFigures(context: CallContext, asked: Asked<TraceListScope>): Promise<TraceFigures>;
}

export function createTraceListService(store: TraceListStore, rollups: RollupsService): TraceListService {
  const filterOf = async (context: CallContext, projectId: number, condition: string) =>
    rollups.settledFilter(context, { projectIds: [projectId] }, parseTraceFilter(condition));

  return {
    async listTraces(context, { condition, ...rows }) {
      return store.list(context, { ...rows, filter: await filterOf(context, rows.projectId, condition) });
    },

    async getFigures(context, { condition, ...scope }) {
      return store.figures(context, { ...scope, filter: await filterOf(context, scope.projectId, condition) });
    },
  };
}

// The list of a project's traces.
import type { ListSpec } from "../../../../kernel/list.ts";
import { TRACE } from "../traces.schema.ts";

/** The first two have an index. */
export const traceSorts = ["startTime", "latencyMs", "numSpans", "errorCount", "tokenCountTotal", "costTotal"] as const;
export type TraceSort = (typeof traceSorts)[number];

export const traceList: ListSpec<TraceSort> = {
  type: TRACE,
  sorts: traceSorts,
  orderWord: (sort, order) => `traces${sort}${order}`,
};

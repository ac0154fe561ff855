// What a list of traces or of spans goes through, for everything that is counted beside it: the rows in a range that match a condition
// or, with a text, those of them that a search finds in the time of one answer.
import type { StatisticScope } from "../../../../filter/scope.ts";
import type { Range } from "../../../../storage/period.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { TraceListScope } from "../../traces/list/trace-list.service.ts";
import type { SearchProgress, SearchService } from "../search/search.service.ts";
import type { SearchedKind } from "../search/search.store.ts";

interface ListedRequest {
  readonly projectId: number;
  readonly range: Range;
  /** Of the language of traces or of spans. */
  readonly condition: string;
  /** Null searches for nothing. */
  readonly text: string | null;
}

/** Rows that are counted. */
interface Listed<Scope> {
  readonly scope: Scope;
  /** Null without a text. Of a search that is not complete the older rows are not among them. */
  readonly progress: SearchProgress | null;
}

export type ListedTraces = Listed<TraceListScope>;
export type ListedSpans = Listed<StatisticScope & { readonly projectId: number }>;

export interface ListedService {
  /** Throws like the search, here and below. */
  findTraces(context: CallContext, request: ListedRequest): Promise<ListedTraces>;
  findSpans(context: CallContext, request: ListedRequest): Promise<ListedSpans>;
}

export function createListedService(search: SearchService): ListedService {
  const find = async (context: CallContext, kind: SearchedKind, { range, ...request }: ListedRequest) => {
    const { projectId, condition, text } = request;
    return text === null ? null : search.findRows(context, kind, { projectId, condition, text, ...range });
  };
  return {
    async findTraces(context, request) {
      const { projectId, range, condition } = request;
      const found = await find(context, "traces", request);
      if (found === null) return { scope: { projectId, range, condition }, progress: null };
      return { scope: { projectId, range, condition: "", traceIds: found.ids }, progress: found.progress };
    },

    async findSpans(context, request) {
      const { projectId, range, condition } = request;
      const found = await find(context, "spans", request);
      const scope = { projectId, ...range, sessionCondition: null };
      if (found === null) return { scope: { ...scope, spanCondition: condition }, progress: null };
      return { scope: { ...scope, spanCondition: null, spanIds: found.ids }, progress: found.progress };
    },
  };
}

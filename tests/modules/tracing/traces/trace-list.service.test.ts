// Pages of traces with their spans are bounded by the spans they would hold.
import { expect, test } from "bun:test";
import { openPrincipal } from "../../../../src/access/principal.ts";
import { type PageRequest, pageOfRows, restCursors, writeRestCursor } from "../../../../src/kernel/list.ts";
import { traceList } from "../../../../src/modules/tracing/traces/list/trace-list.rules.ts";
import {
  createTraceListService,
  MOST_PAGE_SPANS,
  type TraceListDependencies,
} from "../../../../src/modules/tracing/traces/list/trace-list.service.ts";
import type { CallContext } from "../../../../src/storage/storage.ts";

const context = { principal: openPrincipal, requestId: "test" } as CallContext;

const everything = { startUs: null, endUs: null, error: null, minLatencyUs: null, maxLatencyUs: null };

function serviceOver(spanCounts: readonly number[]) {
  const rows = spanCounts.map((spanCount, at) => ({ id: at + 1, startUs: 1000 - at, spanCount }));
  const read: number[] = [];
  const dependencies = {
    projects: { getProject: async () => ({ id: 1 }) },
    rollups: { settledFilter: async () => null },
    list: {
      list: async (_: CallContext, _scope: object, { start, limit }: PageRequest) => {
        const left = rows.filter((row) => row.id >= (start?.place.rowId ?? 0));
        return pageOfRows(left, limit, ({ id, startUs }) => ({ value: startUs, rowId: id }));
      },
    },
    traces: {
      listSpans: async (_: CallContext, ids: readonly number[]) => {
        read.push(...ids);
        return new Map();
      },
    },
  } as unknown as TraceListDependencies;
  const service = createTraceListService(dependencies);
  async function pages(includeSpans: boolean): Promise<number[][]> {
    const found: number[][] = [];
    for (let cursor: string | undefined; ; ) {
      const sorted = { sort: "startTime", order: "desc", limit: 3, cursor, includeSpans } as const;
      const list = { ...sorted, sessionIdentifiers: [], condition: undefined };
      const { items, next } = await service.listTraces(context, "any", everything, list);
      found.push(items.map(({ trace }) => trace.id));
      if (next === null) return found;
      cursor = writeRestCursor(restCursors(traceList, "startTime"), next);
    }
  }
  return { pages, read };
}

const half = MOST_PAGE_SPANS / 2;

test("a page with spans ends before the trace that would be too much, and the next one begins with it", async () => {
  const { pages, read } = serviceOver([half, half, 1, half, MOST_PAGE_SPANS * 4, 1, 1]);
  expect(await pages(true)).toEqual([[1, 2], [3, 4], [5], [6, 7]]);
  expect(read).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test("without spans only the limit counts", async () => {
  const { pages, read } = serviceOver([half, half, 1, half, 1]);
  expect(await pages(false)).toEqual([
    [1, 2, 3],
    [4, 5],
  ]);
  expect(read).toEqual([]);
});

// Pages of traces with their spans are bounded by the spans they would hold.
import { expect, test } from "bun:test";
import { openPrincipal } from "../../../src/modules/auth/principal.schema.ts";
import {
  createTracesService,
  MOST_PAGE_SPANS,
  type TracesDependencies,
} from "../../../src/modules/traces/traces.service.ts";
import type { CallContext } from "../../../src/storage/storage.ts";

const context = { principal: openPrincipal, requestId: "test" } as CallContext;

function serviceOver(spanCounts: readonly number[]) {
  const rows = spanCounts.map((spanCount, at) => ({ id: at + 1, startUs: 1000 - at, spanCount }));
  const read: number[] = [];
  const dependencies = {
    projects: { getProject: async () => ({ id: 1 }) },
    store: {
      list: async (_: CallContext, { from, limit }: { from: { rowId: number } | null; limit: number }) =>
        rows.filter((row) => row.id >= (from?.rowId ?? 0)).slice(0, limit),
      listSpans: async (_: CallContext, ids: readonly number[]) => {
        read.push(...ids);
        return new Map();
      },
    },
  } as unknown as TracesDependencies;
  const service = createTracesService(dependencies);
  async function pages(includeSpans: boolean): Promise<number[][]> {
    const found: number[][] = [];
    for (let cursor: string | undefined; ; ) {
      const page = { sort: "start_time", order: "desc", limit: 3, cursor, includeSpans } as const;
      const { items, nextCursor } = await service.listTraces(context, "any", {}, page);
      found.push(items.map(({ trace }) => trace.id));
      if (nextCursor === null) return found;
      cursor = nextCursor;
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

// Pages of sessions are bounded by the traces they would hold.
import { expect, test } from "bun:test";
import { openPrincipal } from "../../../../src/access/principal.ts";
import { type PageRequest, pageOfRows, restCursors, writeRestCursor } from "../../../../src/kernel/list.ts";
import { sessionList } from "../../../../src/modules/tracing/sessions/session-list.rules.ts";
import {
  createSessionsService,
  MOST_PAGE_TRACES,
  type SessionsDependencies,
} from "../../../../src/modules/tracing/sessions/sessions.service.ts";
import type { CallContext } from "../../../../src/storage/storage.ts";

const context = { principal: openPrincipal, requestId: "test" } as CallContext;
const half = MOST_PAGE_TRACES / 2;

test("a page ends before the session that would be too much, and the next one begins with it", async () => {
  const rows = [half, half, 1, half, MOST_PAGE_TRACES * 4, 1, 1].map((traceCount, at) => ({ id: at + 1, traceCount }));
  const read: number[] = [];
  const service = createSessionsService({
    rollups: { settledFilter: async () => null },
    list: {
      list: async (_: CallContext, _scope: object, { start, limit }: PageRequest) => {
        const left = rows.filter((row) => row.id >= (start?.place.rowId ?? 0));
        return pageOfRows(left, limit, ({ id }) => ({ value: id, rowId: id }));
      },
    },
    store: {
      listTraces: async (_: CallContext, ids: readonly number[]) => {
        read.push(...ids);
        return new Map();
      },
    },
  } as unknown as SessionsDependencies);

  const pages: number[][] = [];
  for (let cursor: string | undefined; ; ) {
    const page = { sort: "arrival", order: "asc", limit: 3, cursor } as const;
    const { items, next } = await service.listSessions(context, null, page);
    pages.push(items.map(({ id }) => id));
    if (next === null) break;
    cursor = writeRestCursor(restCursors(sessionList, "arrival"), next);
  }
  expect(pages).toEqual([[1, 2], [3, 4], [5], [6, 7]]);
  expect(read).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

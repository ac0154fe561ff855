// How a search goes on: slices until the page is full, the range is done or the time is over.
import { describe, expect, test } from "bun:test";
import { openPrincipal } from "../../../../src/access/principal.ts";
import { fail } from "../../../../src/kernel/failure.ts";
import {
  nextSliceSize,
  searchedFraction,
  searchedWords,
} from "../../../../src/modules/tracing/spans/search/search.rules.ts";
import {
  createSearchService,
  type SearchRequest,
} from "../../../../src/modules/tracing/spans/search/search.service.ts";
import type { SearchStore, SliceRows } from "../../../../src/modules/tracing/spans/search/search.store.ts";
import type { CallContext } from "../../../../src/storage/storage.ts";
import type { RollupsService } from "../../../../src/summaries/rollups/rollups.service.ts";
import { failureOf } from "../../../support/failures.ts";

const contextWithin = (milliseconds: number): CallContext => ({
  principal: openPrincipal,
  requestId: "test",
  deadline: performance.now() + milliseconds,
  signal: null,
  database: null as never,
});

const request: SearchRequest = {
  projectId: 1,
  text: "needle",
  startUs: null,
  endUs: null,
  condition: "",
  after: null,
  limit: 100,
};

/** Rows 1 to `count`, each as old as its number; `isMatch` by row; `onSlice` before each. */
function searchOver(
  count: number,
  isMatch: (row: number) => boolean,
  { onSlice = (_: SliceRows) => {}, answerMilliseconds = 60_000 } = {},
) {
  const slices: number[] = [];
  const store = {
    findBounds: async () => ({ oldestUs: -count, newestUs: -1 }),
    readSlice: async (_context: unknown, _kind: unknown, _scope: unknown, rows: SliceRows) => {
      onSlice(rows);
      slices.push(rows.size);
      const first = (rows.after?.rowId ?? 0) + 1;
      const read = Array.from({ length: Math.max(0, Math.min(rows.size, count - first + 1)) }, (_, at) => first + at);
      const last = read.at(-1);
      return {
        matches: read.filter(isMatch).map((row) => ({ value: -row, rowId: row, found: 0 })),
        count: read.length,
        end: last === undefined ? null : { value: -last, rowId: last },
      };
    },
  } as unknown as SearchStore;
  const rollups = { settledFilter: async () => null } as unknown as RollupsService;
  const service = createSearchService({ store, rollups, answerMilliseconds });
  return { service, slices };
}

describe("a search", () => {
  test("ends when the range is done", async () => {
    const { service } = searchOver(3000, (row) => row % 1000 === 0);
    const { matches, next, progress } = await service.searchSpans(contextWithin(60_000), request);
    expect(matches.map(({ rowId, foundIn }) => `${rowId} ${foundIn}`)).toEqual([
      "1000 input",
      "2000 input",
      "3000 input",
    ]);
    expect([next, progress.complete, progress.fraction, progress.scannedRows]).toEqual([null, true, 1, 3000]);
  });

  test("gives a full page and goes on behind its last row", async () => {
    const { service } = searchOver(1000, (row) => row % 10 === 0);
    const first = await service.searchSpans(contextWithin(60_000), { ...request, limit: 7 });
    expect(first.matches.at(-1)!.rowId).toBe(70);
    expect([first.next?.rowId, first.progress.complete]).toEqual([70, false]);
    expect(first.progress.fraction).toBeCloseTo(0.07, 2);
    const second = await service.searchSpans(contextWithin(60_000), { ...request, limit: 7, after: first.next });
    expect(second.matches[0]!.rowId).toBe(80);
  });

  test("gives what it has when its time is over, and goes on where it stopped", async () => {
    const { service, slices } = searchOver(100_000, (row) => row === 99_999, { answerMilliseconds: 0 });
    const found: number[] = [];
    let last = null as SearchRequest["after"];
    let answers = 0;
    do {
      const answer = await service.searchSpans(contextWithin(60_000), { ...request, after: last });
      found.push(...answer.matches.map(({ rowId }) => rowId));
      last = answer.next;
      answers++;
    } while (last !== null);
    expect(found).toEqual([99_999]);
    expect(answers).toBe(slices.length);
  });

  test("takes fewer rows at once when a slice takes too long, down to one", async () => {
    const { service, slices } = searchOver(20, (row) => row === 3, {
      onSlice: ({ size }) => {
        if (size > 1) throw fail("storage.deadline", "unavailable", "stopped");
      },
      answerMilliseconds: 0,
    });
    const answer = await service.searchSpans(contextWithin(60_000), request);
    expect([slices, answer.progress.scannedRows, answer.next?.rowId]).toEqual([[1], 1, 1]);
  });

  test("fails when even one row takes longer than the deadline, and for every other reason", async () => {
    const stopped = () => {
      throw fail("storage.deadline", "unavailable", "stopped");
    };
    const slow = searchOver(20, () => false, { onSlice: stopped });
    expect((await failureOf(slow.service.searchSpans(contextWithin(60_000), request))).code).toBe("storage.deadline");
    const gone = () => {
      throw fail("storage.client_gone", "unavailable", "gone");
    };
    const left = searchOver(20, () => false, { onSlice: gone });
    expect((await failureOf(left.service.searchSpans(contextWithin(60_000), request))).code).toBe(
      "storage.client_gone",
    );
  });

  test("refuses a text that is empty or too long", async () => {
    const { service } = searchOver(1, () => true);
    const codeOf = async (text: string) =>
      (await failureOf(service.searchTraces(contextWithin(1000), { ...request, text }))).message;
    expect(await codeOf("")).toBe("text: must not be empty");
    expect(await codeOf("x".repeat(1025))).toBe("text: must not exceed 1024 bytes");
  });
});

describe("words of a search", () => {
  test.each([
    ["refund", ["refund"]],
    ["  refund\n parcel refund", ["refund", "parcel"]],
    ['where "is my parcel" now', ["where", "is my parcel", "now"]],
    ['say "hello', ["say", '"hello']],
    ['{"a": "b c"}', ['{"a":', '"b', 'c"}']],
    ['""', ['""']],
    [" ", [" "]],
  ])("%j", (text, expected) => expect(searchedWords(text)).toEqual(expected));
});

describe("slices", () => {
  test("grow and shrink towards the time that one is to take, by a factor of four at most", () => {
    expect(nextSliceSize(1000, 10, 60_000)).toBe(4000);
    expect(nextSliceSize(1000, 100, 60_000)).toBe(1500);
    expect(nextSliceSize(1000, 1500, 60_000)).toBe(100);
    expect(nextSliceSize(1000, 100, 20)).toBe(200);
    expect(nextSliceSize(1, 5000, 60_000)).toBe(1);
    expect(nextSliceSize(40_000, 1, 60_000)).toBe(50_000);
  });
});

describe("the fraction of a range", () => {
  const bounds = { oldestUs: 1000, newestUs: 2000 };
  const all = { startUs: null, endUs: null };

  test("goes from its newest row to its oldest, and is whole only when the search is complete", () => {
    expect(searchedFraction(bounds, all, null)).toBe(0);
    expect(searchedFraction(bounds, all, { value: 1500 })).toBe(0.5);
    expect(searchedFraction(bounds, all, { value: 1000 })).toBe(0.999);
    expect(searchedFraction(bounds, { startUs: 1500, endUs: 1901 }, { value: 1800 })).toBe(0.25);
    expect(searchedFraction({ oldestUs: 5, newestUs: 5 }, all, { value: 5 })).toBe(0);
  });
});

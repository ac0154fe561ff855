// Where the spans that match a condition can be: the sixteenths of blocks whose filters say "perhaps", and the spans above the last
// block. A list then reads these in its own order until the page is full, and gives the same page as without them.
import { type RawBuilder, sql } from "kysely";
import { narrowingOf, type StatisticScope, spansInScope } from "../../filter/scope.ts";
import type { Settled } from "../../filter/settled.ts";
import { BLOCK_SPANS, firstOfBlock } from "../../model/summaries/blocks/block.ts";
import {
  asksForLatency,
  blockSlicesOf,
  partsOf,
  type RequiredValues,
} from "../../model/summaries/blocks/required-values.ts";
import type { Dialect } from "../../storage/dialect.ts";
import type { Range } from "../../storage/period.ts";
import type { CallContext } from "../../storage/storage.ts";
import { createAnnotatedStore } from "./annotated.store.ts";
import { createBlockFiltersStore, rangesOf, type StoredFilter } from "./block-filters.store.ts";
import { type CandidateRange, everythingFrom, placesIn, WORTHWHILE } from "./candidate-ranges.store.ts";

/** A condition that asks for more parts than this reads most of the filters. */
const MOST_PARTS = 16;
/** The newest blocks, which show whether a value is frequent. */
const SAMPLE = 16;
/** Candidates that a statistic names one by one. */
const MOST_NAMED = 50_000;
/** Of so many spans that match, the figures of one request ask no candidate again. */
const MOST_MATCHES = 2000;

/** `find` answers null where the list is to be read without candidates. */
export type CandidatesStore = Pick<ReturnType<typeof createCandidatesStore>, "find" | "ofAnnotations" | "ofPeriod">;

export function createCandidatesStore(dialect: Dialect) {
  const annotated = createAnnotatedStore(dialect);
  const { readFilters, readLatencies } = createBlockFiltersStore(dialect);
  /** Of the scopes that a request counts: it asks for several figures of one. What arrives later it need not see. */
  const ofRequests = new WeakMap<CallContext, Map<string, Promise<RawBuilder<boolean> | null>>>();

  const store = {
    /** The candidates for spans that start in the range; null where the list should go its own way: filters tell too little, or
     *  the value is frequent. */
    async find(
      context: CallContext,
      required: RequiredValues,
      { startUs, endUs }: Range,
    ): Promise<CandidateRange[] | null> {
      const parts = [...partsOf(required)];
      const byLatency = asksForLatency(required);
      if ((parts.length === 0 && !byLatency) || parts.length > MOST_PARTS) return null;
      const isIn = ({ startLow, startHigh }: StoredFilter) =>
        startLow !== null &&
        startHigh !== null &&
        (startUs === null || startHigh >= startUs) &&
        (endUs === null || startLow < endUs);
      const judge = async (filters: readonly StoredFilter[]) => {
        const lowest = filters.at(-1)?.block ?? 0;
        const latencyOf = byLatency ? await readLatencies(context, lowest) : () => null;
        const ranges = filters.flatMap((filter) => {
          return rangesOf(filter, blockSlicesOf(required, filter.parts, filter.unfiltered, latencyOf(filter)));
        });
        const spans = ranges.reduce((sum, { lowest, highest }) => sum + highest - lowest + 1, 0);
        return { ranges, spans, of: filters.length * BLOCK_SPANS };
      };

      const sample = await readFilters(context, parts, SAMPLE);
      const [last] = sample;
      if (last === undefined) return null;
      const sampled = await judge(sample);
      if (sampled.spans * 2 > sampled.of) return null;

      const above = firstOfBlock(last.block + 1);
      const newest = await newestSpan(context);
      const all = sample.length < SAMPLE ? sample : await readFilters(context, parts, null);
      const { ranges, spans, of } = await judge(all.filter(isIn));
      const tail = Math.max(0, newest - above + 1);
      if ((spans + tail) * WORTHWHILE > of + tail) return null;
      return [everythingFrom(above), ...ranges];
    },

    ofAnnotations: annotated.findCandidates,

    /** Where spans that start in the range can be, whatever they are like; null where that is not known. */
    ofPeriod: (context: CallContext, range: Range): Promise<CandidateRange[] | null> => placesIn(context, range),

    /** True for every span that may match the condition on spans of the scope; null for all of them, when the filters do not help or
     *  the candidates are too many to be named. Throws `filter.invalid`. */
    inScope(context: CallContext, scope: Settled<StatisticScope>): Promise<RawBuilder<boolean> | null> {
      const ofRequest = ofRequests.get(context) ?? new Map<string, Promise<RawBuilder<boolean> | null>>();
      ofRequests.set(context, ofRequest);
      const key = JSON.stringify(scope);
      const known = ofRequest.get(key) ?? findInScope(context, scope);
      ofRequest.set(key, known);
      return known;
    },
  };

  async function findInScope(
    context: CallContext,
    scope: Settled<StatisticScope>,
  ): Promise<RawBuilder<boolean> | null> {
    const { required, annotated: rows } = narrowingOf(scope);
    const ids = rows === null ? null : await annotated.findIds(context, rows);
    if (ids !== null) return dialect.inList(sql.ref("spans.id"), ids);
    const ranges = required === null ? null : await store.find(context, required, scope);
    const isAmong = ranges === null ? null : amongCandidates(dialect, ranges);
    if (isAmong === null) return null;
    const matches = await context.database
      .read(context, "slow")
      .selectFrom("spans")
      .select("id")
      .where(spansInScope(dialect, scope, isAmong))
      .limit(MOST_MATCHES + 1)
      .execute();
    if (matches.length > MOST_MATCHES) return isAmong;
    return dialect.inList(
      sql.ref("spans.id"),
      matches.map(({ id }) => id),
    );
  }

  return store;
}

async function newestSpan(context: CallContext): Promise<number> {
  const row = await context.database
    .read(context, "short")
    .selectFrom("spans")
    .select((eb) => eb.fn.max("id").as("id"))
    .executeTakeFirstOrThrow();
  return row.id ?? 0;
}

/** True for the candidates; null when they are too many to be named. */
function amongCandidates(dialect: Dialect, ranges: readonly CandidateRange[]): RawBuilder<boolean> | null {
  const bounded = ranges.filter((range) => Number.isFinite(sizeOf(range)));
  if (bounded.reduce((sum, range) => sum + sizeOf(range), 0) > MOST_NAMED) return null;
  const open = ranges.filter((range) => !bounded.includes(range)).map((range) => isAmong(dialect, [range]));
  return sql<boolean>`(${sql.join([isAmong(dialect, bounded), ...open], sql` or `)})`;
}

/** Candidates of one statement: at first few, because the page may soon be full. */
const FIRST_GROUP = 2048;
const LARGEST_GROUP = 32_768;

interface CandidateOrder<Row> {
  readonly direction: "asc" | "desc";
  /** What the list is sorted by, before the row id; of `other` values no bounds are known. */
  readonly by: "id" | "start" | "other";
  readonly limit: number;
  /** The value of the first row that the page may have; for `other` null. */
  readonly from: number | null;
  /** Null values come last in either direction. */
  readonly place: (row: Row) => { readonly value: number | null; readonly id: number };
}

/** Reads candidates group by group, each in the order of the list and up to its limit, until no other group can come before
 *  the end of the page. */
export async function readCandidates<Row>(
  dialect: Dialect,
  ranges: readonly CandidateRange[],
  { direction, by, limit, from, place }: CandidateOrder<Row>,
  read: (isCandidate: RawBuilder<boolean>) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const factor = direction === "asc" ? 1 : -1;
  /** The value that comes first in the order of the list, and the one that comes last. */
  const bounds = ({ lowest, highest, startLow, startHigh }: CandidateRange): [number, number] => {
    const [low, high] = by === "id" ? [lowest, highest] : by === "start" ? [startLow, startHigh] : [null, null];
    const known: [number, number] = [low ?? Number.NEGATIVE_INFINITY, high ?? Number.POSITIVE_INFINITY];
    return direction === "asc" ? known : [known[1], known[0]];
  };
  const compare = (one: Row, other: Row) => {
    const [a, b] = [place(one), place(other)];
    if (a.value === null || b.value === null) {
      return Number(a.value === null) - Number(b.value === null) || factor * (a.id - b.id);
    }
    return factor * (a.value - b.value || a.id - b.id);
  };
  const waiting = ranges
    .filter((range) => from === null || factor * (bounds(range)[1] - from) >= 0)
    .sort((one, other) => compareNumbers(factor, bounds(one)[0], bounds(other)[0]));
  let found: Row[] = [];
  for (let size = FIRST_GROUP; waiting.length > 0; size = Math.min(2 * size, LARGEST_GROUP)) {
    const last = found.length < limit ? undefined : found[limit - 1];
    const end = last === undefined ? null : place(last).value;
    if (end !== null && factor * (bounds(waiting[0]!)[0] - end) > 0) break;
    const group: CandidateRange[] = [];
    for (let spans = 0; waiting.length > 0 && spans < size; ) {
      // What has no end is a group of its own.
      if (group.length > 0 && !Number.isFinite(sizeOf(waiting[0]!))) break;
      const range = waiting.shift()!;
      spans += sizeOf(range);
      group.push(range);
    }
    found = [...found, ...(await read(isAmong(dialect, group)))].sort(compare).slice(0, limit);
  }
  return found;
}

function sizeOf({ lowest, highest }: CandidateRange): number {
  return highest === Number.MAX_SAFE_INTEGER ? Number.POSITIVE_INFINITY : highest - lowest + 1;
}

function compareNumbers(factor: number, one: number, other: number): number {
  return one === other ? 0 : factor * (one < other ? -1 : 1);
}

/** Ids one by one: no planner reads anything else for them. */
function isAmong(dialect: Dialect, group: readonly CandidateRange[]): RawBuilder<boolean> {
  const [first] = group;
  if (group.length === 1 && sizeOf(first!) === Number.POSITIVE_INFINITY) {
    return sql<boolean>`spans.id >= ${first!.lowest}`;
  }
  const ids = group.flatMap(({ lowest, highest }) =>
    Array.from({ length: highest - lowest + 1 }, (_, position) => lowest + position),
  );
  return dialect.inList(sql.ref("spans.id"), ids);
}

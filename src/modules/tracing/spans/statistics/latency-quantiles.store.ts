// Quantiles of the latency of spans without reading them all: the counts of the bands show which one holds the rank, and only its
// latencies are sorted. The latencies that the rank is expected among are read by the statement that counts, so that the answer
// is exact for one snapshot; where more has changed meanwhile than was expected, it asks again.
import { type RawBuilder, sql } from "kysely";
import { firstOfBlock } from "../../../../model/summaries/blocks/block.ts";
import { latencyBands } from "../../../../model/summaries/blocks/facets.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import { isUnbounded, type Range } from "../../../../storage/period.ts";
import type { BandedSpans } from "../../../../storage/span-orders.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { createFacetCountsStore, type FacetCount } from "../../../../summaries/blocks/facet-counts.store.ts";
import { readSummarisedBlocks, startsIn } from "../../../../summaries/blocks/summarised-range.store.ts";

/** Projects of one question; each is a select of its own. */
const MOST_PROJECTS = 8;
const DEFAULTS = {
  /** With fewer blocks sorting everything is as quick. */
  leastBlocks: 16,
  /** At most this part of sorting everything may be spent. */
  worthwhile: 0.5,
  /** Ranks that are read on either side of the expected one. */
  margin: 500,
};
const ATTEMPTS = 3;

/** Where the latencies of a project are expected: ranks from `from` on, counted within the bands from `low` to below `high`. */
interface Window {
  readonly projectId: number;
  readonly low: number;
  readonly high: number | null;
  readonly from: number;
}

/** Parts of the ids (SpanOrders) by how the range cuts them. */
interface Parts extends Pick<BandedSpans, "inside" | "cut" | "open"> {
  /** How many there are from `open` on, of which nothing is known; 0 where that makes no difference. */
  readonly unknown: number;
}

export function createLatencyQuantilesStore(dialect: Dialect, { leastBlocks, worthwhile, margin } = DEFAULTS) {
  const facets = createFacetCountsStore(dialect);

  /** Spans of summarised blocks start within the bounds of their block, and no others come. */
  async function readParts(context: CallContext, range: Range, blocks: number): Promise<Parts> {
    const { partSpans } = dialect.spanOrders;
    const open = Math.floor(firstOfBlock(blocks) / partSpans);
    const database = context.database.read(context, "short");
    const newest = await database
      .selectFrom("spans")
      .select((eb) => eb.fn.max("id").as("id"))
      .executeTakeFirstOrThrow();
    const unknown = Math.max(0, Math.floor((newest.id ?? 0) / partSpans) + 1 - open);
    const part = sql<number>`(block * ${sql.lit(firstOfBlock(1))} / ${sql.lit(partSpans)})`;
    const rows = await database
      .selectFrom("span_blocks")
      .select(part.as("part"))
      .select((eb) => [eb.fn.min("start_low").as("low"), eb.fn.max("start_high").as("high")])
      .groupBy("part")
      .execute();
    const { startUs, endUs } = range;
    const inside: number[] = [];
    const cut: number[] = [];
    for (const { part, low, high } of rows) {
      // No span was left when it was summarised.
      if (Number(part) >= open || low === null || high === null) continue;
      if ((startUs !== null && high < startUs) || (endUs !== null && low >= endUs)) continue;
      const isInside = (startUs === null || low >= startUs) && (endUs === null || high < endUs);
      (isInside ? inside : cut).push(Number(part));
    }
    return { inside, cut, open, unknown: isUnbounded(range) ? 0 : unknown };
  }

  function selectWindow({ projectId, low, high, from }: Window, parts: Parts, range: Range): RawBuilder<unknown> {
    // The order of latencies alone: the index of start times would have the whole range read.
    const condition = isUnbounded(range)
      ? sql`1 = 1`
      : startsIn(range, dialect.withoutIndex(sql.ref<number>("spans.start_us")));
    return sql`select cast(${projectId} as bigint) as project, cast(latency_us as text) as value
      from (${dialect.spanOrders.latencies({ ...parts, projectId, low, high, condition })}) as banded
      order by latency_us limit ${sql.lit(2 * margin + 2)} offset ${sql.lit(from)}`;
  }

  return {
    /** Microseconds, interpolated between the two nearest as `percentile_cont` does; projects without spans are left out. Null
     *  where sorting all latencies is as quick, or the spans change too fast. */
    async find(
      context: CallContext,
      projectIds: readonly number[],
      range: Range,
      probability: number,
    ): Promise<Map<number, number> | null> {
      if (projectIds.length > MOST_PROJECTS) return null;
      const { blocks } = await readSummarisedBlocks(context);
      if (blocks < leastBlocks) return null;
      const parts = await readParts(context, range, blocks);
      let counts: readonly FacetCount[] = await facets.count(context, projectIds, "latency", range, false);
      const share = (projectId: number) => shareOf(projectId, counts, probability, parts);
      if (projectIds.some((projectId) => share(projectId) > worthwhile)) return null;
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const windows = projectIds.flatMap((projectId) => windowOf(projectId, counts, probability, margin) ?? []);
        const selects = windows.map((window) => selectWindow(window, parts, range));
        const found = await facets.countBeside(context, projectIds, "latency", range, selects);
        const quantiles = new Map<number, number>();
        const met = projectIds.every((projectId) => {
          const rank = rankOf(projectId, found.counts, probability);
          if (rank === null) return true;
          const window = windows.find((each) => each.projectId === projectId);
          const ofProject = found.beside.filter((each) => each.projectId === projectId);
          const quantile = window === undefined ? null : quantileIn(window, rank, found.counts, ofProject);
          if (quantile !== null) quantiles.set(projectId, quantile);
          return quantile !== null;
        });
        if (met) return quantiles;
        counts = found.counts;
      }
      return null;
    },
  };
}

/** The rank of the quantile, counted from 0, with a fraction; null without spans. */
function rankOf(projectId: number, counts: readonly FacetCount[], probability: number): number | null {
  const total = spansBelow(projectId, counts, Number.POSITIVE_INFINITY);
  return total === 0 ? null : probability * (total - 1);
}

/** Spans in bands that begin below the bound. */
function spansBelow(projectId: number, counts: readonly FacetCount[], bound: number): number {
  return counts.reduce(
    (sum, { value, amount, ...of }) => sum + (of.projectId === projectId && Number(value) < bound ? amount : 0),
    0,
  );
}

function windowOf(
  projectId: number,
  counts: readonly FacetCount[],
  probability: number,
  margin: number,
): Window | null {
  const rank = rankOf(projectId, counts, probability);
  if (rank === null) return null;
  const bandOf = (wanted: number) => latencyBands.findLastIndex((low) => spansBelow(projectId, counts, low) <= wanted);
  const low = latencyBands[bandOf(Math.floor(rank))]!;
  const high = latencyBands[bandOf(Math.ceil(rank)) + 1] ?? null;
  const from = Math.max(0, Math.floor(rank) - spansBelow(projectId, counts, low) - margin);
  return { projectId, low, high, from };
}

/** Spans of a cut part are looked up one by one to know when they start: each takes as long as so many of an index. */
const LOOK_UP = 10;

/** How much is read of what sorting everything would read. */
function shareOf(
  projectId: number,
  counts: readonly FacetCount[],
  probability: number,
  { inside, cut, unknown }: Parts,
): number {
  const window = windowOf(projectId, counts, probability, 0);
  if (window === null) return 0;
  const { low, high } = window;
  const total = spansBelow(projectId, counts, Number.POSITIVE_INFINITY);
  const banded = spansBelow(projectId, counts, high ?? Number.POSITIVE_INFINITY) - spansBelow(projectId, counts, low);
  const lookedUp = cut.length + unknown;
  const all = inside.length + lookedUp;
  // As if the spans of the project lay evenly in the parts.
  return all === 0 ? 0 : (banded / total) * ((inside.length + LOOK_UP * lookedUp) / all);
}

/** Null when the rank is not among the latencies that were read. */
function quantileIn(
  { projectId, low, high, from }: Window,
  rank: number,
  counts: readonly FacetCount[],
  beside: readonly { readonly value: string; readonly amount: number }[],
): number | null {
  const first = spansBelow(projectId, counts, low) + from;
  const read = beside
    .map(({ value, amount }) => ({ latencyUs: Number(value), amount }))
    .sort((one, other) => one.latencyUs - other.latencyUs);
  const end = Math.min(
    first + read.reduce((sum, { amount }) => sum + amount, 0),
    spansBelow(projectId, counts, high ?? Number.POSITIVE_INFINITY),
  );
  const [before, after] = [Math.floor(rank), Math.ceil(rank)];
  if (before < first || after >= end) return null;
  const at = (wanted: number) => {
    let position = 0;
    for (let next = first + read[0]!.amount; next <= wanted; next += read[position]!.amount) position++;
    return read[position]!.latencyUs;
  };
  return at(before) + (rank - before) * (at(after) - at(before));
}

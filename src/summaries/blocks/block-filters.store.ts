// What summaries tell of the values of blocks: the parts of their filters, and the bounds of their latencies.
import { sql } from "kysely";
import { firstOfBlock, SLICE_SPANS, SLICES, SUMMARY_VERSION } from "../../model/summaries/blocks/block.ts";
import { facetCode, latencyBands } from "../../model/summaries/blocks/facets.ts";
import { ALL_SLICES, type LatencyBounds } from "../../model/summaries/blocks/required-values.ts";
import type { Dialect } from "../../storage/dialect.ts";
import type { CallContext } from "../../storage/storage.ts";
import type { CandidateRange } from "./candidate-ranges.store.ts";

/** The parts of the filter of a block that were asked for. */
export interface StoredFilter {
  readonly block: number;
  /** A bit for each sixteenth of which nothing is known. */
  readonly unfiltered: number;
  readonly startLow: number | null;
  readonly startHigh: number | null;
  /** Its counts hold. */
  readonly isCounted: boolean;
  readonly parts: ReadonlyMap<number, Uint8Array>;
}

/** Of a block whose spans are gone. */
const NO_LATENCY: LatencyBounds = { low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY };

export function createBlockFiltersStore(dialect: Dialect) {
  return {
    /** The newest blocks first; `limit` null reads all. */
    async readFilters(context: CallContext, parts: readonly number[], limit: number | null): Promise<StoredFilter[]> {
      const database = context.database.read(context, "slow");
      let newest = database
        .selectFrom("span_blocks")
        .select(["block", "unfiltered", "start_low", "start_high", "summary_version"])
        .orderBy("block", "desc");
      if (limit !== null) newest = newest.limit(limit);
      const rows = await database
        .selectFrom(newest.as("newest"))
        .leftJoin("span_block_bits", (join) =>
          join
            .onRef("span_block_bits.block", "=", "newest.block")
            .on(dialect.inList(sql.ref("span_block_bits.part"), parts)),
        )
        .select(["newest.block", "unfiltered", "start_low", "start_high", "summary_version", "part", "bits"])
        .select((eb) => {
          const marks = eb
            .selectFrom("span_block_marks")
            .select("span_block_marks.id")
            .whereRef("span_block_marks.block", "=", "newest.block");
          return [eb.exists(marks).as("isMarked"), eb.exists(marks.where("new_values", "=", 1)).as("hasNewValues")];
        })
        .orderBy("newest.block", "desc")
        .execute();
      return [...Map.groupBy(rows, (row) => row.block).values()].map((ofBlock) => {
        const { block, unfiltered, start_low, start_high, summary_version, isMarked, hasNewValues } = ofBlock[0]!;
        return {
          block,
          // Nothing is known of values that came after the filter, or of its older form.
          unfiltered: hasNewValues || summary_version < SUMMARY_VERSION ? ALL_SLICES : unfiltered,
          startLow: start_low,
          startHigh: start_high,
          isCounted: !isMarked && summary_version === SUMMARY_VERSION,
          parts: new Map(ofBlock.flatMap(({ part, bits }) => (part === null || bits === null ? [] : [[part, bits]]))),
        };
      });
    },

    /** Bounds of the latencies in blocks from number `lowest` on, by the bands that were counted; null where the counts do not hold. */
    async readLatencies(
      context: CallContext,
      lowest: number,
    ): Promise<(filter: Pick<StoredFilter, "block" | "isCounted">) => LatencyBounds | null> {
      const band = sql<number>`cast(value as bigint)`;
      const rows = await context.database
        .read(context, "slow")
        .selectFrom("span_block_counts")
        .select("block")
        .select((eb) => [eb.fn.min(band).as("low"), eb.fn.max(band).as("high")])
        .where("facet", "=", facetCode("latency"))
        .where("block", ">=", lowest)
        .groupBy("block")
        .execute();
      const known = new Map(
        rows.map(({ block, low, high }) => [block, { low: beginOfBand(Number(low)), high: endOfBand(Number(high)) }]),
      );
      return ({ block, isCounted }) => (isCounted ? (known.get(block) ?? NO_LATENCY) : null);
    },
  };
}

/** A span that ends before it begins is in the first band. */
function beginOfBand(low: number): number {
  return low === latencyBands[0] ? Number.NEGATIVE_INFINITY : low;
}

/** The first latency above the band that begins so; without an end for the last one. */
function endOfBand(low: number): number {
  return latencyBands.find((bound) => bound > low) ?? Number.POSITIVE_INFINITY;
}

/** The sixteenths of one block, by their bits; those next to each other are one range. */
export function rangesOf(
  { block, startLow, startHigh }: Pick<StoredFilter, "block" | "startLow" | "startHigh">,
  slices: number,
): CandidateRange[] {
  const ranges: { lowest: number; highest: number; startLow: number | null; startHigh: number | null }[] = [];
  for (let slice = 0; slice < SLICES; slice++) {
    if ((slices & (1 << slice)) === 0) continue;
    const lowest = firstOfBlock(block) + slice * SLICE_SPANS;
    const last = ranges.at(-1);
    if (last?.highest === lowest - 1) last.highest += SLICE_SPANS;
    else ranges.push({ lowest, highest: lowest + SLICE_SPANS - 1, startLow, startHigh });
  }
  return ranges;
}

// Where spans can be, as ranges of their ids with bounds of their start times.
import { firstOfBlock } from "../../model/summaries/blocks/block.ts";
import type { Range } from "../../storage/period.ts";
import type { CallContext } from "../../storage/storage.ts";

/** If more than 1 in 3 spans is a candidate, a list is scanned in order instead. */
export const WORTHWHILE = 3;

/** Span ids, both ends included, and bounds of the start times; those of spans above the last block are not known. */
export interface CandidateRange {
  readonly lowest: number;
  readonly highest: number;
  readonly startLow: number | null;
  readonly startHigh: number | null;
}

/** Where spans that start in the range can be: first those above the last block. */
export async function placesIn(context: CallContext, { startUs, endUs }: Range): Promise<CandidateRange[]> {
  const blocksOf = () => context.database.read(context, "short").selectFrom("span_blocks");
  const newest = await blocksOf()
    .select((eb) => eb.fn.max("block").as("block"))
    .executeTakeFirstOrThrow();
  const last = newest.block ?? -1;
  let blocks = blocksOf().select(["block", "start_low", "start_high"]).where("block", "<=", last);
  if (startUs !== null) blocks = blocks.where("start_high", ">=", startUs);
  if (endUs !== null) blocks = blocks.where("start_low", "<", endUs);
  const ranges = (await blocks.execute()).map(({ block, start_low, start_high }) => ({
    lowest: firstOfBlock(block),
    highest: firstOfBlock(block + 1) - 1,
    startLow: start_low,
    startHigh: start_high,
  }));
  return [everythingFrom(firstOfBlock(last + 1)), ...ranges];
}

export function everythingFrom(lowest: number): CandidateRange {
  return { lowest, highest: Number.MAX_SAFE_INTEGER, startLow: null, startHigh: null };
}

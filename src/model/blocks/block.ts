// Blocks of consecutive span ids, which are summarised behind ingestion.

export const BLOCK_SPANS = 4096;
/** A filter distinguishes the sixteenths of its block. */
export const SLICES = 16;
export const SLICE_SPANS = BLOCK_SPANS / SLICES;

export function blockOf(spanId: number): number {
  return Math.floor(spanId / BLOCK_SPANS);
}

/** The first id of a block; its last one precedes the first of the next. */
export function firstOfBlock(block: number): number {
  return block * BLOCK_SPANS;
}

// Blocks of consecutive span ids, which are summarised behind ingestion.

export const BLOCK_SPANS = 4096;
/** A filter distinguishes the sixteenths of its block. */
export const SLICES = 16;
export const SLICE_SPANS = BLOCK_SPANS / SLICES;

/** What is summarised of a block, and how. Raised whenever that changes: blocks of a lower version are not relied on and are summarised
 *  again. The migration that comes with it asks for a new server level (src/storage/migrations.ts). */
export const SUMMARY_VERSION = 2;

export function blockOf(spanId: number): number {
  return Math.floor(spanId / BLOCK_SPANS);
}

/** The first id of a block; its last one precedes the first of the next. */
export function firstOfBlock(block: number): number {
  return block * BLOCK_SPANS;
}

// Keeps block summaries up with the spans: new blocks in the order of their ids once nothing more can come in them, and the
// counts, or all, of those that were marked. Every step may be repeated, by any server, at any time.
import { fail } from "../../kernel/failure.ts";
import { blockOf } from "../../model/summaries/blocks/block.ts";
import type { CommitWatermark } from "../../storage/commit-watermark.ts";
import type { CallContext } from "../../storage/storage.ts";
import type { BlockSource } from "./block-source.store.ts";
import type { BlocksStore } from "./blocks.store.ts";

/** Marked blocks of one round. */
const MARKED_AT_ONCE = 100;

interface BlockStep {
  /** What the block took. */
  readonly milliseconds: number;
  /** Spans have come since the catching up before this one. */
  readonly spansArrive: boolean;
}

export interface BlocksService {
  /** Builds and counts what is due, as long as `goOn` says so, which is asked after each block. Returns how many blocks were
   *  written; 0 also when another server is at it. Throws `blocks.newer_database` once a newer server has changed the database. */
  catchUp(context: CallContext, goOn?: (step: BlockStep) => Promise<boolean>): Promise<number>;
}

interface BlocksDependencies {
  readonly store: BlocksStore;
  readonly source: BlockSource;
  readonly settled: CommitWatermark;
}

export function createBlocksService({ store, source, settled }: BlocksDependencies): BlocksService {
  let settledBefore: number | null = null;
  return {
    async catchUp(context, goOn = async () => true) {
      // The first id of the next block is settled when the last of this one is.
      const newest = await settled.upTo(context);
      const due = blockOf(newest + 1);
      const spansArrive = newest !== settledBefore;
      settledBefore = newest;
      const next = await store.countBlocks(context);
      const marked = await store.listMarked(context, MARKED_AT_ONCE);
      const withoutRanges = await store.listWithoutRanges(context, MARKED_AT_ONCE);
      if (next >= due && marked.length === 0 && withoutRanges.length === 0) return 0;

      let written = 0;
      if (!(await store.servesDatabase(context)))
        throw fail(
          "blocks.newer_database",
          "unavailable",
          "A newer Spanlight has changed the database: it summarises the spans from now on. Stop this server, or start it in that version",
        );
      const step = async (work: () => Promise<void>) => {
        const began = performance.now();
        await work();
        written++;
        return goOn({ milliseconds: performance.now() - began, spansArrive });
      };
      await store.withLease(context, async () => {
        for (const { block, hasNewValues } of marked) {
          const more = await step(async () => {
            if (hasNewValues) await store.rewriteBlock(context, block, await source.summarise(context, block));
            else await store.writeCounts(context, block, await source.count(context, block));
          });
          if (!more) return;
        }
        // Asked again under the lease: another server may have built some.
        for (let block = await store.countBlocks(context); block < due; block++) {
          const more = await step(async () => store.addBlock(context, block, await source.summarise(context, block)));
          if (!more) return;
        }
        for (const block of withoutRanges) {
          const more = await step(async () =>
            store.rewriteBlock(context, block, await source.summarise(context, block)),
          );
          if (!more) return;
        }
      });
      return written;
    },
  };
}

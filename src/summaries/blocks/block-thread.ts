// The thread that summarises blocks of spans, a composition root: reading and hashing a block takes a tenth of a
// second, which no other thread has. It only reads; the path of the database comes with the first message.
import { openPrincipal } from "../../access/principal.ts";
import { fail } from "../../kernel/failure.ts";
import { parentChannel, serveLink } from "../../kernel/link.ts";
import { lowerThreadPriority } from "../../kernel/priority.ts";
import { reportRejections } from "../../kernel/rejections.ts";
import type { StorageLocation } from "../../storage/location.ts";
import { openStorageForReading } from "../../storage/open.ts";
import type { CallContext, Storage } from "../../storage/storage.ts";
import { type BlockSource, createBlockSource } from "./block-source.store.ts";

/** A block of the largest spans, on a busy machine. */
const DEADLINE_MILLISECONDS = 120_000;

let storage: Storage | null = null;

function run<Result>(work: (source: BlockSource, context: CallContext) => Promise<Result>): Promise<Result> {
  if (storage === null) throw fail("blocks.not_open", "internal", "The block worker has no database yet");
  return work(createBlockSource(storage.dialect), {
    principal: openPrincipal,
    requestId: "blocks",
    deadline: performance.now() + DEADLINE_MILLISECONDS,
    signal: null,
    database: storage.handle,
  });
}

// Being late is slow, never wrong.
lowerThreadPriority();

reportRejections(parentChannel());
serveLink(parentChannel(), {
  open: (location: StorageLocation) => {
    storage = openStorageForReading(location);
  },
  close: async () => {
    await storage?.close();
    process.exit(0);
  },
  count: ({ block }: { readonly block: number }) => run((source, context) => source.count(context, block)),
  summarise: ({ block }: { readonly block: number }) => run((source, context) => source.summarise(context, block)),
});

// Small writes that many callers ask for at once, in one transaction: a commit costs more than the rows of one of them.
import { commitInHalves, createBatcher } from "../kernel/batcher.ts";
import type { CallContext, Storage } from "./storage.ts";

/** What came of one write: its result, or why it alone was refused without a change. */
export type WriteOutcome<Result> = { readonly result: Result } | { readonly refusal: Error };

interface GatheredWritesOptions<Item, Result> {
  readonly storage: Pick<Storage, "transaction">;
  /** Of the service: a transaction of many callers must not end when one of them goes away. */
  readonly ownContext: () => CallContext;
  readonly bytesOf: (item: Item) => number;
  /** Rows that an item writes; 1 where it is not given. */
  readonly rowsOf?: (item: Item) => number;
  /** Inside the transaction; one outcome an item, in order. Where it throws, nothing of it stays, and each half is tried by itself. */
  readonly work: (context: CallContext, items: readonly Item[]) => Promise<readonly WriteOutcome<Result>[]>;
}

/** Of one transaction. */
const MOST_ROWS = 200;
const MOST_BYTES = 4 * 1024 * 1024;

/** Resolves when the write is committed; rejects with its refusal, or with what the database says. */
export function createGatheredWrites<Item, Result>(
  options: GatheredWritesOptions<Item, Result>,
): (item: Item) => Promise<Result> {
  const { storage, ownContext, bytesOf, rowsOf = () => 1, work } = options;
  const batcher = createBatcher<Item, PromiseSettledResult<WriteOutcome<Result>>>({
    maximumItems: MOST_ROWS,
    maximumBytes: MOST_BYTES,
    commit: async (items) =>
      (await commitInHalves(items, (part) => storage.transaction(ownContext(), (context) => work(context, part))))
        .outcomes,
  });
  return async (item) => {
    const settled = await batcher.submit(item, rowsOf(item), bytesOf(item));
    if (settled.status === "rejected") throw settled.reason;
    if ("refusal" in settled.value) throw settled.value.refusal;
    return settled.value.result;
  };
}

// Holds the payloads of all spans against what is stored beside them: large values and their heads. A payload that cannot be
// read is named, and the others are looked at nevertheless.
import { Failure, messageOf } from "../../../../kernel/failure.ts";
import type { CallContext, Storage } from "../../../../storage/storage.ts";
import { payloadFaults } from "./payloads-verify.rules.ts";
import { createPayloadsVerifyStore } from "./payloads-verify.store.ts";

/** One line a difference, each naming its span. Nothing else may write meanwhile. */
export async function verifyPayloads(storage: Storage, context: CallContext): Promise<readonly string[]> {
  const store = createPayloadsVerifyStore(storage.dialect);
  const differences: string[] = [];
  const look = async (ids: readonly number[]) => {
    for (const { spanKey, ...payload } of await store.readPayloads(context, ids))
      differences.push(...payloadFaults(payload).map((fault) => `span ${spanKey}: ${fault}`));
  };
  for (let page = await store.listSpans(context, 0); page.length > 0; ) {
    try {
      await look(page.map(({ id }) => id));
    } catch {
      // Again one by one: the findings of the others are not reported yet.
      for (const { id, span_key } of page) {
        try {
          await look([id]);
        } catch (error) {
          // A database that is away says nothing about the span.
          if (error instanceof Failure && error.kind === "unavailable") throw error;
          differences.push(`span ${span_key}: its payload cannot be read: ${messageOf(error)}`);
        }
      }
    }
    page = await store.listSpans(context, page.at(-1)!.id);
  }
  return differences;
}

// A storage whose sums are held against its spans at the end.
import { expect } from "bun:test";
import { verifyStorage } from "../../src/modules/tracing/traces/verify/verify.service.ts";
import { ownedTables } from "../../src/server/features.ts";
import { openTestStorage, type TestStorage } from "./storage.ts";

/** Closing it fails where verification finds a difference. */
export async function openVerifiedStorage(url: string): Promise<TestStorage> {
  const store = await openTestStorage(url);
  return {
    ...store,
    async close() {
      expect((await verifyStorage(store.storage, store.context(), ownedTables)).differences).toEqual([]);
      await store.close();
    },
  };
}

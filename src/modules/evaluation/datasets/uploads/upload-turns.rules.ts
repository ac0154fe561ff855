// What is held whole while its rows are taken has many times its bytes in memory: large ones are held one after the other, whoever sent
// them. Everything else is read side by side.
import { createMutex } from "../../../../kernel/mutex.ts";

/** Bytes and values of what several uploads may hold at the same time. */
const SMALL_BYTES = 4 * 1024 * 1024;
const SMALL_VALUES = 100_000;

const largeOnes = createMutex();

/** Waits until no other upload holds anything large, where this is. Resolves with the function that gives the turn back. */
export async function takeTurn({ bytes, values = 0 }: { readonly bytes: number; readonly values?: number }) {
  if (bytes <= SMALL_BYTES && values <= SMALL_VALUES) return () => {};
  const giveBack = await largeOnes.acquire();
  // What the one before has left would stay beside this one.
  Bun.gc(true);
  return giveBack;
}

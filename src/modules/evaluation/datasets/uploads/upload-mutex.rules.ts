// An upload that is held whole while its rows are read takes many times its bytes in memory: large ones run one at a time, for all users.
// Everything else is read concurrently.
import { createMutex } from "../../../../kernel/mutex.ts";

/** Bytes and values of what several uploads may hold at the same time. */
const SMALL_BYTES = 4 * 1024 * 1024;
const SMALL_VALUES = 100_000;

const largeOnes = createMutex();

/** For a large upload: waits until no other large one is held. Resolves with the function that releases the mutex. */
export async function acquireLarge({ bytes, values = 0 }: { readonly bytes: number; readonly values?: number }) {
  if (bytes <= SMALL_BYTES && values <= SMALL_VALUES) return () => {};
  const release = await largeOnes.acquire();
  // What the one before has left would stay beside this one.
  Bun.gc(true);
  return release;
}

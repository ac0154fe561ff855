// Memory of bytes that are not read any more: a buffer of a hundred megabytes cannot wait for the collector.

/** Smaller ones may share the buffer of a pool. */
const LEAST_OWN_BYTES = 64 * 1024;

/** Gives their memory back at once; small ones are left to the collector. They must have a buffer of their own, and are empty
 *  afterwards. */
export function freeBytes(bytes: Uint8Array): void {
  const { buffer, byteLength } = bytes;
  if (byteLength > LEAST_OWN_BYTES && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/** Counts bytes of texts that will be garbage soon, and collects in this thread whenever as many as `mostBytes` were counted: the
 *  collector knows little of how large texts are, and left alone lets hundreds of megabytes gather. */
export function createGarbageCount(mostBytes: number, collect: () => void): (bytes: number) => void {
  let counted = 0;
  return (bytes) => {
    counted += bytes;
    if (counted < mostBytes) return;
    counted = 0;
    collect();
  };
}

// Memory of bytes that nobody reads any more: a buffer of a hundred megabytes cannot wait for the collector.

/** Smaller ones may share the buffer of a pool. */
const LEAST_OWN_BYTES = 64 * 1024;

/** Gives their memory back at once; small ones are left to the collector. They must have a buffer of their own, and are empty
 *  afterwards. */
export function freeBytes(bytes: Uint8Array): void {
  const { buffer, byteLength } = bytes;
  if (byteLength > LEAST_OWN_BYTES && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

// Takes the collecting of messages out of the gRPC library's hands. It keeps every piece of a message until the call has been
// answered, beside the message, and no budget is asked for it.

import type { ByteReservation } from "../../kernel/byte-budget.ts";
import { fail } from "../../kernel/failure.ts";
import { createGarbageCount, freeBytes } from "../../kernel/free-bytes.ts";

/** The library's call keeps its collector here and nowhere public. Should a release rename it, the library collects again, and
 *  the test of the memory that messages take fails. */
const FIELD = "decoder";
/** A flag and the length of the message. */
const FRAME_BYTES = 5;

/** Pieces of messages are garbage as soon as they are copied or refused, and the collector knows little of how large they are. */
const MOST_GARBAGE_BYTES = 16 * 1024 * 1024;
const countGarbage = createGarbageCount(MOST_GARBAGE_BYTES, () => Bun.gc(false));

/** Makes a call collect its message in one piece, whose bytes the reservation takes as they arrive. What does not fit, from the time
 *  its length is known, is answered by `refuse`. Must be called before the first byte is read. */
export function collectMessages(
  call: object,
  mostBytes: number,
  reservation: ByteReservation,
  refuse: (error: unknown) => void,
): void {
  if (!Reflect.has(call, FIELD)) return;
  const collector = createCollector(mostBytes, reservation);
  let isRefused = false;
  Reflect.set(call, FIELD, {
    write(data: Uint8Array): Buffer[] {
      countGarbage(data.byteLength);
      if (isRefused) return [];
      try {
        reservation.take(data.byteLength);
        return collector.add(data);
      } catch (error) {
        isRefused = true;
        collector.drop();
        refuse(error);
        return [];
      }
    },
  });
}

/** `add` takes the pieces of a call and gives each message with its frame when it is whole; `drop` ends that. */
function createCollector(mostBytes: number, reservation: ByteReservation) {
  const frame = Buffer.alloc(FRAME_BYTES);
  let message: Buffer | null = null;
  let filled = 0;
  const add = (data: Uint8Array): Buffer[] => {
    const whole: Buffer[] = [];
    for (let position = 0; position < data.byteLength; ) {
      const target: Buffer = message ?? frame;
      const end = Math.min(data.byteLength, position + target.byteLength - filled);
      target.set(data.subarray(position, end), filled);
      filled += end - position;
      position = end;
      if (message === null && filled === FRAME_BYTES) {
        const bytes = frame.readUInt32BE(1);
        if (bytes > mostBytes) throw messageTooLarge(bytes, mostBytes);
        reservation.announce(bytes - (data.byteLength - position));
        // Pages that nothing was written to take no memory: it grows as it arrives.
        message = Buffer.from(new ArrayBuffer(FRAME_BYTES + bytes));
        message.set(frame);
      }
      if (message !== null && filled === message.byteLength) {
        whole.push(message);
        message = null;
        filled = 0;
      }
    }
    return whole;
  };
  return {
    add,
    drop() {
      if (message !== null) freeBytes(message);
      message = null;
    },
  };
}

function messageTooLarge(bytes: number, mostBytes: number) {
  return fail("otlp.message_too_large", "too_large", `Received message larger than max (${bytes} vs ${mostBytes})`);
}

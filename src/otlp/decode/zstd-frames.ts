// Walks the frames of a zstd stream (RFC 8878) without decompressing: the decompressor of the runtime takes a stream that
// was cut off for a complete one.

const FRAME = 0xfd2fb528;
const SKIPPABLE_FRAME = 0x184d2a50;
const DICTIONARY_ID_BYTES = [0, 1, 2, 4];
const CONTENT_SIZE_BYTES = [0, 2, 4, 8];
const RLE_BLOCK = 1;
const RESERVED_BLOCK = 3;
/** Each frame costs a call of its own, so that a body of empty frames could keep a worker busy for minutes. */
const MAX_FRAMES = 10_000;

/** The frames that hold data, in order; null unless the bytes are whole frames from beginning to
 *  end, and not too many. */
export function zstdFrames(bytes: Uint8Array): Uint8Array[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const frames: Uint8Array[] = [];
  let position = 0;
  while (position < bytes.length) {
    if (position + 8 > bytes.length) return null;
    const magic = view.getUint32(position, true);
    if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE_FRAME) {
      position += 8 + view.getUint32(position + 4, true);
      continue;
    }
    const end = magic === FRAME ? endOfFrame(view, position + 4) : null;
    if (end === null || frames.length === MAX_FRAMES) return null;
    frames.push(bytes.subarray(position, end));
    position = end;
  }
  return position === bytes.length ? frames : null;
}

function endOfFrame(view: DataView, header: number): number | null {
  const descriptor = view.getUint8(header);
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const contentSizeFlag = descriptor >> 6;
  let position = header + 1 + DICTIONARY_ID_BYTES[descriptor & 3]!;
  position += isSingleSegment && contentSizeFlag === 0 ? 1 : CONTENT_SIZE_BYTES[contentSizeFlag]!;
  if (!isSingleSegment) position += 1;
  for (let isLast = false; !isLast; ) {
    if (position + 3 > view.byteLength) return null;
    const block = view.getUint16(position, true) | (view.getUint8(position + 2) << 16);
    isLast = (block & 1) === 1;
    const type = (block >> 1) & 3;
    if (type === RESERVED_BLOCK) return null;
    position += 3 + (type === RLE_BLOCK ? 1 : block >> 3);
  }
  const hasChecksum = (descriptor & 4) !== 0;
  if (hasChecksum) position += 4;
  return position <= view.byteLength ? position : null;
}

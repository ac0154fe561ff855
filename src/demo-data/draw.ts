// Chance that always falls the same way for the same seed.

export interface Draw {
  /** At least `low`, below `high`. */
  between(low: number, high: number): number;
  pick<Value>(from: readonly Value[]): Value;
  /** So many bytes in hexadecimal. */
  hex(bytes: number): string;
}

export function drawFrom(seed: number): Draw {
  let state = seed >>> 0;
  // Mulberry32.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    between: (low, high) => low + next() * (high - low),
    pick: (from) => from[Math.floor(next() * from.length)]!,
    hex: (bytes) =>
      Array.from({ length: bytes }, () =>
        Math.floor(next() * 256)
          .toString(16)
          .padStart(2, "0"),
      ).join(""),
  };
}

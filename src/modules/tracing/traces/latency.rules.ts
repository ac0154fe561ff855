// Bounds of a latency in milliseconds as whole microseconds, scaled as decimal text: 0.04 ms are 40 µs, although no binary
// fraction is exactly 0.04.

const DECIMAL = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;

/** The lowest latency in microseconds that is at least so many milliseconds. Infinity stays. */
export function lowestLatency(milliseconds: number): number {
  return scaled(milliseconds, Math.ceil);
}

/** The highest latency in microseconds that is at most so many milliseconds. Infinity stays. */
export function highestLatency(milliseconds: number): number {
  return scaled(milliseconds, Math.floor);
}

/** Three decimal places to the left; what is then left of the point is whole, the rest is rounded. */
function scaled(milliseconds: number, round: (value: number) => number): number {
  const match = DECIMAL.exec(String(milliseconds));
  if (match === null) return milliseconds;
  const [, whole = "0", fraction = "", exponent = "0"] = match;
  const places = Math.max(0, whole.length + 3 + Number(exponent));
  const digits = `${"0".repeat(Math.max(0, -(whole.length + 3 + Number(exponent))))}${whole}${fraction}`;
  const left = digits.slice(0, places).padEnd(places, "0");
  const rest = /[1-9]/.test(digits.slice(places)) ? 0.5 : 0;
  return round(Number(left || "0") + rest);
}

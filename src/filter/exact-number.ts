// Decimal numbers as integers with a scale, so that 0.04 ms are 40 µs and 0.1 USD are 10^11 units, however a binary
// fraction would round them.

/** units / 10^scale */
export interface ExactNumber {
  readonly units: bigint;
  readonly scale: number;
}

const DECIMAL = /^(-?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
/** More digits than this behind the point, or in all, are left to binary floating point. */
const MOST_PLACES = 400;

/** A decimal text, or null where it has no exact form of a sensible size. */
function exactFromText(text: string): ExactNumber | null {
  const match = DECIMAL.exec(text);
  if (match === null) return null;
  const [, sign, whole = "", fraction = "", exponent = "0"] = match;
  const scale = fraction.length - Number(exponent);
  if (Math.abs(scale) > MOST_PLACES || whole.length + fraction.length > MOST_PLACES) return null;
  const units = BigInt(`${whole}${fraction}` || "0") * (sign === "-" ? -1n : 1n);
  return scale >= 0 ? reduced({ units, scale }) : { units: units * 10n ** BigInt(-scale), scale: 0 };
}

/** The double as the decimal number it is written as. */
export function exactFromNumber(value: number): ExactNumber | null {
  return Number.isFinite(value) ? exactFromText(String(value)) : null;
}

/** Without zeros at the end of the fraction. */
export function reduced({ units, scale }: ExactNumber): ExactNumber {
  let [smaller, places] = [units, scale];
  for (; places > 0 && smaller % 10n === 0n; places -= 1) smaller /= 10n;
  return { units: smaller, scale: places };
}

/** The number as an integer of 10^-scale: the largest that is not above it, and whether that is all of it. */
export function floorAt({ units, scale }: ExactNumber, target: number): { floor: bigint; whole: boolean } {
  if (target >= scale) return { floor: units * 10n ** BigInt(target - scale), whole: true };
  const divisor = 10n ** BigInt(scale - target);
  const rest = ((units % divisor) + divisor) % divisor;
  return { floor: (units - rest) / divisor, whole: rest === 0n };
}

// The numbers of filter conditions without a database: exact integers with a scale, decimals of attributes, doubles.
import type { ExactNumber } from "../../src/filter/exact-number.ts";

export type Numeric =
  | { readonly form: "exact"; readonly units: bigint; readonly scale: number; readonly computed?: true }
  /** An integer of 64 bits or a double. */
  | { readonly form: "decimal"; readonly value: bigint | number }
  | { readonly form: "double"; readonly value: number }
  | { readonly form: "literal"; readonly value: number; readonly exact: ExactNumber | null };

/** Below 0, 0 or above; null where one is missing. */
export function compareNumbers(left: Numeric | null, right: Numeric | null): number | null {
  if (left === null || right === null) return null;
  const [from, to] = [exactOf(left), exactOf(right)];
  const hasExact = left.form === "exact" || right.form === "exact";
  if (from !== null && to !== null && hasExact && left.form !== "decimal" && right.form !== "decimal") {
    const scale = Math.max(from.scale, to.scale);
    return order(unitsAt(from, scale), unitsAt(to, scale));
  }
  const [first, second] = [decimalOf(left), decimalOf(right)];
  if (first !== null && second !== null) return order(first, second);
  return order(doubleOf(left), doubleOf(right));
}

function order(left: bigint | number, right: bigint | number): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function exactOf(number: Numeric): ExactNumber | null {
  if (number.form === "exact") return number;
  return number.form === "literal" ? number.exact : null;
}

function unitsAt({ units, scale }: ExactNumber, target: number): bigint {
  return units * 10n ** BigInt(target - scale);
}

function decimalOf(number: Numeric): bigint | number | null {
  if (number.form === "decimal") return number.value;
  const exact = exactOf(number);
  if (exact?.scale === 0 && (number.form === "exact" || BigInt.asIntN(64, exact.units) === exact.units))
    return exact.units;
  return number.form === "literal" ? number.value : null;
}

export function doubleOf(number: Numeric): number {
  return number.form === "exact" ? Number(number.units) / 10 ** number.scale : Number(number.value);
}

function operandOf(number: Numeric): number | null {
  const value = doubleOf(number);
  if (number.form === "exact") return value;
  if (Math.abs(value) >= 1e150) return null;
  return Math.abs(value) < 1e-150 ? 0 : value;
}

/** Both in units of the finer scale; null where a literal has too many places or digits to stay exact in them. */
function summands(left: Numeric, right: Numeric): { first: bigint; second: bigint; scale: number } | null {
  const [from, to] = [exactOf(left), exactOf(right)];
  if (from === null || to === null) return null;
  const scale = Math.max(from.scale, to.scale);
  const [first, second] = [unitsAt(from, scale), unitsAt(to, scale)];
  if (left.form === "literal" && !fits(first, scale)) return null;
  if (right.form === "literal" && !fits(second, scale)) return null;
  return { first, second, scale };
}

function fits(units: bigint, scale: number): boolean {
  return scale <= 12 && BigInt.asIntN(63, units) === units;
}

function literalOf(units: bigint, scale: number): Numeric {
  const value = Number(`${units}e-${scale}`);
  let exact = { units, scale };
  while (exact.scale > 0 && exact.units % 10n === 0n) exact = { units: exact.units / 10n, scale: exact.scale - 1 };
  return { form: "literal", value, exact };
}

export function addNumbers(left: Numeric, right: Numeric, operator: "+" | "-"): Numeric | null {
  const exact = summands(left, right);
  if (exact !== null) {
    const units = operator === "+" ? exact.first + exact.second : exact.first - exact.second;
    if (left.form !== "literal" || right.form !== "literal")
      return { form: "exact", units, scale: exact.scale, computed: true };
    if (fits(units, exact.scale)) return literalOf(units, exact.scale);
  }
  const [first, second] = [operandOf(left), operandOf(right)];
  if (first === null || second === null) return null;
  return { form: "double", value: operator === "+" ? first + second : first - second };
}

export function divided(left: Numeric, right: Numeric, operator: "*" | "/" | "%"): Numeric | null {
  if (operator === "%") return remainder(left, right);
  const [first, second] = [operandOf(left), operandOf(right)];
  if (first === null || second === null || (operator === "/" && second === 0)) return null;
  return { form: "double", value: operator === "*" ? first * second : first / second };
}

function remainder(left: Numeric, right: Numeric): Numeric | null {
  const exact = summands(left, right);
  if (exact !== null) {
    const { first, second, scale } = exact;
    if (second === 0n || [first, second].some((units) => Math.abs(Number(units)) > 9.2e18)) return null;
    return { form: "exact", units: first % second, scale, computed: true };
  }
  const values = [left, right].map((number) => decimalOf(number) ?? doubleOf(number));
  const [largest] = values.map((value) => Math.abs(Number(value))).sort((a, b) => b - a);
  const isWhole = values.every((value) => typeof value === "bigint" || Number.isInteger(value));
  if (isWhole && largest! <= 9.2e18) {
    const [first, second] = values.map(BigInt);
    return second === 0n ? null : { form: "double", value: Number(first! % second!) };
  }
  const unit = largest! <= 9e6 ? 1e9 : largest! <= 9e9 ? 1e6 : null;
  if (unit === null) return null;
  const [first, second] = values.map((value) => Math.floor(Number(value) * unit + 0.5));
  return second === 0 ? null : { form: "double", value: (first! % second!) / unit };
}

export function negate(number: Numeric): Numeric {
  switch (number.form) {
    case "exact":
      return { ...number, units: -number.units, computed: true };
    case "literal":
      return {
        ...number,
        value: -number.value,
        exact: number.exact && { ...number.exact, units: -number.exact.units },
      };
    case "decimal":
      return { ...number, value: -number.value };
    case "double":
      return { ...number, value: -number.value };
  }
}

export function reduced(reduction: "sum" | "max" | "min", elements: readonly Numeric[]): Numeric | null {
  if (reduction !== "sum") {
    const sign = reduction === "max" ? 1 : -1;
    return elements.reduce<Numeric | null>(
      (best, each) => (best === null || sign * compareNumbers(each, best)! > 0 ? each : best),
      null,
    );
  }
  if (elements.every((each) => each.form === "exact" && !each.computed)) {
    const scale = elements.length === 0 ? 0 : (elements[0] as ExactNumber).scale;
    const units = elements.reduce((sum, each) => sum + (each as ExactNumber).units, 0n);
    return { form: "exact", units, scale };
  }
  return { form: "double", value: elements.reduce((sum, each) => sum + doubleOf(each), 0) };
}

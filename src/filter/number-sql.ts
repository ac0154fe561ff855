// Numbers in SQL: integers with a known scale stay exact through comparison, addition and sums; attributes compare as the
// decimals they are; everything else is binary floating point, bounded so that neither database fails or rounds differently.
import { sql } from "kysely";
import { type ExactNumber, floorAt, reduced } from "./exact-number.ts";
import type { Sql, SqlDifferences } from "./sql-differences.ts";
import type { Comparator } from "./tree.ts";

export type NumberSql =
  /** value = units / 10^scale. `stored`: a column or a sum of columns, far from the bounds of 64 bits. */
  | { readonly form: "exact"; readonly units: Sql; readonly scale: number; readonly stored: boolean }
  | { readonly form: "decimal"; readonly value: Sql }
  | { readonly form: "double"; readonly value: Sql }
  | { readonly form: "literal"; readonly value: number; readonly exact: ExactNumber | null };

/** Operands of arithmetic: what is larger is missing, what is nearer to 0 is 0. Products and quotients then stay within doubles. */
const LARGEST_OPERAND = 1e150;
const SMALLEST_OPERAND = 1e-150;
/** Literals with more places behind the point than money has, or more digits than fit into 63 bits of the finer unit, are left
 *  to floating point. */
const MOST_PLACES = 12;
/** Remainders of whole numbers, and of whole units, are exact up to 64 bits and missing beyond; of others they are taken of integers of 10^-9, or 10^-6 where both would not fit into
 *  a double; beyond that they are missing. */
const FINE = { unit: 1e9, largest: 9e6 };
const COARSE = { unit: 1e6, largest: 9e9 };
/** Whole numbers of 64 bits, a little less. */
const LARGEST_WHOLE = 9.2e18;

const operators: Readonly<Record<Comparator, string>> = {
  "==": "=",
  "!=": "<>",
  "<": "<",
  "<=": "<=",
  ">": ">",
  ">=": ">=",
};
const flipped: Readonly<Record<Comparator, Comparator>> = {
  "==": "==",
  "!=": "!=",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};

export function operatorSql(comparator: Comparator): Sql {
  return sql.raw(operators[comparator]);
}

export function compareNumbers(
  to: SqlDifferences,
  left: NumberSql,
  comparator: Comparator,
  right: NumberSql,
): Sql<boolean> {
  const operator = operatorSql(comparator);
  if (left.form === "literal" && right.form !== "literal") return compareNumbers(to, right, flipped[comparator], left);
  if (left.form === "exact" && right.form === "literal" && right.exact !== null)
    return compareUnits(to, left, comparator, right.exact);
  if (left.form === "exact" && right.form === "exact") {
    const [from, against] = aligned(to, left, right);
    return sql<boolean>`(${from} ${operator} ${against})`;
  }
  const [from, against] = [asDecimal(to, left), asDecimal(to, right)];
  if (from !== null && against !== null) return sql<boolean>`(${from} ${operator} ${against})`;
  return sql<boolean>`(${comparableDouble(to, left)} ${operator} ${comparableDouble(to, right)})`;
}

/** Integers against a decimal number: a number between two integers is equal to neither, and orders like the gap. */
function compareUnits(
  to: SqlDifferences,
  { units, scale }: Extract<NumberSql, { form: "exact" }>,
  comparator: Comparator,
  literal: ExactNumber,
): Sql<boolean> {
  const { floor, whole } = floorAt(literal, scale);
  const bound = to.integer(floor);
  if (whole) return sql<boolean>`(${units} ${operatorSql(comparator)} ${bound})`;
  // Missing stays missing.
  if (comparator === "==") return sql<boolean>`(${units} <> ${units})`;
  if (comparator === "!=") return sql<boolean>`(${units} = ${units})`;
  return sql<boolean>`(${units} ${sql.raw(comparator.startsWith("<") ? "<=" : ">")} ${bound})`;
}

export type LiteralNumber = Extract<NumberSql, { form: "literal" }>;

/** Whether the number equals one of the literals, as comparing it with each would say; null where only that will do. */
export function amongNumbers(
  to: SqlDifferences,
  number: NumberSql,
  literals: readonly LiteralNumber[],
): Sql<boolean> | null {
  switch (number.form) {
    case "decimal":
      return sql<boolean>`(${to.amongDecimals(number.value, literals.map(decimalText))})`;
    case "double":
      return sql<boolean>`(${to.amongDoubles(
        number.value,
        literals.map(({ value }) => value),
      )})`;
    case "exact": {
      const { units, scale } = number;
      const exact = literals.flatMap((literal) => literal.exact ?? []);
      if (exact.length < literals.length) return null;
      // What lies between two units equals neither; where nothing else is left, missing stays missing.
      const whole = exact.map((each) => floorAt(each, scale)).filter((each) => each.whole);
      if (whole.length === 0) return sql<boolean>`(${units} <> ${units})`;
      return sql<boolean>`(${to.amongIntegers(
        units,
        whole.map(({ floor }) => floor),
      )})`;
    }
    case "literal":
      return null;
  }
}

/** Both as integers of the same scale. */
function aligned(
  to: SqlDifferences,
  left: Extract<NumberSql, { form: "exact" }>,
  right: Extract<NumberSql, { form: "exact" }>,
): [Sql, Sql] {
  const scale = Math.max(left.scale, right.scale);
  return [unitsAt(to, left, scale), unitsAt(to, right, scale)];
}

function unitsAt(to: SqlDifferences, number: Extract<NumberSql, { form: "exact" }>, scale: number): Sql {
  if (scale === number.scale) return number.units;
  return sql`(${to.wide(number.units)} * ${sql.raw(String(10n ** BigInt(scale - number.scale)))})`;
}

/** The number beside attributes, or null where only floating point will do. */
function asDecimal(to: SqlDifferences, number: NumberSql): Sql | null {
  if (number.form === "decimal") return number.value;
  if (number.form === "literal") return to.decimal(decimalText(number));
  return number.form === "exact" && number.scale === 0 ? to.wide(number.units) : null;
}

/** The literal as JSON writes it: integers of 64 bits with all digits, everything else as the nearest double. */
export function decimalText({ value, exact }: LiteralNumber): string {
  const isInteger = exact !== null && exact.scale === 0 && BigInt.asIntN(64, exact.units) === exact.units;
  return isInteger ? String(exact.units) : String(value);
}

function comparableDouble(to: SqlDifferences, number: NumberSql): Sql {
  if (number.form === "exact") return exactAsDouble(to, number);
  if (number.form === "literal") return to.double(number.value);
  return number.form === "double" ? number.value : to.asDouble(number.value);
}

function exactAsDouble(to: SqlDifferences, { units, scale }: Extract<NumberSql, { form: "exact" }>): Sql {
  const double = to.asDouble(units);
  return scale === 0 ? double : sql`(${double} / ${to.double(10 ** scale)})`;
}

/** An operand of arithmetic, within bounds. */
function operand(to: SqlDifferences, number: NumberSql): Sql {
  if (number.form === "exact") return exactAsDouble(to, number);
  if (number.form === "literal") {
    const size = Math.abs(number.value);
    if (size >= LARGEST_OPERAND) return to.asDouble(sql`null`);
    return to.double(size < SMALLEST_OPERAND ? 0 : number.value);
  }
  return to.once([comparableDouble(to, number)], ([v]) => bounded(to, v!));
}

function bounded(to: SqlDifferences, v: Sql): Sql {
  return sql`case when abs(${v}) >= ${to.double(LARGEST_OPERAND)} then null
    when abs(${v}) < ${to.double(SMALLEST_OPERAND)} then ${to.double(0)} else ${v} end`;
}

/** The literal as an exact expression, if it has few enough places and digits. */
function exactSql(to: SqlDifferences, number: NumberSql): Extract<NumberSql, { form: "exact" }> | null {
  if (number.form === "exact") return number;
  if (number.form !== "literal" || number.exact === null) return null;
  const { units, scale } = number.exact;
  if (scale > MOST_PLACES || BigInt.asIntN(63, units) !== units) return null;
  return { form: "exact", units: to.integer(units), scale, stored: false };
}

export function arithmetic(
  to: SqlDifferences,
  operator: "+" | "-" | "*" | "/" | "%",
  left: NumberSql,
  right: NumberSql,
): NumberSql {
  if (operator === "+" || operator === "-" || operator === "%") {
    const exact = exactArithmetic(to, operator, left, right);
    if (exact !== null) return exact;
  }
  if (operator === "%") return { form: "double", value: remainder(to, left, right) };
  const [from, other] = [operand(to, left), operand(to, right)];
  const divisor = operator === "/" ? sql`nullif(${other}, ${to.double(0)})` : other;
  return { form: "double", value: sql`(${from} ${sql.raw(operator)} ${divisor})` };
}

/** The result in whole units of the finer scale, or null where a literal would not fit into 63 bits of them. */
function exactArithmetic(
  to: SqlDifferences,
  operator: "+" | "-" | "%",
  left: NumberSql,
  right: NumberSql,
): NumberSql | null {
  const [ofLeft, ofRight] = [scaleOf(left), scaleOf(right)];
  if (ofLeft === null || ofRight === null) return null;
  const scale = Math.max(ofLeft, ofRight);
  if (!fitsAt(left, scale) || !fitsAt(right, scale)) return null;
  if (left.form === "literal" && right.form === "literal" && operator !== "%") {
    const [first, second] = [left, right].map(({ exact }) => exact!.units * 10n ** BigInt(scale - exact!.scale));
    const sum = exactLiteral({ units: operator === "+" ? first! + second! : first! - second!, scale });
    return fitsAt(sum, scale) ? sum : null;
  }
  const [first, second] = aligned(to, exactSql(to, left)!, exactSql(to, right)!);
  const units =
    operator === "%"
      ? to.once([first, second], ([a, b]) => {
          const fits = (v: Sql) => sql`abs(${to.asDouble(v)}) <= ${to.double(LARGEST_WHOLE)}`;
          return sql`case when ${fits(a!)} and ${fits(b!)} then ${to.wide(a!)} % nullif(${b!}, 0) end`;
        })
      : sql`(${to.wide(first)} ${sql.raw(operator)} ${second})`;
  return { form: "exact", units, scale, stored: false };
}

function scaleOf(number: NumberSql): number | null {
  if (number.form === "exact") return number.scale;
  return number.form === "literal" && number.exact !== null ? number.exact.scale : null;
}

/** Whether a literal has few enough places and digits to be an integer of 10^-scale; what is stored is taken to fit. */
function fitsAt(number: NumberSql, scale: number): boolean {
  if (number.form !== "literal") return true;
  if (scale > MOST_PLACES) return false;
  const units = number.exact!.units * 10n ** BigInt(scale - number.exact!.scale);
  return BigInt.asIntN(63, units) === units;
}

function exactLiteral(exact: ExactNumber): LiteralNumber {
  const { units, scale } = reduced(exact);
  return { form: "literal", value: Number(`${units}e-${scale}`), exact: { units, scale } };
}

function remainder(to: SqlDifferences, left: NumberSql, right: NumberSql): Sql {
  const values = [left, right].map((number) => asDecimal(to, number) ?? comparableDouble(to, number));
  return to.once(values, ([a, b]) => {
    const both = (test: (v: Sql) => Sql) => sql`${test(a!)} and ${test(b!)}`;
    const within = (limit: number) => both((v) => sql`abs(${to.asDouble(v)}) <= ${to.double(limit)}`);
    const inUnits = ({ unit }: typeof FINE) => {
      const units = (v: Sql) => to.wholePart(sql`${to.asDouble(v)} * ${to.double(unit)} + ${to.double(0.5)}`);
      return sql`${to.asDouble(sql`(${units(a!)} % nullif(${units(b!)}, 0))`)} / ${to.double(unit)}`;
    };
    const whole = sql`${to.asDouble(sql`(${to.wholePart(a!)} % nullif(${to.wholePart(b!)}, 0))`)}`;
    return sql`case when ${both((v) => sql`${v} = floor(${v})`)} and ${within(LARGEST_WHOLE)} then ${whole}
      when ${within(FINE.largest)} then ${inUnits(FINE)} when ${within(COARSE.largest)} then ${inUnits(COARSE)} end`;
  });
}

export function negative(to: SqlDifferences, number: NumberSql): NumberSql {
  switch (number.form) {
    case "exact":
      return { ...number, units: sql`(- ${to.wide(number.units)})`, stored: false };
    case "literal":
      return {
        ...number,
        value: -number.value,
        exact: number.exact && { ...number.exact, units: -number.exact.units },
      };
    default:
      return { ...number, value: sql`(- ${number.value})` };
  }
}

export function isMissing(to: SqlDifferences, number: NumberSql): Sql<boolean> {
  if (number.form === "literal") return sql<boolean>`false`;
  return sql<boolean>`(${number.form === "exact" ? number.units : comparableDouble(to, number)} is null)`;
}

/** `sum`, `max` or `min` of an element as an aggregate. */
export function aggregate(to: SqlDifferences, reduction: "sum" | "max" | "min", element: NumberSql): NumberSql {
  const name = sql.raw(reduction);
  const exact = exactSql(to, element);
  // A sum of integers that leaves 64 bits is an error to SQLite.
  if (exact !== null && (exact.stored || reduction !== "sum")) {
    const reduced = sql`${name}(${exact.units})`;
    return { ...exact, units: reduction === "sum" ? sql`coalesce(${reduced}, 0)` : reduced };
  }
  const reduced = sql`${name}(${comparableDouble(to, element)})`;
  return { form: "double", value: reduction === "sum" ? sql`coalesce(${reduced}, ${to.double(0)})` : reduced };
}

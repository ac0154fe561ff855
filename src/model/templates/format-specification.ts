// Format specifications of Python behind the colon of a field: fill, alignment, sign, width, grouping, precision, type.
import { type Json, numberOf } from "../../kernel/json.ts";
import { printValue } from "./mustache.ts";
import { templateRefused } from "./template-node.ts";

const SPECIFICATION =
  /^(?:(?<fill>.)?(?<align>[<>^=]))?(?<sign>[+\- ])?(?<zero>0)?(?<width>\d+)?(?<grouping>[,_])?(?:\.(?<precision>\d+))?(?<type>[sdfFeEgGxXob%])?$/su;
const MAX_WIDTH = 1000;
/** Digits that toFixed and toExponential can write. */
const MAX_PRECISION = 100;

interface Specification {
  readonly fill: string;
  readonly align: string | undefined;
  readonly sign: string;
  readonly width: number;
  readonly grouping: string | undefined;
  readonly precision: number | undefined;
  readonly type: string | undefined;
}

/** Throws kind `invalid` for an invalid specification, and for one of another type than the value. */
export function formatValue(value: Json, specification: string, position: number): string {
  const { fill, align, sign, width, grouping, precision, type } = read(specification, position);
  const number = numberOf(value);
  const isNumeric = type === undefined ? number !== null : type !== "s";
  if (isNumeric && number === null) throw templateRefused(`the format "${specification}" is for numbers`, position);
  if (!isNumeric || number === null) {
    if (number !== null && type === "s") throw templateRefused(`the format "${specification}" is for texts`, position);
    const text = [...printValue(value)];
    return padded((precision === undefined ? text : text.slice(0, precision)).join(""), { fill, align, width });
  }
  const digits = digitsOf(Math.abs(number), type, precision, () => printValue(value).replace(/^-/, ""));
  const shownSign = number < 0 ? "-" : sign === "-" ? "" : sign;
  const grouped = grouping === undefined ? digits : digits.replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, grouping);
  if (align !== "=") return padded(`${shownSign}${grouped}`, { fill, align: align ?? ">", width });
  return `${shownSign}${fill.repeat(Math.max(0, width - shownSign.length - grouped.length))}${grouped}`;
}

function read(specification: string, position: number): Specification {
  const groups = SPECIFICATION.exec(specification)?.groups;
  const width = Number(groups?.width ?? 0);
  const precision = groups?.precision === undefined ? undefined : Number(groups.precision);
  if (groups === undefined) throw templateRefused(`"${specification}" is not a format specification`, position);
  if (width > MAX_WIDTH || (precision ?? 0) > MAX_PRECISION) {
    throw templateRefused(
      `the format "${specification}" is wider than ${MAX_WIDTH} or has more than ${MAX_PRECISION} digits`,
      position,
    );
  }
  const isZero = groups.zero !== undefined;
  return {
    fill: groups.fill ?? (isZero ? "0" : " "),
    align: groups.align ?? (isZero ? "=" : undefined),
    sign: groups.sign ?? "-",
    width,
    grouping: groups.grouping,
    precision,
    type: groups.type,
  };
}

/** `plain` is the number as it is written without a type. */
function digitsOf(
  number: number,
  type: string | undefined,
  precision: number | undefined,
  plain: () => string,
): string {
  const places = precision ?? 6;
  switch (type) {
    case "d":
      return BigInt(Math.trunc(number)).toString();
    case "x":
    case "X": {
      const written = BigInt(Math.trunc(number)).toString(16);
      return type === "X" ? written.toUpperCase() : written;
    }
    case "o":
      return BigInt(Math.trunc(number)).toString(8);
    case "b":
      return BigInt(Math.trunc(number)).toString(2);
    case "f":
    case "F":
      return number.toFixed(places);
    case "%":
      return `${(number * 100).toFixed(places)}%`;
    case "e":
    case "E": {
      const written = twoDigitExponent(number.toExponential(places));
      return type === "E" ? written.toUpperCase() : written;
    }
    case "g":
    case "G": {
      const written = twoDigitExponent(String(Number(number.toPrecision(Math.max(1, places)))));
      return type === "G" ? written.toUpperCase() : written;
    }
    default:
      return precision === undefined ? plain() : String(Number(number.toPrecision(Math.max(1, precision))));
  }
}

function twoDigitExponent(text: string): string {
  return text.replace(/e([+-])(\d)$/, "e$10$2");
}

function padded(
  text: string,
  { fill, align, width }: { readonly fill: string; readonly align: string | undefined; readonly width: number },
): string {
  const missing = width - [...text].length;
  if (missing <= 0) return text;
  if (align === ">") return fill.repeat(missing) + text;
  if (align !== "^") return text + fill.repeat(missing);
  const before = Math.floor(missing / 2);
  return fill.repeat(before) + text + fill.repeat(missing - before);
}

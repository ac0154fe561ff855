// The values that a condition requires of a span, as far as the summaries of blocks cover them: equality of attributes, names and ids with
// constants, and bounds of attributes, joined by `and` and `or`. Everything else excludes nothing.
import { hashedColumns } from "../model/summaries/blocks/block-filter.ts";
import {
  allRequired,
  anyRequired,
  type RequiredLiteral,
  type RequiredValues,
  requiredColumn,
  requiredNumber,
  requiredValue,
} from "../model/summaries/blocks/required-values.ts";
import { LATENCY_SCALE } from "./field-builders.ts";
import type { AttributePath, Condition, Value } from "./tree.ts";

/** Of a condition on spans. Null: any span may match. */
export function requiredBy(condition: Condition): RequiredValues | null {
  switch (condition.kind) {
    case "and":
      return allRequired(condition.operands.map(requiredBy));
    case "or":
      return anyRequired(condition.operands.map(requiredBy));
    case "comparison": {
      const { comparator, left, right } = condition;
      switch (comparator) {
        case "==":
          return equality(left, right) ?? equality(right, left);
        case ">":
        case ">=":
          return bound(left, "low", right) ?? bound(right, "high", left);
        case "<":
        case "<=":
          return bound(left, "high", right) ?? bound(right, "low", left);
        default:
          return null;
      }
    }
    case "among":
      return anyRequired(condition.members.map((member) => equality(condition.value, member)));
    default:
      return null;
  }
}

function equality(value: Value, literal: Value): RequiredValues | null {
  const compared = comparedWith(literal);
  if (compared === null) return null;
  if (value.kind === "attribute") {
    const { scope, paths, reading } = value;
    if (scope.id !== 0 || scope.parentOf !== undefined || reading !== compared.reading) return null;
    return requiredValue(paths, compared);
  }
  if (value.kind !== "field" || value.scope.id !== 0 || value.scope.parentOf !== undefined) return null;
  const { place } = value.field;
  if (place.in === "attribute") return compared.reading === "number" ? requiredValue([place.path], compared) : null;
  if (place.in !== "column" || compared.reading !== "text") return null;
  const column = hashedColumns.find((name) => name === place.column);
  return column === undefined ? null : requiredColumn(column, compared.value);
}

/** The value is a number that the literal bounds. */
function bound(value: Value, side: "low" | "high", literal: Value): RequiredValues | null {
  if (literal.kind !== "literal" || literal.type !== "number") return null;
  const everything = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  if (isLatency(value)) return { kind: "latency", ...everything, [side]: literal.value * 10 ** LATENCY_SCALE };
  const paths = numberPaths(value);
  return paths === null ? null : requiredNumber(paths, { ...everything, [side]: literal.value });
}

function isLatency(value: Value): boolean {
  if (value.kind !== "field" || value.scope.id !== 0 || value.scope.parentOf !== undefined) return false;
  const { place } = value.field;
  return place.in === "column" && place.column === "latency_us";
}

/** Where the attribute of the row may be that is read as a number; null for any other value. */
function numberPaths(value: Value): readonly AttributePath[] | null {
  if ((value.kind !== "attribute" && value.kind !== "field") || value.scope.id !== 0) return null;
  if (value.scope.parentOf !== undefined) return null;
  if (value.kind === "attribute") return value.reading === "number" ? value.paths : null;
  return value.field.place.in === "attribute" ? [value.field.place.path] : null;
}

function comparedWith(literal: Value): RequiredLiteral | null {
  if (literal.kind !== "literal") return null;
  switch (literal.type) {
    case "text":
      return { reading: "text", value: literal.value };
    case "number":
      return { reading: "number", value: literal.value };
    case "boolean":
      return { reading: "boolean", value: literal.value };
    default:
      return null;
  }
}

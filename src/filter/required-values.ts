// The values that a condition requires of a span, as far as the filters of blocks cover them: equality of attributes, names
// and ids with constants, joined by `and` and `or`. Everything else excludes nothing.
import { hashedColumns } from "../model/summaries/blocks/block-filter.ts";
import {
  allRequired,
  anyRequired,
  type RequiredLiteral,
  type RequiredValues,
  requiredColumn,
  requiredValue,
} from "../model/summaries/blocks/required-values.ts";
import type { Condition, Value } from "./tree.ts";

/** Of a condition on spans. Null: any span may match. */
export function requiredBy(condition: Condition): RequiredValues | null {
  switch (condition.kind) {
    case "and":
      return allRequired(condition.operands.map(requiredBy));
    case "or":
      return anyRequired(condition.operands.map(requiredBy));
    case "comparison": {
      const { comparator, left, right } = condition;
      if (comparator !== "==") return null;
      return equality(left, right) ?? equality(right, left);
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

// The values that a condition requires of a span, as far as the filters of blocks cover them: equality of attributes, names
// and ids with constants, joined by `and` and `or`. Everything else excludes nothing.
import { hashedColumns } from "../model/blocks/block-filter.ts";
import {
  type Sought,
  type SoughtLiteral,
  soughtAll,
  soughtAny,
  soughtColumn,
  soughtValue,
} from "../model/blocks/required-values.ts";
import type { Condition, Value } from "./tree.ts";

/** Of a condition on spans. Null: any span may match. */
export function soughtBy(condition: Condition): Sought | null {
  switch (condition.kind) {
    case "and":
      return soughtAll(condition.operands.map(soughtBy));
    case "or":
      return soughtAny(condition.operands.map(soughtBy));
    case "comparison": {
      const { comparator, left, right } = condition;
      if (comparator !== "==") return null;
      return equality(left, right) ?? equality(right, left);
    }
    case "among":
      return soughtAny(condition.members.map((member) => equality(condition.value, member)));
    default:
      return null;
  }
}

function equality(value: Value, literal: Value): Sought | null {
  const compared = comparedWith(literal);
  if (compared === null) return null;
  if (value.kind === "attribute") {
    const { scope, paths, reading } = value;
    if (scope.id !== 0 || scope.parentOf !== undefined || reading !== compared.reading) return null;
    return soughtValue(paths, compared);
  }
  if (value.kind !== "field" || value.scope.id !== 0 || value.scope.parentOf !== undefined) return null;
  const { place } = value.field;
  if (place.in === "attribute") return compared.reading === "number" ? soughtValue([place.path], compared) : null;
  if (place.in !== "column" || compared.reading !== "text") return null;
  const column = hashedColumns.find((name) => name === place.column);
  return column === undefined ? null : soughtColumn(column, compared.value);
}

function comparedWith(literal: Value): SoughtLiteral | null {
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

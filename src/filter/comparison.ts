// Comparisons of the tree once their sides are typed: one place for what both families of languages do alike.
import type { Comparator, Condition, Value, ValueReading } from "./tree.ts";

/** The value with its attributes read as the type. */
export function readAs(value: Value, reading: ValueReading): Value {
  return value.kind === "attribute" ? { ...value, reading } : value;
}

export function isOrdering(operator: string): operator is "<" | "<=" | ">" | ">=" {
  return /^[<>]=?$/.test(operator);
}

export function compared(
  comparator: Comparator,
  type: "text" | "number" | "timestamp" | "boolean",
  left: Value,
  right: Value,
): Condition {
  const read = (value: Value) => (type === "timestamp" ? value : readAs(value, type));
  return foldedCase({ kind: "comparison", comparator, type, left: read(left), right: read(right) });
}

export function amongMembers(
  type: "text" | "number" | "timestamp" | "boolean",
  value: Value,
  members: readonly Value[],
): Condition {
  const read = (each: Value) => (type === "timestamp" ? each : readAs(each, type));
  const folds = foldsCase(value);
  return {
    kind: "among",
    type,
    value: read(value),
    members: members.map((member) => (folds ? upperCase(read(member)) : read(member))),
  };
}

export function negatedIf(negated: boolean, condition: Condition): Condition {
  return negated ? { kind: "not", operand: condition } : condition;
}

export function missingValue(value: Value): Condition {
  // Whether an attribute is there does not depend on how it would be read.
  return { kind: "missing", value };
}

/** A condition as a value, and back. */
export function conditionOf(value: Value): Condition {
  if (value.kind === "condition") return value.condition;
  if (value.kind === "literal" && value.type === "boolean") return { kind: "constant", value: value.value };
  return { kind: "holds", value };
}

function foldsCase(value: Value): boolean {
  return value.kind === "field" && value.field.foldsCase === true;
}

function upperCase(value: Value): Value {
  return value.kind === "literal" && value.type === "text" ? { ...value, value: value.value.toUpperCase() } : value;
}

function foldedCase(condition: Extract<Condition, { kind: "comparison" }>): Condition {
  const { left, right } = condition;
  if (foldsCase(left)) return { ...condition, right: upperCase(right) };
  return foldsCase(right) ? { ...condition, left: upperCase(left) } : condition;
}

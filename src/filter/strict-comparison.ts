// Which values the strict languages compare with which, and the messages for those that they do not.
import { compared, isOrdering, missingValue, negatedIf } from "./comparison.ts";
import { numberLiteral, timestampLiteral } from "./literals.ts";
import { refuse } from "./refusal.ts";
import { type Compared, printed, type Syntax } from "./syntax.ts";
import type { Comparator, Condition, Literal, ValueType } from "./tree.ts";
import type { Typed, TypedValue } from "./typed.ts";

export const kindNames: Readonly<Record<Typed["type"], string>> = {
  text: "text",
  number: "a number",
  timestamp: "a timestamp",
  boolean: "a condition",
  attribute: "an attribute value",
  null: "None",
  containment: "a containment term",
  row: "a related row",
};

export function searchedOnly(typed: Typed, source: string): Error {
  return refuse(`\`${printed(typed.node, source)}\` can only be used as the right-hand side of \`in\` or \`not in\``);
}

/** A comparison other than `in`. */
export function strictComparison(
  left: Typed,
  operator: Exclude<Compared, "in" | "not in">,
  right: Typed,
  source: string,
): Condition {
  for (const side of [left, right]) if (side.type === "containment") throw searchedOnly(side, source);
  const hasNone = left.type === "null" || right.type === "null";
  if (isOrdering(operator) && hasNone)
    throw refuse(`\`${operator}\` cannot compare against None: use \`is None\` or \`is not None\``);
  if (operator.startsWith("is") && !hasNone)
    throw refuse("`is` / `is not` compare against None only; use `==` / `!=` to compare values");
  if (hasNone) return negatedIf(operator === "!=" || operator === "is not", withNone(left, right, source));
  if (left.type === "row" || right.type === "row") throw mismatch(left, right, source);
  return comparison(left as TypedValue, operator as Comparator, right as TypedValue, source);
}

function comparison(left: TypedValue, comparator: Comparator, right: TypedValue, source: string): Condition {
  const [from, to] = [asTimestamp(left, right), asTimestamp(right, left)];
  const type = commonType(from, to, comparator);
  if (type === null) throw mismatch(left, right, source);
  if (type === "text" && isOrdering(comparator))
    throw refuse(`\`${comparator}\` does not order text; compare text with \`==\`, \`!=\` or \`in\``);
  if (type === "boolean" && isOrdering(comparator)) throw refuse(`\`${comparator}\` orders a boolean`);
  return compared(comparator, type, from.value, to.value);
}

function withNone(left: Typed, right: Typed, source: string): Condition {
  const side = left.type === "null" ? right : left;
  if (side.type === "row") return { kind: "no parent", scope: side.scope };
  if (side.type === "containment") throw searchedOnly(side, source);
  return missingValue(side.value);
}

/** A text literal beside a timestamp is one. */
export function asTimestamp(typed: TypedValue, other: TypedValue): TypedValue {
  const { value } = typed;
  if (other.type !== "timestamp" || value.kind !== "literal" || value.type !== "text") return typed;
  return { node: typed.node, type: "timestamp", value: timestampLiteral(value.value) };
}

function commonType(left: TypedValue, right: TypedValue, comparator: Comparator) {
  const types = new Set<ValueType>([left.type, right.type]);
  const hasAttribute = types.delete("attribute");
  const [type] = types;
  if (type === undefined) return isOrdering(comparator) ? "number" : "text";
  if (types.size > 1 || type === "null" || type === "attribute") return null;
  return type === "timestamp" && hasAttribute ? null : type;
}

function mismatch(left: Typed, right: Typed, source: string): Error {
  const side = (typed: Typed) => `\`${printed(typed.node, source)}\` (${kindNames[typed.type]})`;
  return refuse(`cannot compare ${side(left)} with ${side(right)}`);
}

/** A member of a list: a text or a number as written. */
export function listMember(item: Syntax, source: string): Extract<Literal, { type: "text" | "number" }> {
  if (item.kind === "text") return { kind: "literal", type: "text", value: item.value };
  if (item.kind === "number") return numberLiteral(item.text);
  if (item.kind === "list") throw refuse("collections cannot be nested");
  if (item.kind === "constant") throw refuse(`a list is all text or all numbers, not \`${printed(item, source)}\``);
  throw refuse(`a list holds literal values only, not \`${printed(item, source)}\``);
}

// The meaning of a condition on spans: every name that is not built in is an attribute, and attributes take the type of what
// they are compared with. Comprehensions follow the strict rules.
import { checkedPath } from "./attribute-path.ts";
import { type Arithmetic, type CheckedCall, Checker } from "./checker.ts";
import { amongMembers, compared, conditionOf, isOrdering, missingValue, negatedIf, readAs } from "./comparison.ts";
import { spanLanguage } from "./languages.ts";
import { numberFromText } from "./literals.ts";
import { refuse } from "./refusal.ts";
import { reductions, StrictChecker } from "./strict.ts";
import { asTimestamp } from "./strict-comparison.ts";
import { type Compared, dottedNames, type Syntax } from "./syntax.ts";
import type { Comparator, Condition, Scope, Value, ValueType } from "./tree.ts";
import { isLiteral, notACondition, type Typed, type TypedValue } from "./typed.ts";

const root: Scope = { id: 0, grain: "span" };

const typeNames: Readonly<Record<ValueType, string>> = {
  text: "string",
  number: "number",
  timestamp: "datetime",
  boolean: "boolean",
  null: "null",
  attribute: "string",
};

const PARENT = "parent_span";

export class SpanChecker extends Checker<TypedValue> {
  /** One for the whole condition, so that every comprehension has a number of its own. */
  private readonly strict: StrictChecker;

  constructor(source: string) {
    super(source);
    this.strict = new StrictChecker(spanLanguage, source);
  }

  protected truth(node: Syntax): Condition {
    if (isParent(node)) throw notACondition(node, this.source);
    const typed = this.value(node);
    if (typed.type === "boolean") return conditionOf(typed.value);
    throw notACondition(node, this.source);
  }

  // Comparisons

  protected link(leftNode: Syntax, operator: Compared, rightNode: Syntax): Condition {
    if (operator === "in" || operator === "not in") {
      const isIn = rightNode.kind === "list" ? this.among(leftNode, rightNode.items) : this.search(leftNode, rightNode);
      return negatedIf(operator === "not in", isIn);
    }
    for (const side of [leftNode, rightNode])
      if (side.kind === "list") throw refuse(`\`${operator}\` compares against a collection: \`${this.shown(side)}\``);
    const parent = [leftNode, rightNode].find(isParent);
    if (parent !== undefined) return this.parentLink(parent === leftNode ? rightNode : leftNode, operator);
    const [left, right] = [this.value(leftNode), this.value(rightNode)];
    if (operator.startsWith("is") && !isSingleton(left) && !isSingleton(right))
      throw refuse(
        `\`${this.shown(leftNode)} ${operator} ${this.shown(rightNode)}\` uses \`is\` with a value: use \`==\` or \`!=\``,
      );
    if (isOrdering(operator)) {
      for (const side of [left, right])
        if (side.type === "boolean") throw refuse(`\`${operator}\` orders a boolean: \`${this.shown(side.node)}\``);
      if (left.type === "null" || right.type === "null")
        throw refuse(`\`${operator}\` cannot compare against None: use \`is None\` or \`is not None\``);
    }
    const comparator = operator === "is" ? "==" : operator === "is not" ? "!=" : operator;
    if (left.type === "null" || right.type === "null") {
      const side = left.type === "null" ? right : left;
      return negatedIf(comparator === "!=", missingValue(side.value));
    }
    return this.comparison(comparator, left, right);
  }

  private comparison(comparator: Comparator, left: TypedValue, right: TypedValue): Condition {
    const [from, to] = [asTimestamp(left, right), asTimestamp(right, left)];
    if (from.type === "attribute" && to.type === "attribute")
      return compared(comparator, isOrdering(comparator) ? "number" : "text", from.value, to.value);
    const type = from.type === "attribute" ? to.type : from.type;
    if (type === "timestamp" && (from.type === "attribute" || to.type === "attribute"))
      throw refuse(
        `cannot compare a datetime field with an attribute: \`${this.shown(left.node)} ${comparator} ${this.shown(right.node)}\``,
      );
    if (from.type !== "attribute" && to.type !== "attribute" && from.type !== to.type) throw this.mismatch(left, right);
    return compared(comparator, type as "text", from.value, to.value);
  }

  private mismatch(left: Typed, right: Typed): Error {
    const names = `${typeNames[left.type as ValueType]} and ${typeNames[right.type as ValueType]}`;
    const quotedNumber = [left, right].find(
      (side) =>
        "value" in side &&
        side.value.kind === "literal" &&
        side.value.type === "text" &&
        numberFromText(side.value.value),
    );
    const isNumber = left.type === "number" || right.type === "number";
    if (quotedNumber === undefined || !isNumber) return refuse(`cannot compare ${names}`);
    const shown = this.shown(quotedNumber.node);
    return refuse(`cannot compare ${names}, write ${shown.slice(1, -1)} instead of ${shown}`);
  }

  private parentLink(other: Syntax, operator: Compared): Condition {
    if (isOrdering(operator)) throw refuse("`parent_span` supports only `is` and `is not` None");
    if (other.kind !== "constant" || other.value !== null)
      throw refuse(`\`parent_span\` can only be compared to None, not to \`${this.shown(other)}\``);
    return negatedIf(operator === "!=" || operator === "is not", { kind: "no parent", scope: root });
  }

  private search(needleNode: Syntax, haystackNode: Syntax): Condition {
    const [needle, haystack] = [this.value(needleNode), this.value(haystackNode)];
    if (isLiteral(haystack, "text"))
      throw refuse(`\`in\` expects a collection or a text field on its right, not \`${this.shown(haystackNode)}\``);
    const isText = ({ type }: Typed) => type === "text" || type === "attribute";
    if (!isText(needle) || !isText(haystack)) throw this.mismatch(needle, haystack);
    return { kind: "contains", haystack: readAs(haystack.value, "text"), needle: readAs(needle.value, "text") };
  }

  private among(node: Syntax, items: readonly Syntax[]): Condition {
    if (node.kind === "list") throw refuse(`\`${this.shown(node)}\` compares against a collection`);
    for (const item of items) {
      if (item.kind === "list") throw refuse("collections cannot be nested");
      if (item.kind === "constant" && item.value === null)
        throw refuse("a list that includes None matches nothing by it: write `or … is None`");
    }
    if (isParent(node)) throw refuse("`parent_span` can only be compared to None");
    const left = this.value(node);
    if (isLiteral(left)) throw refuse(`\`${this.shown(node)} in [...]\` compares two literals`);
    const members = items.map((item) => asTimestamp(this.value(item), left));
    const types = [...new Set(members.map(({ type }) => type))].filter((type) => type !== "attribute");
    if (types.length > 1)
      throw refuse(
        `cannot compare ${types
          .map((type) => typeNames[type as ValueType])
          .sort()
          .join(" and ")} in one list`,
      );
    const type = (types[0] ?? left.type) as ValueType;
    const odd = members.find(
      (member) => left.type !== "attribute" && member.type !== "attribute" && member.type !== left.type,
    );
    if (odd !== undefined) throw this.mismatch(left, odd);
    if ((left.type === "timestamp" || type === "timestamp") && members.some((member) => member.type !== left.type))
      throw refuse("cannot compare a datetime field with an attribute");
    const read = left.type === "attribute" ? (type === "attribute" || type === "null" ? "text" : type) : left.type;
    return amongMembers(
      read as "text",
      left.value,
      members.map(({ value }) => value),
    );
  }

  // Values

  protected signedNumber(operator: string, operand: Syntax): Value {
    const typed = this.value(operand);
    if (typed.type !== "number" && typed.type !== "attribute")
      throw refuse(`invalid arithmetic operand: \`${operator}${this.shown(operand)}\``);
    return readAs(typed.value, "number");
  }

  protected noComplement(): Error {
    return refuse("unsupported operator `~`");
  }

  protected arithmetic(node: Arithmetic): TypedValue {
    const { operator } = node;
    if (!"+-*/%".includes(operator) || operator.length > 1) throw refuse(`invalid arithmetic operator: ${operator}`);
    const [left, right] = [this.value(node.left), this.value(node.right)];
    const either = (type: ValueType) => left.type === type || right.type === type;
    const onlyOf = (...types: ValueType[]) => types.includes(left.type) && types.includes(right.type);
    if (operator === "+" && onlyOf("text", "attribute") && !either("number"))
      return {
        node,
        type: "text",
        value: { kind: "joined", left: readAs(left.value, "text"), right: readAs(right.value, "text") },
      };
    if (!onlyOf("number", "attribute")) throw refuse(`invalid arithmetic operands: \`${this.shown(node)}\``);
    const known = operator as "+";
    const [from, to] = [readAs(left.value, "number"), readAs(right.value, "number")];
    return { node, type: "number", value: { kind: "arithmetic", operator: known, left: from, right: to } };
  }

  protected named(node: Syntax): TypedValue {
    const names = dottedNames(node);
    if (names === null) throw this.invalid(node);
    if (names[0] === PARENT)
      throw refuse(
        `\`${this.shown(node)}\` is not supported: only \`parent_span is None\` and \`parent_span is not None\` are`,
      );
    if (spanLanguage.collections.some(({ name }) => name === names[0]))
      throw refuse(
        `\`${names[0]}\` is a collection and can only be iterated, e.g. \`any(x.<field> == "..." for x in ${names[0]})\``,
      );
    const field = spanLanguage.fields.get(names.join("."));
    if (field !== undefined) return { node, type: field.type, value: { kind: "field", scope: root, field } };
    return this.attribute(node, names);
  }

  protected attribute(node: Syntax, path: readonly (string | number)[]): TypedValue {
    return {
      node,
      type: "attribute",
      value: { kind: "attribute", scope: root, paths: [checkedPath(path)], reading: "text" },
    };
  }

  protected document(): null {
    return null;
  }

  protected annotation(node: Syntax, accessor: string): TypedValue {
    const owner = Object.hasOwn(spanLanguage.accessors, accessor) ? spanLanguage.accessors[accessor] : undefined;
    if (owner === undefined) throw this.invalid(node);
    return this.annotationOf(node, owner);
  }

  // Calls

  protected called(node: CheckedCall): TypedValue {
    const name = node.callee.kind === "name" ? node.callee.name : null;
    if (name !== null && reductions.includes(name)) return this.reduced(node, name);
    const [parameter, ...more] = node.parameters;
    if (parameter === undefined || more.length > 0 || !node.plain) throw this.invalid(node);
    if (name === "float" || name === "int") return this.toNumber(node, parameter);
    if (name === "str") return this.toText(node, parameter);
    throw this.invalid(node);
  }

  private reduced(node: CheckedCall, name: string): TypedValue {
    const [parameter] = node.parameters;
    const iterable = parameter?.kind === "comprehension" ? parameter.loops[0]?.iterable : parameter;
    // What no language iterates is no comprehension to this one.
    if (iterable?.kind === "name" && spanLanguage.fields.has(iterable.name)) throw this.invalid(node);
    return this.strict.reduced(node, name) as TypedValue;
  }

  private toNumber(node: Syntax, parameter: Syntax): TypedValue {
    const typed = this.value(parameter);
    const { value } = typed;
    const cannot = (name: string) => refuse(`cannot cast ${name} to number: \`${this.shown(node)}\``);
    if (value.kind === "literal" && value.type === "text") {
      const literal = numberFromText(value.value);
      if (literal === null) throw cannot("string");
      return { node, type: "number", value: literal };
    }
    if (typed.type === "null") throw refuse(`cannot cast the literal None: \`${this.shown(node)}\``);
    if (typed.type !== "number" && typed.type !== "attribute") throw cannot(typeNames[typed.type]);
    return { node, type: "number", value: readAs(value, "number") };
  }

  private toText(node: Syntax, parameter: Syntax): TypedValue {
    const typed = this.value(parameter);
    if (typed.type === "null") throw refuse(`cannot cast the literal None: \`${this.shown(node)}\``);
    if (typed.type !== "text" && typed.type !== "attribute")
      throw refuse(`cannot cast ${typeNames[typed.type]} to text: \`${this.shown(node)}\``);
    return { node, type: "text", value: readAs(typed.value, "text") };
  }
}

function isParent(node: Syntax): boolean {
  return node.kind === "name" && node.name === PARENT;
}

/** None, True or False as written. */
function isSingleton({ node }: Typed): boolean {
  return node.kind === "constant";
}

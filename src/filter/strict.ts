// The meaning of a condition on traces, sessions or runs, and of everything inside a comprehension: unknown names are refused, text
// has no order, `is` knows None only (docs/protocol/filters.md#the-two-kinds-of-languages).
import { accessorNames } from "./annotation-access.ts";
import { documentPath, wirePaths } from "./attribute-path.ts";
import { type Arithmetic, type CheckedCall, type CheckedPlace, Checker } from "./checker.ts";
import { amongMembers, conditionOf, negatedIf, readAs } from "./comparison.ts";
import type { Collection, Field, FieldTable } from "./field.ts";
import type { Language } from "./languages.ts";
import { refuse } from "./refusal.ts";
import { kindNames, listMember, searchedOnly, strictComparison } from "./strict-comparison.ts";
import { didYouMean } from "./suggestion.ts";
import { type Compared, dottedNames, type Syntax } from "./syntax.ts";
import type { Condition, Iteration, Literal, Scope, Value } from "./tree.ts";
import { isLiteral, notACondition, type Typed, type TypedValue } from "./typed.ts";

export const reductions: readonly string[] = ["any", "all", "len", "sum", "max", "min"];

/** One `for` of a comprehension around what is being read. */
interface OpenLoop {
  readonly variable: string;
  readonly scope: Scope;
  readonly collection: Collection;
}

export class StrictChecker extends Checker<Typed> {
  private readonly loops: OpenLoop[] = [];
  private lastScope = 0;

  constructor(
    private readonly language: Language,
    source: string,
  ) {
    super(source);
  }

  protected truth(node: Syntax, place: CheckedPlace): Condition {
    const typed = this.value(node);
    if (typed.type === "boolean") return conditionOf(typed.value);
    if (typed.type === "containment") throw searchedOnly(typed, this.source);
    throw notACondition(node, this.source, place === "whole" ? "" : "expected a condition: ");
  }

  private get root(): Scope {
    return { id: 0, grain: this.language.grain };
  }

  // Comparisons

  protected link(leftNode: Syntax, operator: Compared, rightNode: Syntax): Condition {
    if (operator === "in" || operator === "not in")
      return negatedIf(operator === "not in", this.membership(leftNode, rightNode));
    for (const side of [leftNode, rightNode])
      if (side.kind === "list")
        throw refuse(
          `\`${this.shown(side)}\` compares with \`in\` / \`not in\` only: \`${operator}\` compares against a collection`,
        );
    return strictComparison(this.value(leftNode), operator, this.value(rightNode), this.source);
  }

  private membership(needleNode: Syntax, haystackNode: Syntax): Condition {
    if (haystackNode.kind === "list") return this.among(needleNode, haystackNode.items);
    const needle = this.value(needleNode);
    if (haystackNode.kind === "other") throw this.invalid(haystackNode);
    if (!isLiteral(needle, "text") || !("value" in needle))
      throw refuse(
        `\`${this.shown(haystackNode)}\` is searched for a text literal, but \`${this.shown(needleNode)}\` is not one; for a list write \`in ['…']\``,
      );
    const haystack = this.value(haystackNode);
    const text = (needle.value as Extract<Literal, { type: "text" }>).value;
    if (haystack.type === "containment")
      return { kind: "any root contains", scope: this.root, value: haystack.searched, needle: text };
    if (haystack.type === "row" || (haystack.type !== "text" && haystack.type !== "attribute") || isLiteral(haystack))
      throw refuse(
        `\`in\` searches text or a list, and \`${this.shown(haystackNode)}\` is ${kindNames[haystack.type]}`,
      );
    return { kind: "contains", haystack: readAs(haystack.value, "text"), needle: needle.value };
  }

  private among(node: Syntax, items: readonly Syntax[]): Condition {
    if (node.kind === "list") throw refuse("collections cannot be nested");
    const left = this.value(node);
    if (left.type === "containment") throw searchedOnly(left, this.source);
    if (isLiteral(left)) throw refuse(`\`${this.shown(node)} in [...]\` compares two literals`);
    if (left.type === "timestamp")
      throw refuse(`\`${this.shown(node)}\` is a timestamp and cannot be looked up in a list`);
    if (left.type !== "text" && left.type !== "number" && left.type !== "attribute")
      throw refuse(`cannot compare \`${this.shown(node)}\` (${kindNames[left.type]}) with a list`);
    const members = items.map((item) => listMember(item, this.source));
    const types = new Set(members.map((member) => member.type));
    if (types.size > 1) throw refuse("cannot compare number and string in one list: a list is all text or all numbers");
    const type = members[0]?.type ?? (left.type === "attribute" ? "text" : left.type);
    if (left.type !== "attribute" && left.type !== type)
      throw refuse(
        `a list is all text or all numbers, like what is looked up in it: \`${this.shown(node)}\` is ${kindNames[left.type]}`,
      );
    return amongMembers(type, left.value, members);
  }

  // Values

  protected signedNumber(_operator: string, operand: Syntax): Value {
    return this.numeric(operand);
  }

  protected noComplement(): Error {
    return refuse("`~` is not a supported operator");
  }

  protected arithmetic(node: Arithmetic): TypedValue {
    const { operator, left, right } = node;
    if (!"+-*/%".includes(operator) || operator.length > 1)
      throw refuse(`\`${operator}\` is not a supported operator, use + - * / %`);
    const known = operator as "+";
    const value: Value = {
      kind: "arithmetic",
      operator: known,
      left: this.numeric(left),
      right: this.numeric(right),
    };
    return { node, type: "number", value };
  }

  private numeric(node: Syntax): Value {
    const typed = this.value(node);
    if (typed.type === "number") return typed.value;
    const shown = this.shown(node);
    if (typed.type === "attribute")
      throw refuse(`expected a number, and \`${shown}\` is an attribute value: write \`float(${shown})\``);
    throw refuse(`expected a number, and \`${shown}\` is ${kindNames[typed.type]}`);
  }

  private field(node: Syntax, scope: Scope, field: Field): Typed {
    return { node, type: field.type, value: { kind: "field", scope, field } };
  }

  protected named(node: Syntax): Typed {
    const names = dottedNames(node);
    if (names === null) throw this.invalid(node);
    const loop = this.loops.findLast(({ variable }) => variable === names[0]);
    if (loop !== undefined) return this.elementField(node, loop, names.slice(1));
    const name = names.join(".");
    const collection = this.language.collections.find((each) => each.name === names[0]);
    if (collection !== undefined) throw this.collectionMisused(names[0]!);
    const innermost = this.loops.at(-1);
    const isTopLevel = this.language.fields.has(name) || name in this.language.searched || name === "user.id";
    if (innermost !== undefined && isTopLevel)
      throw refuse(
        `\`${name}\` is a top-level term, not a ${innermost.collection.name} element field; ${exposes(innermost.collection)}`,
      );
    const field = this.language.fields.get(name);
    if (field !== undefined) return this.field(node, this.root, field);
    const searched = Object.hasOwn(this.language.searched, name) ? this.language.searched[name] : undefined;
    if (searched !== undefined) return { node, type: "containment", searched };
    if (this.language.documents?.includes(name)) return this.document(node, name, [])!;
    if (this.language.documents !== undefined && names.length > 1)
      throw refuse(`invalid name \`${name}\`: members are read by \`${names[0]}["…"]\``);
    if (name === "user.id") return this.attribute(node, ["user", "id"]);
    if (names.length > 1)
      throw refuse(`invalid name \`${name}\`: the only dotted name is \`user.id\`; write \`attributes["${name}"]\``);
    throw refuse(`invalid name \`${name}\`${didYouMean(name, this.knownNames)}`);
  }

  private get knownNames(): string[] {
    const { fields, collections, accessors, searched, documents = ["attributes", "metadata"] } = this.language;
    const terms = [...fields.keys(), ...Object.keys(searched), ...Object.keys(accessors)];
    return [...terms, ...collections.map(({ name }) => name), ...documents];
  }

  private elementField(node: Syntax, loop: OpenLoop, path: readonly string[]): Typed {
    const { scope, collection } = loop;
    if (path.length === 0) return { node, type: "row", scope };
    // Only traces let an inner comprehension read the element around it.
    if (loop !== this.loops.at(-1) && this.language.grain !== "trace")
      throw refuse(`invalid name \`${this.shown(node)}\`: an inner comprehension reads its own elements only`);
    const [name, ...rest] = path;
    if (collection.hasParent && name === "parent_span") {
      if (rest.length === 0) return { node, type: "row", scope };
      const field = rest.length === 1 ? findField(collection.fields, rest[0]!) : undefined;
      if (field === undefined)
        throw refuse(`\`${rest.join(".")}\` of \`${this.shown(node)}\` is not a ${collection.name} field`);
      return this.field(node, { id: scope.id, grain: "span", parentOf: scope }, field);
    }
    const field = rest.length === 0 ? findField(collection.fields, name!) : undefined;
    if (field !== undefined) return this.field(node, scope, field);
    if (collection.nested.some((nested) => nested.name === name)) throw this.collectionMisused(this.shown(node));
    const names = collection.fields.map((each) => each.name);
    throw refuse(
      `invalid field \`${this.shown(node)}\`${didYouMean(path.join("."), names, `, expected one of ${listed(names)}`)}`,
    );
  }

  private collectionMisused(name: string): Error {
    return refuse(
      `\`${name}\` is a collection and can only be iterated, e.g. \`any(x.<field> == "..." for x in ${name})\``,
    );
  }

  protected attribute(node: Syntax, path: readonly (string | number)[]): Typed {
    const innermost = this.loops.at(-1);
    if (innermost !== undefined)
      throw refuse(
        `\`${this.shown(node)}\` is not reachable inside a comprehension over \`${innermost.collection.name}\`; ${exposes(innermost.collection)}`,
      );
    const value: Value = { kind: "attribute", scope: this.root, paths: wirePaths(path), reading: "text" };
    return { node, type: "attribute", value };
  }

  protected document(node: Syntax, name: string, keys: readonly Syntax[]): Typed | null {
    const { documents } = this.language;
    if (documents === undefined) return null;
    if (!documents.includes(name)) throw refuse(`invalid name \`${name}\`${didYouMean(name, this.knownNames)}`);
    const path = documentPath(node, keys, this.source);
    const inside = path.length === 0 ? [path] : wirePaths(path);
    const paths = inside.map((each) => [name, ...each]);
    return { node, type: "attribute", value: { kind: "attribute", scope: this.root, paths, reading: "text" } };
  }

  protected annotation(node: Syntax, accessor: string): Typed {
    if (this.loops.length > 0)
      throw refuse(`\`${this.shown(node)}\` is joined at top-level scope and cannot be read inside a comprehension`);
    const owner = Object.hasOwn(this.language.accessors, accessor) ? this.language.accessors[accessor] : undefined;
    if (owner === undefined) throw this.wrongAccessor(node, accessor);
    return this.annotationOf(node, owner);
  }

  private wrongAccessor(node: Syntax, accessor: string): Error {
    const { grain, accessors } = this.language;
    const own = Object.keys(accessors)[0] ?? accessorNames[0];
    if (grain === "run") throw refuse(`invalid expression: ${this.shown(node)}: a run has \`${own}[...]\` only`);
    return refuse(
      `invalid expression: ${this.shown(node)}: \`${accessor}[...]\` is not available in the ${grain} filter; use \`${own}[...]\` for ${grain} annotations, or iterate \`span_annotations\` for span-level annotations`,
    );
  }

  // Calls

  protected called(node: CheckedCall): Typed {
    const name = node.callee.kind === "name" ? node.callee.name : null;
    if (name !== null && reductions.includes(name)) return this.reduced(node, name);
    if (name === "int") throw refuse("`int(...)` is not supported: it would not truncate; write `float(...)`");
    const [parameter, ...more] = node.parameters;
    if ((name !== "float" && name !== "str") || parameter === undefined || more.length > 0 || !node.plain)
      throw this.invalid(node);
    const typed = this.value(parameter);
    if (isLiteral(typed)) throw refuse(`\`${name}(...)\` casts a term, not a literal`);
    if (typed.type !== "attribute")
      throw refuse(
        `cannot cast \`${this.shown(parameter)}\` (${kindNames[typed.type]}): \`${name}(...)\` takes an attribute`,
      );
    const type = name === "float" ? "number" : "text";
    return { node, type, value: readAs(typed.value, type) };
  }

  /** `any`, `all`, `len`, `sum`, `max` and `min` over a comprehension. */
  reduced(node: CheckedCall, name: string): Typed {
    if (this.language.collections.length === 0)
      throw refuse(`invalid expression: ${this.shown(node)}: a ${this.language.grain} has nothing to iterate`);
    const [comprehension] = node.parameters;
    if (comprehension?.kind !== "comprehension" || node.parameters.length > 1 || !node.plain)
      throw this.noComprehension(node, name);
    const { element, list } = comprehension;
    const { loop, of, where } = this.opened(comprehension);
    try {
      const iteration: Iteration = {
        collection: loop.collection,
        of,
        inner: loop.scope,
        where: where.map((each) => this.condition(each)),
      };
      if (name === "any" || name === "all") {
        const predicate = this.predicate(element, name, loop.variable);
        return {
          node,
          type: "boolean",
          value: { kind: "condition", condition: { kind: name, predicate, ...iteration } },
        };
      }
      if (name === "len") {
        if (!list)
          throw refuse(
            `\`len(...)\` takes a list comprehension: write \`len([${loop.variable} for ...])\`, not \`len(... for ...)\``,
          );
        if (element.kind !== "name" || element.name !== loop.variable)
          throw refuse(
            `\`len(...)\` counts elements: write \`len([${loop.variable} for ${loop.variable} in ${loop.collection.name} if ...])\``,
          );
        return { node, type: "number", value: { kind: "count", ...iteration } };
      }
      return this.reduction(node, name as "sum", element, iteration, loop);
    } finally {
      this.loops.pop();
    }
  }

  private noComprehension(node: CheckedCall, name: string): Error {
    const over = this.language.collections[0]!.name;
    const [parameter] = node.parameters;
    const iterated =
      parameter?.kind === "name" ? this.language.collections.find((each) => each.name === parameter.name) : undefined;
    const collection = iterated?.name ?? over;
    const example =
      name === "len"
        ? `len([x for x in ${collection}])`
        : `${name}(x.<field>${/any|all/.test(name) ? ' == "..."' : ""} for x in ${collection})`;
    const prefix = iterated === undefined ? `invalid expression: ${this.shown(node)}: ` : "";
    return refuse(`${prefix}\`${name}(...)\` takes a comprehension over ${collection}, e.g. \`${example}\``);
  }

  /** Opens the loop of a comprehension; the caller closes it. */
  private opened(comprehension: Extract<Syntax, { kind: "comprehension" }>) {
    const [first, ...more] = comprehension.loops;
    if (first === undefined) throw this.invalid(comprehension);
    if (more.length > 0) throw refuse("a comprehension may have only one `for` clause");
    if (first.asynchronous) throw refuse("an `async for` is not supported in a comprehension");
    if (first.variable.kind !== "name")
      throw refuse(`\`${this.shown(first.variable)}\` is not supported: a loop variable must be a simple name`);
    const variable = first.variable.name;
    if (this.loops.some((loop) => loop.variable === variable))
      throw refuse(`\`${variable}\` is already in use as a loop variable`);
    const { collection, of } = this.iterated(first.iterable);
    this.lastScope += 1;
    const loop: OpenLoop = { variable, collection, scope: { id: this.lastScope, grain: collection.grain } };
    this.loops.push(loop);
    return { loop, of, where: first.conditions };
  }

  private iterated(iterable: Syntax): { collection: Collection; of: Scope } {
    const names = dottedNames(iterable);
    const shown = this.shown(iterable);
    if (names === null) throw refuse(`invalid expression: invalid iterable \`${shown}\``);
    const outer = this.loops.at(-1);
    const cannot = refuse(`\`${shown}\` cannot be iterated inside a comprehension`);
    const loop = this.loops.find(({ variable }) => variable === names[0]);
    if (loop !== undefined) {
      const nested = loop.collection.nested.find(({ name }) => name === names.slice(1).join("."));
      if (this.loops.length > 1) throw cannot;
      if (nested === undefined) throw refuse(`\`${shown}\` is not iterable`);
      return { collection: nested, of: loop.scope };
    }
    const collection = this.language.collections.find(({ name }) => name === shown);
    if (collection === undefined) {
      const known = this.language.collections.map(({ name }) => name);
      throw refuse(`invalid iterable \`${shown}\`${didYouMean(shown, known, `, expected ${listed(known)}`)}`);
    }
    if (outer !== undefined && (this.loops.length > 1 || outer.collection !== collection || !collection.iteratedInside))
      throw cannot;
    return { collection, of: this.root };
  }

  private predicate(element: Syntax, name: string, variable: string): Condition {
    if (/^(?:and|or|not|comparison|constant)$/.test(element.kind)) return this.condition(element, "element");
    const typed = this.value(element);
    if (typed.type !== "boolean") throw refuse(`\`${name}(...)\` takes a condition over \`${variable}\``);
    return conditionOf(typed.value);
  }

  private reduction(
    node: Syntax,
    reduction: "sum" | "max" | "min",
    element: Syntax,
    iteration: Iteration,
    loop: OpenLoop,
  ): Typed {
    const typed = this.value(element);
    const reducesTime = typed.type === "timestamp" && reduction !== "sum" && this.language.grain === "trace";
    if (typed.type !== "number" && !reducesTime)
      throw refuse(
        `\`${reduction}(...)\` ${typed.type === "boolean" ? "takes a value: it " : ""}reduces numbers, and \`${this.shown(element)}\` is ${kindNames[typed.type]}; count matching elements with \`len([${loop.variable} for ${loop.variable} in ${loop.collection.name} if ...])\``,
      );
    return {
      node,
      type: typed.type,
      value: { kind: "reduction", reduction, element: (typed as TypedValue).value, ...iteration },
    };
  }
}

function findField(fields: FieldTable, name: string): Field | undefined {
  return fields.find((field) => field.name === name);
}

function exposes({ name, fields }: Collection): string {
  return `a ${name} element exposes one of ${listed(fields.map((field) => field.name))}`;
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")}, or ${names.at(-1)}`;
}

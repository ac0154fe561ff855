// What the meaning of a condition has in common in all languages: its shape, literals, signs, attribute and annotation
// chains. What a name is, and what may be compared, each family says for itself.
import { accessorOf, annotationValue } from "./annotation-access.ts";
import { pathOf, subscripts } from "./attribute-path.ts";
import { negated, numberLiteral } from "./literals.ts";
import { located, refuse } from "./refusal.ts";
import { type Compared, type ComparisonLink, printed, type Syntax } from "./syntax.ts";
import type { AnnotationOwner, Condition, Value, ValueType } from "./tree.ts";
import { bareConstant, notACondition, noValue, type Typed, type TypedValue } from "./typed.ts";

export type CheckedPlace = "whole" | "operand" | "element";
export type CheckedCall = Extract<Syntax, { kind: "call" }>;
export type Arithmetic = Extract<Syntax, { kind: "arithmetic" }>;

/** `Result`: what a fragment may turn out to be. */
export abstract class Checker<Result extends Typed> {
  constructor(protected readonly source: string) {}

  /** One link of a comparison: `a < b`. */
  protected abstract link(left: Syntax, operator: Compared, right: Syntax): Condition;
  /** Any other fragment where a condition is expected. */
  protected abstract truth(node: Syntax, place: CheckedPlace): Condition;
  protected abstract named(node: Syntax): Result;
  protected abstract attribute(node: Syntax, path: readonly (string | number)[]): Result;
  protected abstract annotation(node: Syntax, accessor: string): Result;
  /** `name[…]` of a language with documents of its own; null for any other name, and where attributes are read. */
  protected abstract document(node: Syntax, name: string, keys: readonly Syntax[]): Result | null;
  protected abstract called(node: CheckedCall): Result;
  protected abstract arithmetic(node: Arithmetic): TypedValue;
  /** The operand of a sign, as a number. */
  protected abstract signedNumber(operator: string, operand: Syntax): Value;
  protected abstract noComplement(): Error;

  condition(node: Syntax, place: CheckedPlace = "operand"): Condition {
    return located(node, () => {
      switch (node.kind) {
        case "and":
        case "or":
          return { kind: node.kind, operands: node.operands.map((operand) => this.condition(operand)) };
        case "not":
          return { kind: "not", operand: this.condition(node.operand) };
        case "comparison":
          return this.chain(node.first, node.rest);
        case "constant":
          if (place === "whole") throw bareConstant(this.shown(node));
          if (node.value !== null) return { kind: "constant", value: node.value };
          throw notACondition(node, this.source);
        default:
          return this.truth(node, place);
      }
    });
  }

  protected value(node: Syntax): Result | TypedValue {
    const typed = (type: ValueType, value: Value): TypedValue => ({ node, type, value });
    return located(node, () => {
      switch (node.kind) {
        case "text":
          return typed("text", { kind: "literal", type: "text", value: node.value });
        case "number":
          return typed("number", numberLiteral(node.text));
        case "constant":
          return node.value === null
            ? typed("null", noValue)
            : typed("boolean", { kind: "literal", type: "boolean", value: node.value });
        case "and":
        case "or":
        case "not":
        case "comparison":
          return typed("boolean", { kind: "condition", condition: this.condition(node) });
        case "sign":
          return typed("number", this.signed(node.operator, node.operand));
        case "arithmetic":
          return this.arithmetic(node);
        case "name":
        case "member": {
          const accessor = accessorOf(node);
          return accessor === null ? this.named(node) : this.annotation(node, accessor);
        }
        case "subscript":
          return this.subscripted(node);
        case "call":
          return this.called(node);
        case "unsupported literal":
          throw refuse(`unsupported literal \`${this.shown(node)}\``);
        default:
          throw this.invalid(node);
      }
    });
  }

  protected shown(node: Syntax): string {
    return printed(node, this.source);
  }

  protected invalid(node: Syntax): Error {
    return refuse(`invalid expression: ${this.shown(node)}`);
  }

  /** An annotation chain whose accessor the language has. */
  protected annotationOf(node: Syntax, owner: AnnotationOwner): TypedValue {
    const value = annotationValue(node, owner, this.source);
    if (value.kind === "condition") return { node, type: "boolean", value };
    return { node, type: value.kind === "annotation" && value.member === "score" ? "number" : "text", value };
  }

  private chain(first: Syntax, rest: readonly ComparisonLink[]): Condition {
    let left = first;
    const links: Condition[] = [];
    for (const { operator, operand } of rest) {
      links.push(this.link(left, operator, operand));
      left = operand;
    }
    return links.length === 1 ? links[0]! : { kind: "and", operands: links };
  }

  private signed(operator: string, operand: Syntax): Value {
    if (operator === "~") throw this.noComplement();
    const value = this.signedNumber(operator, operand);
    if (operator === "+") return value;
    return value.kind === "literal" && value.type === "number" ? negated(value) : { kind: "negative", operand: value };
  }

  private subscripted(node: Syntax): Result {
    const accessor = accessorOf(node);
    if (accessor !== null) return this.annotation(node, accessor);
    const chain = subscripts(node);
    const document = chain === null ? null : this.document(node, chain.name, chain.keys);
    if (document !== null) return document;
    if (chain === null || (chain.name !== "attributes" && chain.name !== "metadata")) throw this.invalid(node);
    return this.attribute(node, pathOf(node, chain.name, chain.keys, this.source));
  }
}

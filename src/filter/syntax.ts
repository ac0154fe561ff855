// The syntax tree of a condition: what was written, before anything is known about its meaning, and its way back to text.
import { SHOWN_LITERAL_CHARACTERS } from "./limits.ts";

export type Compared = "==" | "!=" | "<" | "<=" | ">" | ">=" | "is" | "is not" | "in" | "not in";

interface At {
  /** Offsets into the source. */
  readonly start: number;
  readonly end: number;
}

export type Syntax = At &
  (
    | { readonly kind: "name"; readonly name: string }
    | { readonly kind: "text"; readonly value: string }
    /** `text` is as written, without `_`. */
    | { readonly kind: "number"; readonly text: string }
    | { readonly kind: "constant"; readonly value: boolean | null }
    | { readonly kind: "member"; readonly object: Syntax; readonly name: string }
    | { readonly kind: "subscript"; readonly object: Syntax; readonly key: Syntax }
    | {
        readonly kind: "call";
        readonly callee: Syntax;
        readonly parameters: readonly Syntax[];
        readonly plain: boolean;
      }
    | { readonly kind: "list"; readonly items: readonly Syntax[] }
    | { readonly kind: "sign"; readonly operator: string; readonly operand: Syntax }
    | { readonly kind: "arithmetic"; readonly operator: string; readonly left: Syntax; readonly right: Syntax }
    | { readonly kind: "comparison"; readonly first: Syntax; readonly rest: readonly ComparisonLink[] }
    | { readonly kind: "not"; readonly operand: Syntax }
    | { readonly kind: "and" | "or"; readonly operands: readonly Syntax[] }
    | Comprehension
    /** Bytes, imaginary numbers and `...`. */
    | { readonly kind: "unsupported literal" }
    /** All other expressions of Python: conditional expressions, sets, slices, … */
    | { readonly kind: "other" }
  );

export interface ComparisonLink {
  readonly operator: Compared;
  readonly operand: Syntax;
}

interface Comprehension {
  readonly kind: "comprehension";
  readonly list: boolean;
  readonly element: Syntax;
  readonly loops: readonly Loop[];
}

export interface Loop {
  readonly variable: Syntax;
  readonly iterable: Syntax;
  readonly conditions: readonly Syntax[];
  readonly asynchronous: boolean;
}

/** The fragment in normal form, cut where it is long: single quotes, one blank around operators. */
export function printed(node: Syntax, source: string): string {
  const text = wholly(node, source);
  const characters = [...text.slice(0, 2 * SHOWN_LITERAL_CHARACTERS + 2)];
  return characters.length > SHOWN_LITERAL_CHARACTERS
    ? `${characters.slice(0, SHOWN_LITERAL_CHARACTERS - 1).join("")}…`
    : text;
}

function wholly(node: Syntax, source: string): string {
  const print = (inner: Syntax): string => wholly(inner, source);
  const operand = (inner: Syntax): string =>
    ["and", "or", "not", "comparison", "arithmetic"].includes(inner.kind) ? `(${print(inner)})` : print(inner);
  switch (node.kind) {
    case "name":
      return node.name;
    case "text":
      return printedText(node.value);
    case "number":
      return node.text;
    case "constant":
      return node.value === null ? "None" : node.value ? "True" : "False";
    case "member":
      return `${print(node.object)}.${node.name}`;
    case "subscript":
      return `${print(node.object)}[${print(node.key)}]`;
    case "sign":
      return `${node.operator}${operand(node.operand)}`;
    case "arithmetic":
      return `${operand(node.left)} ${node.operator} ${operand(node.right)}`;
    case "comparison":
      return [operand(node.first), ...node.rest.map((link) => `${link.operator} ${operand(link.operand)}`)].join(" ");
    case "not":
      return `not ${operand(node.operand)}`;
    case "call":
      if (node.plain) return `${print(node.callee)}(${node.parameters.map(print).join(", ")})`;
      break;
    default:
  }
  return source.slice(node.start, node.end).replace(/\s+/g, " ");
}

/** A text as the language writes it. */
export function printedText(value: string): string {
  return `'${value.replace(/[\\']/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t")}'`;
}

/** The names of `a.b.c`, or null where something else is in the chain. */
export function dottedNames(node: Syntax): string[] | null {
  const names: string[] = [];
  let rest: Syntax = node;
  for (; rest.kind === "member"; rest = rest.object) names.unshift(rest.name);
  return rest.kind === "name" ? [rest.name, ...names] : null;
}

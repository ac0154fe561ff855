// A value of a condition with its static type and the fragment it came from, as both checkers pass it around.
import { refuse } from "./refusal.ts";
import { printed, type Syntax } from "./syntax.ts";
import type { Scope, Value, ValueType } from "./tree.ts";

export type Typed =
  | { readonly node: Syntax; readonly type: ValueType; readonly value: Value }
  /** A term that can only be searched: `any_input`. */
  | { readonly node: Syntax; readonly type: "containment"; readonly searched: "input" | "output" }
  /** `parent_span` of the row of a scope, which can only be there or not. */
  | { readonly node: Syntax; readonly type: "row"; readonly scope: Scope };

export type TypedValue = Extract<Typed, { value: Value }>;

export const noValue: Value = { kind: "literal", type: "null" };

export function isLiteral(typed: Typed, type?: "text" | "number"): boolean {
  return "value" in typed && typed.value.kind === "literal" && (type === undefined || typed.value.type === type);
}

/** The refusal of a fragment that is not a condition, with a proposal. */
export function notACondition(node: Syntax, source: string, before = ""): Error {
  const shown = printed(node, source);
  if (!["name", "member", "subscript", "call", "text", "number", "constant"].includes(node.kind))
    return refuse(`${before}invalid expression: ${shown} is not a condition`);
  return refuse(`${before}\`${shown}\` is not a condition, expected a comparison such as \`${shown} == ...\``);
}

export function bareConstant(shown: string): Error {
  return refuse(`\`${shown}\` can only be used as an operand, not as a whole condition`);
}

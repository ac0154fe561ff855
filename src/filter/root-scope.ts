// Whether a condition on spans can match roots only: sound, not complete (docs/protocol/filters.md#root-scope).
import type { Condition } from "./tree.ts";

/** `strict`: without a parent pointer. `orphan-aware`: without a parent that is stored. */
type RootScope = "strict" | "orphan-aware" | null;

export function rootScopeOf(condition: Condition, negated = false): RootScope {
  switch (condition.kind) {
    case "not":
      return rootScopeOf(condition.operand, !negated);
    case "constant":
      // What never matches matches roots only.
      return condition.value === negated ? "strict" : null;
    case "missing": {
      const { value } = condition;
      return !negated && value.kind === "field" && value.scope.id === 0 && value.field.name === "parent_id"
        ? "strict"
        : null;
    }
    case "no parent":
      return negated ? null : "orphan-aware";
    case "and":
    case "or": {
      const scopes = condition.operands.map((operand) => rootScopeOf(operand, negated));
      const isConjunction = (condition.kind === "and") !== negated;
      if (isConjunction)
        return scopes.includes("strict") ? "strict" : scopes.includes("orphan-aware") ? "orphan-aware" : null;
      if (scopes.includes(null)) return null;
      return scopes.includes("orphan-aware") ? "orphan-aware" : "strict";
    }
    default:
      return null;
  }
}

// The annotations that a condition requires: without a row of the name it is never true.
import type { Condition, Value } from "./tree.ts";
import { annotationKey } from "./tree-walk.ts";

/** The keys, as `annotationKey` spells them, of those without which the condition is never true. */
export function certainAnnotations(condition: Condition): ReadonlySet<string> {
  switch (condition.kind) {
    case "and":
      return condition.operands.map(certainAnnotations).reduce((all, each) => all.union(each), new Set<string>());
    case "or":
      return condition.operands.map(certainAnnotations).reduce((all, each) => all.intersection(each));
    case "annotated":
      return new Set([annotationKey(condition)]);
    case "not":
      return condition.operand.kind === "missing"
        ? neededBy(condition.operand.value)
        : missingWithout(condition.operand);
    default:
      return missingWithout(condition);
  }
}

/** Those without which the condition is missing, so that its opposite is, too. */
function missingWithout(condition: Condition): ReadonlySet<string> {
  switch (condition.kind) {
    case "comparison":
      return neededBy(condition.left).union(neededBy(condition.right));
    case "among":
      return condition.members.length === 0 ? new Set() : neededBy(condition.value);
    case "contains":
      return neededBy(condition.haystack).union(neededBy(condition.needle));
    case "not":
      return missingWithout(condition.operand);
    default:
      return new Set();
  }
}

/** Those without which the value is missing. */
function neededBy(value: Value): ReadonlySet<string> {
  switch (value.kind) {
    case "annotation":
      return new Set([annotationKey(value)]);
    case "arithmetic":
    case "joined":
      return neededBy(value.left).union(neededBy(value.right));
    case "negative":
      return neededBy(value.operand);
    default:
      return new Set();
  }
}

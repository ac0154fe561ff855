// The groups of failures of which a condition requires one: a match has a failure in one of them, so that lists begin there.
import type { Condition, Value } from "./tree.ts";

interface RequiredErrorGroups {
  readonly of: "span" | "trace" | "session";
  readonly keys: readonly string[];
}

/** Null where a match may be in none, or in any. */
export function requiredErrorGroups(condition: Condition): RequiredErrorGroups | null {
  switch (condition.kind) {
    case "and":
      return condition.operands.map(requiredErrorGroups).find((each) => each !== null) ?? null;
    case "comparison":
      if (condition.comparator !== "==") return null;
      return groupsIn(condition.left, [condition.right]) ?? groupsIn(condition.right, [condition.left]);
    case "among":
      return groupsIn(condition.value, condition.members);
    default:
      return null;
  }
}

/** Of the filtered row itself, not of an element or a parent. */
function groupsIn(value: Value, members: readonly Value[]): RequiredErrorGroups | null {
  if (value.kind !== "field" || value.field.place.in !== "error groups" || value.scope.id !== 0) return null;
  const keys = members.flatMap((member) => (member.kind === "literal" && member.type === "text" ? [member.value] : []));
  if (value.scope.parentOf !== undefined || keys.length !== members.length || keys.length === 0) return null;
  return { of: value.field.place.of, keys };
}

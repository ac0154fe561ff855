// Every condition and value of a tree, for questions about the whole of it.
import type { AnnotationKey, Condition, Iteration, Value } from "./tree.ts";

interface TreeVisitor {
  condition?(condition: Condition): void;
  value?(value: Value): void;
  iteration?(iteration: Iteration): void;
}

export function walkCondition(condition: Condition, visitor: TreeVisitor): void {
  visitor.condition?.(condition);
  switch (condition.kind) {
    case "and":
    case "or":
      for (const operand of condition.operands) walkCondition(operand, visitor);
      break;
    case "not":
      walkCondition(condition.operand, visitor);
      break;
    case "comparison":
      walkValue(condition.left, visitor);
      walkValue(condition.right, visitor);
      break;
    case "missing":
    case "holds":
      walkValue(condition.value, visitor);
      break;
    case "among":
      walkValue(condition.value, visitor);
      for (const member of condition.members) walkValue(member, visitor);
      break;
    case "contains":
      walkValue(condition.haystack, visitor);
      walkValue(condition.needle, visitor);
      break;
    case "any":
    case "all":
      walkIteration(condition, visitor);
      walkCondition(condition.predicate, visitor);
      break;
    default:
  }
}

function walkIteration(iteration: Iteration, visitor: TreeVisitor): void {
  visitor.iteration?.(iteration);
  for (const condition of iteration.where) walkCondition(condition, visitor);
}

function walkValue(value: Value, visitor: TreeVisitor): void {
  visitor.value?.(value);
  switch (value.kind) {
    case "arithmetic":
    case "joined":
      walkValue(value.left, visitor);
      walkValue(value.right, visitor);
      break;
    case "negative":
      walkValue(value.operand, visitor);
      break;
    case "condition":
      walkCondition(value.condition, visitor);
      break;
    case "count":
      walkIteration(value, visitor);
      break;
    case "reduction":
      walkIteration(value, visitor);
      walkValue(value.element, visitor);
      break;
    default:
  }
}

/** The same for the same annotations. */
export function annotationKey({ owner, name }: AnnotationKey): string {
  return `${owner} ${name}`;
}

/** The annotations that a condition reads by name, each once. */
export function annotationsIn(condition: Condition): AnnotationKey[] {
  const found = new Map<string, AnnotationKey>();
  const add = ({ owner, name }: AnnotationKey) => found.set(annotationKey({ owner, name }), { owner, name });
  walkCondition(condition, {
    condition: (each) => void ((each.kind === "annotated" || each.kind === "disputed") && add(each)),
    value: (each) => void (each.kind === "annotation" && add(each)),
  });
  return [...found.values()];
}

/** What a condition reads: names of fields, and of attributes their paths with dots. */
export function namesRead(condition: Condition): ReadonlySet<string> {
  const found = new Set<string>();
  walkCondition(condition, {
    value: (each) => {
      if (each.kind === "field") found.add(each.field.name);
      if (each.kind === "attribute") found.add(each.paths[0]!.join("."));
    },
  });
  return found;
}

// The annotations that a condition requires: without a row of the name it is never true. Lists of rows begin with the owners of such
// rows where these are few.
import type { AnnotationKey, Condition, Value } from "./tree.ts";
import { annotationKey, annotationsIn, walkCondition } from "./tree-walk.ts";

/** A match has an annotation of the name for which all of `where` holds, which reads nothing else. */
export interface RequiredAnnotation extends AnnotationKey {
  readonly where: readonly Condition[];
}

/** The keys, as `annotationKey` spells them, of those without which the condition is never true. */
function certainAnnotations(condition: Condition): ReadonlySet<string> {
  switch (condition.kind) {
    case "and":
      return condition.operands.map(certainAnnotations).reduce((all, each) => all.union(each), new Set<string>());
    case "or":
      return condition.operands.map(certainAnnotations).reduce((all, each) => all.intersection(each));
    case "annotated":
    case "disputed":
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

/** Alternatives of which a match has one; null when it may have none. */
export function requiredAnnotations(condition: Condition): readonly RequiredAnnotation[] | null {
  if (condition.kind === "or") {
    const members = condition.operands.map(requiredAnnotations);
    return members.includes(null) ? null : members.flatMap((member) => member!);
  }
  if (condition.kind !== "and") {
    const certain = certainAnnotations(condition);
    const [key, ...others] = annotationsIn(condition).filter((each) => certain.has(annotationKey(each)));
    if (key === undefined) return null;
    return [{ ...key, where: others.length === 0 && readsOnly(condition, key) ? [condition] : [] }];
  }
  const members = condition.operands.map(requiredAnnotations).filter((member) => member !== null);
  const single = members.flatMap((member) => (member.length === 1 ? member : []));
  const merged = [...Map.groupBy(single, annotationKey).values()].map((same): readonly RequiredAnnotation[] => [
    { owner: same[0]!.owner, name: same[0]!.name, where: same.flatMap(({ where }) => where) },
  ]);
  const options = [...merged, ...members.filter(({ length }) => length > 1)];
  return options.sort((one, other) => narrowness(other) - narrowness(one))[0] ?? null;
}

/** More is likely to be fewer rows. */
function narrowness(alternatives: readonly RequiredAnnotation[]): number {
  return Math.min(
    ...alternatives.map(({ where }) => {
      if (where.some(isOneOf)) return 2;
      return where.length > 0 ? 1 : 0;
    }),
  );
}

/** An equality or a list. */
function isOneOf(condition: Condition): boolean {
  return condition.kind === "among" || (condition.kind === "comparison" && condition.comparator === "==");
}

function readsOnly(condition: Condition, key: AnnotationKey): boolean {
  let reads = annotationsIn(condition).every((each) => annotationKey(each) === annotationKey(key));
  walkCondition(condition, {
    condition: ({ kind }) => {
      if (kind === "no parent" || kind === "any root contains") reads = false;
    },
    value: ({ kind }) => {
      if (kind === "field" || kind === "attribute") reads = false;
    },
    iteration: () => {
      reads = false;
    },
  });
  return reads;
}

// `X['name']` and its members in all languages.
import { subscripts } from "./attribute-path.ts";
import { refuse } from "./refusal.ts";
import { didYouMean } from "./suggestion.ts";
import { printed, type Syntax } from "./syntax.ts";
import type { AnnotationMember, AnnotationOwner, Value } from "./tree.ts";

export const accessorNames: readonly string[] = [
  "annotations",
  "evals",
  "trace_annotations",
  "root_annotations",
  "session_annotations",
];

const members: readonly AnnotationMember[] = ["score", "label", "explanation", "identifier"];
/** A run has one evaluation of a name: nothing tells several apart, and none contradicts another. */
const membersOfRuns: readonly AnnotationMember[] = ["score", "label", "explanation"];

/** Asks whether people and programs disagree; it stands alone, as the name does. */
const DISPUTED = "disputed";

/** The name before `[` of a chain that reads annotations: `annotations['q'].score`, or null. */
export function accessorOf(node: Syntax): string | null {
  let rest: Syntax = node;
  while (rest.kind === "member") rest = rest.object;
  const chain = subscripts(rest);
  return chain !== null && accessorNames.includes(chain.name) ? chain.name : null;
}

/** The value of an annotation chain whose accessor the language has. */
export function annotationValue(node: Syntax, owner: AnnotationOwner, source: string): Value {
  const shown = printed(node, source);
  const chain: Syntax[] = [];
  for (let rest = node; rest.kind === "member" || rest.kind === "subscript"; rest = rest.object) chain.unshift(rest);
  const [lookUp, member, ...deeper] = chain;
  if (lookUp?.kind !== "subscript" || lookUp.key.kind !== "text") throw refuse(`invalid expression: ${shown}`);
  const name = lookUp.key.value;
  if (name === "") throw refuse(`missing eval name in \`${shown}\``);
  if (member === undefined) return { kind: "condition", condition: { kind: "annotated", owner, name } };
  const isOfRun = owner === "run";
  if (!isOfRun && member.kind === "member" && member.name === DISPUTED && deeper.length === 0)
    return { kind: "condition", condition: { kind: "disputed", owner, name } };
  if (member.kind !== "member" || deeper.length > 0)
    throw refuse(
      `invalid expression: ${shown}, an ${isOfRun ? "evaluation exposes only .score, .label and .explanation" : "annotation exposes only .score, .label, .explanation and .identifier"}`,
    );
  const allowed = isOfRun ? membersOfRuns : members;
  const known = allowed.find((each) => each === member.name);
  if (known !== undefined) return { kind: "annotation", owner, name, member: known };
  const expected = isOfRun
    ? ", expected one of `.score`, `.label`, or `.explanation`"
    : ", expected one of `.score`, `.label`, `.explanation`, or `.identifier`";
  throw refuse(
    `invalid eval attribute \`.${member.name}\` in \`${shown}\`${didYouMean(member.name, isOfRun ? allowed : [...allowed, DISPUTED], expected)}`,
  );
}

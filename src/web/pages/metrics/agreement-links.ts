// The conditions that find items annotated by people and by programs: one pair of their values, or all pairs that differ.
import { MAX_COMPREHENSIONS } from "../../../filter/limits.ts";
import { literalOf } from "../../domain/filter/chips.ts";

export interface AgreementCategory {
  readonly label: string | null;
  readonly min: number | null;
  readonly max: number | null;
}

interface Compared {
  readonly name: string;
  readonly categories: readonly AgreementCategory[];
}

export type AgreementTarget = "span" | "trace" | "session";

/** Spans are found by their traces: a condition on spans reads a single annotation of a name. */
export const agreementLists = { span: "traces", trace: "traces", session: "sessions" } as const;
const collections = { span: "s.annotations", trace: "trace_annotations", session: "session_annotations" };

/** The values from people and from programs, as indexes of the categories. */
export function pairCondition(target: AgreementTarget, compared: Compared, people: number, programs: number): string {
  return whole(target, [both(target, compared, isIn(compared, people), isIn(compared, programs))]);
}

/** Everything in which one of them chose another category than the other; null where the condition would ask too much. */
export function differenceCondition(target: AgreementTarget, compared: Compared): string | null {
  // Two for each category, and one around them.
  if (2 * compared.categories.length + 1 > MAX_COMPREHENSIONS) return null;
  return whole(
    target,
    compared.categories.map((_, at) => both(target, compared, isIn(compared, at), `not (${isIn(compared, at)})`)),
  );
}

function whole(target: AgreementTarget, conditions: readonly string[]): string {
  const one = conditions.length === 1 ? conditions[0]! : conditions.map((each) => `(${each})`).join(" or ");
  return target === "span" ? `any(${one} for s in spans)` : one;
}

function both(target: AgreementTarget, { name }: Compared, people: string, programs: string): string {
  const condition = (by: string, what: string) =>
    `any(a.name == ${literalOf(name)} and a.annotator_kind ${by} 'HUMAN' and ${what} for a in ${collections[target]})`;
  return `${condition("==", people)} and ${condition("!=", programs)}`;
}

function isIn({ categories }: Compared, at: number): string {
  const { label, min, max } = categories[at]!;
  if (label !== null) return `a.label == ${literalOf(label)}`;
  if (min === max) return `a.score == ${min}`;
  return `a.score >= ${min} and a.score ${at === categories.length - 1 ? "<=" : "<"} ${max}`;
}

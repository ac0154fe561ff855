// Annotations of a span, a trace, a session or a document: which are the reader's own, and what a control and a digit make
// of it. No React here.
import type { JudgedBy } from "./JudgeControl.tsx";

export interface Verdict {
  readonly label: string | null;
  readonly score: number | null;
  readonly explanation: string | null;
}

export interface Annotation extends Verdict {
  /** Global id. */
  readonly id: string;
  readonly name: string;
  readonly annotatorKind: "HUMAN" | "LLM" | "CODE";
  readonly identifier: string;
  readonly updatedAt: string;
  readonly user: { readonly id: string; readonly username: string } | null;
}

/** A configuration of the project, with what tells good from bad. */
export type Question = JudgedBy & {
  readonly description: string | null;
  readonly optimizationDirection: "MINIMIZE" | "MAXIMIZE" | "NONE" | null;
};

export const emptyVerdict: Verdict = { label: null, score: null, explanation: null };
/** Annotations of this name are notes: texts, as many as there are. */
export const NOTE = "note";
/** Digits that choose: there is no tenth one to begin with. */
const MOST_DIGITS = 9;

/** Whose entry it is: one a person and name. Without authentication everybody is the same person, apart from programs. */
export function ownIdentifier(viewerId: string | null): string {
  return viewerId === null ? "px-app" : `px-app:${viewerId}`;
}

export function isBlank({ label, score, explanation }: Verdict): boolean {
  return !label && score === null && !explanation?.trim();
}

export function sameVerdict(one: Verdict, other: Verdict): boolean {
  return (
    (one.label ?? "") === (other.label ?? "") &&
    one.score === other.score &&
    (one.explanation ?? "").trim() === (other.explanation ?? "").trim()
  );
}

export interface Sorted {
  /** By name. */
  readonly own: ReadonlyMap<string, Annotation>;
  /** Of other people and of programs, by name, oldest first. */
  readonly others: ReadonlyMap<string, readonly Annotation[]>;
  readonly notes: readonly Annotation[];
}

export function sortedOut(annotations: readonly Annotation[], viewerId: string | null): Sorted {
  const identifier = ownIdentifier(viewerId);
  const own = new Map<string, Annotation>();
  const rest: Annotation[] = [];
  for (const annotation of annotations) {
    if (annotation.name === NOTE) continue;
    if (annotation.identifier === identifier) own.set(annotation.name, annotation);
    else rest.push(annotation);
  }
  return {
    own,
    others: Map.groupBy(rest, ({ name }) => name),
    notes: annotations.filter(({ name }) => name === NOTE),
  };
}

/** What the control of a question shows of a verdict. */
export function controlValue(question: Question, { label, score, explanation }: Verdict): string {
  if (question.type === "CATEGORICAL") return label ?? "";
  if (question.type === "CONTINUOUS") return score === null ? "" : String(score);
  return explanation ?? "";
}

/** The verdict after the control has been moved. A text that is not a number counts as no value. */
export function judged(question: Question, before: Verdict, value: string): Verdict {
  if (question.type === "CATEGORICAL") {
    const chosen = question.values.find(({ label }) => label === value);
    return { ...before, label: chosen?.label ?? null, score: chosen?.score ?? null };
  }
  if (question.type === "CONTINUOUS") {
    const score = Number(value.trim().replace(",", "."));
    return { ...before, score: value.trim() === "" || !Number.isFinite(score) ? null : score };
  }
  return { ...before, explanation: value === "" ? null : value };
}

/** The digit of the first choice of each question: they go on from question to question, so that every label has a key of its own. */
export function firstDigits(questions: readonly Question[]): ReadonlyMap<string, number> {
  const digits = new Map<string, number>();
  let next = 1;
  for (const question of questions) {
    if (question.type !== "CATEGORICAL" || next > MOST_DIGITS) continue;
    digits.set(question.name, next);
    next += question.values.length;
  }
  return digits;
}

/** What a digit chooses; null where no label has it. */
export function chosenBy(digit: number, questions: readonly Question[]) {
  const digits = firstDigits(questions);
  for (const question of questions) {
    const first = digits.get(question.name);
    if (first === undefined || question.type !== "CATEGORICAL") continue;
    const value = question.values[digit - first];
    if (digit >= first && value !== undefined) return { question, label: value.label };
  }
  return null;
}

/** How good a verdict is, from 0 to 1; null where nothing says which scores are the better ones. */
export function goodness(question: Question | undefined, { score }: Verdict): number | null {
  if (question === undefined || score === null) return null;
  const bounds = boundsOf(question);
  if (bounds === null || bounds.max <= bounds.min) return null;
  const share = Math.max(0, Math.min(1, (score - bounds.min) / (bounds.max - bounds.min)));
  if (question.optimizationDirection === "MAXIMIZE") return share;
  return question.optimizationDirection === "MINIMIZE" ? 1 - share : null;
}

function boundsOf(question: Question): { readonly min: number; readonly max: number } | null {
  if (question.type === "FREEFORM") return null;
  if (question.type === "CATEGORICAL") {
    const scores = question.values.flatMap(({ score }) => score ?? []);
    return scores.length === 0 ? null : { min: Math.min(...scores), max: Math.max(...scores) };
  }
  const { lowerBound, upperBound } = question;
  return lowerBound === null || upperBound === null ? null : { min: lowerBound, max: upperBound };
}

/** In a few words; empty where only an explanation was given. */
export function verdictText({ label, score }: Verdict): string {
  const number = score === null ? null : String(Number(score.toPrecision(4)));
  return label ? label : (number ?? "");
}
